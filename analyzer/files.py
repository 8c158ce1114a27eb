"""Files written for the author: whole or not at all, so that a full disk or a crash never costs what was there."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


def write_whole(path: Path, text: str, *, new: bool = False) -> None:
    """Write a file as UTF-8 with LF line ends, as `write_bytes_whole` does."""
    write_bytes_whole(path, text.encode("utf-8"), new=new)


def write_bytes_whole(path: Path, content: bytes, *, new: bool = False) -> None:
    """Write a file: a reader sees the old one or the new one, never a part.

    It is written beside its place and then put there. A file that is replaced keeps its mode; where the place is a link, what
    it names is replaced and the link stays. `new`: raises FileExistsError where something is there already, also where it came
    in the meantime. Raises OSError where it cannot be written; what was there is then as it was.
    """
    target = path if new else path.resolve()
    mode = None if new or not target.exists() else target.stat().st_mode & 0o7777
    if new and os.path.lexists(target):
        raise FileExistsError(17, "File exists", str(target))
    half = target.with_name(f".{secrets.token_hex(8)}.half")
    try:
        with os.fdopen(_fresh(half), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            half.chmod(mode)
        if new:
            _put_new(half, target)
        else:
            half.replace(target)
    finally:
        with contextlib.suppress(OSError):
            half.unlink(missing_ok=True)


def _fresh(path: Path) -> int:
    """Open a file that was not there for writing, with the mode new files have."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW, 0o666)


def _put_new(half: Path, target: Path) -> None:
    """Give a file its name, unless something has it; where a file system has no second names, that is looked at first."""
    try:
        target.hardlink_to(half)
    except FileExistsError:
        raise
    except OSError:
        if os.path.lexists(target):
            raise FileExistsError(17, "File exists", str(target)) from None
        half.replace(target)
