"""Small cases that run through the whole pipeline in a second: the tiny serial, and a tale in each of four languages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from evals.goldset.cases import Case, find_cases
from tests.evals.goldset.sets import own
from tests.evals.goldset.tales import ENGLISH, Tale
from tests.tiny import write_book


def tale_case(folder: Path, tale: Tale = ENGLISH) -> Case:
    """Return a case of one chapter with gold."""
    own(folder / "goldsets", tale=tale)
    [case] = find_cases(root=folder / "goldsets")
    return case


def tiny_case(folder: Path) -> Case:
    """Return the tiny serial of three chapters as a case."""
    case = tale_case(folder)
    manuscript = write_book(folder / "tiny")
    return replace(case, name="tiny", manuscript=manuscript, gold=folder / "tiny" / "gold", numbers=(1, 2, 3))
