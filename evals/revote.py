"""What would have become of a run's claims with fewer confirmations: the rules at the door over the votes that would be there.

No step before the votes reads them, so a run's other facts stand as they are. A claim nobody was asked to confirm stands, as if a vote
were for it: the rules alone judge it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from analyzer.bible import fold
from analyzer.models.facts import ClaimFact, Fact, RelationFact, VoteFact
from analyzer.models.text import Chapter, Manuscript
from analyzer.steps._step import Unit
from analyzer.steps.relations import compute
from analyzer.text.candidates.book import BookStats
from analyzer.text.languages import language_table
from evals.answerers.rates import Votes

_HEARD: dict[Votes, frozenset[str]] = {
    "none": frozenset(),
    "one": frozenset({"first"}),
    "two": frozenset({"first", "second"}),
    "all": frozenset({"first", "second", "third"}),
}


def relations_under(
    votes: Votes, facts: Sequence[Fact], manuscript: Manuscript, handles: Mapping[str, str]
) -> tuple[Fact, ...]:
    """Return a run's facts with the relations that these votes alone would have left. Cost: code only."""
    others = [fact for fact in facts if not isinstance(fact, RelationFact | VoteFact)]
    heard = [*others, *_heard(votes, facts)]
    numbers = sorted({fact.chapter for fact in facts if isinstance(fact, ClaimFact)})
    found: list[Fact] = []
    for number in numbers:
        chapter = manuscript.chapter(number)
        if chapter is not None:
            found += _relations(chapter, heard, handles)
    return (*heard, *found)


def _heard(votes: Votes, facts: Iterable[Fact]) -> list[VoteFact]:
    if votes == "none":
        claims = [fact for fact in facts if isinstance(fact, ClaimFact)]
        return [VoteFact(claim=c.claim, chapter=c.chapter, wording="first", vote="for", picked="for") for c in claims]
    return [fact for fact in facts if isinstance(fact, VoteFact) and fact.wording in _HEARD[votes]]


def _relations(chapter: Chapter, facts: Sequence[Fact], handles: Mapping[str, str]) -> list[Fact]:
    table = language_table(chapter.language)
    start = fold(facts, through=chapter.no - 1, handles=dict(handles))
    unit = Unit(chapter, table, BookStats.of_text("", table), start, frozenset())
    bible = fold(facts, through=chapter.no, handles=dict(handles))
    return [fact for fact, _ in compute(unit, bible).facts]
