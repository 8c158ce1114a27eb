"""A site put into a folder: all of it made beside its place first, and nothing left of an earlier one that was longer.

Files wait in a hidden folder beside the site, never in it: a run that is killed leaves no chapter where readers could load it.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from analyzer.errors import InputError
from analyzer.export.site.page import is_ours
from analyzer.storage.lock import pid_is_alive

PIECES = "d"
INDEX = "index.html"
_PIECE = re.compile(r"[a-z2-7]{20}\.js")
_COVER = re.compile(r"cover\.[a-z]{3,4}")
_HALF = re.compile(r"\.[0-9a-f]{16}\.half")
_WAITING = re.compile(r"\.([1-9][0-9]*)-[0-9a-f]{16}\.half")
"""What waits beside a site until it is put there: the process that makes it, and a word of its own."""


def check_folder(out: Path) -> None:
    """Raise InputError unless a site may be put there: nothing, an empty folder, or an earlier site."""
    hint = "name a new folder, an empty one, or that of an earlier wiki"
    if out.is_symlink() and not out.exists():
        raise InputError(f"{out} is a link to nothing", where=str(out), hint=hint)
    if out.is_file():
        raise InputError(f"{out} is a file, a folder is needed", where=str(out), hint=hint)
    if out.is_dir() and any(out.iterdir()) and not is_ours(out / INDEX):
        raise InputError(f"{out} has other things in it and no wiki", where=str(out), hint=hint)
    if (out / PIECES).is_symlink():
        raise InputError(
            f"{out / PIECES} is a link, a folder of this wiki is needed", where=str(out), hint="take the link away"
        )


def write_site(out: Path, files: Mapping[str, bytes]) -> None:
    """Write a site's files by name, the page last, and take away pieces and covers that are not among them.

    What the author put beside them stays. Each file is old or new, never a part. Raises InputError as `check_folder` does, and
    where the files cannot be written; what was there is then as it was, unless it failed while they were put in place, which
    the next run mends.
    """
    check_folder(out)
    place = out.resolve()
    made = place.with_name(f".{os.getpid()}-{secrets.token_hex(8)}.half")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _clear(place.parent)
        _make(made, files)
        _put(made, place, files)
    except OSError as error:
        raise InputError(
            f"the wiki cannot be written: {error.strerror or error}",
            where=str(out),
            hint="check the room left and the permissions, then run the same command again",
        ) from error
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _make(made: Path, files: Mapping[str, bytes]) -> None:
    (made / PIECES).mkdir(parents=True)
    for name, content in files.items():
        with (made / name).open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())


def _put(made: Path, place: Path, files: Mapping[str, bytes]) -> None:
    """Put a whole site in its place: at once where nothing is there, else file by file, what is to go first."""
    if not place.is_dir() or not any(place.iterdir()):
        made.replace(place)
        return
    (place / PIECES).mkdir(exist_ok=True)
    for gone in _stale(place, files):
        gone.unlink()
    for name in sorted(files, key=lambda name: (name == INDEX, name)):
        path = place / name
        if not path.is_file() or path.read_bytes() != files[name]:
            (made / name).replace(path)


def _stale(place: Path, files: Mapping[str, bytes]) -> Iterable[Path]:
    """Return what an earlier site left: pieces of other names, which may be of chapters that are not to be shown."""
    found = [one for one in (place / PIECES).iterdir() if _PIECE.fullmatch(one.name) or _HALF.fullmatch(one.name)]
    found += [one for one in place.iterdir() if _COVER.fullmatch(one.name)]
    return [one for one in found if one.relative_to(place).as_posix() not in files]


def _clear(folder: Path) -> None:
    """Take away what runs that were killed left beside a site; what a living one makes there is left alone."""
    for one in folder.iterdir():
        found = _WAITING.fullmatch(one.name)
        if found and not pid_is_alive(int(found[1])) and one.is_dir() and not one.is_symlink():
            shutil.rmtree(one, ignore_errors=True)
