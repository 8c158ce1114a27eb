"""The small file beside the database that says how a run is going, for whoever cannot open the database meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import ValidationError

from analyzer.errors import StoreError
from analyzer.models.base import Record
from analyzer.models.run import CacheLoss
from analyzer.storage.lock import pid_is_alive, process_mark

STATUS_NAME = "run.json"


class StepCount(Record):
    """How far one step is: calls done of calls planned."""

    step: str
    n_done: int
    n_planned: int


class StatusRecord(Record):
    """How a run is going, as it last said.

    `phase` is the run's own word (asking, finished, ...). `cache_share` is the share of all input tokens read from the
    cache, 0 to 1, None before the first usage, `cache_losses` what was not read that should have been.
    `spent_usd` counts against `cap_usd` (None: no cap), open reservations in
    full. `eta_s` are seconds left, None where unknown. `updated_at` is epoch seconds. `has_ended` is true in the last word
    of a run.
    """

    run_id: str
    pid: int
    model: str
    phase: str
    n_calls_done: int
    n_calls_planned: int
    cache_share: float | None = None
    cache_losses: tuple[CacheLoss, ...] = ()
    spent_usd: float = 0.0
    cap_usd: float | None = None
    eta_s: float | None = None
    steps: tuple[StepCount, ...] = ()
    updated_at: float
    has_ended: bool = False


class _File(Record):
    """What the file holds: `mark` tells the process from a later one with its id."""

    status: StatusRecord
    mark: str


class StatusRead(Record):
    """A status as read: `is_running` is false where the run has ended or the process that wrote it is gone."""

    status: StatusRecord
    is_running: bool


def write_status(folder: Path, status: StatusRecord) -> None:
    """Replace the status file of `folder` at once: a reader sees the old one or the new one, never a part.

    Not synced to disk: after a power cut the database tells what stands. Raises StoreError where it cannot be written.
    """
    target = folder / STATUS_NAME
    draft = folder / f"{STATUS_NAME}.{os.getpid()}.tmp"
    try:
        content = _File(status=status, mark=process_mark(status.pid))
        draft.write_text(content.model_dump_json(), encoding="utf-8")
        draft.replace(target)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise StoreError(
            f"the status {str(target)!r} cannot be written: {error.strerror or error}",
            where=str(target),
            hint="check that the folder is writable with room left",
        ) from error


def read_status(folder: Path) -> StatusRead | None:
    """Return the status of the last run in `folder`, or None where none was written.

    Raises StoreError where the file is not a status.
    """
    path = folder / STATUS_NAME
    try:
        content = _File.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise StoreError(
            f"the status {str(path)!r} cannot be read",
            where=str(path),
            hint="remove it; the next run writes it anew",
        ) from error
    return StatusRead(
        status=content.status,
        is_running=not content.status.has_ended and pid_is_alive(content.status.pid, content.mark),
    )


def remove_status(folder: Path) -> None:
    """Remove the status file, where there is one: the database is free and tells more."""
    (folder / STATUS_NAME).unlink(missing_ok=True)
