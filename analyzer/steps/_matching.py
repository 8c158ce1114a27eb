"""Who keeps which handle where several could: as many as possible keep one, by the names that tell most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

Weights = Sequence[Mapping[str, int]]
"""For each of those who want a handle, the handles he could keep and how much speaks for each."""


def best_matching(weights: Weights) -> list[str]:
    """Return for each the handle he keeps, "" for none: most pairs first, then the greatest sum of weights; no handle twice.

    Found by shortest augmenting paths, one a pair. Cost: pairs times edges times wants; a chapter has few of all.
    """
    pick = [""] * len(weights)
    bearer: dict[str, int] = {}
    while True:
        gain: dict[str, int] = {}
        via: dict[str, int] = {}
        free = [at for at, handle in enumerate(pick) if not handle and weights[at]]
        reach = dict.fromkeys(free, 0)
        changed = True
        while changed:
            changed = False
            for at, so_far in list(reach.items()):
                for handle, weight in weights[at].items():
                    total = so_far + weight
                    if pick[at] == handle or total <= gain.get(handle, -inf):
                        continue
                    gain[handle], via[handle], changed = total, at, True
                    other = bearer.get(handle)
                    if other is not None:
                        reach[other] = total - weights[other][handle]
        ends = [handle for handle in gain if handle not in bearer]
        if not ends:
            return pick
        handle = max(ends, key=lambda end: (gain[end], -int(end[1:])))
        while handle:
            at = via[handle]
            handle, pick[at] = pick[at], handle
            bearer[pick[at]] = at
