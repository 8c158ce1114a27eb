"""Answers and attempts: answers are insert-only, cache, checkpoint and recording in one; attempts are never answers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from analyzer.models.question import Answer, Question
from analyzer.models.rows import AnswerRow, AttemptRow
from analyzer.models.run import AnsweredBy
from analyzer.storage.section import Section, read_record, record_json, row_hash
from analyzer.storage.tables import ANSWERS, ATTEMPTS, Row


class Answers(Section):
    """Verbs over answers and attempts."""

    _ids: set[str] | None

    def _forget(self) -> None:
        self._ids = None

    def add_answers(self, rows: Iterable[AnswerRow]) -> None:
        """Insert answers; an id that exists stays as it is, within one batch too. Nothing ever updates or deletes one."""
        with self._db.transaction():
            known = self._known_ids()
            new: dict[str, AnswerRow] = {}
            for row in rows:
                if row.answer_id not in known:
                    new.setdefault(row.answer_id, row)
            self._db.append(ANSWERS, [encode_answer(row) for row in new.values()])
            known.update(new)

    def answers_for(self, answer_ids: Collection[str]) -> dict[str, AnswerRow]:
        """Return those of the ids that are answered, by id, in the order asked."""
        asked = [answer_id for answer_id in answer_ids if answer_id in self._known_ids()]
        if not asked:
            return {}
        rows = self._db.query(
            f"select {ANSWERS.names}\nfrom answers\nwhere answer_id in (select unnest(?::varchar[]))",
            [asked],
            of=(ANSWERS,),
        )
        found = {row[0]: decode_answer(row) for row in rows}
        return {answer_id: found[answer_id] for answer_id in asked}

    def answers_by_ids(self, answer_ids: Sequence[str]) -> list[AnswerRow]:
        """Return the answers of these ids in their order; ids without an answer are left out."""
        return list(self.answers_for(answer_ids).values())

    def not_stored(self, answer_ids: Iterable[str]) -> list[str]:
        """Return those of the ids that no answer has, in order."""
        known = self._known_ids()
        return [answer_id for answer_id in answer_ids if answer_id not in known]

    def all_answers(self) -> list[AnswerRow]:
        """Return every answer, by chapter, step and id."""
        rows = self._db.query(f"select {ANSWERS.names}\nfrom answers\norder by chapter, step, answer_id", of=(ANSWERS,))
        return [decode_answer(row) for row in rows]

    def questions_by(self, answered_by: AnsweredBy) -> list[Question]:
        """Return the questions somebody of this kind has answered, in the order their answers came."""
        rows = self._db.query(
            "select question\nfrom answers\nwhere answered_by = ?\norder by rowid", [answered_by], of=(ANSWERS,)
        )
        return [read_record(Question, text, where="a question") for (text,) in rows]

    def answered_by_task(self) -> dict[tuple[str, int], frozenset[str]]:
        """Return the models whose answers each task (step, chapter) has."""
        rows = self._db.query("select distinct step, chapter, model\nfrom answers", of=(ANSWERS,))
        found: dict[tuple[str, int], set[str]] = {}
        for step, chapter, model in rows:
            found.setdefault((step, chapter), set()).add(model)
        return {task: frozenset(models) for task, models in found.items()}

    def add_attempts(self, rows: Iterable[AttemptRow]) -> None:
        """Add replies that could not be used."""
        with self._db.transaction():
            self._db.append(
                ATTEMPTS,
                [(r.call_id, r.request_hash, r.step, r.chapter, r.pack_size, r.reply_text, r.problem) for r in rows],
            )

    def attempts(self) -> list[AttemptRow]:
        """Return every attempt, by chapter, step and call."""
        rows = self._db.query(
            f"select {ATTEMPTS.names}\nfrom attempts\norder by chapter, step, call_id, rowid", of=(ATTEMPTS,)
        )
        return [AttemptRow(**dict(zip(AttemptRow.model_fields, row, strict=True))) for row in rows]

    def _known_ids(self) -> set[str]:
        """Every stored id, some 100 bytes each.

        Most questions of a first run are new and need no query to say so; and `on conflict do nothing` made an insert of
        500 answers take 21 ms instead of 9. The primary key stays as the last guard: it refuses, never replaces.
        """
        if self._ids is None:
            self._ids = {answer_id for (answer_id,) in self._db.query("select answer_id\nfrom answers", of=(ANSWERS,))}
        return self._ids


def encode_answer(row: AnswerRow) -> Row:
    """Return the columns of an answer, its hash last."""
    values: Row = (
        row.answer_id,
        row.request_hash,
        row.call_id,
        row.step,
        row.chapter,
        row.key,
        record_json(row.question),
        record_json(row.answer),
        row.model,
        row.answered_by,
        row.wording,
    )
    return (*values, row_hash(values))


def decode_answer(values: tuple[Any, ...]) -> AnswerRow:
    """Return the answer in a row's columns; raises IntegrityError where they do not hold one."""
    answer_id, request_hash, call_id, step, chapter, key, question, answer, model, answered_by, wording, _ = values
    where = f"answer {answer_id}"
    return AnswerRow(
        answer_id=answer_id,
        request_hash=request_hash,
        call_id=call_id,
        step=step,
        chapter=chapter,
        key=key,
        question=read_record(Question, question, where=where),
        answer=read_record(Answer, answer, where=where),
        model=model,
        answered_by=answered_by,
        wording=wording,
    )
