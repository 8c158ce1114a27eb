"""The bill as a plain record that is also its JSON: every call, and what the same tokens would have cost."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.models.base import Record
from analyzer.models.run import CacheLoss, CallRecord, Price, Usage


class Bill(Record):
    """Every call with totals; `would_be_usd` is what the same tokens cost at `would_be_model`, where no model was asked.

    `cache_losses`: what all runs of the book did not read from the provider's cache that they should have, the dearest first.
    """

    calls: tuple[CallRecord, ...]
    usage: Usage
    spent_usd: float
    n_open: int
    n_unpriced: int
    cache_losses: tuple[CacheLoss, ...] = ()
    would_be_model: str = ""
    would_be_usd: float | None = None


def bill_of(
    calls: Sequence[CallRecord],
    spent_usd: float,
    *,
    would_be: str,
    price: Price | None,
    losses: tuple[CacheLoss, ...] = (),
) -> Bill:
    """Return the bill of these calls; `price` is that of `would_be`, None where it is not known."""
    unasked = sum((c.usage for c in calls if c.usage and c.answered_by != "model"), Usage())
    return Bill(
        calls=tuple(calls),
        usage=sum((c.usage for c in calls if c.usage), Usage()),
        spent_usd=spent_usd,
        n_open=sum(not c.settled for c in calls),
        n_unpriced=sum(c.settled and c.cost_usd is None for c in calls),
        cache_losses=losses,
        would_be_model=would_be,
        would_be_usd=price.cost_usd(unasked) if price and unasked.total_input else None,
    )
