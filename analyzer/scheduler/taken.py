"""What steps take from the whole book in a chapter, as hashes: worked out where the text is another, else as remembered.

A step that looks at statistics over the book says what it takes of them (`Step.from_book`). That stands in the input hash of
its tasks, so that a chapter is looked at again where an edit elsewhere changed it, and left alone where it did not.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cached_property

from analyzer.hashing import bytes_sha256, content_hash
from analyzer.models.text import Chapter, Manuscript
from analyzer.scheduler.keys import code_hash
from analyzer.steps._step import Step
from analyzer.text.candidates.book import BookStats
from analyzer.text.languages import language_table

SETTING = "from_book"
"""The setting that keeps what was worked out last."""
_SHORT = 16
"""Hex digits of the hashes kept; no two chapters of a book have to be told apart by them, only two versions of one."""


class Taken:
    """What steps take of a book's statistics. `known` is what `remembered` returned in an earlier run, of any text.

    Statistics that are given are of no text in particular: nothing is remembered of them.
    """

    def __init__(self, manuscript: Manuscript, known: str | None = None, stats: BookStats | None = None) -> None:
        self._manuscript = manuscript
        self._given = stats
        text = bytes_sha256(manuscript.text.encode())
        self._of = content_hash("book", [text, manuscript.language, code_hash()])[-_SHORT:]
        old = json.loads(known) if known else {}
        is_this = stats is None and old.get("of") == self._of
        self._found: dict[str, str] = old["found"] if is_this else {}
        self._n_known = len(self._found)

    @cached_property
    def stats(self) -> BookStats:
        """The statistics, made when first needed."""
        return self._given or BookStats.of(self._manuscript, language_table(self._manuscript.language))

    def of(self, step: Step, chapter: Chapter) -> str:
        """Return the hash of what `step` takes from the book in `chapter`; "" where it takes nothing.

        Cost: what finding the chapter's names costs (about 10 ms of spaced script), once for a text.
        """
        if step.from_book is None:
            return ""
        key = f"{step.name} {bytes_sha256(chapter.text.encode())[:_SHORT]} {chapter.language}"
        if key not in self._found:
            took = step.from_book(chapter, language_table(chapter.language), self.stats)
            self._found[key] = content_hash("taken", took)[-_SHORT:]
        return self._found[key]

    def remembered(self) -> str | None:
        """Return what to keep for the next run; None where all was known."""
        if self._given is not None or len(self._found) == self._n_known:
            return None
        return json.dumps({"of": self._of, "found": self._found}, ensure_ascii=False)


def with_marks(inputs: str, marks: Iterable[str]) -> str:
    """Return an input hash with what came from the whole book behind it, where `marks_of` finds it."""
    return ".".join([inputs, *(mark for mark in marks if mark)])


def marks_of(inputs: str) -> frozenset[str]:
    """Return the marks behind an input hash."""
    return frozenset(inputs.split(".")[1:])
