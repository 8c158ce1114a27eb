"""A book's folder and its settings file: what `analyzer.toml` may say, and which chapters a command means."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

from pydantic import Field, ValidationError

from analyzer.errors import AnalyzerError, ConfigError, InputError
from analyzer.files import write_whole
from analyzer.models.base import Record
from analyzer.models.run import CachePolicy
from analyzer.wording import typed

DEFAULT_MODEL = "gpt-6-luna"
SETTINGS_FILE = "analyzer.toml"
MAX_CONCURRENCY = 256
"""Calls in flight at most. Source: more than any provider's rate limit lets through; connections are bounded by it."""


class Settings(Record):
    """What a book's `analyzer.toml` says; flags of a command win over it."""

    manuscript: str
    language: str | None = None
    encoding: str | None = None
    model: str = DEFAULT_MODEL
    confirm_model: str | None = None
    base_url: str | None = None
    cap_usd: float | None = Field(default=None, ge=0)
    concurrency: int = Field(default=8, ge=1, le=MAX_CONCURRENCY)
    on_cache_loss: CachePolicy = "warn"
    off: tuple[str, ...] = ()


def is_manuscript(path: Path) -> bool:
    """Say whether a path is a manuscript: a file, or a folder with something in it that is no book."""
    if not path.is_dir():
        return path.is_file()
    if path.suffix == ".book" or (path / SETTINGS_FILE).is_file():
        return False
    return any(not entry.name.startswith(".") for entry in path.iterdir())


def path_of(given: Path | str) -> Path:
    """Return the path that was given; raises InputError for an empty one, which would be the folder one is in."""
    if given == "":
        raise InputError("the path given is empty", hint="name a manuscript or the folder of a book; . is this folder")
    return Path(given)


def book_folder(path: Path | str) -> Path:
    """Return the folder of a book: the folder itself, or the one a manuscript's book is kept in by default.

    Raises InputError for no path at all, and for the root of a file system.
    """
    path = path_of(path)
    if path.is_dir() and is_manuscript(path):
        whole = path.resolve()
        if not whole.name:
            raise InputError(
                f"{path} is the root of the file system, no manuscript", where=str(path), hint="name a file or a folder"
            )
        return whole.with_name(whole.name + ".book")
    return path if path.suffix == "" or path.is_dir() else path.with_name(path.stem + ".book")


def relative_path(manuscript: Path, folder: Path) -> str:
    """Return the manuscript's path as a book's folder keeps it: relative, so that both can be moved together."""
    path = manuscript.resolve()
    try:
        return os.path.relpath(path, folder.resolve())
    except ValueError:
        return str(path)


def load_settings(book: Path) -> Settings:
    """Return a book's settings; raises ConfigError naming the line or key at fault, InputError where there is no book."""
    file = book / SETTINGS_FILE
    if not file.is_file():
        raise InputError(
            f"{book} is no book: it has no {SETTINGS_FILE}",
            where=str(book),
            hint="make one with: analyzer init MANUSCRIPT",
        )
    try:
        settings = Settings.model_validate(tomllib.loads(file.read_text("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{file.name} is not valid TOML: {error}", where=str(file), hint="mend the line named"
        ) from error
    except ValidationError as error:
        allowed = ", ".join(Settings.model_fields)
        raise ConfigError(
            f"{file.name} has a setting that is not allowed: {_fault(error)}",
            where=str(file),
            hint=f"known settings: {allowed}",
        ) from error
    except OSError as error:
        raise ConfigError(
            f"{file.name} cannot be read: {error.strerror}", where=str(file), hint="check its permissions"
        ) from error
    _refuse_unknown(settings, file)
    if settings.off:
        _refuse_off(settings.off, file)
    if "\0" in settings.manuscript:
        raise ConfigError(
            f"{file.name} has a setting that is not allowed: manuscript holds a character no path can have",
            where=str(file),
            hint="write the manuscript's path as it is",
        )
    return settings


def _refuse_unknown(settings: Settings, file: Path) -> None:
    """Raise ConfigError where the language has no table or no encoding is called so, naming the key."""
    from analyzer.text.languages import language_table
    from analyzer.text.readers._decode import codec_of

    checks: dict[str, Callable[[str], object]] = {"language": language_table, "encoding": codec_of}
    for key, check in checks.items():
        value = getattr(settings, key)
        try:
            if value is not None:
                check(value)
        except AnalyzerError as error:
            raise ConfigError(
                f"{file.name} has a setting that is not allowed: {key}: {error}",
                where=str(file),
                hint=f"write another {key} there, or take the line out to have it guessed",
            ) from error


def _refuse_off(off: Sequence[str], file: Path) -> None:
    """Raise ConfigError where what is switched off is no part or step, or cannot be."""
    from analyzer.steps._registry import load_steps, switched

    try:
        switched(load_steps(), off)
    except ConfigError as error:
        raise ConfigError(f"{file.name}: off: {error}", where=str(file), hint=error.hint) from error


def _fault(error: ValidationError) -> str:
    """Return what is wrong in one line: every key with what was expected."""
    faults = [(".".join(map(str, one["loc"])), one["msg"].removeprefix("Value error, ")) for one in error.errors()]
    return "; ".join(f"{key}: {said}" if key else said for key, said in faults)


def save_settings(book: Path, settings: Settings) -> None:
    """Write a book's settings file; only what differs from the defaults, and the manuscript. Raises OSError."""
    shown = {
        k: v
        for k, v in settings.model_dump().items()
        if v is not None and (k == "manuscript" or v != Settings.model_fields[k].default)
    }
    lines = ["# Settings of this book; flags win over them. Keys for providers come from the environment only.", ""]
    lines += [f"{key} = {_toml(value)}" for key, value in shown.items()]
    write_whole(book / SETTINGS_FILE, "\n".join(lines) + "\n")


def save_encoding(book: Path, encoding: str) -> None:
    """Write the manuscript's encoding into a book's settings file; every other line stays as it is. Raises OSError."""
    file = book / SETTINGS_FILE
    lines = file.read_text("utf-8").split("\n")
    row = f"encoding = {_toml(encoding)}"
    at = next((i for i, line in enumerate(lines) if re.match(r"\s*[\"']?encoding[\"']?\s*=", line)), None)
    if at is None:
        at = (
            next(
                (i for i, line in enumerate(lines) if re.match(r"\s*[\"']?manuscript[\"']?\s*=", line)), len(lines) - 1
            )
            + 1
        )
        lines.insert(at, row)
    else:
        lines[at] = row
    write_whole(file, "\n".join(lines))


def _toml(value: object) -> str:
    """Return a string, number or truth value as TOML: JSON but for DEL, which TOML does not take as it is."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def parse_chapters(wanted: str | None, n_chapters: int, *, book: Path | str = "BOOK") -> tuple[int, ...]:
    """Return chapter numbers for `1-6,9` (all for None), in order; raises ConfigError naming the part at fault.

    `book` is named in the hint.
    """
    if not wanted:
        return tuple(range(1, n_chapters + 1))
    found: set[int] = set()
    for piece in wanted.split(","):
        first, dash, last = piece.strip().partition("-")
        try:
            low = int(first)
            high = int(last) if dash and last else (n_chapters if dash else low)
        except ValueError as error:
            raise ConfigError(
                f"--chapters {wanted!r}: {piece!r} is not a chapter or a range", hint="write for instance 1-6,9"
            ) from error
        if last and low > high:
            raise ConfigError(f"--chapters {wanted!r}: {piece!r} runs backwards", hint=f"write {high}-{low}")
        if not 1 <= low <= high <= n_chapters:
            raise ConfigError(
                f"--chapters {wanted!r}: {piece!r} is outside 1-{n_chapters}",
                hint=f"see: {typed('chapters', Path(book))}",
            )
        found |= set(range(low, high + 1))
    return tuple(sorted(found))
