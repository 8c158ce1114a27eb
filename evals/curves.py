"""`python -m evals.curves [--rates 0,0.05,0.1] [--seeds 3] [--cases NAME,…] [--write]`: what errors cost, with and without votes.

Everything here is simulated: truth from gold with errors drawn at given rates, through the real pipeline. Each run is made once with all
votes; what fewer votes would have left is folded from the same answers, so that variants differ in nothing else. It is about cast and
relations; the other parts are left out and have curves of their own (`evals.curves_story`).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean, stdev

from analyzer import pipeline
from analyzer.bible import Bible, fold
from analyzer.errors import ConfigError
from analyzer.llm.transports.gold_book import load_gold
from analyzer.models.facts import Fact
from analyzer.models.text import Manuscript
from analyzer.steps._registry import load_steps, switched
from analyzer.steps._step import AskStep
from analyzer.storage.store import Store
from evals.answerers.named import noisy
from evals.answerers.rates import ERROR_KINDS, VOTES, Rates, Votes
from evals.checking import Check, checks_of, pooled_checks
from evals.command import chosen, command, show
from evals.compared import compared_chapters
from evals.curves_page import ALONE, Cell, Curves, Line, write_page
from evals.goldset.cases import Case, find_cases
from evals.records import Outcome
from evals.revote import relations_under
from evals.runs import STORY, alone, run_book
from evals.scoring.figures import Pick, count, precision_of, recall_of
from evals.scoring.outcomes import compare_matched
from evals.trail import trails

RATES = (0.0, 0.02, 0.05, 0.1, 0.2)
CORRELATIONS = (0.0, 0.5, 1.0)
MOST_RUNS = 100
"""Seeds, and runs at a time: more say nothing more."""
MEASURES: dict[str, Pick] = {
    "relation recall": recall_of("relation", "family"),
    "relation precision": precision_of("relation", "family"),
    "kind recall": recall_of("relation", "kind"),
    "kind precision": precision_of("relation", "kind"),
    "entity recall": recall_of("entity"),
    "entity precision": precision_of("entity"),
}


@dataclass(frozen=True)
class Measured:
    """One run over all cases: every measure's pooled share by votes (None where nothing counts), and the checks."""

    shares: Mapping[Votes, Mapping[str, float | None]]
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True)
class Setting:
    """What is run once: `votes` are those it is compared under, `checks` whether every check is counted too."""

    rates: Rates
    votes: tuple[Votes, ...] = VOTES
    checks: bool = False


def measured(cases: Sequence[Case], setting: Setting) -> Measured:
    """Run all cases at these rates and compare them under each of the votes."""
    outcomes: dict[Votes, list[Outcome]] = {votes: [] for votes in setting.votes}
    checks: list[Check] = []
    with tempfile.TemporaryDirectory() as folder:
        for case in alone(cases):
            book = run_book(case, replace(noisy(setting.rates), off=STORY), Path(folder))
            for votes, found in _compared(case, book, setting.votes):
                outcomes[votes] += found
            if setting.checks:
                checks += [check for trail in trails(case, book) for check in checks_of(trail)]
    return Measured({votes: _shares(found) for votes, found in outcomes.items()}, pooled_checks(checks))


def _shares(outcomes: Sequence[Outcome]) -> dict[str, float | None]:
    counts = {name: count(outcomes, pick) for name, pick in MEASURES.items()}
    return {name: hit / n if n else None for name, (hit, n) in counts.items()}


def _compared(case: Case, book: Path, votes: Sequence[Votes]) -> Iterator[tuple[Votes, list[Outcome]]]:
    manuscript = pipeline.manuscript_of(book)
    with Store.open(book) as store:
        facts, handles = [row.fact for row in store.facts()], store.handles()
    for v in votes:
        told = relations_under(v, facts, manuscript, handles)
        yield v, _outcomes(case, told, handles, manuscript)


def _outcomes(case: Case, facts: Sequence[Fact], handles: dict[str, str], manuscript: Manuscript) -> list[Outcome]:
    def bible_at(number: int) -> Bible:
        return fold(facts, through=number, handles=handles)

    rows = compared_chapters(load_gold(case.gold), manuscript, bible_at)
    return [o for _, wanted, said, matched in rows for o in compare_matched(wanted, said, matched, case=case.name)]


def asked_steps() -> tuple[str, ...]:
    """Return the steps that ask where the parts of the story are left out, in order."""
    return tuple(step.name for step in switched(load_steps(), STORY) if isinstance(step, AskStep))


RELATION_STEPS = tuple(name for name in asked_steps() if name.startswith("relation_"))


@dataclass(frozen=True)
class Row:
    """A row of a table: what it is of, at which rates, under which votes, over how many seeds."""

    of: str
    rates: Rates
    votes: tuple[Votes, ...]
    n_seeds: int

    def settings(self) -> list[Setting]:
        """Return what is to be run for it, a setting for each seed; without any rate there is one."""
        rates = self.rates
        if not (rates.every or any(rates.kinds.values()) or any(rates.steps.values())):
            return [Setting(Rates())]
        every = bool(rates.every)
        votes = VOTES if len(self.votes) > 1 else self.votes
        return [Setting(replace(rates, seed=n), votes, every and rates.every == ALONE) for n in range(self.n_seeds)]


@dataclass(frozen=True)
class Plan:
    """The rows of all tables."""

    rates: tuple[Row, ...]
    correlations: tuple[Row, ...] = ()
    kinds: tuple[Row, ...] = ()
    steps: tuple[Row, ...] = ()


def plan(rates: Sequence[float], *, n_seeds: int = 3, n_alone: int = 1, more: bool = True) -> Plan:
    """Return what is to be run; without `more` only the table over rates."""
    over = tuple(Row(f"{rate:g}", Rates(rate), VOTES, n_seeds) for rate in rates)
    if not more:
        return Plan(over)
    every_step = {name: ALONE for name in RELATION_STEPS}
    last = VOTES[-1:]
    zero = Row("no error", Rates(), last, 1)
    return Plan(
        over,
        tuple(Row(f"{c:g}", Rates(steps=every_step, correlation=c), VOTES, n_seeds) for c in CORRELATIONS),
        (zero, *(Row(kind, Rates(kinds={kind: ALONE}), last, n_alone) for kind in ERROR_KINDS)),
        (zero, *(Row(step, Rates(steps={step: ALONE}), last, n_alone) for step in asked_steps())),
    )


def draw(cases: Sequence[Case], planned: Plan, *, n_seeds: int = 3, n_alone: int = 1, n_jobs: int = 1) -> Curves:
    """Run every setting of a plan once, `n_jobs` at a time, and return the tables."""
    rows = (*planned.rates, *planned.correlations, *planned.kinds, *planned.steps)
    settings = {repr(setting): setting for row in rows for setting in row.settings()}
    run = partial(measured, tuple(cases))
    if n_jobs > 1:
        with ProcessPoolExecutor(n_jobs, mp_context=get_context("spawn")) as pool:
            found = dict(zip(settings, pool.map(run, settings.values()), strict=True))
    else:
        found = {name: run(setting) for name, setting in settings.items()}

    def lines(table: Iterable[Row]) -> tuple[Line, ...]:
        return tuple(
            _line(row, votes, [found[repr(s)] for s in row.settings()]) for row in table for votes in row.votes
        )

    checked = [c for name, setting in settings.items() if setting.checks for c in found[name].checks]
    return Curves(
        tuple(map(_about, cases)),
        n_seeds,
        n_alone,
        lines(planned.rates),
        lines(planned.correlations),
        lines(planned.kinds),
        lines(planned.steps),
        pooled_checks(checked),
    )


def _line(row: Row, votes: Votes, runs: Sequence[Measured]) -> Line:
    return Line(row.of, votes, {name: over_seeds([run.shares[votes][name] for run in runs]) for name in MEASURES})


def _about(case: Case) -> tuple[str, str, int, int]:
    gold = load_gold(case.gold)
    core = sum(r.level == "core" for chapter in gold.values() for r in chapter.relations)
    return case.name, case.language, len(gold), core


def over_seeds(values: Sequence[float | None]) -> Cell:
    """Return mean and standard deviation of a measure's shares over seeds; None counts nowhere."""
    real = [v for v in values if v is not None]
    return Cell(fmean(real) if real else None, stdev(real) if len(real) > 1 else None)


@command
def main(words: Sequence[str] | None = None) -> int:
    """Run, and print the tables or write the page with its picture."""
    parser = argparse.ArgumentParser(prog="python -m evals.curves", description="Simulated: what errors cost.")
    parser.add_argument("--answers", default="noisy", choices=["noisy"], help="who errs: truth from gold with errors")
    parser.add_argument("--rates", default=",".join(f"{r:g}" for r in RATES), help="rates of each kind of error")
    parser.add_argument("--seeds", type=int, default=3, help="runs of each rate and correlation")
    parser.add_argument("--alone", type=int, default=1, help="runs of each kind of error and step alone")
    parser.add_argument("--cases", help="names of goldsets, parted by commas; own serials without it")
    parser.add_argument("--texts", type=Path, help="a folder with the texts of public editions, found by hash")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time, each a process")
    parser.add_argument("--write", action="store_true", help="write docs/curves.md and its picture")
    options = parser.parse_args(words)
    rates = rates_of(options.rates)
    cases = chosen_cases(options.cases, options.texts)
    for name in ("seeds", "alone", "jobs"):
        if not 1 <= getattr(options, name) <= MOST_RUNS:
            raise ConfigError(f"--{name} {getattr(options, name)} is outside 1-{MOST_RUNS}", where=f"--{name}")
    seeds = {"n_seeds": options.seeds, "n_alone": options.alone}
    planned = plan(rates, **seeds)
    curves = draw(cases, planned, **seeds, n_jobs=options.jobs)
    typed = " ".join(["python -m evals.curves", *(sys.argv[1:] if words is None else words)])
    show(*write_page(curves, typed, write=options.write).splitlines())
    return 0


def rates_of(text: str) -> list[float]:
    """Return shares parted by commas; raises ConfigError naming the one that is none."""
    found = []
    for one in text.split(","):
        try:
            rate = float(one)
        except ValueError:
            rate = -1.0
        if not 0 <= rate <= 1:
            raise ConfigError(f"--rates {one[:40]!r} is no number from 0 to 1", where="--rates")
        found.append(rate)
    return found


def chosen_cases(names: str | None, texts: Path | None) -> list[Case]:
    """Return the cases named, own serials where none is; raises what makes one unusable."""
    cases = find_cases(texts)
    if names is None:
        return [case for case in cases if not case.public]
    wanted = chosen("--cases", names, [case.name for case in cases], exact=True)
    found = [case for case in cases if case.name in wanted]
    for case in found:
        case.text()
    return found


if __name__ == "__main__":
    sys.exit(main())
