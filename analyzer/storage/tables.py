"""The shape of each table the store writes in bulk: column names and types, in the order of its tuples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Value = str | int | float | bool | None
Row = tuple[Value, ...]


class Table(NamedTuple):
    """A table: `columns` are (name, type) in order."""

    name: str
    columns: tuple[tuple[str, str], ...]

    @property
    def names(self) -> str:
        """The column names, comma separated."""
        return ", ".join(name for name, _ in self.columns)

    @property
    def insert(self) -> str:
        """One statement for any number of rows: a list parameter per column (some 50,000 rows/s; executemany 260)."""
        lists = ",\n  ".join(f"unnest(?::{kind}[])" for _, kind in self.columns)
        return f"insert into {self.name} ({self.names})\nselect\n  {lists}"

    @property
    def insert_one(self) -> str:
        """One statement for one row, a parameter per column: half the time of `insert`."""
        return f"insert into {self.name} ({self.names})\nvalues ({', '.join('?' * len(self.columns))})"

    def lists(self, rows: Sequence[Row]) -> list[list[Value]]:
        """Return `rows` turned into one list per column, for `insert`."""
        return [list(column) for column in zip(*rows, strict=True)]


def _table(name: str, spec: str) -> Table:
    """Return a table from a line `name:type ...`; a bare name is varchar."""
    columns = tuple((part.partition(":")[0], part.partition(":")[2] or "varchar") for part in spec.split())
    return Table(name, columns)


BOOK = _table("book", "title language sha256 manuscript_path created_at:double")
CHAPTERS = _table("chapters", "no:integer kind label title text_sha256 n_blocks:integer id:integer origins blocks")
ANSWERS = _table(
    "answers",
    "answer_id request_hash call_id step chapter:integer question_key question answer model answered_by wording:integer"
    " row_hash",
)
ATTEMPTS = _table("attempts", "call_id request_hash step chapter:integer pack_size:integer reply_text problem")
STEPS = _table("steps", "step step_no:integer")
TASKS = _table("tasks", "step chapter:integer input_hash n_answers:integer n_facts:integer n_issues:integer model code")
FACTS = _table("facts", "fact_id step chapter:integer position:integer fact_class fact because row_hash")
ISSUES = _table("issues", "issue_id step chapter:integer position:integer code issue")
HANDLES = _table("handles", "anchor handle beside")
CALL_STARTS = _table(
    "call_starts",
    "call_id run_id step chapter:integer model answered_by n_questions:integer attempt:integer reserved_nano:bigint"
    " started_at:double",
)
CALL_ENDS = _table(
    "call_ends",
    "call_id model answered_by status settled:boolean has_usage:boolean input:bigint cache_read:bigint cache_write:bigint"
    " output:bigint reasoning:bigint cost_nano:bigint ended_at:double detail",
)
RUNS = _table(
    "runs",
    "run_id model confirm_model answered_by cap_nano:bigint started_at:double ended_at:double outcome",
)
SETTINGS = _table("settings", "name value")
DECISIONS = _table("decisions", "decision_id kind payload decided_at:double")

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        BOOK,
        CHAPTERS,
        ANSWERS,
        ATTEMPTS,
        STEPS,
        TASKS,
        FACTS,
        ISSUES,
        HANDLES,
        CALL_STARTS,
        CALL_ENDS,
        RUNS,
        SETTINGS,
        DECISIONS,
    )
}
