"""`python -m evals.bench [NAME ...] [--data FOLDER]`: run the benchmarks and print a table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from math import isnan
from pathlib import Path
from pkgutil import iter_modules

from evals import bench
from evals.bench import Row
from evals.command import command, show


def benchmarks() -> dict[str, Callable[[Path | None], list[Row]]]:
    """Return every benchmark by name, found in this folder."""
    modules = sorted(module.name for module in iter_modules(bench.__path__) if not module.name.startswith("_"))
    return {name: getattr(import_module(f"evals.bench.{name}"), f"bench_{name}") for name in modules}


@command
def main(arguments: Sequence[str]) -> int:
    """Run the benchmarks named (all where none is) and print their rows; returns the exit code."""
    known = benchmarks()
    parser = argparse.ArgumentParser(prog="python -m evals.bench", description="Benchmarks of the pure parts.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one or more of {', '.join(known)}; all where none is given"
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        help="folder with texts/, or for `read` a manuscript; without it generated text is used",
    )
    given = parser.parse_args(arguments)
    unknown = [name for name in given.names if name not in known]
    if unknown:
        parser.error(f"no benchmark {unknown[0]!r}; known are {', '.join(known)}")
    for name in given.names or known:
        for row in known[name](given.data):
            ratio = "" if row.ratio is None else f"{row.ratio:8.2f} x reference"
            value = "–" if isnan(row.value) else f"{row.value:,.2f}"
            show(f"{row.name:<44}{value:>14} {row.unit:<10}{ratio}".rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
