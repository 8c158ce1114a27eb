"""Decides about changes that look odd beside the past, the people named or the words used; must not look at any other."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.question import Question, QuestionKey
from analyzer.models.story import StateSayFact
from analyzer.prefix import quoted, shown
from analyzer.steps._options import lettered
from analyzer.steps._scope import brief
from analyzer.steps._state import ref_to
from analyzer.steps._state_odd import Odd, odd_ones
from analyzer.steps._state_words import told_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit

OPTIONS = lettered(
    (key, text, None)
    for key, text in (
        ("not", "the text does not say so"),
        ("other", "it is so of somebody else"),
        ("before", "it was so before; nothing changes"),
        ("unreal", "only planned, feared, dreamt, supposed or said in play"),
        ("holds", "it is so from here on, or first told here"),
    )
)
REASONS = {
    "split": "one reader found this told here, another did not",
    "dead": "known before: {known}",
    "already": "known before: {known}",
    "contradicts": "known before: {known}",
    "two_places": "just before: {known}",
    "wrong_person": "the sentence names {known}",
    "twice": "told in this chapter already: {known}",
    "unreal": "the sentence speaks of a plan, a dream or a condition",
}


def candidates(unit: Unit, bible: Bible) -> Sequence[Odd]:
    """Return the changes that would be stored and look odd."""
    return odd_ones(unit, bible)


def question(candidate: Odd, unit: Unit, bible: Bible) -> Question:
    """Return the change in words with its sentences and why it is odd; the options are shared by the pack."""
    draft = candidate.draft
    one = draft.one
    known = candidate.known
    known = brief(bible.cast[known], bible) if known in bible.cast else shown(known)
    who = brief(bible.cast[one.entity], bible)
    value = f": {quoted(draft.to)}" if draft.to else ""
    why = REASONS[candidate.reason].format(known=known)
    verb = {"remove": " lost", "end": " ended"}.get(draft.op, "")
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="state.doubt",
            chapter=unit.chapter.no,
            about=(ref_to(one, bible),),
            detail=f"{candidate.reason}:{one.attribute}:{one.change}",
        ),
        type="choice",
        text=f"{who}, {told_of(one.attribute).word}{verb}{value} ({' '.join(map(str, one.places))}); {why}",
        options=OPTIONS,
        sentences=one.places,
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return what was picked; a hyphen means that the text does not say so."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        odd: Odd = item.candidate
        if item.answer.status in ("answered", "none"):
            picked = item.answer.pick if item.answer.status == "answered" else "not"
            fact = StateSayFact(
                chapter=unit.chapter.no, change=odd.draft.one.change, what="doubt", value=picked, value_of=odd.reason
            )
            facts.append((fact, (item.answer_id,)))
    return Effects(tuple(facts))


STEP = AskStep(
    name="state_doubt",
    part="state",
    reads=frozenset({"entity", "name", "same", "state_notice", "state_say"}),
    writes=frozenset({"state_say"}),
    past=frozenset({"change"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="state_doubt",
    pack_size=60,
)
