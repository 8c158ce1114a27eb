"""Rows written as Parquet files by DuckDB, in memory: nothing of a book's store is open here.

Rows are bound as lists, never written into SQL or into a file on the way, and paths are bound too; what cannot be bound
(names of columns, key-value metadata) is quoted. The same rows give the same bytes with the same DuckDB.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

import duckdb

from analyzer.errors import StoreError
from analyzer.storage.tables import Row, Table

_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "threads": 1,
    "autoload_known_extensions": False,
    "autoinstall_known_extensions": False,
}
"""One thread, so that rows keep their order and files their bytes; no extension from the network."""


class ParquetWriter:
    """Writes Parquet files; a context manager, whose DuckDB is gone at its end."""

    def __init__(self) -> None:
        self._connection = duckdb.connect(config=_CONFIG)

    def __enter__(self) -> ParquetWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def write(
        self, out: Path, columns: Sequence[tuple[str, str]], rows: Sequence[Row], metadata: Mapping[str, str]
    ) -> None:
        """Write one file: `columns` are (name, DuckDB's type) in order. Raises StoreError where it cannot be written."""
        table = Table("exported", tuple((_name(name), kind) for name, kind in columns))
        kept = ", ".join(f"{_name(key)}: {_text(value)}" for key, value in metadata.items())
        made = ",\n  ".join(f"{name} {kind}" for name, kind in table.columns)
        try:
            self._connection.execute(f"create or replace table {table.name} (\n  {made}\n)")
            if rows:
                self._connection.execute(table.insert, table.lists(rows))
            self._connection.execute(
                f"copy {table.name}\nto ?\n(format parquet, compression zstd, kv_metadata {{{kept}}})", [str(out)]
            )
        except duckdb.Error as error:
            first = str(error).strip().split("\n")[0]
            raise StoreError(f"{out.name!r} cannot be written: {first}", where=str(out)) from error


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''").replace("\0", "\ufffd") + "'"
