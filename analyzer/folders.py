"""Folders written for the author, whole or not at all: what was written there before goes, what others put there stays.

A folder of ours has a list of what was written into it (`.analyzer-export.json`) with a hash of each file. Only a file that is as it
was written is ever replaced or deleted; notes of the author's beside ours go along into the new folder, and what the author
changed is not touched: then nothing is written.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from analyzer.errors import InputError

LIST_NAME = ".analyzer-export.json"
_LARGEST_LIST = 64 * 1024 * 1024


def write_folder(out: Path, write: Callable[[Path], Iterable[str]], told: Mapping[str, object]) -> dict[str, int]:
    """Have `write` fill a folder beside `out`, and put it in its place; return the size of each file by name.

    `write` gets an empty folder and returns the names of its files, relative to it, `/` between parts. `told` stands in the list
    beside them. Where something is in place already it must be an empty folder, or an earlier one of ours: that is replaced
    whole. Raises InputError where it is neither, where the author changed a file of ours or has one where a new one goes; what
    was there is then as it was.
    """
    target = out.resolve()
    _check_place(out, target)
    target.parent.mkdir(parents=True, exist_ok=True)
    made = target.with_name(f".{secrets.token_hex(8)}.half")
    made.mkdir()
    try:
        sizes, hashes = _written(made, write)
        listed = {"files": hashes, "told": dict(told)}
        (made / LIST_NAME).write_bytes((json.dumps(listed, ensure_ascii=False, indent=1) + "\n").encode())
        _put(made, target, out)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    return sizes


def write_file(out: Path, write: Callable[[Path], object]) -> int:
    """Have `write` make a file beside `out`, and put it in its place; return its size.

    Raises InputError where something is there already: one file has no list that tells whether it is ours.
    """
    target = out.resolve()
    if os.path.lexists(out):
        what = "a folder" if out.is_dir() else "there already"
        raise InputError(f"{out} is {what}", where=str(out), hint="move it away, or name another file with --out")
    target.parent.mkdir(parents=True, exist_ok=True)
    half = target.with_name(f".{secrets.token_hex(8)}.half")
    try:
        write(half)
        size = half.stat().st_size
        if os.path.lexists(target):
            raise InputError(f"{out} is there already", where=str(out), hint="name another file with --out")
        half.replace(target)
    finally:
        half.unlink(missing_ok=True)
    return size


def _check_place(out: Path, target: Path) -> None:
    """Raise InputError where something is in place that is neither an empty folder nor one of ours."""
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise InputError(f"{out} is a file", where=str(out), hint="name a folder with --out")
    if any(target.iterdir()) and not (target / LIST_NAME).is_file():
        raise InputError(
            f"{out} has other things in it than an earlier export",
            where=str(out),
            hint="name a new folder with --out, or one that was exported to before",
        )


def _written(made: Path, write: Callable[[Path], Iterable[str]]) -> tuple[dict[str, int], dict[str, str]]:
    sizes: dict[str, int] = {}
    hashes: dict[str, str] = {}
    for name in sorted(write(made)):
        data = (made / name).read_bytes()
        sizes[name], hashes[name] = len(data), hashlib.sha256(data).hexdigest()
    return sizes, hashes


def _put(made: Path, target: Path, out: Path) -> None:
    """Put a folder into its place; what is there and not ours goes along."""
    if os.path.lexists(target) and not any(target.iterdir()):
        target.rmdir()
    if not os.path.lexists(target):
        made.rename(target)
        return
    ours = _listed(target)
    kept = [name for name in _files(target) if name != LIST_NAME and not _is_ours(target / name, ours.get(name))]
    changed = [name for name in kept if name in ours]
    if changed:
        raise InputError(
            f"{changed[0]} in {out} was changed since it was exported",
            where=str(target / changed[0]),
            hint="move it out of the folder, or name another folder with --out",
        )
    there = {_parts_folded(name) for name in _files(made)}
    in_way = [name for name in kept if _parts_folded(name) in there]
    if in_way:
        raise InputError(
            f"{in_way[0]} in {out} is in the way of a file of the export",
            where=str(target / in_way[0]),
            hint="give it another name, or name another folder with --out",
        )
    old = target.with_name(f".{secrets.token_hex(8)}.old")
    target.rename(old)
    try:
        made.rename(target)
    except OSError:
        old.rename(target)
        raise
    _go_along(old, target, kept)
    _clear(old, ours)


def _go_along(old: Path, target: Path, kept: Iterable[str]) -> None:
    for name in kept:
        place = target / name
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            (old / name).rename(place)
        except OSError as error:
            raise InputError(
                f"{name} could not be moved into the new folder: {error.strerror or error}",
                where=str(place),
                hint=f"the export is in place; what was beside the earlier one is in {old}",
            ) from error


def _clear(old: Path, ours: Mapping[str, str]) -> None:
    """Delete what was ours and the folders that are empty then; whatever came in between stays where it is."""
    for name in (*ours, LIST_NAME):
        file = old / name
        if name == LIST_NAME or (_is_inside(name) and _is_ours(file, ours[name])):
            file.unlink(missing_ok=True)
    for folder, _, _ in os.walk(old, topdown=False):
        if not any(Path(folder).iterdir()):
            Path(folder).rmdir()


def _is_ours(file: Path, sha256: str | None) -> bool:
    """Say whether a file is as it was written; a link is nobody's but the author's."""
    if sha256 is None or file.is_symlink() or not file.is_file():
        return False
    return hashlib.sha256(file.read_bytes()).hexdigest() == sha256


def _files(folder: Path) -> list[str]:
    """Return everything in a folder that is no folder itself, links to folders too, by name relative to it."""
    found = []
    for here, folders, files in os.walk(folder):
        links = [name for name in folders if (Path(here) / name).is_symlink()]
        found += [(Path(here) / name).relative_to(folder).as_posix() for name in (*links, *files)]
    return sorted(found)


def _listed(folder: Path) -> dict[str, str]:
    """Return the hashes of the list of a folder; raises InputError where it is no list of ours."""
    file = folder / LIST_NAME
    try:
        if file.stat().st_size > _LARGEST_LIST:
            raise ValueError("too large")
        files = json.loads(file.read_text("utf-8"))["files"]
        return {str(name): str(sha256) for name, sha256 in files.items() if _is_inside(str(name))}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{file} is no list of an earlier export",
            where=str(file),
            hint="name a new folder with --out, or move what is there away",
        ) from error


def _is_inside(name: str) -> bool:
    parts = name.split("/")
    return not Path(name).is_absolute() and not any(part in ("", ".", "..") for part in parts)


def _parts_folded(name: str) -> str:
    """Return a name as file systems compare them that know no case."""
    return name.casefold()
