"""Benchmarks of the pure parts: each is a function from a data folder (or None) to rows, run by `python -m evals.bench`."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """One measured value; `ratio` is value over the reference's value in the same run, None where there is no reference."""

    name: str
    value: float
    unit: str
    ratio: float | None = None
