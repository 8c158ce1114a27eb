"""US dollars as whole nano-dollars, so that sums in the store are exact."""

from __future__ import annotations

import math

NANO = 1_000_000_000
_NOISE = 0.001
"""Nano-dollars: far below the smallest price of a token (0.01 US dollars a million is 10 of them)."""
_RELATIVE_NOISE = 1e-15
"""A few units in the last place of a double (2.2e-16), as left by a multiplication or two."""


def to_nano(usd: float) -> int:
    """Return `usd` in nano-dollars (1e-9), rounded up: a cap is never overshot by rounding.

    What a float's last bits add to a whole number does not round up. Raises ValueError where `usd` is negative.
    """
    if usd < 0:
        raise ValueError(f"money is {usd!r} US dollars, zero or more was expected")
    nano = usd * NANO
    nearest = round(nano)
    return nearest if abs(nano - nearest) <= max(_NOISE, nano * _RELATIVE_NOISE) else math.ceil(nano)


def to_usd(nano: int) -> float:
    """Return nano-dollars in US dollars."""
    return nano / NANO
