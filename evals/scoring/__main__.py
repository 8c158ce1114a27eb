"""`python -m evals.scoring agreement FOLDER_A FOLDER_B [--language TAG] [--json]`: how far two readers agree."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.command import command, show, show_json
from evals.scoring.agreement import agreement, common_chapters, table


@command
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
    found = agreement(common_chapters(options.first, options.second, options.language))
    if options.json:
        show_json(found)
    else:
        show(*table(found).splitlines())
    return 0


if __name__ == "__main__":
    sys.exit(main())
