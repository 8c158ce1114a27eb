"""Tasks and what they left: facts and issues, replaced together; handles, which only ever grow."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from analyzer.errors import IntegrityError
from analyzer.hashing import canonical_json, content_hash
from analyzer.models.facts import Fact, StoredFact
from analyzer.models.issue import Issue
from analyzer.models.rows import TaskId, TaskRow
from analyzer.storage.section import Section, read_record, record_json, row_hash
from analyzer.storage.tables import ANSWERS, FACTS, HANDLES, ISSUES, STEPS, TASKS, Row

_FACT: TypeAdapter[Fact] = TypeAdapter(Fact)


class Tasks(Section):
    """Verbs over tasks, facts, issues, handles and the order of steps."""

    _tasks: dict[TaskId, TaskRow] | None
    _handles: dict[str, str] | None
    _steps: dict[str, int] | None

    def _forget(self) -> None:
        self._tasks = self._handles = self._steps = None

    def task(self, step: str, chapter: int) -> TaskRow | None:
        """Return the task as committed, or None where it never was."""
        return self._known_tasks().get(TaskId(step, chapter))

    def tasks(self) -> list[TaskRow]:
        """Return all committed tasks, by chapter, then in the order of steps."""
        order = self._known_steps()
        return sorted(self._known_tasks().values(), key=lambda t: (t.chapter, order[t.step]))

    def commit_task(
        self,
        row: TaskRow,
        facts: Sequence[StoredFact],
        issues: Sequence[tuple[str, Issue]],
        handles: Mapping[str, str] | None = None,
    ) -> None:
        """Replace what the task left by these facts and issues (each with its id) and add new `handles` (anchor -> handle).

        One transaction. Raises IntegrityError where the row's counts are not those given, a fact belongs to another task,
        an id comes twice, or an anchor or a handle was given otherwise before.
        """
        task = TaskId(row.step, row.chapter)
        _check_facts(row, facts, issues)
        with self._db.transaction():
            if task in self._known_tasks():
                self._delete([task])
            self._add_step(row.step)
            self._add_handles(handles or {})
            self._db.append(TASKS, [tuple(row.model_dump().values())])
            self._db.append(FACTS, [encode_fact(fact, at) for at, fact in enumerate(facts)])
            self._db.append(
                ISSUES,
                [
                    (issue_id, row.step, row.chapter, at, issue.code, record_json(issue))
                    for at, (issue_id, issue) in enumerate(issues)
                ],
            )
            self._known_tasks()[task] = row

    def drop_tasks(self, tasks: Collection[tuple[str, int]]) -> None:
        """Remove tasks (step, chapter) with their facts and issues, as for chapters that are gone; answers stay."""
        gone = [TaskId(*task) for task in tasks if TaskId(*task) in self._known_tasks()]
        if gone:
            with self._db.transaction():
                self._delete(gone)

    def facts(self, through: int | None = None, classes: Collection[str] | None = None) -> list[StoredFact]:
        """Return facts of chapters 1..`through` (None: all) and of these classes, by chapter, order of steps, position."""
        rows = self._db.query(
            "select f.fact_id, f.step, f.chapter, f.fact, f.because\n"
            "from facts f\n"
            "join steps s on s.step = f.step\n"
            "where ($1::integer is null or f.chapter <= $1)\n"
            "and ($2::varchar[] is null or list_contains($2::varchar[], f.fact_class))\n"
            "order by f.chapter, s.step_no, f.position",
            [through, None if classes is None else sorted(classes)],
            of=(FACTS, STEPS),
        )
        return [decode_fact(row) for row in rows]

    def fact(self, fact_id: str) -> StoredFact | None:
        """Return one fact, or None where no task left it."""
        rows = self._db.query(
            "select fact_id, step, chapter, fact, because\nfrom facts\nwhere fact_id = ?", [fact_id], of=(FACTS,)
        )
        return decode_fact(rows[0]) if rows else None

    def issues(self) -> list[tuple[str, Issue]]:
        """Return all issues with their ids, by chapter, order of steps, position."""
        rows = self._db.query(
            "select i.issue_id, i.issue\n"
            "from issues i\n"
            "join steps s on s.step = i.step\n"
            "order by i.chapter, s.step_no, i.position",
            of=(ISSUES, STEPS),
        )
        return [(issue_id, read_record(Issue, text, where=f"issue {issue_id}")) for issue_id, text in rows]

    def models_by_chapter(self) -> dict[int, frozenset[str]]:
        """Return the models on whose answers the facts of each chapter rest; chapters whose facts rest on none are left out."""
        models: dict[str, str] = dict(self._db.query("select answer_id, model\nfrom answers", of=(ANSWERS,)))
        found: dict[int, set[str]] = {}
        for chapter, because in self._db.query("select distinct chapter, because\nfrom facts", of=(FACTS,)):
            named = {models[answer_id] for answer_id in json.loads(because) if answer_id in models}
            if named:
                found.setdefault(chapter, set()).update(named)
        return {chapter: frozenset(named) for chapter, named in sorted(found.items())}

    def handles(self) -> dict[str, str]:
        """Return every handle ever given, by anchor, in the order given."""
        return dict(self._known_handles())

    def beside(self) -> dict[str, str]:
        """Return the anchors that were added for a handle given before: anchor -> the first anchor of its handle."""
        return dict(self._db.query("select anchor, beside\nfrom handles\nwhere beside <> ''", of=(HANDLES,)))

    def put_step_order(self, steps: Sequence[str]) -> None:
        """Fix the order of facts within a chapter: `steps` first, as given (the graph's order), then any others as they were.

        Without it a step comes where its first commit put it, which two runs with tasks side by side may do differently.
        """
        order = list(dict.fromkeys([*steps, *self._known_steps()]))
        numbers = {step: at for at, step in enumerate(order)}
        if numbers == self._known_steps():
            return
        with self._db.transaction():
            self._db.execute("delete from steps", of=(STEPS,))
            self._db.append(STEPS, list(numbers.items()))
            self._steps = numbers

    def _delete(self, tasks: Sequence[TaskId]) -> None:
        for table in (TASKS, FACTS, ISSUES):
            self._db.execute(
                f"delete from {table.name}\n"
                "where (step, chapter) in (select unnest($1::varchar[]), unnest($2::integer[]))",
                [[t.step for t in tasks], [t.chapter for t in tasks]],
                of=(table,),
            )
        for task in tasks:
            self._known_tasks().pop(task, None)

    def _add_step(self, step: str) -> None:
        steps = self._known_steps()
        if step not in steps:
            steps[step] = max(steps.values(), default=-1) + 1
            self._db.append(STEPS, [(step, steps[step])])

    def _add_handles(self, handles: Mapping[str, str]) -> None:
        known = self._known_handles()
        anchors = {handle: anchor for anchor, handle in reversed(known.items())}
        for anchor, handle in handles.items():
            if known.get(anchor, handle) != handle:
                raise IntegrityError(
                    f"{anchor!r} has the handle {known[anchor]}, it cannot become {handle}", where=anchor
                )
            if anchor not in known and handle in anchors:
                raise IntegrityError(
                    f"{handle} was given for {anchors[handle]!r}, it cannot stand for {anchor!r}", where=anchor
                )
            if anchor not in known:
                self._db.append(HANDLES, [(anchor, handle, "")])
                known[anchor], anchors[handle] = handle, anchor

    def give_handle(self, name: str) -> tuple[str, str]:
        """Give a handle never given before to somebody of this name and return it with its anchor: `name:Voss`, or `name:Voss#2`."""
        known = self._known_handles()
        anchor, n = f"name:{name}", 1
        while anchor in known:
            n += 1
            anchor = f"name:{name}#{n}"
        handle = f"@{max((int(given[1:]) for given in known.values()), default=0) + 1}"
        with self._db.transaction():
            self._add_handles({anchor: handle})
        return handle, anchor

    def add_anchors(self, anchors: Mapping[str, str]) -> None:
        """Let more anchors stand for handles that were given (anchor -> handle); anchors that have a handle keep it.

        Raises IntegrityError for a handle never given.
        """
        known = self._known_handles()
        first = {handle: anchor for anchor, handle in reversed(known.items())}
        with self._db.transaction():
            for anchor, handle in anchors.items():
                if handle not in first:
                    raise IntegrityError(f"{handle} was never given, {anchor!r} cannot stand for it", where=anchor)
                if anchor not in known:
                    self._db.append(HANDLES, [(anchor, handle, first[handle])])
                    known[anchor] = handle

    def renumber_tasks(self, numbers: Mapping[int, int]) -> None:
        """Give what tasks left the new numbers of their chapters (old -> new); tasks of chapters not in it go, answers stay.

        Every id, hash and mention of a number in facts and issues follows. Raises IntegrityError where two become one.
        """
        if len(set(numbers.values())) != len(numbers):
            raise IntegrityError(f"two chapters would have one number: {sorted(numbers.items())}")
        tasks = list(self._known_tasks().values())
        moved = {task.chapter for task in tasks if numbers.get(task.chapter) != task.chapter}
        if not moved:
            return
        kept = [task for task in tasks if task.chapter in moved and task.chapter in numbers]
        facts: dict[TaskId, list[StoredFact]] = {}
        issues: dict[TaskId, list[tuple[str, Issue]]] = {}
        for stored in self.facts():
            if stored.chapter in moved:
                facts.setdefault(TaskId(stored.step, stored.chapter), []).append(stored)
        for issue_id, issue in self.issues():
            if issue.chapter in moved:
                issues.setdefault(TaskId(issue.step, issue.chapter), []).append((issue_id, issue))
        with self._db.transaction():
            self._delete([TaskId(task.step, task.chapter) for task in tasks if task.chapter in moved])
            for task in kept:
                at, no = TaskId(task.step, task.chapter), numbers[task.chapter]
                self.commit_task(
                    task.model_copy(update={"chapter": no}),
                    [renumbered(stored, no) for stored in facts.get(at, ())],
                    [_renumbered_issue(issue, no) for _, issue in issues.get(at, ())],
                )

    def _known_tasks(self) -> dict[TaskId, TaskRow]:
        if self._tasks is None:
            rows = self._db.query(f"select {TASKS.names}\nfrom tasks", of=(TASKS,))
            found = [TaskRow(**dict(zip(TaskRow.model_fields, row, strict=True))) for row in rows]
            self._tasks = {TaskId(t.step, t.chapter): t for t in found}
        return self._tasks

    def _known_handles(self) -> dict[str, str]:
        if self._handles is None:
            self._handles = dict(self._db.query("select anchor, handle\nfrom handles\norder by rowid", of=(HANDLES,)))
        return self._handles

    def _known_steps(self) -> dict[str, int]:
        if self._steps is None:
            self._steps = dict(self._db.query(f"select {STEPS.names}\nfrom steps\norder by step_no", of=(STEPS,)))
        return self._steps


def _check_facts(row: TaskRow, facts: Sequence[StoredFact], issues: Sequence[object]) -> None:
    task = TaskId(row.step, row.chapter)
    if (row.n_facts, row.n_issues) != (len(facts), len(issues)):
        raise IntegrityError(
            f"the task says {row.n_facts} facts and {row.n_issues} issues, got {len(facts)} and {len(issues)}",
            where=f"{row.step} ch{row.chapter}",
        )
    seen: set[str] = set()
    for fact in facts:
        if (fact.step, fact.chapter) != task:
            raise IntegrityError(
                f"fact {fact.fact_id!r} is of {fact.step} ch{fact.chapter}, not of {task.step} ch{task.chapter}",
                where=f"{task.step} ch{task.chapter}",
            )
        if fact.fact_id in seen:
            raise IntegrityError(f"fact {fact.fact_id!r} comes twice", where=f"{task.step} ch{task.chapter}")
        seen.add(fact.fact_id)


def fact_id_of(step: str, chapter: int, fact: Fact) -> str:
    """Return the id of a fact: derived from its task and content."""
    return content_hash("fact", [step, chapter, fact.model_dump(mode="json")])


def issue_id_of(issue: Issue) -> str:
    """Return the id of an issue: derived from its content, task included."""
    return content_hash("issue", issue.model_dump(mode="json"))


def renumbered(stored: StoredFact, no: int) -> StoredFact:
    """Return the fact as of a chapter that now has the number `no`; its words and places in the chapter stay."""
    fields = stored.fact.model_dump(mode="json") | {"chapter": no}
    if "evidence" in fields:
        fields["evidence"] = [shown | {"chapter": no} for shown in fields["evidence"]]
    fact = _FACT.validate_python(fields)
    return stored.model_copy(update={"fact_id": fact_id_of(stored.step, no, fact), "chapter": no, "fact": fact})


def _renumbered_issue(issue: Issue, no: int) -> tuple[str, Issue]:
    moved = issue.model_copy(update={"chapter": no})
    return issue_id_of(moved), moved


def encode_fact(fact: StoredFact, position: int) -> Row:
    """Return the columns of a fact, its hash last."""
    text, because = record_json(fact.fact), canonical_json(list(fact.because))
    hashed = row_hash((fact.fact_id, fact.step, fact.chapter, fact.fact.fact, text, because))
    return (fact.fact_id, fact.step, fact.chapter, position, fact.fact.fact, text, because, hashed)


def decode_fact(values: tuple[Any, ...]) -> StoredFact:
    """Return the fact in (fact_id, step, chapter, fact, because); raises IntegrityError where they do not hold one."""
    fact_id, step, chapter, text, because = values
    try:
        fact = _FACT.validate_json(text)
        return StoredFact(fact_id=fact_id, step=step, chapter=chapter, fact=fact, because=tuple(json.loads(because)))
    except ValueError as error:
        kind = "a validation error" if isinstance(error, ValidationError) else str(error)
        raise IntegrityError(
            f"fact {fact_id} does not hold a fact: {kind}",
            where=f"fact {fact_id}",
            hint="run `analyzer verify BOOK`; restore a copy of the book if it names more",
        ) from error
