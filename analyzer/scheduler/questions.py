"""From candidates to packs: what a task asks, cut so that a resumed run cuts the same way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from analyzer.bible import Bible
from analyzer.llm.asker import Asker, Dividing, Profile, Weighing, asker_of, askers_in
from analyzer.models.issue import Issue, IssueCode
from analyzer.models.question import NONE, Answer, Option, Pack, Question
from analyzer.prompts import fill, render_tail, wording_name
from analyzer.scheduler.keys import OptionParts, Shown, again_key, reuse_key
from analyzer.steps._step import AskStep, Unit

_BASE_TOKENS = 32
"""Room in a reply beside its lines: a model may open with a word or a fence."""
_MARK_TOKENS = 4
"""Tokens of one more mark in a select's line, `@123 ` at most. Source: o200k counts of such marks."""
_PLACE_TOKENS = 5
"""Tokens of one more sentence handle, ` 112.13` at most. Source: o200k counts of such handles."""
_USUAL_PLACES = 3
"""Sentence handles a profile's own bound on a line has room for."""
_NOTE_TOKENS = 160
"""Tokens of a note's line; a note is one or two sentences. Source: NOTE_CHARS of the answer format, at 4 characters a token."""
_PLACE = re.compile(r"[0-9]+\.[0-9]+\Z")
_HANDLE = re.compile(r"@?[0-9]+\Z")


class Asked(NamedTuple):
    """A question of a task: its candidate, its pack group, and its answer ids in the first and in the other wording."""

    candidate: Any
    question: Question
    group: str
    ids: tuple[str, str]


@dataclass(frozen=True)
class PackPlan:
    """Questions that share a call unless some are answered already; `slots` fill the step's prompt."""

    step: AskStep
    chapter: int
    slots: Mapping[str, str]
    asked: tuple[Asked, ...]
    asker: Asker

    def pack(self, which: Sequence[int], prefix: Shown, *, wording: int = 0, turn: bool = False) -> Pack:
        """Return the pack for the questions at these indexes; `turn` reverses the order of their options."""
        questions = tuple(self.asked[i].question for i in which)
        if turn:
            questions = tuple(turned(question) for question in questions)
        tail = render_tail(self.step.prompt, self.slots, questions, wording=wording)
        return Pack(
            step=self.step.name,
            chapter=self.chapter,
            parts=prefix.parts,
            tail=tail,
            questions=questions,
            wording=wording,
        )


def plan_packs(
    step: AskStep, unit: Unit, view: Bible, prefix: Shown, asker: Asker, inputs: str = ""
) -> tuple[PackPlan, ...]:
    """Return all packs of a task, answered or not, in order; a question asked twice is kept once.

    Groups come in the order of their first candidate and never share a pack, nor do questions that different askers answer.
    `inputs` is the task's input hash: what an asker that weighs more than a question shows may rest on. Cost: code only,
    nothing is sent.
    """
    groups: dict[tuple[str, int], list[Asked]] = {}
    askers = askers_in(asker)
    params = [{**one.params, "inputs": inputs} if isinstance(one, Weighing) else one.params for one in askers]
    instructions: dict[str, tuple[str, str]] = {}
    slots: dict[str, dict[str, str]] = {}
    seen: set[str] = set()
    options = OptionParts()
    for candidate in step.candidates(unit, view):
        question = step.question(candidate, unit, view)
        group = step.pack_by(candidate)
        if group not in slots:
            slots[group] = step.slots(group, unit, view)
            instructions[group] = (fill(step.prompt, slots[group]), fill(wording_name(step.prompt, 1), slots[group]))
        first, again = instructions[group]
        who = askers.index(asker_of(asker, question)) if len(askers) > 1 else 0
        model = askers[who].model
        key = reuse_key(question, instructions=first, prefix=prefix, model=model, params=params[who], options=options)
        ids = key, again_key(key, instructions=again)
        if ids[0] not in seen:
            seen.add(ids[0])
            groups.setdefault((group, who), []).append(Asked(candidate, question, group, ids))
    return tuple(
        PackPlan(step, unit.chapter.no, slots[group], tuple(part), askers[who])
        for (group, who), asked in groups.items()
        for part in _cut(asked, step, askers[who])
    )


def _cut(asked: Sequence[Asked], step: AskStep, asker: Asker) -> Iterator[Sequence[Asked]]:
    """Yield the questions of one group in packs: by their number, or by how many decisions they need."""
    if not isinstance(asker, Dividing):
        size = pack_size(step, asker.profile)
        yield from (asked[at : at + size] for at in range(0, len(asked), size))
        return
    pack: list[Asked] = []
    left = asker.profile.max_decisions
    for one in asked:
        needs = asker.weight(one.question)
        if pack and needs > left:
            yield pack
            pack, left = [], asker.profile.max_decisions
        pack.append(one)
        left -= needs
    yield pack


def pack_size(step: AskStep, profile: Profile) -> int:
    """Return the most questions of a call: the step's bound, or the profile's where that is smaller."""
    return min(step.pack_size, profile.max_pack) if profile.max_pack else step.pack_size


def max_output_tokens(questions: Sequence[Question], profile: Profile) -> int:
    """Return the bound on a reply's tokens, generous enough that no honest reply is cut."""
    return _BASE_TOKENS + sum(_line_tokens(question, profile) for question in questions)


def _line_tokens(question: Question, profile: Profile) -> int:
    if question.type == "note":
        return max(profile.output_tokens_per_line, _NOTE_TOKENS)
    more = _PLACE_TOKENS * (question.max_sentences - _USUAL_PLACES) * question.max_picks
    return profile.output_tokens_per_line + _MARK_TOKENS * (question.max_picks - 1) + max(0, more)


def turned(question: Question) -> Question:
    """Return the question with its options in reverse; letters stay where they were, so that each now means another option.

    None of the lettered options stays in its place; marks that are handles, or of a list elsewhere, go with their option.
    """

    def is_lettered(option: Option) -> bool:
        return len(option.mark) == 1 and option.mark.isalpha()

    real = [option for option in question.options if option.key != NONE]
    turning = [option for option in real if is_lettered(option)] or real
    reverse = iter(
        option.model_copy(update={"mark": place.mark}) if is_lettered(option) else option
        for place, option in zip(turning, reversed(turning), strict=True)
    )
    options = tuple(next(reverse) if option in turning else option for option in question.options)
    return question.model_copy(update={"options": options})


def answer_issues(question: Question, answer: Answer) -> tuple[Issue, ...]:
    """Return what was odd about a settled answer, from the answer alone: a resumed run finds the same."""
    about = tuple(ref.handle or (ref.names[0] if ref.names else ref.tie) for ref in question.key.about)
    found = [(_dropped_code(token), f"{question.key.text}: {token[:40]!r} was not offered") for token in answer.dropped]
    if answer.status == "refused":
        found.append(("refused", question.key.text))
    elif answer.status == "abstained":
        found.append(("near_tie", question.key.text))
    elif answer.status in ("unparsed", "missing"):
        found.append(("unanswered", f"{question.key.text}: {answer.status}"))
    return tuple(
        Issue(code=code, step=question.key.step, chapter=question.key.chapter, about=about, detail=detail)
        for code, detail in found
    )


def _dropped_code(token: str) -> IssueCode:
    if _PLACE.match(token):
        return "evidence_not_in_chapter"
    return "unknown_handle" if _HANDLE.match(token) else "unknown_mark"
