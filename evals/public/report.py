"""The tables of the public checks: on the screen, and as Markdown between the markers of docs/public.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evals.command import show, show_table
from evals.docs import ROOT, put
from evals.files import write_whole
from evals.public.sets import COLUMNS, Fault, SetResult
from evals.records import Figure
from evals.report.markdown import said

PAGE = ROOT / "docs" / "public.md"
MARKER = "public"
N_FAULTS = 6
"""Kinds of error listed for a set and column; the rest are rare."""


def shown(figure: Figure | None) -> str:
    """Return "0.943 (0.920–0.961), 574 of 609"; a dash where nothing counts."""
    if figure is None or figure.share is None:
        return "–"
    bounds = f" ({figure.low:.3f}–{figure.high:.3f})" if figure.low is not None and figure.high is not None else ""
    return f"{figure.share:.3f}{bounds}, {figure.hit:.4g} of {figure.n:g}"


def table_of(result: SetResult) -> list[tuple[str, ...]]:
    """Return one row a measure: its name, and the figure of every column."""
    figures = {(line.measure, line.column): line.figure for line in result.lines}
    measures = dict.fromkeys(line.measure for line in result.lines)
    return [(measure, *(shown(figures.get((measure, column))) for column in COLUMNS)) for measure in measures]


def faults_of(result: SetResult) -> list[Fault]:
    """Return the most frequent kinds of error of every column, most first."""
    kept = []
    for column in COLUMNS:
        own = sorted((f for f in result.faults if f.column == column), key=lambda f: (-f.n, f.kind))
        kept += own[:N_FAULTS]
    return kept


def print_result(result: SetResult) -> None:
    """Print a set's tables; errors with their words, which stay on the screen."""
    title = (
        f"{result.title} ({result.language}), {result.n_documents} texts; a thousand words give "
        f"{result.forms:.1f} forms and {result.descriptions:.1f} descriptions"
    )
    show_table(("measure", *COLUMNS), table_of(result), title=title)
    for fault in faults_of(result):
        show(f"  {fault.column}: {fault.n} x {fault.kind}: {', '.join(fault.words)}; at {'; '.join(fault.examples)}")
    show("")


def markdown(results: Sequence[SetResult]) -> str:
    """Return all tables as Markdown: figures, and kinds of error with their places, without a word of the texts."""
    parts = []
    for result in results:
        parts.append(
            f"### {result.title} ({result.language})\n\n{result.n_documents} texts; intervals over {result.unit}. "
            f"Per 1,000 words {result.forms:.1f} forms, {result.descriptions:.1f} descriptions.\n"
        )
        parts += _rows(("measure", *COLUMNS), table_of(result))
        faults = [(f.column, f.kind, str(f.n), "; ".join(f.examples[:2])) for f in faults_of(result)]
        parts += ["", *_rows(("answers", "kind of error", "n", "for instance at"), faults), ""]
    return "\n".join(parts)


def _rows(names: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(names)} |", "|" + "---|" * len(names)]
    return lines + [f"| {' | '.join(map(said, row))} |" for row in rows]


def write_page(results: Sequence[SetResult], page: Path = PAGE) -> None:
    """Refresh the tables between the page's markers; everything else is written by hand."""
    write_whole(page, put(page.read_text("utf-8"), MARKER, markdown(results)))
