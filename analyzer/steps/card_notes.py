"""Decides summary, time and point of view of a chapter's card; must not decide who is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.question import Option, Question, QuestionKey
from analyzer.models.story import CardSayFact
from analyzer.steps._card import OUTSIDE
from analyzer.steps._options import letters
from analyzer.steps._scope import brief, ref_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.steps._story import people_there

MOST_EYES = 12
"""People offered as the point of view, those mentioned most. Source: a choice; nobody else is followed through a chapter."""

CardPart = Literal["summary", "time", "point_of_view"]
WORDS: dict[CardPart, str] = {
    "summary": "What happens in this chapter?",
    "time": "When does it happen, as the text says it (day, hour, season, how long after)? At most eight words.",
    "point_of_view": "Through whose eyes is most of it told?",
}


class CardCandidate(NamedTuple):
    """A part of the card."""

    part: CardPart


def candidates(unit: Unit, bible: Bible) -> Sequence[CardCandidate]:
    """Return the three parts; none where nobody is in the chapter and nothing could be said of anybody."""
    return [CardCandidate(part) for part in WORDS] if unit.chapter.blocks else []


def question(candidate: CardCandidate, unit: Unit, bible: Bible) -> Question:
    """Return a note's line, or the choice of whose eyes."""
    key = QuestionKey(step=STEP.name, ask=f"card.{candidate.part}", chapter=unit.chapter.no, about=())
    text = WORDS[candidate.part]
    if candidate.part != "point_of_view":
        return Question(key=key, type="note", text=text)
    return Question(key=key, type="choice", text=text, options=_eyes(unit, bible))


def _eyes(unit: Unit, bible: Bible) -> tuple[Option, ...]:
    there = [entry for entry in people_there(unit, bible) if entry.entity.entity_kind == "character"]
    n_of = {p.entity: p.n_mentions for entry in there for p in entry.presences if p.chapter == unit.chapter.no}
    ranked = sorted(
        there, key=lambda entry: (not entry.narrates, -n_of.get(entry.handle, 0), bible.arrival[entry.handle])
    )
    rows = [Option(mark=letters(0), key=OUTSIDE, text="a teller outside, or now one and now another")]
    for at, entry in enumerate(ranked[:MOST_EYES], 1):
        rows.append(Option(mark=letters(at), key=entry.handle, text=brief(entry, bible), ref=ref_of(entry, bible)))
    return tuple(rows)


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return what was said, each part apart."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        if item.answer.status == "answered":
            part: CardPart = item.candidate.part
            value = item.answer.pick if part == "point_of_view" else item.answer.text
            facts.append((CardSayFact(chapter=unit.chapter.no, what=part, value=value), (item.answer_id,)))
    return Effects(tuple(facts))


STEP = AskStep(
    name="card_notes",
    part="card",
    reads=frozenset({"entity", "name", "same", "presence"}),
    writes=frozenset({"card_say"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="card_notes",
)
