"""A site put into a folder: its files, and nothing left of an earlier one that was longer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from analyzer.errors import InputError
from analyzer.export.site.page import is_ours
from analyzer.files import write_bytes_whole

PIECES = "d"
_PIECE = re.compile(r"[a-z2-7]{20}\.js")
_COVER = re.compile(r"cover\.[a-z]{3,4}")


def check_folder(out: Path) -> None:
    """Raise InputError unless a site may be put there: nothing, an empty folder, or an earlier site."""
    hint = "name a new folder, an empty one, or that of an earlier wiki"
    if out.is_file():
        raise InputError(f"{out} is a file, a folder is needed", where=str(out), hint=hint)
    if out.is_dir() and any(out.iterdir()) and not is_ours(out / "index.html"):
        raise InputError(f"{out} has other things in it and no wiki", where=str(out), hint=hint)


def write_site(out: Path, files: Mapping[str, bytes]) -> None:
    """Write a site's files by name, the page last, and take away pieces and covers that are not among them.

    What the author put beside them stays. Each file is old or new, never a part. Raises InputError as `check_folder` does.
    """
    check_folder(out)
    (out / PIECES).mkdir(parents=True, exist_ok=True)
    for gone in _stale(out, files):
        gone.unlink()
    for name in sorted(files, key=lambda name: (name == "index.html", name)):
        path = out / name
        if not path.is_file() or path.read_bytes() != files[name]:
            write_bytes_whole(path, files[name])


def _stale(out: Path, files: Mapping[str, bytes]) -> Iterable[Path]:
    """Return what an earlier site left: pieces of other names, which may be of chapters that are not to be shown."""
    pieces = [one for one in (out / PIECES).iterdir() if _PIECE.fullmatch(one.name)]
    covers = [one for one in out.iterdir() if _COVER.fullmatch(one.name)]
    return [one for one in (*pieces, *covers) if one.relative_to(out).as_posix() not in files]
