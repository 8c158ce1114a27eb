"""Files as evaluation reads and writes them: read only where they are what they should be, written whole or not at all."""

from __future__ import annotations

import contextlib
import json
import tomllib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from analyzer.errors import InputError
from analyzer.models.base import fault_of

R = TypeVar("R", bound=BaseModel)


def read_text(path: Path, *, most: int, what: str) -> str:
    """Return a file's text; raises InputError in one sentence for no ordinary file, too many bytes (`most`), or no UTF-8."""
    try:
        if not path.is_file():
            raise InputError(f"{path} is no {what}: there is no ordinary file of that name", where=str(path))
        if path.stat().st_size > most:
            raise InputError(f"{path} is too large for a {what}: at most {most:,} bytes are read", where=str(path))
        return path.read_text("utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", where=str(path)) from error
    except ValueError as error:
        raise InputError(f"{path} is no {what}: {error}", where=str(path)) from error


def json_of(text: str, place: str, *, what: str) -> Any:
    """Return what a JSON text says; raises InputError naming its place (a file, or a line of one)."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place} is no {what}: it is no whole JSON ({error})", where=place) from error


def toml_of(text: str, place: str, *, what: str) -> dict[str, Any]:
    """Return what a TOML text says; raises InputError naming its place."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place} is no {what}: it is no whole TOML ({error})", where=place) from error


def record_of(kind: type[R], said: object, place: str, *, what: str, hint: str = "") -> R:
    """Return a record of JSON text or of values; raises InputError in one sentence: place, field, expected, what was there."""
    try:
        return kind.model_validate_json(said) if isinstance(said, str) else kind.model_validate(said)
    except ValidationError as error:
        raise InputError(f"{place} is no {what}: {fault_of(error)}", where=place, hint=hint) from error


def check_target(path: Path) -> Path:
    """Return a place a file may be written to; raises InputError where something else than an ordinary file is there."""
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"{path} is no ordinary file: name a new file or one to be replaced", where=str(path))
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}", where=str(path)) from error
    return path


def check_new_folder(path: Path) -> Path:
    """Return a place for a folder of a command's own; raises InputError where something is there that is no empty folder."""
    try:
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            raise InputError(f"{path} is no folder: name a new or an empty one", where=str(path))
        if path.exists() and any(path.iterdir()):
            raise InputError(
                f"{path} is not empty", where=str(path), hint="name a new or an empty folder: --out FOLDER"
            )
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", where=str(path)) from error
    return path


def check_apart(out: Path, source: Path) -> None:
    """Raise InputError where what is read would be written over: `out` is the folder `source`."""
    if out.resolve() == source.resolve():
        raise InputError(f"{out} holds what is read: name another folder", where=str(out), hint="--out FOLDER")


def write_whole(path: Path, text: str) -> Path:
    """Write a file, whole or not at all, and return it; follows no link beside it. Raises InputError where that cannot be."""
    half = check_target(path).with_name(f".{path.name}.half")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        half.unlink(missing_ok=True)
        with half.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        half.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            half.unlink(missing_ok=True)
        raise InputError(f"{path} cannot be written: {error.strerror}", where=str(path)) from error
    return path
