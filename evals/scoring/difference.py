"""Whether one run is better than another on the same chapters, or only luckier."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from math import comb

from analyzer.models.base import Record
from evals.records import ChapterResult
from evals.scoring.figures import N_DRAWS, Pick, counted, percentiles, whole

Item = tuple[str, int, str]
"""Case, chapter, key."""
Cell = tuple[int, int, int, int]
"""An item's hits and n before, hits and n after."""


class Difference(Record):
    """After less before: the shares, the difference with its 95 % interval, and two p values.

    `p_items` is exact McNemar on the items both runs count (for gold's side: all); `p_draws` and the interval come from drawing
    items with replacement within each chapter, both runs together. `gained` and `lost` are keys with case and chapter.
    """

    before: float | None
    after: float | None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p_items: float = 1.0
    p_draws: float = 1.0
    gained: tuple[Item, ...] = ()
    lost: tuple[Item, ...] = ()


def difference(
    before: Iterable[ChapterResult], after: Iterable[ChapterResult], pick: Pick, *, seed: int = 0
) -> Difference:
    """Return what changed in a figure from one run to the next over the chapters both scored and read to their end.

    An item only one run said (precision) counts in that run alone; such items are gained where right, and lost where they were.
    """
    old, new = _by_chapter(before, pick), _by_chapter(after, pick)
    chapters: list[list[Cell]] = []
    gained: list[Item] = []
    lost: list[Item] = []
    for place in sorted(old.keys() & new.keys()):
        cells = []
        for key in sorted(old[place].keys() | new[place].keys()):
            a, b = old[place].get(key), new[place].get(key)
            cells.append((int(bool(a)), int(a is not None), int(bool(b)), int(b is not None)))
            if bool(a) != bool(b):
                (gained if b else lost).append((*place, key))
        chapters.append(cells)
    flat = [cell for cells in chapters for cell in cells]
    both = [cell for cell in flat if cell[1] and cell[3]]
    better, worse = sum(c[2] > c[0] for c in both), sum(c[0] > c[2] for c in both)
    share = _shares(flat)
    low, high, p_draws = _drawn(chapters, seed)
    return Difference(
        before=share[0],
        after=share[1],
        difference=_minus(share),
        low=low,
        high=high,
        p_items=mcnemar(better, worse),
        p_draws=p_draws,
        gained=tuple(gained),
        lost=tuple(lost),
    )


def _by_chapter(chapters: Iterable[ChapterResult], pick: Pick) -> dict[tuple[str, int], Mapping[str, bool]]:
    return {
        (c.case, c.chapter): {o.key: hit for o in c.outcomes if (hit := counted(o, pick)) is not None}
        for c in whole(chapters)
    }


def _shares(cells: Iterable[Cell]) -> tuple[float | None, float | None]:
    rows = tuple(cells)
    n_a, n_b = sum(c[1] for c in rows), sum(c[3] for c in rows)
    return (sum(c[0] for c in rows) / n_a if n_a else None, sum(c[2] for c in rows) / n_b if n_b else None)


def _minus(share: tuple[float | None, float | None]) -> float | None:
    return None if share[0] is None or share[1] is None else share[1] - share[0]


def _drawn(chapters: Sequence[Sequence[Cell]], seed: int) -> tuple[float | None, float | None, float]:
    """Return the interval and p of the difference; nothing changed is p 1, drawn or not."""
    flat = [cell for cells in chapters for cell in cells]
    if _minus(_shares(flat)) is None:
        return None, None, 1.0
    if all(cell[:2] == cell[2:] for cell in flat):
        return 0.0, 0.0, 1.0
    rng = random.Random(f"difference:{seed}")
    found = []
    for _ in range(N_DRAWS):
        delta = _minus(_shares(cell for cells in chapters if cells for cell in rng.choices(cells, k=len(cells))))
        if delta is not None:
            found.append(delta)
    if not found:
        return None, None, 1.0
    low, high = percentiles(found)
    below, above = sum(d <= 0 for d in found), sum(d >= 0 for d in found)
    return low, high, min(1.0, 2 * (min(below, above) + 1) / (len(found) + 1))


def mcnemar(better: int, worse: int) -> float:
    """Return the exact two-sided p of `better` against `worse` changed items (McNemar 1947, binomial with one half)."""
    n = better + worse
    if not n:
        return 1.0
    tail: int = sum(comb(n, k) for k in range(min(better, worse) + 1))
    return min(1.0, 2 * tail / (1 << n))
