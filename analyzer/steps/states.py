"""Folds notices, values, natures and doubts into changes of state and appearance; every rule at the door is here, named and counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.issue import Issue, IssueCode
from analyzer.models.story import ChangeFact
from analyzer.models.text import Place
from analyzer.states import States, same_value
from analyzer.steps._scope import Mentions, cast_mentions, offset_of
from analyzer.steps._state import MAX_EVIDENCE, issue
from analyzer.steps._state_odd import Draft, drafts, oddity, said_of, states_before, take_in
from analyzer.steps._state_words import NATURES, linked, told_of
from analyzer.steps._step import ComputeStep, Effects, Unit

EVIDENCE_REACH = 3000
"""Code points within which an evidence sentence must have a mention of whom it is about, if code finds any in the chapter and it is
not the narrator. Source: all core changes of the gold chapters hold within it."""
EXAMPLE_PLACES = frozenset({Place(12, 3), Place(14, 1)})
"""The sentences of the answer format's illustration in prompts/format.lines.md."""


class Ruling(NamedTuple):
    """Why a draft stays out, in a code and in words."""

    code: IssueCode
    detail: str


def denied(draft: Draft) -> Ruling | None:
    """Return why the answers keep a draft out, or None."""
    last = draft.doubt or draft.nature
    if last not in (*NATURES, "holds", "unreal"):
        return Ruling("undecided", "what is told could not be read")
    if last == "before":
        return Ruling("state_already_so", f"{draft.reason or 'nature'}: it was so before")
    if draft.modality is None:
        return Ruling("state_denied", f"{draft.reason or 'nature'}: {last}")
    if draft.silent and not draft.doubt:
        return Ruling("state_no_value", "nothing of the kind is told")
    return None


def unfit(draft: Draft, unit: Unit, bible: Bible, mentions: Mentions) -> Ruling | None:
    """Return why a draft cannot be so whatever was answered, or None."""
    one = draft.one
    kind = bible.cast[one.entity].entity.entity_kind
    if kind not in told_of(one.attribute).kinds:
        return Ruling("wrong_entity_kinds", f"{kind} {one.attribute}")
    if draft.to_entity:
        if draft.to_entity not in bible.cast:
            return Ruling("unknown_handle", f"{draft.to_entity} is nobody in the cast")
        if draft.to_entity == one.entity:
            return Ruling("self_relation", f"{one.attribute} of itself")
        to_kind = bible.cast[draft.to_entity].entity.entity_kind
        if to_kind not in linked(one.attribute, kind):
            return Ruling("wrong_entity_kinds", f"{one.attribute}: {to_kind}")
    if not draft.to and draft.op in ("set", "add") and len(one.looks) < 2 and not draft.doubt:
        return Ruling("state_no_value", one.attribute)
    return _unshown(draft, unit, bible, mentions)


def _unshown(draft: Draft, unit: Unit, bible: Bible, mentions: Mentions) -> Ruling | None:
    one = draft.one
    if not one.evidence:
        return Ruling("no_evidence", "no words of the chapter show it")
    if any(unit.chapter.sentence_text(e.place) != e.text for e in one.evidence):
        return Ruling("evidence_not_in_chapter", "the words cited are not those of the chapter")
    spots = [spot.offset for spot in mentions.spots.get(one.entity, ())]
    cited = [offset_of(unit, place) for place in one.places]
    near = any(abs(spot - at) <= EVIDENCE_REACH for spot in spots for at in cited)
    unseen = not spots and not bible.cast[one.entity].surfaces
    if near or unseen or bible.cast[one.entity].narrates:
        return None
    only_example = set(one.places) <= EXAMPLE_PLACES
    return Ruling("example_only" if only_example else "no_evidence", "it is nowhere near what is cited")


def compute(unit: Unit, bible: Bible) -> Effects:
    """Return the chapter's changes in story order, and an issue for every notice that a rule kept out."""
    mentions, before, now = cast_mentions(unit, bible), states_before(unit, bible), states_before(unit, bible)
    kept: list[ChangeFact] = []
    issues: list[Issue] = []
    for draft in drafts(unit, bible):
        ruling = denied(draft) or unfit(draft, unit, bible, mentions) or _uncleared(draft, before, kept, unit)
        if ruling is not None:
            issues.append(issue(ruling.code, STEP.name, unit, (draft.one.entity, draft.one.attribute), ruling.detail))
            continue
        values = now.get(draft.one.entity, {}).get(draft.one.attribute, ())
        change = draft.fact(unit.chapter.no, before=said_of(values))
        twin = next((n for n, other in enumerate(kept) if _same(other, change)), None)
        if twin is not None:
            kept[twin] = _joined(kept[twin], change)
            continue
        kept.append(change)
        take_in(now, change)
    return Effects(_facts(kept), tuple(issues))


def _uncleared(draft: Draft, before: States, kept: Sequence[ChangeFact], unit: Unit) -> Ruling | None:
    """Return why a draft stays out that looks odd and of which nobody said anything more, or None."""
    if draft.doubt or draft.modality not in ("asserted", "reported"):
        return None
    odd = oddity(draft, draft.fact(unit.chapter.no), before, kept, unit)
    if odd is None:
        return None
    return Ruling("state_already_so" if odd.reason == "already" else "state_contradicts", f"{odd.reason}: {odd.known}")


def _facts(kept: Sequence[ChangeFact]) -> tuple[tuple[Fact, tuple[str, ...]], ...]:
    return tuple((change, ()) for change in kept)


def _same(one: ChangeFact, other: ChangeFact) -> bool:
    """Say whether two changes of a chapter are one, told twice."""
    return (one.entity, one.attribute, one.op) == (other.entity, other.attribute, other.op) and same_value(one, other)


def _joined(one: ChangeFact, other: ChangeFact) -> ChangeFact:
    evidence = tuple({e.place: e for e in (*one.evidence, *other.evidence)}.values())[:MAX_EVIDENCE]
    looks = tuple(dict.fromkeys((*one.looks, *other.looks)))
    return one.model_copy(update={"evidence": evidence, "looks": looks})


STEP = ComputeStep(
    name="states",
    part="state",
    reads=frozenset({"entity", "name", "same", "state_notice", "state_say"}),
    writes=frozenset({"change"}),
    past=frozenset({"change"}),
    compute=compute,
)
