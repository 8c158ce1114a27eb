"""Numbered migrations: each file and the record of it share one transaction."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import NamedTuple

from analyzer.errors import MigrationError, StoreError
from analyzer.hashing import bytes_sha256
from analyzer.storage.db import Database

FOLDER = Path(__file__).parent / "migrations"
_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql\Z")


class Migration(NamedTuple):
    """One file: `no` is its number, `sha256` that of its bytes."""

    no: int
    name: str
    sha256: str
    sql: str


def migrations(folder: Path = FOLDER) -> list[Migration]:
    """Return the files of `folder` in order; raises MigrationError where a name or number is wrong, or one is missing."""
    found = []
    for path in sorted(folder.glob("*.sql")):
        named = _NAME.match(path.name)
        if named is None:
            raise MigrationError(
                f"{path.name!r} is no migration name: 0001_what_it_does.sql was expected", where=path.name
            )
        data = path.read_bytes()
        found.append(Migration(int(named.group(1)), path.name, bytes_sha256(data), data.decode()))
    if [m.no for m in found] != list(range(1, len(found) + 1)):
        raise MigrationError(f"migrations must be numbered 1, 2, 3 without gaps, got {[m.no for m in found]}")
    return found


def pending(db: Database, folder: Path = FOLDER) -> list[Migration]:
    """Return the migrations `db` still lacks, writing nothing.

    Raises MigrationError where an applied file has changed or is unknown here (the book is from a newer version).
    """
    known = {m.no: m for m in migrations(folder)}
    if not db.has("migrations"):
        return list(known.values())
    applied = db.query("select no, name, sha256\nfrom migrations\norder by no")
    for no, name, sha256 in applied:
        if no not in known:
            raise MigrationError(
                f"the book has migration {name!r}, which this version does not know",
                where=str(db.path),
                hint="use the version that wrote the book, or a newer one",
            )
        if known[no].sha256 != sha256:
            raise MigrationError(
                f"migration {name!r} was changed after it was applied to this book",
                where=name,
                hint="put the file back and write the change as a new migration",
            )
    return [m for m in known.values() if m.no > len(applied)]


def apply_pending(db: Database, folder: Path = FOLDER) -> list[str]:
    """Apply what is pending, each in one transaction, and return the names; raises MigrationError, the failed one undone."""
    done = []
    for migration in pending(db, folder):
        try:
            with db.transaction():
                db.execute(
                    "create table if not exists migrations"
                    " (no integer not null, name varchar not null, sha256 varchar not null, applied_at double not null)"
                )
                db.execute(migration.sql)
                db.execute(
                    "insert into migrations (no, name, sha256, applied_at)\nvalues (?, ?, ?, ?)",
                    [migration.no, migration.name, migration.sha256, time.time()],
                )
        except StoreError as error:
            raise MigrationError(
                f"migration {migration.name!r} failed and was undone: {error}",
                where=migration.name,
                hint="the book is as it was; use the version that wrote it",
            ) from error
        done.append(migration.name)
    return done
