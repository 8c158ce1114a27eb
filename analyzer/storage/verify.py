"""Integrity: every query of verify.sql must return no rows, every stored hash must be that of its row."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

from analyzer.errors import DefinitionError, IntegrityError
from analyzer.storage.answers import decode_answer
from analyzer.storage.db import Database
from analyzer.storage.section import row_hash
from analyzer.storage.tables import ANSWERS, FACTS, TABLES
from analyzer.storage.tasks import decode_fact

FILE = Path(__file__).parent / "verify.sql"
_HEAD = re.compile(r"^-- name: ([a-z_]+)\s*$", re.MULTILINE)
SHOWN = 20
"""Lines shown per query before the rest is only counted: a screenful."""


class Check(NamedTuple):
    """One query of verify.sql: each row it returns is a contradiction, said in its only column."""

    name: str
    sql: str


def checks(text: str | None = None) -> list[Check]:
    """Return the queries of verify.sql in order; raises DefinitionError where a name comes twice or has no query."""
    parts = _HEAD.split(FILE.read_text(encoding="utf-8") if text is None else text)
    found = [Check(name, body.strip().rstrip(";")) for name, body in zip(parts[1::2], parts[2::2], strict=True)]
    names = [check.name for check in found]
    if len(set(names)) != len(names) or not all("select" in check.sql for check in found):
        raise DefinitionError(f"verify.sql: every query needs a name of its own, got {names}", where=FILE.name)
    return found


def problems(db: Database) -> list[str]:
    """Return one line per contradiction in the store, `name: what`, bounded per query; empty when all is well."""
    found: list[str] = []
    tables = tuple(TABLES.values())
    for check in checks():
        found += _shown(check.name, [str(row[0]) for row in db.query(check.sql, of=tables)])
    found += _shown("answer_is_as_written", _changed_answers(db))
    found += _shown("fact_is_as_written", _changed_facts(db))
    return found


def _shown(name: str, lines: list[str]) -> list[str]:
    more = [f"{name}: and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    return [f"{name}: {line}" for line in lines[:SHOWN]] + more


def _changed_answers(db: Database) -> list[str]:
    lines = []
    for row in db.query(f"select {ANSWERS.names}\nfrom answers\norder by answer_id", of=(ANSWERS,)):
        problem = _hash_problem(row[:-1], row[-1])
        if not problem:
            try:
                decode_answer(row)
            except IntegrityError as error:
                problem = str(error)
        if problem:
            lines.append(f"{row[0]} {problem}")
    return lines


def _changed_facts(db: Database) -> list[str]:
    lines = []
    for row in db.query(f"select {FACTS.names}\nfrom facts\norder by fact_id", of=(FACTS,)):
        fact_id, step, chapter, _position, fact_class, fact, because, kept = row
        problem = _hash_problem((fact_id, step, chapter, fact_class, fact, because), kept)
        if not problem:
            try:
                decode_fact((fact_id, step, chapter, fact, because))
            except IntegrityError as error:
                problem = str(error)
        if problem:
            lines.append(f"{fact_id} {problem}")
    return lines


def _hash_problem(values: tuple[Any, ...], kept: str) -> str:
    now = row_hash(values)
    return "" if now == kept else f"is not as it was written: {now} against {kept}"
