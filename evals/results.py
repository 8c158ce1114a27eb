"""Results as files: JSON without a clock, written whole or not at all."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from analyzer.errors import InputError
from evals.records import RunResult

LARGEST = 256 * 1024 * 1024
"""Bytes; a result of twenty chapters has five million."""


def write_result(result: RunResult, path: Path) -> Path:
    """Write a result and return its file; raises InputError where that cannot be."""
    refuse_other(path)
    half = path.with_name(f".{path.name}.half")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        half.write_text(result.model_dump_json() + "\n", "utf-8")
        half.replace(path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}", where=str(path)) from error
    return path


def refuse_other(path: Path) -> None:
    """Raise InputError where a result would replace anything but a file."""
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is no ordinary file: name a new file or one to be replaced", where=str(path))


def read_result(path: Path) -> RunResult:
    """Read a result; raises InputError for a file that is none."""
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path} is too large for a result", where=str(path))
        return RunResult.model_validate_json(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        first = str(error).splitlines()[0]
        raise InputError(f"{path} is no result of `python -m evals run`: {first}", where=str(path)) from error
