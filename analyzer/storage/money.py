"""US dollars as whole nano-dollars, so that sums in the store are exact."""

from __future__ import annotations

import math

NANO = 1_000_000_000


def to_nano(usd: float) -> int:
    """Return `usd` in nano-dollars (1e-9), rounded up: a cap is never overshot by rounding.

    The last bits of a float are noise below a thousandth of a nano-dollar and do not round up. Raises ValueError where
    `usd` is negative.
    """
    if usd < 0:
        raise ValueError(f"money is {usd!r} US dollars, zero or more was expected")
    return math.ceil(round(usd * NANO, 3))


def to_usd(nano: int) -> float:
    """Return nano-dollars in US dollars."""
    return nano / NANO
