"""One connection to a book's DuckDB file: who holds it, transactions, rows gathered and written many at a time.

The only place that maps DuckDB's errors. Nothing here knows what a row means.
"""

from __future__ import annotations

import errno
import os
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb

from analyzer.errors import IntegrityError, StoreBusyError, StoreError
from analyzer.storage.lock import LOCK_NAME, lock_pid, pid_is_alive, write_lock
from analyzer.storage.tables import Row, Table, Value
from analyzer.wording import as_typed, typed

FILE_NAME = "book.duckdb"
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "threads": 1,
    "enable_external_access": False,
    "autoload_known_extensions": False,
    "autoinstall_known_extensions": False,
}
"""No file but the book's own, no extension from the network; a second thread brought nothing (row-wise work, measured)."""
ROW_GROUP = 2048
"""Rows that DuckDB keeps and writes together, its smallest: at a checkpoint it takes the last, unfinished group of every table into memory
and writes it anew. With its own 122,880 that is the whole book, and a run's memory leapt by 90 to 170 MB."""
_REFUSED = (duckdb.DataError, duckdb.ProgrammingError)
_HOLDER = re.compile(r"\(PID (\d+)\)")
_DAMAGED = "check that it is a book of this version and that its folder is writable with room left; else restore a copy"
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
"""A full disk takes no lock file; what is stored can be read all the same, since that file only tells people who reads."""
_open_here: set[Path] = set()
"""Files this process has open: DuckDB would let the same process in twice."""


class Database:
    """A connection used by one thread at a time; `transaction` holds it, reads outside see what is committed."""

    def __init__(self, path: Path, connection: duckdb.DuckDBPyConnection) -> None:
        self.path = path
        self._connection = connection
        self._lock = threading.RLock()
        self._depth = 0
        self._doomed = False
        self._closed = False
        self._gathered: dict[Table, list[Row]] = {}
        self.on_rollback: list[Callable[[], None]] = []

    @classmethod
    def connect(cls, folder: Path, *, create: bool) -> Database:
        """Return the database of `folder`; raises StoreBusyError where another holds it, StoreError where it is unusable."""
        path = folder.resolve() / FILE_NAME
        if path in _open_here:
            raise _busy(path, os.getpid())
        with _system_errors(path, "be opened"):
            if create:
                _create(path)
            elif not path.exists():
                raise StoreError(
                    f"no book at {str(folder)!r}: there is no {FILE_NAME}",
                    where=str(path),
                    hint=f"make it with: analyzer init MANUSCRIPT --book {as_typed(folder)}",
                )
            connection = _connect(path)
            try:
                write_lock(path.parent)
            except OSError as error:
                if error.errno not in _FULL:
                    connection.close()
                    raise
        _open_here.add(path)
        return cls(path, connection)

    def close(self) -> None:
        """Close the file; committed rows are in it. Harmless when repeated."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            _open_here.discard(self.path)
            with suppress(OSError):
                (self.path.parent / LOCK_NAME).unlink(missing_ok=True)
            with _duckdb_errors(self.path):
                self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit what is done inside as one, or nothing; an inner one joins the outer."""
        with self._lock:
            if self._depth:
                with self._joined():
                    yield
                return
            self._run("begin transaction")
            self._depth, self._doomed = 1, False
            try:
                yield
                if self._doomed:
                    raise IntegrityError(
                        "a part of the transaction failed, so nothing of it was stored", where=str(self.path)
                    )
                self._flush(tuple(self._gathered))
                self._run("commit")
            except BaseException:
                self._undo()
                raise
            finally:
                self._depth = 0

    @contextmanager
    def _joined(self) -> Iterator[None]:
        self._depth += 1
        try:
            yield
        except BaseException:
            self._doomed = True
            raise
        finally:
            self._depth -= 1

    def append(self, table: Table, rows: Sequence[Row]) -> None:
        """Gather rows for `table`, written together at the commit or before a read of that table; inside a transaction."""
        assert self._depth, "append outside a transaction"
        if rows:
            self._gathered.setdefault(table, []).extend(rows)

    def execute(self, sql: str, values: Sequence[Value | Sequence[Value]] = (), *, of: Sequence[Table] = ()) -> None:
        """Run one statement; `of` are tables whose gathered rows it must see."""
        with self._lock:
            self._flush(of)
            self._run(sql, values)

    def query(
        self, sql: str, values: Sequence[Value | Sequence[Value]] = (), *, of: Sequence[Table] = ()
    ) -> list[tuple[Any, ...]]:
        """Return the rows of one query; `of` are tables whose gathered rows it must see."""
        with self._lock:
            self._flush(of)
            with _duckdb_errors(self.path):
                return self._connection.execute(sql, list(values)).fetchall()

    def has(self, table: str) -> bool:
        """Say whether there is a table of this name (of ours: it is not escaped); the catalogue's list takes 8 ms more."""
        with self._lock, _duckdb_errors(self.path):
            try:
                self._connection.execute(f"select 1\nfrom {table}\nlimit 0")
            except duckdb.CatalogException:
                return False
        return True

    def _flush(self, tables: Sequence[Table]) -> None:
        for table in tables:
            rows = self._gathered.pop(table, None)
            if rows is not None and len(rows) == 1:
                self._run(table.insert_one, rows[0])
            elif rows:
                self._run(table.insert, table.lists(rows))

    def _undo(self) -> None:
        self._gathered.clear()
        with suppress(duckdb.Error):
            self._connection.execute("rollback")
        for reset in self.on_rollback:
            reset()

    def _run(self, sql: str, values: Sequence[Value | Sequence[Value]] = ()) -> None:
        with _duckdb_errors(self.path):
            self._connection.execute(sql, list(values))


def _connect(path: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={**_CONFIG, "enable_external_access": True})
    try:
        connection.execute(f"attach {_quoted(path)} as book (row_group_size {ROW_GROUP})")
        connection.execute("use book")
        connection.execute("set enable_external_access = false")
        return connection
    except duckdb.IOException as error:
        held = _HOLDER.search(str(error))
        if "Could not set lock" in str(error):
            raise _busy(path, int(held.group(1)) if held else lock_pid(path.parent)) from error
        raise _unusable(path, error) from error
    except duckdb.Error as error:
        raise _unusable(path, error) from error


def _quoted(path: Path) -> str:
    """Return a path as a string of SQL."""
    return "'" + str(path).replace("'", "''") + "'"


def _busy(path: Path, pid: int | None) -> StoreBusyError:
    who = f"process {pid}" if pid else "another process"
    return StoreBusyError(
        f"{who} holds the book, and only one at a time can",
        where=str(path.parent),
        hint=f"wait for it to end; these work meanwhile: {typed('status', path.parent)} and {typed('bill', path.parent)}",
        pid=pid,
    )


def _verify(path: Path) -> str:
    return f"look with: {typed('verify', path.parent)}"


def _unusable(path: Path, error: duckdb.Error) -> StoreError:
    """Return the one sentence for an error of DuckDB: a refused statement is told from a file that cannot be used."""
    first = str(error).strip().split("\n")[0]
    if isinstance(error, duckdb.ConstraintException):
        return IntegrityError(f"the store refused a row: {first}", where=str(path), hint=_verify(path))
    if isinstance(error, _REFUSED):
        return StoreError(f"the store refused a row or statement: {first}", where=str(path))
    return StoreError(f"the book {str(path)!r} cannot be used: {first}", where=str(path), hint=_hint(first, _DAMAGED))


def _hint(said: str, otherwise: str) -> str:
    """Return what to do about a file that could not be used; a full disk and missing rights damage nothing."""
    if "No space left" in said or "Disk quota" in said:
        return "make room on the disk and run again: nothing that was stored is lost"
    if "Permission denied" in said or "Read-only file system" in said:
        return "a book must be writable even to be read: change its permissions, or copy its folder and name the copy"
    return otherwise


def _create(path: Path) -> None:
    """Make an empty database at `path` unless something is there: whole or not at all, though it be killed meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in path.parent.glob(f"{FILE_NAME}.*.new"):
        pid = left.name.split(".")[-2]
        if not (pid.isdecimal() and pid_is_alive(int(pid))):
            left.unlink(missing_ok=True)
    if path.exists():
        return
    draft = path.with_name(f"{FILE_NAME}.{os.getpid()}.new")
    _connect(draft).close()
    try:
        os.link(draft, path)
    except FileExistsError:
        pass  # another process was first: its book is the one
    except OSError:  # a file system without hard links
        if not path.exists():
            draft.rename(path)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def _system_errors(path: Path, doing: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"the book {str(path)!r} cannot {doing}: {error.strerror or error}",
            where=str(path),
            hint=_hint(error.strerror or "", "choose a folder that can be written to"),
        ) from error


@contextmanager
def _duckdb_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except duckdb.Error as error:
        raise _unusable(path, error) from error
