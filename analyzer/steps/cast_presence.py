"""Decides how each entity is there in a chapter: on the page, mentioned, historical."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.bible import Bible
from analyzer.models.facts import Fact, Presence, PresenceFact
from analyzer.models.issue import Issue
from analyzer.models.question import Question, QuestionKey, Ref
from analyzer.models.text import Place
from analyzer.steps._options import lettered
from analyzer.steps._scope import brief, cast_mentions, ref_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit

PRESENCES: tuple[tuple[Presence, str], ...] = (
    ("on_page", "is there in a scene of this chapter"),
    ("mentioned", "is only spoken or thought of"),
    ("historical", "belongs to history or myth, outside the story's own present"),
)
OPTIONS = lettered((key, text, None) for key, text in PRESENCES)


@dataclass(frozen=True)
class PresenceCandidate:
    """An entity that stands in the chapter."""

    handle: str
    places: tuple[Place, ...]
    n: int
    ref: Ref


def candidates(unit: Unit, bible: Bible) -> Sequence[PresenceCandidate]:
    """Return everybody and everything the chapter mentions."""
    mentions = cast_mentions(unit, bible)
    return [
        PresenceCandidate(
            handle, mentions.places(handle), mentions.n(handle), ref_of(entry, bible, mentions.places(handle))
        )
        for handle, entry in bible.cast.items()
        if mentions.n(handle)
    ]


def question(candidate: PresenceCandidate, unit: Unit, bible: Bible) -> Question:
    """Return one short line: the handle and its name."""
    return Question(
        key=QuestionKey(step=STEP.name, ask="cast.presence", chapter=unit.chapter.no, about=(candidate.ref,)),
        type="choice",
        text=brief(bible.cast[candidate.handle], bible),
        options=OPTIONS,
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return the presence of each; where the answer is none, it counts as mentioned, since its name stands there.

    A name that several bear is counted to none of them and is an issue.
    """
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        if item.answer.status not in {"answered", "none"}:
            continue
        presence: Presence = next((k for k, _ in PRESENCES if k == item.answer.pick), "mentioned")
        fact = PresenceFact(
            entity=item.candidate.handle,
            chapter=unit.chapter.no,
            presence=presence,
            n_mentions=item.candidate.n,
            first=item.candidate.places[0],
        )
        facts.append((fact, (item.answer_id,)))
    shared = sorted(cast_mentions(unit, bible).ambiguous.items())
    issues = tuple(
        Issue(
            code="ambiguous_name",
            step=STEP.name,
            chapter=unit.chapter.no,
            about=(surface, *handles),
            detail="several bear this name; it is counted to none of them",
        )
        for surface, handles in shared
    )
    return Effects(tuple(facts), issues)


STEP = AskStep(
    name="cast_presence",
    reads=frozenset({"entity", "name", "same"}),
    writes=frozenset({"presence"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="cast_presence",
    part="cast",
    carries=True,
    pack_size=80,
)
