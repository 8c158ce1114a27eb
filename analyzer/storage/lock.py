"""Who holds a book: the small file beside the database, and whether that process still lives.

DuckDB's own lock decides who may open the file; this one only tells a person who it is, so a stale one stops nobody.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

LOCK_NAME = "lock"


def pid_is_alive(pid: int, mark: str = "") -> bool:
    """Return whether this process lives; with its `mark`, not a later one that was given the same id.

    True also where the process belongs to somebody else.
    """
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return not mark or process_mark(pid) in ("", mark)


def process_mark(pid: int) -> str:
    """Return when the process started, as the system counts (clock ticks since boot), or "" where it does not say."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()
    # After the name in brackets, which may hold anything, the start time is field 22 of proc(5), the 20th from there.
    return fields[19] if len(fields) > 19 else ""


def write_lock(folder: Path) -> None:
    """Say that this process holds the book of `folder`; raises OSError where the folder takes no file."""
    (folder / LOCK_NAME).write_text(json.dumps({"pid": os.getpid()}), encoding="utf-8")


def lock_pid(folder: Path) -> int | None:
    """Return the process id in the lock file, or None where there is none that makes sense."""
    try:
        found = json.loads((folder / LOCK_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    pid = found.get("pid") if isinstance(found, dict) else None
    return pid if isinstance(pid, int) and not isinstance(pid, bool) and pid > 0 else None
