"""Decides in words, and where the cast has it by handle, what a noticed change comes to; must not decide whether it is so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.question import Option, Question, QuestionKey
from analyzer.models.story import StateSayFact
from analyzer.prefix import shown
from analyzer.steps._options import lettered
from analyzer.steps._state import Noticed, line_of, noticed, ref_to, those_here
from analyzer.steps._state_words import BEINGS, LIFE, LINKED, NOTHING, THINGS, linked
from analyzer.steps._step import Answered, AskStep, Effects, Unit

ELSE = "else"
VALUE_CHARS = 120
"""Longest value kept, in code points: ten words are asked for, the rest of a longer note is cut."""
TASKS = {
    "which": "Which of the cast is it: the place or ship where they are from then on; the thing that is gained or "
    "lost, or who has it from then on where it is a thing; the group or "
    "person they are bound to or part from? Answer with its handle, or with the letter of the state of life or death. The letter of "
    "“nothing and nowhere of the cast” where it is not in the list.",
    "words": "Say in at most ten words of the chapter's language what it is from there on, or what is gained, lost or ended: the "
    "place, the thing, the illness, the wish, the colour. Only the value, behind number and =: no names of whom it is about, no "
    "sentence.",
}
_ELSE = lettered([(ELSE, "nothing and nowhere of the cast", None)])
_LIFE = lettered((key, text, None) for key, text in LIFE)


@dataclass(frozen=True)
class ValueCandidate:
    """A noticed change and how its value is asked: in words, or which of the options."""

    one: Noticed
    how: Literal["which", "words"]
    options: tuple[Option, ...] = ()


def candidates(unit: Unit, bible: Bible) -> Sequence[ValueCandidate]:
    """Return every change once in words, and once among the cast or the states of life where its attribute has such."""
    offered = _Offered(unit, bible)
    changes = noticed(unit, bible)
    which = [
        ValueCandidate(one, "which", offered.of(one))
        for one in changes
        if one.attribute in LINKED or one.attribute == "life_status"
    ]
    return [*which, *(ValueCandidate(one, "words") for one in changes)]


class _Offered:
    """What each value may be: states of life, or those of the cast whom the prefix shows; named here or not, they cost nothing."""

    def __init__(self, unit: Unit, bible: Bible) -> None:
        self._bible = bible
        here = {entry.handle for entry in those_here(unit, bible, BEINGS | THINGS, wide=True)}
        self._options = [
            (entry.entity.entity_kind, entry.option)
            for handle, entry in bible.cast.items()
            if handle in unit.scope or handle in here
        ]

    def of(self, one: Noticed) -> tuple[Option, ...]:
        """Return the options of one change."""
        if one.attribute == "life_status":
            return _LIFE
        kinds = linked(one.attribute, self._bible.cast[one.entity].entity.entity_kind)
        return (*(o for kind, o in self._options if kind in kinds and o.key != one.entity), *_ELSE)


def question(candidate: ValueCandidate, unit: Unit, bible: Bible) -> Question:
    """Return whom and what it is about, with its sentences."""
    one = candidate.one
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="state.value",
            chapter=unit.chapter.no,
            about=(ref_to(one, bible),),
            detail=f"{candidate.how}:{one.attribute}:{one.change}",
        ),
        type="note" if candidate.how == "words" else "choice",
        text=line_of(one, bible),
        options=candidate.options,
        sentences=one.places,
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return what was said of each value; what could not be read says nothing."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        candidate: ValueCandidate = item.candidate
        value = _said(item, candidate.how)
        if value:
            fact = StateSayFact(
                chapter=unit.chapter.no, change=candidate.one.change, what="value", value=value, value_of=candidate.how
            )
            facts.append((fact, (item.answer_id,)))
    return Effects(tuple(facts))


def _said(item: Answered, how: str) -> str:
    """Return what an answer says: a key, words, or `NOTHING` for a hyphen where words were asked for."""
    if how == "which":
        return item.answer.pick if item.answer.status == "answered" and item.answer.pick != ELSE else ""
    if item.answer.status == "none":
        return NOTHING
    return shown(item.answer.text)[:VALUE_CHARS].strip() if item.answer.status == "answered" else ""


STEP = AskStep(
    name="state_value",
    part="state",
    reads=frozenset({"entity", "name", "same", "state_notice"}),
    writes=frozenset({"state_say"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="state_value",
    pack_size=80,
    n_groups=2,
    pack_by=lambda candidate: str(candidate.how),
    slots=lambda group, _unit, _bible: {"task": TASKS[group]},
)
