"""Results put together: repeats of one run are a group, different runs stand side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evals.records import ChapterResult, Figure, RunResult
from evals.report.wording import LABELS, WORDS_UNIT, listed, shown
from evals.results import read_result
from evals.scoring.figures import bootstrap, scored


@dataclass(frozen=True)
class Group:
    """A run with its repeats; figures are of the first, mean and spread of all. `name` is safe to print and unique."""

    name: str
    results: tuple[RunResult, ...]

    @property
    def first(self) -> RunResult:
        """The run whose figures are shown."""
        return self.results[0]

    @property
    def chapters(self) -> tuple[ChapterResult, ...]:
        """The chapters of the first run, unscored ones among them."""
        return self.first.chapters

    @property
    def scored(self) -> list[ChapterResult]:
        """The chapters of the first run that have a score."""
        return scored(self.chapters)

    @property
    def label(self) -> str:
        """Where the answers came from, in words: what stands beside every figure of this run."""
        labels = dict.fromkeys((self.first.label, *(c.label for c in self.chapters)))
        return " + ".join(LABELS[label][0] for label in labels)

    @property
    def title(self) -> str:
        """Name and label."""
        return f"{self.name} ({self.label})"


def load_results(paths: Iterable[Path]) -> list[RunResult]:
    """Return the results in files; raises InputError naming the file that is none."""
    return [read_result(path) for path in paths]


def grouped(results: Sequence[RunResult]) -> tuple[Group, ...]:
    """Return groups in the order given: equal name, label, answers, prompts and version are repeats. Equal names are numbered."""
    groups: dict[tuple[object, ...], list[RunResult]] = {}
    for result in results:
        key = (result.name, result.label, result.answers, result.price_model, result.version, *result.prompts.items())
        groups.setdefault(key, []).append(result)
    found: list[Group] = []
    taken: dict[str, int] = {}
    for rows in groups.values():
        name = shown(rows[0].name, 40) or "run"
        taken[name] = taken.get(name, 0) + 1
        found.append(Group(name if taken[name] == 1 else f"{name} ({taken[name]})", tuple(rows)))
    return tuple(found)


def of_case(group: Group, case: str) -> Group:
    """Return a group with one case alone."""
    results = tuple(
        r.model_copy(update={"chapters": tuple(c for c in r.chapters if c.case == case)}) for r in group.results
    )
    return replace(group, results=results)


def cents_of(chapters: Iterable[ChapterResult]) -> float | None:
    """Return the bill in US cents; None where calls were made and nothing has a price."""
    rows = list(chapters)
    total = sum(c.usd for c in rows) * 100
    return None if not rows or (not total and any(c.n_calls for c in rows)) else total


def cents_per_unit(chapters: Iterable[ChapterResult], *, seed: int = 0) -> Figure:
    """Return US cents for 4,000 words: `share` is the amount, `hit` the cents, `n` the units; chapters are drawn for the interval."""
    rows = [c for c in scored(chapters) if c.words]
    total = cents_of(rows)
    if total is None:
        return Figure(hit=0, n=0)
    counts = [(c.usd * 100, c.words / WORDS_UNIT) for c in rows]
    n = sum(k for _, k in counts)
    bounds = bootstrap(counts, seed=seed)
    if bounds is None:
        return Figure(hit=total, n=n, share=total / n)
    return Figure(hit=total, n=n, share=total / n, low=bounds[0], high=bounds[1], interval="bootstrap")


def label_notes(groups: Sequence[Group]) -> list[tuple[str, str, str]]:
    """Return for each group its name, its label and what the label means."""
    found = []
    for group in groups:
        labels = dict.fromkeys((group.first.label, *(c.label for c in group.chapters)))
        found.append((group.name, group.label, " ".join(LABELS[label][1] for label in labels)))
    return found


def joined_labels(groups: Sequence[Group]) -> str:
    """Return the labels of all groups as one phrase."""
    return listed(list(dict.fromkeys(group.label for group in groups)))
