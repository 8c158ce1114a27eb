"""The page of the curves: its tables, its picture, and the one place where both are written.

Every heading, caption and table says that the figures are simulated.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.answerers.rates import VOTES, Votes
from evals.checking import Check
from evals.docs import put, table_of

DOCS = Path(__file__).parent.parent / "docs"
ALONE = 0.1
"""Rate at which one kind of error, one step, or a correlation is looked at."""
VOTE_WORDS: dict[Votes, str] = {
    "none": "no confirmation",
    "one": "one vote",
    "two": "two votes",
    "all": "two and a third",
}
_COLOURS: dict[Votes, str] = {"none": "#777777", "one": "#d55e00", "two": "#0072b2", "all": "#009e73"}
_MARKS: dict[Votes, str] = {"none": "o", "one": "s", "two": "^", "all": "D"}
PART = "curves"
"""Name of the generated part of docs/curves.md; the rest is written by hand."""


@dataclass(frozen=True)
class Cell:
    """A measure over seeds: mean of the shares and their standard deviation (None for one seed)."""

    mean: float | None
    sd: float | None


@dataclass(frozen=True)
class Line:
    """One setting of the rates under some votes, by measure."""

    of: str
    votes: Votes
    cells: Mapping[str, Cell]


@dataclass(frozen=True)
class Curves:
    """All tables: error rate, correlation, each kind of error alone, each step alone; what each check dropped at `ALONE`.

    `cases` are (name, language, chapters, core relations); `n_seeds` for the rates and correlations, `n_alone` for the rest.
    """

    cases: tuple[tuple[str, str, int, int], ...]
    n_seeds: int
    n_alone: int
    rates: tuple[Line, ...]
    correlations: tuple[Line, ...] = ()
    kinds: tuple[Line, ...] = ()
    steps: tuple[Line, ...] = ()
    checks: tuple[Check, ...] = ()


def write_page(curves: Curves, command: str, *, write: bool = False, docs: Path = DOCS) -> str:
    """Return the tables as Markdown; with `write` put them into docs/curves.md and draw docs/img/curves.svg."""
    text = tables(curves, command)
    if write:
        (docs / "img").mkdir(parents=True, exist_ok=True)
        (docs / "img" / "curves.svg").write_text(picture(curves), "utf-8")
        page = docs / "curves.md"
        empty = f"# Simulated: what errors cost\n\n<!-- {PART}: begin -->\n<!-- {PART}: end -->\n"
        page.write_text(put(page.read_text("utf-8") if page.is_file() else empty, PART, text), "utf-8")
    return text


def tables(curves: Curves, command: str) -> str:
    """Return every table with its caption."""
    parts = [
        "## Simulated: what was run",
        f"`{command}`",
        table_of(("simulated on", "language", "chapters", "core relations"), curves.cases),
        f"Seeds: {curves.n_seeds} for error rates and correlations, {curves.n_alone} for a kind of error or a step alone.",
        *_over("error rate", "## Simulated: over the rate of every kind of error", curves.rates, curves),
        _people(curves.rates),
    ]
    if curves.correlations:
        heading = (
            f"## Simulated: votes that repeat an error, every kind at {ALONE:g} in relation steps, none in the cast"
        )
        parts += _over("correlation", heading, curves.correlations, curves)
    for what, lines in (("kind of error", curves.kinds), ("step", curves.steps)):
        if lines:
            heading = f"## Simulated: one {what} alone at {ALONE:g}"
            parts += [heading, _caption(curves, alone=True), _costs(what, lines)]
    if curves.checks:
        parts += [
            f"## Simulated: what each check dropped, every kind of error at {ALONE:g}",
            _CHECKS,
            _checked(curves.checks),
        ]
    return "\n\n".join(parts) + "\n"


_CHECKS = (
    "*Simulated, pooled over seeds.* True and false by gold; what an item is at each step stands in `evals/checking.py`. "
    "*Recall*: of the true items that came in, those let through; *precision*: of those let through, the true ones."
)


def _caption(curves: Curves, *, alone: bool = False) -> str:
    n = curves.n_alone if alone else curves.n_seeds
    spread = f"mean of {n} seeds ± standard deviation" if n > 1 else "one seed"
    return f"*Simulated, {spread}.* Relations are core ones by pair and family, *kind* asks for kind and direction too."


def _over(what: str, heading: str, lines: Sequence[Line], curves: Curves) -> list[str]:
    measures = ("relation recall", "relation precision", "kind recall", "kind precision")
    rows = [
        (line.of, VOTE_WORDS[line.votes], *(shown_cell(line.cells[m]) for m in measures), _f1(line.cells))
        for line in lines
    ]
    columns = (f"{what} (simulated)", "votes", *measures, "relation F1")
    return [heading, _caption(curves), table_of(columns, rows)]


def _people(lines: Sequence[Line]) -> str:
    rows = [
        (line.of, shown_cell(line.cells["entity recall"]), shown_cell(line.cells["entity precision"]))
        for line in lines
        if line.votes == VOTES[-1]
    ]
    return table_of(("error rate (simulated)", "entity recall", "entity precision"), rows)


def _costs(what: str, lines: Sequence[Line]) -> str:
    """Return a table of what is lost against the first line, the costliest first."""
    zero, *rest = lines
    measures = ("relation recall", "relation precision", "kind recall", "entity recall", "entity precision")

    def moved(line: Line, measure: str) -> float | None:
        before, after = zero.cells[measure].mean, line.cells[measure].mean
        return None if before is None or after is None else after - before

    def cost(line: Line) -> tuple[float, str]:
        return (moved(line, "relation recall") or 0.0) + (moved(line, "relation precision") or 0.0), line.of

    ranked = sorted(rest, key=cost)
    rows = [(zero.of, *(shown_cell(zero.cells[m]) for m in measures))]
    rows += [(f"`{line.of}`", *(_signed(moved(line, m)) for m in measures)) for line in ranked]
    return table_of((f"{what} (simulated)", *measures), rows)


def _signed(points: float | None) -> str:
    if points is None:
        return "–"
    return f"{points:+.3f}" if abs(points) >= 0.0005 else "0"


def _checked(checks: Iterable[Check]) -> str:
    columns = (
        "step (simulated)",
        "true in",
        "true dropped",
        "false in",
        "false dropped",
        "recall",
        "precision",
        "before",
    )
    rows = [
        (
            f"`{c.step}`",
            *(str(n) for n in (c.true_in, c.true_dropped, c.false_in, c.false_dropped)),
            *("–" if s is None else f"{s:.3f}" for s in (c.recall, c.precision, c.precision_before)),
        )
        for c in checks
    ]
    return table_of(columns, rows)


def shown_cell(cell: Cell) -> str:
    """Return a measure over seeds as text, a dash where there is none."""
    if cell.mean is None:
        return "–"
    return f"{cell.mean:.3f}" + (f" ± {cell.sd:.3f}" if cell.sd is not None else "")


def _f1(cells: Mapping[str, Cell]) -> str:
    recall, precision = cells["relation recall"].mean, cells["relation precision"].mean
    if not recall or not precision:
        return "–"
    return f"{2 * recall * precision / (recall + precision):.3f}"


def picture(curves: Curves) -> str:
    """Return recall and precision of relations over error rate as SVG; equal curves give equal bytes."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib.figure import Figure

    settings: dict[Any, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": "curves",
        "font.family": "sans-serif",
        "font.size": 10,
    }
    out = io.StringIO()
    with mpl.rc_context(settings):
        figure = Figure(figsize=(9, 4), layout="constrained")
        figure.suptitle("Simulated: core relations (pair and family) over the rate of every kind of error")
        for at, measure in enumerate(("relation recall", "relation precision"), 1):
            axes = figure.add_subplot(1, 2, at)
            for votes in VOTES:
                lines = [line for line in curves.rates if line.votes == votes]
                _draw(axes, lines, measure, votes)
            axes.set_title(f"{measure.removeprefix('relation ')} (simulated)")
            axes.set_xlabel("error rate of each kind (simulated)")
            axes.set_ylim(0, 1.02)
            axes.grid(alpha=0.3)
            if at == 1:
                axes.legend(loc="lower left", frameon=False)
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _draw(axes: Any, lines: Sequence[Line], measure: str, votes: Votes) -> None:
    known = [(float(line.of), line.cells[measure]) for line in lines if line.cells[measure].mean is not None]
    axes.errorbar(
        [rate for rate, _ in known],
        [cell.mean for _, cell in known],
        yerr=[cell.sd or 0.0 for _, cell in known],
        color=_COLOURS[votes],
        marker=_MARKS[votes],
        markersize=4,
        capsize=2,
        linewidth=1.4,
        label=VOTE_WORDS[votes],
    )
