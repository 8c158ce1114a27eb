"""`python -m evals.scoring agreement FOLDER_A FOLDER_B [--language TAG] [--json]`: how far two readers agree."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from analyzer.errors import AnalyzerError
from evals.scoring.agreement import agreement, common_chapters, table


def main(words: Sequence[str] | None = None) -> int:
    """Print the agreement of two readers; exit code 2 where their folders cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m evals.scoring", description="Scoring without a run.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("agreement", help="F1 and kappa of two readers of the same chapters")
    verb.add_argument("first", type=Path, help="a folder of gold chapters by one reader")
    verb.add_argument("second", type=Path, help="the same chapters by another")
    verb.add_argument("--language", default="", help="only chapters in this language (ko, zh, en, …)")
    verb.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    options = parser.parse_args(words)
    try:
        found = agreement(common_chapters(options.first, options.second, options.language))
    except AnalyzerError as error:
        print(f"{error}", file=sys.stderr)
        return 2
    print(found.model_dump_json(indent=2) if options.json else table(found), end="\n" if options.json else "")
    return 0


if __name__ == "__main__":
    sys.exit(main())
