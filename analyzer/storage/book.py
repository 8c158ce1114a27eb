"""The book's own rows: the book, its chapters, runs, settings and the author's decisions."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from analyzer.errors import IntegrityError
from analyzer.hashing import canonical_json
from analyzer.models.base import fault_of
from analyzer.models.decision import DECISION, Decided, Decision
from analyzer.models.rows import BookRow, ChapterRow, DecisionRow, RunRow
from analyzer.storage.money import to_nano, to_usd
from analyzer.storage.section import Section, record_json
from analyzer.storage.tables import BOOK, CHAPTERS, DECISIONS, RUNS, SETTINGS, Row

T = TypeVar("T")


def _columns(row: ChapterRow) -> Row:
    plain = (row.no, row.kind, row.label, row.title, row.text_sha256, row.n_blocks, row.id)
    return (*plain, canonical_json(list(row.origins)), canonical_json([list(block) for block in row.blocks]))


def _chapter(values: tuple[Any, ...]) -> ChapterRow:
    *plain, origins, blocks = values
    try:
        lists = json.loads(origins), json.loads(blocks)
        return ChapterRow(**dict(zip(ChapterRow.model_fields, (*plain, *lists), strict=True)))
    except ValueError as error:
        raise IntegrityError(
            f"the row of chapter {values[0]} does not hold a chapter", hint="run `analyzer verify BOOK`"
        ) from error


class BookRows(Section):
    """Verbs over book, chapters, runs, settings and decisions."""

    def book(self) -> BookRow | None:
        """Return the book, or None before `put_book`."""
        rows = self._db.query(f"select {BOOK.names}\nfrom book", of=(BOOK,))
        return BookRow(**dict(zip(BookRow.model_fields, rows[0], strict=True))) if rows else None

    def put_book(self, row: BookRow) -> None:
        """Replace the book's row."""
        with self._db.transaction():
            self._db.execute("delete from book", of=(BOOK,))
            self._db.append(BOOK, [(row.title, row.language, row.sha256, row.manuscript_path, row.created_at)])

    def chapters(self) -> list[ChapterRow]:
        """Return the chapters as last read, in order; empty before `put_chapters`."""
        rows = self._db.query(f"select {CHAPTERS.names}\nfrom chapters\norder by no", of=(CHAPTERS,))
        return [_chapter(row) for row in rows]

    def put_chapters(self, rows: Sequence[ChapterRow]) -> None:
        """Replace the chapters; raises IntegrityError where a number comes twice. Facts are left alone: see `drop_tasks`."""
        numbers = [row.no for row in rows]
        if len(set(numbers)) != len(numbers):
            raise IntegrityError(f"a chapter number comes twice in {sorted(numbers)}")
        with self._db.transaction():
            self._db.execute("delete from chapters", of=(CHAPTERS,))
            self._db.append(CHAPTERS, [_columns(row) for row in rows])

    def open_run(self, row: RunRow) -> None:
        """Add a run; raises IntegrityError where its id was used before."""
        cap_nano = None if row.cap_usd is None else to_nano(row.cap_usd)
        with self._db.transaction():
            if self._db.query("select 1\nfrom runs\nwhere run_id = ?", [row.run_id], of=(RUNS,)):
                raise IntegrityError(f"run {row.run_id!r} is there already", where=row.run_id)
            self._db.append(
                RUNS,
                [
                    (
                        row.run_id,
                        row.model,
                        row.confirm_model,
                        row.answered_by,
                        cap_nano,
                        row.started_at,
                        row.ended_at,
                        row.outcome,
                    )
                ],
            )

    def close_run(self, run_id: str, *, ended_at: float, outcome: str) -> None:
        """Say when and how a run ended; raises IntegrityError where there is no such run."""
        with self._db.transaction():
            if not self._db.query("select 1\nfrom runs\nwhere run_id = ?", [run_id], of=(RUNS,)):
                raise IntegrityError(f"there is no run {run_id!r} to close", where=run_id)
            self._db.execute(
                "update runs\nset ended_at = ?, outcome = ?\nwhere run_id = ?", [ended_at, outcome, run_id], of=(RUNS,)
            )

    def runs(self) -> list[RunRow]:
        """Return all runs, oldest first; one with `ended_at` None is running or was killed."""
        rows = self._db.query(f"select {RUNS.names}\nfrom runs\norder by started_at, run_id", of=(RUNS,))
        return [
            RunRow(
                run_id=run_id,
                model=model,
                confirm_model=confirm_model,
                answered_by=answered_by,
                cap_usd=None if cap_nano is None else to_usd(cap_nano),
                started_at=started_at,
                ended_at=ended_at,
                outcome=outcome,
            )
            for run_id, model, confirm_model, answered_by, cap_nano, started_at, ended_at, outcome in rows
        ]

    def put_setting(self, name: str, value: str) -> None:
        """Set one setting, replacing its value."""
        with self._db.transaction():
            self._db.execute("delete from settings\nwhere name = ?", [name], of=(SETTINGS,))
            self._db.append(SETTINGS, [(name, value)])

    def setting(self, name: str) -> str | None:
        """Return a setting's value, or None where it was never set."""
        return self.settings().get(name)

    def kept(self, name: str, of: type[T]) -> T | None:
        """Return what a setting keeps as JSON, or None where it was never set; raises IntegrityError where that is no `of`."""
        text = self.setting(name)
        try:
            return None if text is None else TypeAdapter(of).validate_json(text)
        except ValidationError as error:
            raise IntegrityError(
                f"the setting {name!r} of the store makes no sense: {fault_of(error)}",
                where=name,
                hint="something else wrote to the store: take the book from a copy",
            ) from error

    def settings(self) -> dict[str, str]:
        """Return all settings, by name in order."""
        return dict(self._db.query(f"select {SETTINGS.names}\nfrom settings\norder by name", of=(SETTINGS,)))

    def add_decision(self, row: DecisionRow) -> None:
        """Add a decision of the author; one that is there stays as it is, a different one of the same id is IntegrityError."""
        with self._db.transaction():
            there = [d for d in self.decisions() if d.decision_id == row.decision_id]
            if there and there[0] != row:
                raise IntegrityError(f"decision {row.decision_id!r} was given before, otherwise", where=row.decision_id)
            if not there:
                self._db.append(DECISIONS, [(row.decision_id, row.kind, row.payload, row.decided_at)])

    def decisions(self) -> list[DecisionRow]:
        """Return the author's decisions, oldest first."""
        rows = self._db.query(
            f"select {DECISIONS.names}\nfrom decisions\norder by decided_at, decision_id", of=(DECISIONS,)
        )
        return [DecisionRow(**dict(zip(DecisionRow.model_fields, row, strict=True))) for row in rows]

    def decided(self) -> list[Decided]:
        """Return the author's decisions, oldest first, undone ones and what undid them included."""
        return [_decided(row) for row in self.decisions()]

    def decide(self, decision: Decision, *, at: float) -> Decided:
        """Add a decision and return it with its id; it is dated after all others, whatever the clock says."""
        with self._db.transaction():
            rows = self.decisions()
            after = math.nextafter(rows[-1].decided_at, math.inf) if rows else at
            taken = {row.decision_id for row in rows}
            number = len(rows) + 1
            while f"d{number}" in taken:
                number += 1
            made = Decided(id=f"d{number}", at=max(at, after), decision=decision)
            self.add_decision(
                DecisionRow(decision_id=made.id, kind=decision.kind, payload=record_json(decision), decided_at=made.at)
            )
        return made


def _decided(row: DecisionRow) -> Decided:
    try:
        return Decided(id=row.decision_id, at=row.decided_at, decision=DECISION.validate_json(row.payload))
    except ValueError as error:
        raise IntegrityError(
            f"decision {row.decision_id} does not hold a decision",
            where=row.decision_id,
            hint="run `analyzer verify`; restore a copy of the book if it names more",
        ) from error
