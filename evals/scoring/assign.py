"""One-to-one assignment of the greatest weight, for the few dozen items of a chapter."""

from __future__ import annotations

from collections.abc import Mapping


def assign(weights: Mapping[tuple[int, int], int]) -> dict[int, int]:
    """Return left -> right, one to one, with the greatest sum of `weights` (positive integers; absent pairs never match).

    Adds one augmenting path of the greatest gain at a time until none gains: the gains fall, so the sum is the greatest there
    is. Taking one item away can therefore never raise how many of the other side are matched at equal weights. Equal sums are
    settled by the order of the numbers. Cost: matched items times edges times path length.
    """
    edges = sorted(weights)
    right: dict[int, int] = {}
    left: dict[int, int] = {}
    while True:
        path = _best_path(edges, weights, left, right)
        if not path:
            return dict(sorted(left.items()))
        for a, b in path:
            left[a] = b
        right = {b: a for a, b in left.items()}


def _best_path(
    edges: list[tuple[int, int]], weights: Mapping[tuple[int, int], int], left: dict[int, int], right: dict[int, int]
) -> list[tuple[int, int]]:
    """Return the new pairs of the augmenting path that gains most, or nothing (Bellman-Ford over gains)."""
    gain: dict[int, int] = {a: 0 for a, _ in edges if a not in left}
    back: dict[int, tuple[int, int]] = {}
    best: tuple[int, tuple[int, int]] | None = None
    changed = True
    while changed:
        changed = False
        for a, b in edges:
            if a not in gain or left.get(a) == b:
                continue
            reached = gain[a] + weights[a, b]
            if b not in right:
                if reached > 0 and (best is None or reached > best[0]):
                    best = (reached, (a, b))
                continue
            other = right[b]
            freed = reached - weights[other, b]
            if other not in gain or freed > gain[other]:
                gain[other], back[other], changed = freed, (a, b), True
    if best is None:
        return []
    path, step = [], best[1]
    while True:
        path.append(step)
        if step[0] not in back:
            return path
        step = back[step[0]]
