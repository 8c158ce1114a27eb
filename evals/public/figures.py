"""Pooled shares with an interval over documents, in the shape of `evals.records.Figure`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import sqrt

from evals.records import Figure

N_DRAWS = 2000
"""Bootstrap draws; the 95 % bounds then move by less than a point from seed to seed."""
_Z = 1.959964
"""Of a two-sided 95 % interval."""

Counted = tuple[float, float]
"""(hit, n) of one document."""


def pooled(counts: Sequence[Counted], *, seed: int = 0) -> Figure:
    """Return the share over documents: bootstrap interval (documents drawn with replacement), Wilson's for one document or equal draws."""
    real = [(hit, n) for hit, n in counts if n]
    hit, n = sum(h for h, _ in real), sum(k for _, k in real)
    if not n:
        return Figure(hit=0, n=0)
    low, high = _bootstrap(real, seed)
    if low == high:
        low, high = _wilson(hit, n)
    return Figure(hit=hit, n=n, share=hit / n, low=low, high=high)


def _bootstrap(counts: Sequence[Counted], seed: int) -> Counted:
    drawn = random.Random(f"{seed}:{len(counts)}")
    shares = []
    for _ in range(N_DRAWS):
        draw = drawn.choices(counts, k=len(counts))
        shares.append(sum(h for h, _ in draw) / sum(n for _, n in draw))
    shares.sort()
    cut = int(N_DRAWS * 0.025)
    return shares[cut], shares[N_DRAWS - 1 - cut]


def _wilson(hit: float, n: float) -> Counted:
    share = hit / n
    middle = share + _Z**2 / (2 * n)
    half = _Z * sqrt(share * (1 - share) / n + _Z**2 / (4 * n * n))
    scale = 1 + _Z**2 / n
    return max(0.0, min(share, (middle - half) / scale)), min(1.0, max(share, (middle + half) / scale))
