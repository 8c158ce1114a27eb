"""`python -m evals.curves_story [--rates 0,0.02,0.05,0.1] [--seeds 2] [--alone] [--write]`: what errors cost each class of the story.

Simulated like `evals.curves`: truth from gold with errors drawn at given rates, through the real pipeline. Every kind of error
is made at the rate: something is not noticed, or noticed where nothing is, under another head, in another sentence; a doubt
takes a neighbour for it; a note is left out or says something else; a line is dropped.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from analyzer.errors import ConfigError
from analyzer.steps._registry import load_steps
from analyzer.steps._step import AskStep
from evals.answerers.named import noisy
from evals.answerers.rates import Rates
from evals.ceilings_page import STORY_CLASSES
from evals.command import command, show
from evals.curves import MOST_RUNS, chosen_cases, over_seeds, rates_of
from evals.curves_page import DOCS, Cell, shown_cell
from evals.docs import put, table_of
from evals.goldset.cases import Case
from evals.records import ItemClass, Outcome
from evals.runs import STORY, alone, run_book
from evals.scoring.figures import Counted, count, precision_of, recall_of
from evals.scoring.outcomes import compare_matched
from evals.trail import trails

RATES = (0.0, 0.02, 0.05, 0.1)
PART = "story"
"""Name of the generated part of docs/curves.md."""
PICTURE = "curves-story.svg"
Measure = tuple[ItemClass, str]
"""A class, and found or right."""
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


@dataclass(frozen=True)
class StoryCurves:
    """By rate and measure the shares over seeds; by class the core items; `cases` are (name, language, chapters)."""

    cases: tuple[tuple[str, str, int], ...]
    n_core: Mapping[ItemClass, int]
    n_seeds: int
    alone: bool
    cells: Mapping[tuple[float, Measure], Cell]

    @property
    def rates(self) -> tuple[float, ...]:
        """The rates, each once."""
        return tuple(dict.fromkeys(rate for rate, _ in self.cells))


def settings(rates: Iterable[float], n_seeds: int, *, alone_err: bool) -> dict[tuple[float, int], Rates]:
    """Return what is run: every rate with every seed, nothing but once; with `alone_err` only steps of the story err."""
    steps = [step.name for step in load_steps() if isinstance(step, AskStep) and step.part in STORY]
    return {
        (rate, seed): Rates(steps=dict.fromkeys(steps, rate), seed=seed) if alone_err else Rates(rate, seed=seed)
        for rate in rates
        for seed in range(n_seeds if rate else 1)
    }


def measured(cases: Sequence[Case], rates: Rates) -> dict[Measure, Counted]:
    """Run all cases at these rates; return for each class (hits, n) of its core items and of what is said."""
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as folder:
        for case in alone(cases):
            for trail in trails(case, run_book(case, noisy(rates), Path(folder))):
                outcomes += compare_matched(trail.wanted, trail.said, trail.matched, case=case.name)
    picks = {
        (cls, what): of(cls) for cls in STORY_CLASSES for what, of in (("found", recall_of), ("right", precision_of))
    }
    return {measure: count(outcomes, pick) for measure, pick in picks.items()}


def draw(
    cases: Sequence[Case], rates: Sequence[float], *, n_seeds: int = 2, alone_err: bool = False, n_jobs: int = 1
) -> StoryCurves:
    """Run every rate and seed once, `n_jobs` at a time."""
    wanted = settings(rates, n_seeds, alone_err=alone_err)
    run = partial(measured, tuple(cases))
    if n_jobs > 1:
        with ProcessPoolExecutor(n_jobs, mp_context=get_context("spawn")) as pool:
            found = dict(zip(wanted, pool.map(run, wanted.values()), strict=True))
    else:
        found = {key: run(rates) for key, rates in wanted.items()}
    first = next(iter(found.values()), {})
    cells = {
        (rate, measure): over_seeds([_share(row[measure]) for (r, _), row in found.items() if r == rate])
        for rate in dict.fromkeys(rates)
        for measure in first
    }
    about = tuple((case.name, case.language, len(case.numbers)) for case in cases)
    n_core = {cls: int(first[cls, "found"][1]) for cls in STORY_CLASSES if (cls, "found") in first}
    return StoryCurves(about, n_core, n_seeds, alone_err, cells)


def _share(counted: Counted) -> float | None:
    hit, n = counted
    return hit / n if n else None


def write_page(curves: StoryCurves, typed: str, *, write: bool = False, docs: Path = DOCS) -> str:
    """Return the tables as Markdown; with `write` put them into docs/curves.md and draw their picture beside it."""
    text = tables(curves, typed)
    if write:
        (docs / "img").mkdir(parents=True, exist_ok=True)
        (docs / "img" / PICTURE).write_text(picture(curves), "utf-8")
        page = docs / "curves.md"
        page.write_text(put(page.read_text("utf-8"), PART, text), "utf-8")
    return text


def tables(curves: StoryCurves, typed: str) -> str:
    """Return recall and precision of every class over the error rate."""
    where = (
        "at every step of the story, cast and relations being true"
        if curves.alone
        else "at every step, cast and relations too"
    )
    spread = f"mean of {curves.n_seeds} seeds ± standard deviation" if curves.n_seeds > 1 else "one seed"
    parts = [
        "## Simulated: the story, class by class",
        f"`{typed}`",
        table_of(("simulated on", "language", "chapters"), curves.cases),
    ]
    for what, title in (("found", "core items found"), ("right", "of what is said, right")):
        rows = [
            (name, curves.n_core.get(cls, 0), *(shown_cell(curves.cells[rate, (cls, what)]) for rate in curves.rates))
            for cls, name in STORY_CLASSES.items()
        ]
        head = (f"{title} (simulated)", "core items", *(f"rate {rate:g}" for rate in curves.rates))
        parts += [f"*Simulated, {spread}. Every kind of error {where}: {title}.*", table_of(head, rows)]
    return "\n\n".join(parts) + "\n"


def picture(curves: StoryCurves) -> str:
    """Return recall and precision of the classes over error rate as SVG; equal curves give equal bytes."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib.figure import Figure

    fixed: dict[Any, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": "curves-story",
        "font.family": "sans-serif",
        "font.size": 10,
    }
    out = io.StringIO()
    with mpl.rc_context(fixed):
        figure = Figure(figsize=(9, 4), layout="constrained")
        figure.suptitle("Simulated: core items of the story over the rate of every kind of error")
        for at, what in enumerate(("found", "right"), 1):
            axes = figure.add_subplot(1, 2, at)
            for colour, cls in zip(_COLOURS, STORY_CLASSES, strict=True):
                cells = [(rate, curves.cells[rate, (cls, what)]) for rate in curves.rates]
                known = [(rate, cell.mean, cell.sd or 0.0) for rate, cell in cells if cell.mean is not None]
                axes.errorbar(
                    [rate for rate, *_ in known],
                    [mean for _, mean, _ in known],
                    yerr=[sd for *_, sd in known],
                    color=colour,
                    marker="o",
                    markersize=4,
                    capsize=2,
                    linewidth=1.4,
                    label=STORY_CLASSES[cls].partition(":")[0],
                )
            axes.set_title(f"{'recall' if what == 'found' else 'precision'} (simulated)")
            axes.set_xlabel("error rate of each kind (simulated)")
            axes.set_ylim(0, 1.02)
            axes.grid(alpha=0.3)
            if at == 1:
                axes.legend(loc="lower left", frameon=False)
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


@command
def main(words: Sequence[str] | None = None) -> int:
    """Run, and print the tables or write them into the page with their picture."""
    parser = argparse.ArgumentParser(prog="python -m evals.curves_story", description="Simulated: what errors cost.")
    parser.add_argument("--rates", default=",".join(f"{r:g}" for r in RATES), help="rates of each kind of error")
    parser.add_argument("--seeds", type=int, default=2, help="runs of each rate")
    parser.add_argument("--alone", action="store_true", help="only the steps of the story err")
    parser.add_argument("--cases", help="names of goldsets, parted by commas; own serials without it")
    parser.add_argument("--texts", type=Path, help="a folder with the texts of public editions, found by hash")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time, each a process")
    parser.add_argument("--write", action="store_true", help="write docs/curves.md and its picture")
    options = parser.parse_args(words)
    rates = rates_of(options.rates)
    cases = chosen_cases(options.cases, options.texts)
    for name in ("seeds", "jobs"):
        if not 1 <= getattr(options, name) <= MOST_RUNS:
            raise ConfigError(f"--{name} {getattr(options, name)} is outside 1-{MOST_RUNS}", where=f"--{name}")
    curves = draw(cases, rates, n_seeds=options.seeds, alone_err=options.alone, n_jobs=options.jobs)
    typed = " ".join(["python -m evals.curves_story", *(sys.argv[1:] if words is None else words)])
    show(*write_page(curves, typed, write=options.write).splitlines())
    return 0


if __name__ == "__main__":
    sys.exit(main())
