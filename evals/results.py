"""Results as files: JSON without a clock, written whole or not at all."""

from __future__ import annotations

from pathlib import Path

from evals.files import read_text, record_of, write_whole
from evals.records import RunResult

LARGEST = 512 * 1024 * 1024
"""Bytes; a result of a hundred chapters has fifty million."""
_WHAT = "result of `python -m evals run`"


def write_result(result: RunResult, path: Path) -> Path:
    """Write a result and return its file; raises InputError where that cannot be."""
    return write_whole(path, result.model_dump_json() + "\n")


def read_result(path: Path) -> RunResult:
    """Read a result; raises InputError for a file that is none, naming the field that is wrong and what was expected of it."""
    text = read_text(path, most=LARGEST, what=_WHAT)
    hint = "make it again: python -m evals run --out FILE"
    return record_of(RunResult, text, str(path), what=_WHAT, hint=hint)
