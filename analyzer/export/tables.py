"""The story bible as tables: every class of the story on one plane as of a chapter, with a data dictionary.

On the author's plane keys outlive new chapters: handles, ids made from words, numbers within their owner. A column with `of`
holds values of that column alone (or none, where it is optional), so that tables can be joined; nobody whom the plane does not
know has a handle in them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from analyzer.export import cast_tables, story_tables, tie_tables
from analyzer.export.columns import CAST, BookView, Spec, Table, Value
from analyzer.models.facts import EntityFact

SPECS: tuple[Spec, ...] = (*cast_tables.SPECS, *tie_tables.SPECS, *story_tables.SPECS)
"""How each table is made, in the order of the dictionary."""
OF_HANDLES = frozenset({CAST, "relations.relation"})
OWN: Mapping[str, tuple[str, ...]] = {"cast": ("entity",), "merges": ("handle",), "relations": ("relation",)}
"""Columns made of handles: those of these columns of other tables, and by table the others."""
IDS = frozenset({
    "speech.quotation", "turns.id", "reveals.id", "reveals.reveal", "changes.id", "looks.id", "secrets.secret", "knowledge.id",
    "knowledge.piece", "threads.thread",
})  # fmt: skip
"""Columns of ids, where they come up first: a table stands before those that have its ids."""
_HANDLE = re.compile(r"@[1-9][0-9]*")


def tables_of(book: BookView) -> dict[str, Table]:
    """Return all tables by name, empty ones too, in the order of the dictionary.

    For readers handles and ids count up in the order of the story: handles may tell of chapters that were read before, or that an
    edit moved, and ids are made of handles, places and words as they were when each first came up.
    """
    tables = {spec.name: spec.of(book) for spec in SPECS}
    if book.seen.plane.kind != "reader":
        return tables
    order = dict.fromkeys(fact.entity for fact, _ in book.seen.each(EntityFact))
    order |= dict.fromkeys(book.seen.bible.cast)
    numbered = {handle: f"@{at}" for at, handle in enumerate(order, 1)}
    counted: dict[str, dict[Value, str]] = {}
    return {name: _counted(_numbered(table, numbered), counted) for name, table in tables.items()}


def _numbered(table: Table, numbered: Mapping[str, str]) -> Table:
    """Return a table with other handles in its columns of the cast and of relations."""
    own = OWN.get(table.name, ())
    held = {at for at, column in enumerate(table.columns) if column.of in OF_HANDLES or column.name in own}

    def other(value: Value) -> Value:
        return _HANDLE.sub(lambda found: numbered.get(found[0], found[0]), value) if isinstance(value, str) else value

    rows = tuple(tuple(other(value) if at in held else value for at, value in enumerate(row)) for row in table.rows)
    return replace(table, rows=rows)


def _counted(table: Table, counted: dict[str, dict[Value, str]]) -> Table:
    """Return a table with ids that count up as its rows do, those of other tables as they were counted there (`counted`)."""
    of = {at: column.of or f"{table.name}.{column.name}" for at, column in enumerate(table.columns)}
    held = {at: counted.setdefault(name, {}) for at, name in of.items() if name in IDS}

    def number(at: int, value: Value) -> Value:
        return held[at].setdefault(value, str(len(held[at]) + 1)) if at in held and value not in ("", None) else value

    return replace(table, rows=tuple(tuple(number(at, value) for at, value in enumerate(row)) for row in table.rows))


def n_rows(tables: Mapping[str, Table]) -> dict[str, int]:
    """Return how many rows each table has."""
    return {name: len(table.rows) for name, table in tables.items()}


def dictionary(*, level: int = 2) -> str:
    """Return the data dictionary as Markdown: each table with its key, and its columns with type and meaning.

    `level` is that of the tables' headings.
    """
    parts = []
    for spec in SPECS:
        lines = [
            f"{'#' * level} {spec.name}",
            "",
            f"{spec.meaning} Key: {', '.join(f'`{name}`' for name in spec.key)}.",
            "",
        ]
        lines += ["| column | type | meaning |", "|---|---|---|"]
        for column in spec.columns:
            kind = column.kind + (", may be empty" if column.optional else "")
            of = f" (of `{column.of}`)" if column.of else ""
            lines.append(f"| `{column.name}` | {kind} | {column.meaning}{of} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"
