"""The store of one book: a DuckDB file, one process, one thread at a time.

`Store` is what the sections can do, over one database. Every verb is one transaction of its own, or joins the one it is
called in (`transaction`). Verbs take and return records; nothing else in the project speaks SQL.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from analyzer.storage import migrate
from analyzer.storage.answers import Answers
from analyzer.storage.book import BookRows
from analyzer.storage.calls import Calls
from analyzer.storage.db import Database
from analyzer.storage.tables import TABLES
from analyzer.storage.tasks import Tasks
from analyzer.storage.verify import problems


class Store(BookRows, Answers, Tasks, Calls):
    """A book's store; open it with `Store.open`, as a context manager or with `close`."""

    @classmethod
    def open(cls, folder: Path, *, create: bool = False) -> Store:
        """Return the store of `folder` with pending migrations applied; `create` makes folder and file where missing.

        Raises StoreBusyError (with the pid) while another process or another store of this one holds it, MigrationError,
        and StoreError where the file is missing, damaged, no DuckDB file or cannot be written.
        """
        db = Database.connect(folder, create=create)
        try:
            migrate.apply_pending(db)
            return cls(db)
        except BaseException:
            db.close()
            raise

    def close(self) -> None:
        """Close the file and let others in. Harmless when repeated."""
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _forget(self) -> None:
        Answers._forget(self)
        Tasks._forget(self)
        Calls._forget(self)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make the verbs called inside one transaction: all of it is stored, or nothing."""
        with self._db.transaction():
            yield

    def verify(self) -> list[str]:
        """Return one line per contradiction found: the queries of verify.sql and a second hash of answers and facts."""
        return problems(self._db)

    def export_rows(self, table: str, *, without: tuple[str, ...] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a table in a fixed order, without the columns named: to compare two stores.

        Raises KeyError for a table that is not one of `tables.TABLES`.
        """
        columns = [name for name, _ in TABLES[table].columns if name not in without]
        return self._db.query(f"select {', '.join(columns)}\nfrom {table}\norder by all", of=(TABLES[table],))
