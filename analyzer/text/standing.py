"""Whether a sentence still stands in an edited text, and in which chapter: what an author decided about it rests on that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from analyzer.models.decision import Words
from analyzer.models.rows import ChapterRow
from analyzer.models.text import Chapter, Place
from analyzer.text.alignment import digest_of, prints_of


class Stood(NamedTuple):
    """A chapter as far as its sentences matter: number, id, ids of chapters its text once stood in, digests of its sentences."""

    no: int
    id: int
    origins: tuple[int, ...]
    digests: frozenset[str]


@dataclass(frozen=True)
class Standing:
    """The sentences of a text by chapter."""

    chapters: tuple[Stood, ...]

    @classmethod
    def of(cls, chapters: Iterable[Chapter]) -> Standing:
        """Return the sentences of these chapters."""
        return cls(
            tuple(
                Stood(c.no, c.identity, c.origins, frozenset(d for block in c.blocks for d in prints_of(block)))
                for c in chapters
            )
        )

    @classmethod
    def of_rows(cls, rows: Iterable[ChapterRow]) -> Standing:
        """Return the sentences of a text as a book's rows keep them."""
        return cls(
            tuple(Stood(r.no, r.id or r.no, r.origins, frozenset(d for block in r.blocks for d in block)) for r in rows)
        )

    def chapter_of(self, words: Words) -> int:
        """Return the number of the chapter in which the sentence stands now, 0 where it is gone.

        It is looked for in its own chapter and, where that was split, merged or taken out, in those that took over text of it: a
        like sentence anywhere else was not meant. Of several the last counts, so that nothing is shown too early.
        """
        digest = digest_of(words.text)
        own = [c.no for c in self.chapters if c.id == words.chapter and digest in c.digests]
        return max(
            own or [c.no for c in self.chapters if words.chapter in c.origins and digest in c.digests], default=0
        )


def place_of(chapter: Chapter, sentence: str) -> Place | None:
    """Return where a sentence with the same letters stands in a chapter, None where it does not."""
    digest = digest_of(sentence)
    for block in chapter.blocks:
        for at, span in enumerate(block.sentences, 1):
            if digest and digest_of(block.text[span.start : span.end]) == digest:
                return Place(block.no, at)
    return None
