"""A task: one step at one chapter. What its result depends on, and what it leaves in the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from analyzer.errors import DefinitionError
from analyzer.hashing import content_hash
from analyzer.llm.asker import Asker
from analyzer.models.facts import EntityFact, StoredFact
from analyzer.models.issue import Issue
from analyzer.models.rows import TaskRow
from analyzer.scheduler.chapters import OpenChapter
from analyzer.scheduler.facts import BookFacts
from analyzer.scheduler.keys import code_hash
from analyzer.scheduler.questions import answer_issues
from analyzer.scheduler.settle import Settled
from analyzer.scheduler.views import check_written
from analyzer.steps._step import Answered, Effects, Step
from analyzer.storage.store import Store

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
    """What a settled task leaves: its row, facts, issues with ids, and handles given."""

    row: TaskRow
    facts: tuple[StoredFact, ...]
    issues: tuple[tuple[str, Issue], ...]
    handles: Mapping[str, str]

    def store(self, store: Store) -> None:
        """Replace what the task left before, in one transaction."""
        store.commit_task(self.row, self.facts, self.issues, self.handles)


def input_hash(task: Task, facts: BookFacts, asker: Asker | None) -> str:
    """Return the hash of all a task's result depends on: text, facts before, facts read, code and prompts, who is asked.

    Statistics over the book are left out on purpose: a new chapter would otherwise put every older one in doubt.
    """
    asked = [asker.model, asker.params, asker.profile.answer_format] if asker is not None else []
    return content_hash(
        "task",
        [
            task.step.name,
            code_hash(),
            task.open.text_hash,
            task.open.start.facts_hash,
            facts.reads_hash(task.chapter, task.step.name),
            asked,
        ],
    )


def answered(settled: Sequence[Settled]) -> tuple[Answered, ...]:
    """Return what a step's effects are given."""
    return tuple(Answered(s.asked.candidate, s.asked.question, s.got.answer, s.got.answer_id) for s in settled)


def result_of(
    task: Task, effects: Effects, settled: Sequence[Settled], issues: Sequence[Issue], inputs: str, facts: BookFacts
) -> Result:
    """Return what the task leaves; raises DefinitionError where a step broke its declaration or a handle's history."""
    step, chapter = task.step, task.chapter
    check_written(step.name, step.writes, chapter, (fact for fact, _ in effects.facts))
    stored: dict[str, StoredFact] = {}
    for fact, because in effects.facts:
        fact_id = content_hash("fact", [step.name, chapter, fact.model_dump(mode="json")])
        if fact_id in stored:
            because = tuple(dict.fromkeys((*stored[fact_id].because, *because)))
        stored[fact_id] = StoredFact(fact_id=fact_id, step=step.name, chapter=chapter, fact=fact, because=because)
    found = [i for s in settled for i in answer_issues(s.asked.question, s.got.answer)]
    numbered = {_issue_id(issue): issue for issue in (*found, *issues, *effects.issues)}
    is_partial = any(not s.got.usable for s in settled)
    row = TaskRow(
        step=step.name,
        chapter=chapter,
        input_hash=f"{PARTIAL}{inputs}" if is_partial else inputs,
        n_answers=sum(s.got.usable for s in settled),
        n_facts=len(stored),
        n_issues=len(numbered),
    )
    return Result(row, tuple(stored.values()), tuple(numbered.items()), _new_handles(step.name, stored, facts))


def _issue_id(issue: Issue) -> str:
    return content_hash("issue", issue.model_dump(mode="json"))


def _new_handles(step: str, stored: Mapping[str, StoredFact], facts: BookFacts) -> dict[str, str]:
    """Return handles of anchors that had none; raises DefinitionError where one would change or be given twice."""
    taken = {handle: anchor for anchor, handle in facts.handles.items()}
    fresh: dict[str, str] = {}
    for kept in stored.values():
        if not isinstance(kept.fact, EntityFact):
            continue
        anchor, handle = kept.fact.anchor, kept.fact.entity
        known = facts.handles.get(anchor) or fresh.get(anchor) or handle
        bearer = taken.get(handle, anchor)
        if known != handle or bearer != anchor:
            clash = f"{anchor!r} has {known}" if known != handle else f"it stands for {bearer!r}"
            raise DefinitionError(
                f"step {step!r} gave {handle} to {anchor!r}, but {clash}",
                where=f"{step}, chapter {kept.chapter}",
                hint="take the handle from view.handle_for(anchor), or the next number never given",
            )
        if anchor not in facts.handles:
            fresh[anchor] = handle
            taken[handle] = anchor
    return fresh
