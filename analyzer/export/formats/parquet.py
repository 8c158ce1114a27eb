"""Parquet: one file a table with the types of its columns; the dictionary is in each file's metadata and in DICTIONARY.md."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from analyzer.export.columns import BookView, Table
from analyzer.export.tables import dictionary
from analyzer.hashing import canonical_json
from analyzer.storage.parquet import ParquetWriter

IS_FOLDER = True
_TYPES = {"string": "varchar", "integer": "bigint", "boolean": "boolean"}
_HEAD = """# The tables of this export

One Parquet file a table. Dates are numbers of chapters. Each file's key-value metadata has the title, the chapter and plane it
is as of, what the table is, its key, and what each column means (`columns`, JSON).
"""


def write(book: BookView, tables: Mapping[str, Table], out: Path) -> tuple[str, ...]:
    """Write a file a table, and DICTIONARY.md."""
    with ParquetWriter() as writer:
        for name, table in tables.items():
            columns = [(column.name, _TYPES[column.kind]) for column in table.columns]
            writer.write(out / f"{name}.parquet", columns, table.rows, _metadata(book, table))
    (out / "DICTIONARY.md").write_bytes(f"{_HEAD}\n{dictionary()}".encode())
    return (*(f"{name}.parquet" for name in tables), "DICTIONARY.md")


def _metadata(book: BookView, table: Table) -> dict[str, str]:
    return {
        "title": book.title,
        "as_of": str(book.seen.through),
        "plane": book.plane,
        "table": table.name,
        "meaning": table.meaning,
        "key": canonical_json(list(table.key)),
        "columns": canonical_json({column.name: column.meaning for column in table.columns}),
    }
