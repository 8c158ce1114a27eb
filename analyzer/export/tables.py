"""The story bible as tables: every class of the story on one plane as of a chapter, with a data dictionary.

Keys outlive new chapters: handles, ids made from words, numbers within their owner. A column with `of` holds values of that
column alone (or none, where it is optional), so that tables can be joined; nobody whom the plane does not know has a handle in
them.
"""

from __future__ import annotations

from collections.abc import Mapping

from analyzer.export import cast_tables, story_tables, tie_tables
from analyzer.export.columns import BookView, Spec, Table

SPECS: tuple[Spec, ...] = (*cast_tables.SPECS, *tie_tables.SPECS, *story_tables.SPECS)
"""How each table is made, in the order of the dictionary."""


def tables_of(book: BookView) -> dict[str, Table]:
    """Return all tables by name, empty ones too, in the order of the dictionary."""
    return {spec.name: spec.of(book) for spec in SPECS}


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
