"""What a shelf keeps in its folder: `shelf.json`, replaced whole as a run goes on, and the lock that lets one run in."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from analyzer.errors import ConfigError, StoreBusyError, StoreError
from analyzer.files import write_whole
from analyzer.models.base import Record
from analyzer.storage.lock import pid_is_alive, process_mark
from analyzer.wording import typed

STATE_NAME = "shelf.json"
LOCK_NAME = "shelf.lock"
LOG_NAME = "shelf.log"
"""What workers print that no book says: tracebacks of crashes."""

BookPhase = Literal["waiting", "running", "ended"]


class BookState(Record):
    """One book as it stands: `exit_code` once it ended, `spent_usd` against the shelf's cap, `n_deaths` of its workers."""

    name: str
    phase: BookPhase = "waiting"
    pid: int = 0
    exit_code: int | None = None
    said: str = ""
    spent_usd: float = 0.0
    n_calls_done: int = 0
    n_calls_expected: int = 0
    n_tasks_done: int = 0
    n_tasks: int = 0
    n_unanswered: int = 0
    n_deaths: int = 0


class ShelfState(Record):
    """A shelf as its last run said; `mark` tells its process from a later one with its id. Times are epoch seconds."""

    pid: int
    mark: str = ""
    cap_usd: float | None = None
    cap_set_at: float | None = None
    spent_usd: float = 0.0
    reserved_usd: float = 0.0
    rate: str = ""
    rate_share: float = 1.0
    n_workers: int = 0
    started_at: float = 0.0
    updated_at: float = 0.0
    has_ended: bool = False
    exit_code: int | None = None
    books: tuple[BookState, ...] = ()


class ShelfRead(Record):
    """A state as read: `is_running` is false where the run has ended or its process is gone."""

    state: ShelfState
    is_running: bool


def read_state(shelf: Path) -> ShelfRead | None:
    """Return what the last run of a shelf said, None where there was none. Raises StoreError where the file makes no sense."""
    path = shelf / STATE_NAME
    try:
        state = ShelfState.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise StoreError(
            f"the state {str(path)!r} cannot be read",
            where=str(path),
            hint="remove it and give the cap again: what the books have spent stands in their stores",
        ) from error
    return ShelfRead(state=state, is_running=not state.has_ended and pid_is_alive(state.pid, state.mark))


def write_state(shelf: Path, state: ShelfState, *, whole: bool = False) -> None:
    """Replace the state at once; `whole` waits for the disk too. Raises StoreError where it cannot be written."""
    target = shelf / STATE_NAME
    text = state.model_dump_json(indent=1) + "\n"
    try:
        if whole:
            write_whole(target, text)
            return
        draft = shelf / f".{STATE_NAME}.{os.getpid()}.tmp"
        draft.write_text(text, encoding="utf-8")
        draft.replace(target)
    except OSError as error:
        raise StoreError(
            f"the state {str(target)!r} cannot be written: {error.strerror or error}",
            where=str(target),
            hint="check that the folder is writable with room left",
        ) from error


@contextmanager
def held(shelf: Path) -> Iterator[None]:
    """Hold the shelf: a second run is told who does. Raises StoreBusyError, StoreError where the folder takes no file."""
    path = shelf / LOCK_NAME
    try:
        lock = path.open("a+b")
    except OSError as error:
        raise StoreError(
            f"the shelf {shelf} takes no file: {error.strerror}", where=str(path), hint="check its permissions"
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise _busy(shelf, path) from error
        lock.truncate(0)
        lock.write(json.dumps({"pid": os.getpid()}).encode())
        lock.flush()
        yield


def _busy(shelf: Path, path: Path) -> StoreBusyError:
    try:
        pid = int(json.loads(path.read_text("utf-8"))["pid"])
    except (OSError, ValueError, KeyError, TypeError):
        pid = None
    who = f" (process {pid})" if pid else ""
    return StoreBusyError(
        f"another run holds the shelf {shelf}{who}",
        where=str(path),
        hint=f"look with: {typed('shelf', 'status', shelf)}; two runs would not know of each other's money",
        pid=pid,
    )


def cap_in_force(wanted: float | None, known: ShelfState | None, *, now: float) -> tuple[float | None, float | None]:
    """Return the cap and since when it counts, as with a book: a new figure starts now, the same or none counts on.

    Raises ConfigError where the kept one is no amount.
    """
    kept, set_at = (known.cap_usd, known.cap_set_at) if known else (None, None)
    if wanted is None or wanted == kept:
        if kept is not None and (set_at is None or not kept >= 0):
            raise ConfigError(f"the cap kept in {STATE_NAME} is no amount", hint="give one: --cap-usd X")
        return kept, set_at
    return wanted, now


def mark_of_this_process() -> str:
    """Return what tells this process from a later one with its id."""
    return process_mark(os.getpid())
