from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from storage_rows import HOSTILE, call, ended

from analyzer.errors import IntegrityError
from analyzer.models.run import Usage
from analyzer.storage.money import NANO, to_nano, to_usd
from analyzer.storage.store import Store


def test_a_reservation_counts_in_full_until_its_call_is_settled(store: Store) -> None:
    store.reserve(call(reserved_usd=0.5))
    assert store.spent_usd() == 0.5
    store.settle(
        ended(call(reserved_usd=0.5), 0.125, Usage(input=3, cache_read=4, cache_write=5, output=6, reasoning=2))
    )
    assert store.spent_usd() == 0.125


def test_a_settled_call_comes_back_as_it_was(store: Store) -> None:
    for at, text in enumerate(HOSTILE):
        opened = call(f"call-{at:02}{text}", run_id=text).model_copy(update={"model": text, "attempt": at})
        store.reserve(opened)
        done = ended(opened, 0.0000123, Usage(input=3, output=2)).model_copy(update={"detail": text})
        store.settle(done)
        assert store.calls(text) == [done]
    assert len(store.calls()) == len(HOSTILE)


def test_a_settled_call_without_usage_or_price_keeps_both_apart_from_zero(store: Store) -> None:
    opened = call()
    store.reserve(opened)
    store.settle(ended(opened, None, None))
    assert store.calls()[0].usage is None
    assert store.calls()[0].cost_usd is None
    assert store.spent_usd() == 0.0


def test_an_open_call_shows_as_lost_and_unsettled(store: Store) -> None:
    store.reserve(call())
    shown = store.calls()[0]
    assert (shown.status, shown.settled, shown.usage, shown.ended_at) == ("lost", False, None, None)


def test_open_calls_of_a_dead_run_are_closed_as_lost_and_counted_in_full(tmp_path: Path) -> None:
    with Store.open(tmp_path, create=True) as store:
        for number in range(4):
            store.reserve(call(f"call-{number}", run_id=f"run-{number % 2}", reserved_usd=0.25))
        store.settle(ended(call("call-0", run_id="run-0", reserved_usd=0.25), 0.125))
    with Store.open(tmp_path) as store:
        assert store.close_open_calls("run-0") == 1
        assert store.close_open_calls("run-0") == 0
        assert store.spent_usd() == 0.125 + 0.75
        lost = next(c for c in store.calls("run-0") if c.call_id == "call-2")
        assert (lost.status, lost.settled) == ("lost", False)
        assert "counted in full" in lost.detail
        assert store.close_open_calls() == 2
        assert store.spent_usd() == 0.125 + 0.75
        with pytest.raises(IntegrityError, match="ended before"):
            store.settle(ended(call("call-2"), 0.1))


def test_a_call_settled_as_not_settled_counts_in_full(store: Store) -> None:
    opened = call(reserved_usd=0.5)
    store.reserve(opened)
    store.settle(opened.model_copy(update={"status": "transient", "settled": False, "detail": "cut off"}))
    assert store.spent_usd() == 0.5
    assert store.calls()[0].status == "transient"


def test_spent_counts_calls_started_since_a_moment_that_moment_included(store: Store) -> None:
    for number in range(3):
        store.reserve(call(f"call-{number}", reserved_usd=0.25, at=float(number)))
    assert store.spent_usd(1.0) == 0.5
    assert store.spent_usd(2.5) == 0.0
    assert store.spent_usd(None) == 0.75


def test_a_call_is_reserved_once_and_settled_once(store: Store) -> None:
    with pytest.raises(IntegrityError, match="was not reserved"):
        store.settle(call())
    store.reserve(call())
    with pytest.raises(IntegrityError, match="reserved already"):
        store.reserve(call())
    store.settle(ended(call(), 0.1))
    with pytest.raises(IntegrityError, match="ended before"):
        store.settle(ended(call(), 0.1))
    with pytest.raises(IntegrityError, match="reserved already"):
        store.reserve(call())
    assert len(store.calls()) == 1


def test_a_reservation_undone_with_its_transaction_can_be_made_again(store: Store) -> None:
    with pytest.raises(IntegrityError), store.transaction():
        store.reserve(call())
        store.settle(call("other"))
    store.reserve(call())
    assert len(store.calls()) == 1


def test_a_million_tiny_costs_add_up_exactly(store: Store) -> None:
    with store.transaction():
        for number in range(1000):
            opened = call(f"call-{number}")
            store.reserve(opened)
            store.settle(ended(opened, 0.1))
    assert store.spent_usd() == 100.0


@given(st.floats(0, 10_000))
@example(1e-9)
@example(0.1 + 0.2)
@example(2.5e-9)
def test_money_is_never_rounded_down_and_never_by_a_whole_nano_dollar(usd: float) -> None:
    off = Fraction(to_nano(usd)) - Fraction(usd) * NANO
    assert -Fraction(1, 500) - Fraction(usd) / 10**6 <= off < 1


@given(st.integers(0, 10**15))
@example(69_698_056_565_003)
def test_nano_dollars_survive_the_way_to_dollars_and_back(nano: int) -> None:
    assert to_nano(to_usd(nano)) == nano


def test_negative_money_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="zero or more"):
        store.reserve(call(reserved_usd=-0.1))
    assert store.calls() == []
