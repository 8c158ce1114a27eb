"""`python -m evals.report RESULT.json [MORE…] [--md FILE] [--html FILE] [--json]`: results of evaluation runs, readable."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from analyzer.errors import InputError
from evals.command import command, say, show_json
from evals.files import check_target, write_whole
from evals.records import ItemClass
from evals.report.groups import Group, cents_per_unit, grouped, load_results
from evals.report.mistakes import mistakes
from evals.scoring.figures import By, lines


@command
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
    _check_targets([path for path in (options.md, options.html) if path], options.results)
    groups = grouped(load_results(options.results))
    write(groups, markdown=options.md, html=options.html)
    if options.json:
        show_json([as_json(group) for group in groups])
    elif not (options.md or options.html):
        from evals.report.terminal import print_report

        print_report(groups)
    return 0


def _check_targets(targets: Sequence[Path], results: Sequence[Path]) -> None:
    """Raise InputError where a report would take the place of a result, or of the other report."""
    taken = {path.resolve() for path in results}
    for target in targets:
        if check_target(target).resolve() in taken:
            raise InputError(f"{target} is named twice: a report goes into a file of its own", where=str(target))
        taken.add(target.resolve())


def write(groups: Sequence[Group], *, markdown: Path | None = None, html: Path | None = None) -> None:
    """Write the files that are wanted; raises InputError where that is not possible."""
    if markdown is not None:
        from evals.report.markdown import report

        say(f"written: {write_whole(markdown, report(groups))}")
    if html is not None:
        from evals.report.page import page

        say(f"written: {write_whole(html, page(groups))}")


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
