"""`python -m evals.rename CASE --seed N --out FOLDER [--texts FOLDER]`: write a case with all its names replaced."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from analyzer.errors import InputError
from evals.command import command, show, show_json, show_table
from evals.goldset.cases import Case, by_chapter, find_cases
from evals.rename._case import MAPPING, Renamed, rename_case


@command
def main(words: Sequence[str] | None = None) -> int:
    """Write one renamed case and print its mapping; return 0, or 2 for what cannot be read or written."""
    parser = argparse.ArgumentParser(prog="python -m evals.rename", description=__doc__)
    parser.add_argument("case", help="a goldset's name, or of a public one also a chapter's (monte-cristo-003)")
    parser.add_argument("--seed", type=int, default=0, help="other seeds draw other names (default: 0)")
    parser.add_argument(
        "--out", type=Path, required=True, help="new or empty folder for serial.txt, gold and mapping.json"
    )
    parser.add_argument("--texts", type=Path, help="folder in which the texts of public editions are looked for")
    parser.add_argument("--cut", action="store_true", help="write only the chapters with gold, as a small manuscript")
    parser.add_argument("--json", action="store_true", help="print the mapping as JSON")
    options = parser.parse_args(words)
    told = rename_case(named_case(options.case, options.texts), options.out, seed=options.seed, cut=options.cut)
    if options.json:
        show_json(told.as_json())
    else:
        _print(told, options.out)
    return 0


def named_case(name: str, texts: Path | None) -> Case:
    """Return the case of a goldset or of one of its chapters; raises InputError naming the known ones."""
    cases = find_cases(texts)
    known = {case.name: case for whole in cases for case in (whole, *by_chapter(whole))}
    if name not in known:
        raise InputError(f"there is no case {name!r}; known are {', '.join(case.name for case in cases)}")
    return known[name]


def _print(told: Renamed, out: Path) -> None:
    changed = [(old, new) for old, new in told.names.items() if old != new]
    show_table(("old", "new"), changed, title=f"{told.case.name}, seed {told.seed}")
    if told.left:
        show_table(("still there", "times", "why"), told.left, title="left", right=(1,))
    show(f"{len(told.parts)} parts of {len(changed)} names, {told.n_mentions} mentions replaced, {told.strays} strays")
    show(f"wrote {out} (mapping in {MAPPING})")


if __name__ == "__main__":
    sys.exit(main())
