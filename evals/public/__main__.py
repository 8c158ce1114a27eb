"""`python -m evals.public [--data FOLDER] [--only NAME] [--json] [--write]`: wider public checks; never part of the gate.

Public annotations (LitBank, fr-litbank, KoCoNovel, Dekker's sentences, Knuth's encounters, German plays) are read from
FOLDER/gold. No model is asked: answers come from rules, and from the annotation itself where it says enough. Their
misses were looked at while rules were written, so no figure here is a held-out one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.command import chosen, command, show_json
from evals.docs import ROOT
from evals.public.report import print_result, write_page
from evals.public.sets import SETS, PublicSet, SetResult, folder_of, measure_set

DATA = ROOT.parent / "shared" / "data"
"""Where the Makefile looks for public texts too."""


@command
def main(words: Sequence[str] | None = None) -> int:
    """Measure the sets; return 2 with one sentence where their folder is missing."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.public", description="Wider public checks; no model is asked, nothing here gates."
    )
    parser.add_argument("--data", type=Path, default=DATA, help="the folder that holds gold/ and texts/")
    parser.add_argument("--only", help="only sets whose name contains this")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.add_argument("--write", action="store_true", help="refresh the tables of docs/public.md (all sets)")
    options = parser.parse_args(words)
    names = chosen("--only", options.only, [public.name for public in SETS])
    wanted = [public for public in SETS if public.name in names]
    if options.write and len(wanted) < len(SETS):
        parser.error("--write refreshes the tables of all sets: leave --only out")
    for public in wanted:
        folder_of(public, options.data)
    results = [_measured(public, options.data, shown=not options.json) for public in wanted]
    if options.json:
        show_json([result.model_dump(mode="json") for result in results])
    if options.write:
        write_page(results)
    return 0


def _measured(public: PublicSet, data: Path, *, shown: bool) -> SetResult:
    result = measure_set(public, data)
    if shown:
        print_result(result)
    return result


if __name__ == "__main__":
    sys.exit(main())
