"""A task: one step at one chapter. What its result depends on, and what it leaves in the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from analyzer.errors import DefinitionError, IntegrityError
from analyzer.hashing import content_hash
from analyzer.llm.asker import Asker, askers_in
from analyzer.models.facts import EntityFact, StoredFact
from analyzer.models.issue import Issue
from analyzer.models.rows import TaskRow
from analyzer.scheduler.chapters import OpenChapter
from analyzer.scheduler.facts import BookFacts
from analyzer.scheduler.keys import code_hash
from analyzer.scheduler.questions import answer_issues
from analyzer.scheduler.settle import Settled
from analyzer.scheduler.taken import with_marks
from analyzer.scheduler.views import check_written
from analyzer.steps._step import Answered, Effects, Step
from analyzer.storage.store import Store
from analyzer.storage.tasks import fact_id_of, issue_id_of

PARTIAL = "partial:"
"""Before the input hash of a task with unanswered questions: the next run finds it changed and asks them again."""


class Task(NamedTuple):
    """A step at an open chapter."""

    step: Step
    open: OpenChapter

    @property
    def chapter(self) -> int:
        """The chapter's number."""
        return self.open.chapter.no


class Result(NamedTuple):
    """What a settled task leaves: facts, issues with ids, handles given; and what its row says."""

    step: str
    chapter: int
    input_hash: str
    n_answers: int
    facts: tuple[StoredFact, ...] = ()
    issues: tuple[tuple[str, Issue], ...] = ()
    handles: Mapping[str, str] = MappingProxyType({})
    model: str = ""

    def store(self, store: Store) -> None:
        """Replace what the task left before, in one transaction; raises IntegrityError where an answer it rests on is missing."""
        missing = store.not_stored(answer_id for fact in self.facts for answer_id in fact.because)
        if missing:
            raise IntegrityError(
                f"a fact rests on {missing[0]}, which is not stored", where=f"{self.step} ch{self.chapter}"
            )
        row = TaskRow(
            step=self.step,
            chapter=self.chapter,
            input_hash=self.input_hash,
            n_answers=self.n_answers,
            n_facts=len(self.facts),
            n_issues=len(self.issues),
            model=self.model,
            code=code_hash(),
        )
        store.commit_task(row, self.facts, self.issues, self.handles)


def step_hash(step: Step, asker: Asker | None) -> str:
    """Return the hash of what a step's results depend on in every chapter: code and prompts, and who is asked."""
    asked: list[object] = []
    for one in askers_in(asker) if asker is not None else ():
        asked += [one.model, one.params, one.profile.answer_format]
    return content_hash("step", [step.name, code_hash(), asked])


def input_hash(task: Task, step_hash: str, reads_hash: str, marks: Sequence[str] = ()) -> str:
    """Return the hash of all a task's result depends on: step, chapter (place, identity, text), facts before, facts read.

    `marks` are hashes of what it takes from the whole book ("" for nothing); they stand behind it, so that a plan can tell them.
    """
    opened = task.open
    spot = f"{opened.chapter.no} {opened.chapter.identity} {opened.copy}"
    inputs = content_hash("task", f"{step_hash} {spot} {opened.text_hash} {opened.start.facts_hash} {reads_hash}")
    return with_marks(inputs, marks)


def answered(settled: Sequence[Settled]) -> tuple[Answered, ...]:
    """Return what a step's effects are given."""
    return tuple(Answered(s.asked.candidate, s.asked.question, s.got.answer, s.got.answer_id) for s in settled)


def result_of(
    task: Task,
    effects: Effects,
    settled: Sequence[Settled],
    issues: Sequence[Issue],
    inputs: str,
    facts: BookFacts,
    *,
    model: str = "",
) -> Result:
    """Return what the task leaves; raises DefinitionError where a step broke its declaration or a handle's history."""
    step, chapter = task.step, task.chapter
    is_partial = any(not s.got.usable for s in settled)
    inputs = f"{PARTIAL}{inputs}" if is_partial else inputs
    n_answers = sum(s.got.usable for s in settled)
    if not (settled or issues or effects.facts or effects.issues):
        return Result(step.name, chapter, inputs, n_answers, model=model)
    kept = _stored(step, chapter, effects)
    found = [i for s in settled for i in answer_issues(s.asked.question, s.got.answer)]
    numbered = {issue_id_of(issue): issue for issue in (*found, *issues, *effects.issues)}
    handles = _new_handles(step.name, kept, facts)
    return Result(step.name, chapter, inputs, n_answers, kept, tuple(numbered.items()), handles, model)


def _stored(step: Step, chapter: int, effects: Effects) -> tuple[StoredFact, ...]:
    """Return the facts with their ids; one given twice is kept once, with all it rests on."""
    check_written(step.name, step.writes, chapter, (fact for fact, _ in effects.facts))
    stored: dict[str, StoredFact] = {}
    for fact, because in effects.facts:
        fact_id = fact_id_of(step.name, chapter, fact)
        if fact_id in stored:
            because = tuple(dict.fromkeys((*stored[fact_id].because, *because)))
        stored[fact_id] = StoredFact(fact_id=fact_id, step=step.name, chapter=chapter, fact=fact, because=because)
    return tuple(stored.values())


def _new_handles(step: str, kept: Sequence[StoredFact], facts: BookFacts) -> dict[str, str]:
    """Return handles of anchors that had none; raises DefinitionError where one would change or be given twice."""
    entities = [(stored.chapter, stored.fact) for stored in kept if isinstance(stored.fact, EntityFact)]
    if not entities:
        return {}
    given = dict(facts.handles)
    bearers = {handle: anchor for anchor, handle in given.items()}
    for chapter, entity in entities:
        anchor, handle = entity.anchor, entity.entity
        known = given.get(anchor, handle)
        bearer = anchor if anchor in given else bearers.get(handle, anchor)
        if known != handle or bearer != anchor:
            clash = f"{anchor!r} has {known}" if known != handle else f"it stands for {bearer!r}"
            raise DefinitionError(
                f"step {step!r} gave {handle} to {anchor!r}, but {clash}",
                where=f"{step}, chapter {chapter}",
                hint="take the handle from view.handle_for(anchor), or the next number never given",
            )
        given[anchor], bearers[handle] = handle, anchor
    return {anchor: handle for anchor, handle in given.items() if anchor not in facts.handles}
