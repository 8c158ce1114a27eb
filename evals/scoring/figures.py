"""Outcomes pooled into figures: recall over core, precision against gold and as judged, with intervals.

* *Recall*: of gold's core items, those found. *As judged*: a match a judge called wrong is taken away, an item a judge found said in
  other words is added.
* *Precision against gold*: of what is said, that which a gold item of any level matches. *As judged*: a verdict stands before the
  match; debatable items are counted apart and in neither number. What nobody judged stays as gold has it.
* *Intervals*: chapters are drawn with replacement (items of one chapter stand and fall together), percentiles of 2,000 draws. With
  one chapter, or where all draws are alike (all right, all wrong), that says nothing: then it is Wilson's interval on items,
  which is too narrow where items hang together, and the figure says which of the two it is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import sqrt
from statistics import fmean, stdev
from typing import Literal, NamedTuple

from analyzer.models.base import Record
from evals.records import ChapterResult, Figure, ItemClass, Outcome, RunResult, Side

N_DRAWS = 2000
"""Bootstrap draws; the 95 % bounds then move by less than a point from seed to seed."""
_Z = 1.959964
"""Of a two-sided 95 % interval."""
CLASSES: tuple[ItemClass, ...] = (
    "entity",
    "relation",
    "change",
    "appearance",
    "identity",
    "secret",
    "knowledge",
    "plant",
)
HEADLINE: dict[ItemClass, str] = {cls: "found" for cls in CLASSES} | {"entity": "named", "relation": "family"}
"""What a class is first judged by; the other measures are reported apart."""
By = Literal["class", "family", "chapter", "language", "match"]


Counted = tuple[float, float]
"""(hit, n) of one chapter or document."""


class Pick(NamedTuple):
    """Which outcomes a figure is about. `measure` "" is the class's headline, `level`, `group` "" and `again` None take all."""

    cls: ItemClass
    side: Side = "gold"
    measure: str = ""
    level: str = "core"
    group: str = ""
    again: bool | None = None
    judged: bool = False


def recall_of(
    cls: ItemClass, measure: str = "", *, group: str = "", again: bool | None = None, judged: bool = False
) -> Pick:
    """Return the pick of a recall: gold's core items."""
    return Pick(cls, "gold", measure, "core", group, again, judged)


def precision_of(cls: ItemClass, measure: str = "", *, group: str = "", judged: bool = False) -> Pick:
    """Return the pick of a precision: everything said of the chapter."""
    return Pick(cls, "said", measure, "", group, None, judged)


def counted(outcome: Outcome, pick: Pick) -> bool | None:
    """Return whether an outcome is a hit; None where it does not count at all."""
    measure = pick.measure or HEADLINE[pick.cls]
    if outcome.cls != pick.cls or outcome.side != pick.side or measure not in outcome.hits:
        return None
    if (pick.level and outcome.level != pick.level) or (pick.group and outcome.group != pick.group):
        return None
    if pick.again is not None and outcome.again != pick.again:
        return None
    hit = outcome.hits[measure]
    if not pick.judged or not outcome.judged:
        return hit
    if outcome.judged == "debatable":
        return None
    return outcome.judged == "right"


def count(outcomes: Iterable[Outcome], pick: Pick) -> tuple[int, int]:
    """Return (hits, n)."""
    found = [hit for o in outcomes if (hit := counted(o, pick)) is not None]
    return sum(found), len(found)


def scored(chapters: Iterable[ChapterResult]) -> list[ChapterResult]:
    """Return the chapters that have a score: an unscored one is no zero."""
    return [c for c in chapters if not c.unscored]


def whole(chapters: Iterable[ChapterResult]) -> list[ChapterResult]:
    """Return the scored chapters that were read to their end: how far the others came hangs on a clock, so that none is compared."""
    return [c for c in scored(chapters) if not c.partial]


def figure(chapters: Iterable[ChapterResult], pick: Pick, *, seed: int = 0) -> Figure:
    """Return the pooled figure of a pick with its interval; no share where nothing counts."""
    return pooled([count(c.outcomes, pick) for c in scored(chapters)], seed=seed)


def name_clusters(chapters: Iterable[ChapterResult], *, seed: int = 0) -> tuple[Figure, Figure]:
    """Return B-cubed precision and recall over printed names."""
    found = [c.b_cubed for c in scored(chapters) if c.b_cubed is not None]
    precision = pooled([(b.precision_sum, b.n_said) for b in found], seed=seed)
    return precision, pooled([(b.recall_sum, b.n_gold) for b in found], seed=seed)


def pooled(counts: Sequence[Counted], *, seed: int = 0) -> Figure:
    """Return the figure of (hit, n) by chapter; those with nothing to count are no chapters of it."""
    real = [(hit, n) for hit, n in counts if n]
    hit, n = sum(h for h, _ in real), sum(k for _, k in real)
    if not n:
        return Figure(hit=0, n=0)
    share = hit / n
    bounds = bootstrap(real, seed=seed)
    if bounds is not None:
        return Figure(hit=hit, n=n, share=share, low=bounds[0], high=bounds[1], interval="bootstrap")
    low, high = wilson(hit, n)
    return Figure(hit=hit, n=n, share=share, low=low, high=high, interval="wilson")


def bootstrap(counts: Sequence[Counted], *, seed: int = 0) -> tuple[float, float] | None:
    """Return the 2.5th and 97.5th percentile over draws of chapters; None with one chapter or where all draws are alike."""
    if len(counts) < 2:
        return None
    shares = []
    for draw in _draws(len(counts), seed):
        n = sum(counts[i][1] for i in draw)
        shares.append(sum(counts[i][0] for i in draw) / n)
    low, high = percentiles(shares)
    return (low, high) if high > low else None


@lru_cache(maxsize=64)
def _draws(n_chapters: int, seed: int) -> tuple[tuple[int, ...], ...]:
    drawn = random.Random(f"{seed}:{n_chapters}")
    return tuple(tuple(drawn.choices(range(n_chapters), k=n_chapters)) for _ in range(N_DRAWS))


def percentiles(values: Iterable[float]) -> tuple[float, float]:
    """Return the 2.5th and 97.5th percentile (nearest rank)."""
    ranked = sorted(values)
    cut = int(len(ranked) * 0.025)
    return ranked[cut], ranked[len(ranked) - 1 - cut]


def wilson(hit: float, n: float) -> tuple[float, float]:
    """Return Wilson's 95 % score interval of a share (Wilson 1927); n > 0."""
    share = hit / n
    middle = share + _Z**2 / (2 * n)
    half = _Z * sqrt(share * (1 - share) / n + _Z**2 / (4 * n * n))
    scale = 1 + _Z**2 / n
    return max(0.0, min(share, (middle - half) / scale)), min(1.0, max(share, (middle + half) / scale))


class Line(Record):
    """One row of a table: `of` is a class, a family, a chapter, a language or a level of match."""

    cls: ItemClass
    of: str
    recall: Figure
    recall_judged: Figure
    precision: Figure
    precision_judged: Figure
    n_debatable: int = 0
    n_unjudged: int = 0


def lines(chapters: Iterable[ChapterResult], cls: ItemClass, by: By = "class", *, seed: int = 0) -> tuple[Line, ...]:
    """Return a class's rows: one, or one for each family (kind of entity), chapter, language, or level of match."""
    rows = scored(chapters)
    if by == "match":
        measures = ("pair", "family", "kind") if cls == "relation" else (HEADLINE[cls],)
        return tuple(_line(rows, cls, measure, measure, "", seed) for measure in measures)
    if by == "family":
        groups = sorted({o.group for c in rows for o in c.outcomes if o.cls == cls})
        return tuple(_line(rows, cls, group, "", group, seed) for group in groups)
    name: Callable[[ChapterResult], str] = {
        "chapter": lambda c: f"{c.case} {c.chapter}",
        "language": lambda c: c.language,
        "class": lambda c: cls,
    }[by]
    return tuple(
        _line([c for c in rows if name(c) == key], cls, key, "", "", seed) for key in dict.fromkeys(map(name, rows))
    )


def _line(rows: Sequence[ChapterResult], cls: ItemClass, of: str, measure: str, group: str, seed: int) -> Line:
    said = [
        o
        for c in rows
        for o in c.outcomes
        if o.side == "said" and counted(o, precision_of(cls, measure, group=group)) is not None
    ]
    wrong = [o for o in said if not o.hits[measure or HEADLINE[cls]]]
    return Line(
        cls=cls,
        of=of,
        recall=figure(rows, recall_of(cls, measure, group=group), seed=seed),
        recall_judged=figure(rows, recall_of(cls, measure, group=group, judged=True), seed=seed),
        precision=figure(rows, precision_of(cls, measure, group=group), seed=seed),
        precision_judged=figure(rows, precision_of(cls, measure, group=group, judged=True), seed=seed),
        n_debatable=sum(o.judged == "debatable" for o in said),
        n_unjudged=sum(not o.judged for o in wrong),
    )


class Spread(Record):
    """A figure over repeats of one run: the mean of the shares, their standard deviation (None for one) and range."""

    n_runs: int
    mean: float | None = None
    sd: float | None = None
    least: float | None = None
    most: float | None = None


def spread(runs: Iterable[RunResult], pick: Pick) -> Spread:
    """Return mean and spread of a figure over repeats; runs in which nothing counts are left out."""
    shares = [s for run in runs if (s := figure(run.chapters, pick).share) is not None]
    if not shares:
        return Spread(n_runs=0)
    return Spread(
        n_runs=len(shares),
        mean=fmean(shares),
        sd=stdev(shares) if len(shares) > 1 else None,
        least=min(shares),
        most=max(shares),
    )
