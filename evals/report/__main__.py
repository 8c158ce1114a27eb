"""`python -m evals.report RESULT.json [MORE…] [--md FILE] [--html FILE] [--json]`: results of evaluation runs, readable."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from analyzer.cli._screen import fail, print_json, say
from analyzer.errors import AnalyzerError, InputError
from evals.records import ItemClass
from evals.report.groups import Group, cents_per_unit, grouped, load_results
from evals.report.mistakes import mistakes
from evals.scoring.figures import By, lines


def main(words: Sequence[str] | None = None) -> int:
    """Print the report, or write it; exit code 2 where a file cannot be read or written."""
    parser = argparse.ArgumentParser(
        prog="python -m evals report",
        description="Tables of results; repeats of one run are put together, different runs stand side by side.",
    )
    parser.add_argument("results", nargs="+", type=Path, metavar="RESULT.json", help="what a run wrote")
    parser.add_argument("--md", type=Path, metavar="FILE", help="write Markdown")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write one self-contained page with plots")
    parser.add_argument("--json", action="store_true", help="print figures and errors as JSON instead of tables")
    options = parser.parse_args(words)
    try:
        groups = grouped(load_results(options.results))
        write(groups, markdown=options.md, html=options.html)
    except AnalyzerError as error:
        fail(error)
        return 2
    if options.json:
        print_json([as_json(group) for group in groups])
    elif not (options.md or options.html):
        from evals.report.terminal import print_report

        print_report(groups)
    return 0


def write(groups: Sequence[Group], *, markdown: Path | None = None, html: Path | None = None) -> None:
    """Write the files that are wanted; raises InputError where that is not possible."""
    if markdown is not None:
        from evals.report.markdown import report

        _write(markdown, report(groups))
    if html is not None:
        from evals.report.page import page

        _write(html, page(groups))


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}", where=str(path)) from error
    say(f"written: {path}")


def as_json(group: Group) -> dict[str, Any]:
    """Return the figures of a run, every one under its label, and its errors."""
    views: tuple[By, ...] = ("class", "family", "match", "language", "chapter")
    figures = [
        {"by": by, **line.model_dump(mode="json")}
        for cls in get_args(ItemClass)
        for by in views
        for line in lines(group.chapters, cls, by)
        if line.recall.n or line.precision.n
    ]
    return {
        "run": group.name,
        "label": group.label,
        "repeats": len(group.results),
        "seed": group.first.seed,
        "cents_per_4000_words": cents_per_unit(group.chapters).model_dump(mode="json"),
        "unscored": [{"case": c.case, "chapter": c.chapter, "why": c.unscored} for c in group.chapters if c.unscored],
        "partial": [{"case": c.case, "chapter": c.chapter, "why": c.partial} for c in group.chapters if c.partial],
        "figures": figures,
        "mistakes": list(mistakes(group.first)),
    }


if __name__ == "__main__":
    sys.exit(main())
