"""The chapters of a run beside their gold, one by one: what each says, and who is who."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from analyzer.bible import Bible
from analyzer.models.gold import GoldChapter
from analyzer.models.text import Manuscript
from evals.reading import names_of, reading_of_bible, reading_of_gold
from evals.records import Reading
from evals.scoring.entities import Matched, match_entities


class ComparedChapter(NamedTuple):
    """A chapter's gold and what the book's bible says as of it, with who is who."""

    number: int
    wanted: Reading
    said: Reading
    matched: Matched


def compared_chapters(
    gold: Mapping[int, GoldChapter], manuscript: Manuscript, bible_at: Callable[[int], Bible]
) -> Iterator[ComparedChapter]:
    """Yield the chapters with gold in order; whoever was matched in one chapter stays who it was in the next."""
    known: dict[str, str] = {}
    for number in sorted(gold):
        before = [gold[n] for n in sorted(gold) if n < number]
        wanted = reading_of_gold(gold[number], names_of(before))
        said = reading_of_bible(bible_at(number), number, manuscript=manuscript, gold=gold[number])
        matched = match_entities(wanted, said, earlier=[reading_of_gold(g) for g in before], known=known)
        known = {**matched.of, **known}
        yield ComparedChapter(number, wanted, said, matched)
