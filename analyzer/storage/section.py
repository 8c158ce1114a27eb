"""What the sections of the store share: the database, and what they remember of it."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from analyzer.errors import IntegrityError
from analyzer.hashing import content_hash
from analyzer.storage.db import Database
from analyzer.storage.tables import Value

M = TypeVar("M", bound=BaseModel)


class Section:
    """A group of the store's verbs over one database. `_forget` drops what is remembered, after a rollback."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._forget()
        db.on_rollback.append(self._forget)

    def _forget(self) -> None:
        """Drop what is remembered of the tables; they are read again when needed."""


def record_json(record: BaseModel) -> str:
    """Return the JSON of a record as columns hold it: its fields in their order, defaults written out."""
    return record.model_dump_json()


def read_record(kind: type[M], text: str, *, where: str) -> M:
    """Return the record in a column; raises IntegrityError naming `where` if it does not hold one."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        raise IntegrityError(
            f"{where} does not hold a {kind.__name__}: {first['msg']} at {list(first['loc'])!r}",
            where=where,
            hint="run `analyzer verify BOOK`; restore a copy of the book if it names more",
        ) from error


def row_hash(values: tuple[Value, ...]) -> str:
    """Return the hash kept beside a row, over its other columns in order."""
    return content_hash("row", list(values))
