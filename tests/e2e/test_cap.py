"""Money against the provider's own books: no cap is ever overshot, and none stops a run that fits it."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.errors import BudgetReachedError
from analyzer.storage.store import Store
from tests.e2e.tiny import MODEL, SERIAL, analyse, calls, contents, make_book, simulated
from tests.simulator import Fault, FaultPlan

NANO = 1_000_000_000
N_CHAPTERS = SERIAL.count("Chapter ")
IN_FLIGHT = 32
BURST = {"latency__base_s": 0.05}
"""Slow enough that all calls that may go are in flight together."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, int]:
    """What the tiny book costs as a whole, and the largest reservation of a call, in nano-dollars."""
    book = make_book(tmp_path_factory.mktemp("whole") / "tiny")
    with simulated() as sim:
        assert analyse(book, sim, concurrency=IN_FLIGHT).exit_code == 0
        cost: int = sim.totals()["cost_nano"]
    return cost, max(round(call.reserved_usd * NANO) for call in calls(book))


@pytest.mark.parametrize("seed", range(6))
def test_the_providers_books_never_exceed_the_cap(tmp_path: Path, whole: tuple[int, int], seed: int) -> None:
    cost, _ = whole
    rng = random.Random(seed)
    book = make_book(tmp_path / "tiny")
    spent = 0
    with simulated(
        faults=FaultPlan(mix={"reset_mid": 0.05, "server_error": 0.05, "usage_missing": 0.05}, seed=seed), **BURST
    ) as sim:
        for _ in range(3):
            cap = rng.randint(cost // 20, cost // 3)
            outcome = analyse(book, sim, cap_usd=cap / NANO, concurrency=IN_FLIGHT)
            now = sim.totals()["cost_nano"]
            with Store.open(book) as store:
                counted = store.spent_usd(float(store.setting("cap_set_at") or 0))
            assert now - spent <= round(counted * NANO) <= cap
            spent = now
            assert outcome.exit_code == 5
            assert isinstance(outcome.error, BudgetReachedError) and "the cap" in str(outcome.error)


def test_a_run_that_fits_the_cap_is_never_stopped_by_open_reservations(tmp_path: Path, whole: tuple[int, int]) -> None:
    cost, largest = whole
    book = make_book(tmp_path / "tiny")
    with simulated(**BURST) as sim:
        outcome = analyse(book, sim, cap_usd=(cost + largest) / NANO, concurrency=IN_FLIGHT)
        assert (outcome.exit_code, sim.totals()["cost_nano"]) == (0, cost)


def test_a_cap_counts_what_earlier_runs_spent_and_a_higher_one_lets_the_book_be_finished(
    tmp_path: Path, whole: tuple[int, int]
) -> None:
    cost, largest = whole
    book = make_book(tmp_path / "tiny")
    with simulated() as sim:
        assert analyse(book, sim, cap_usd=cost / 2 / NANO).exit_code == 5
        assert analyse(book, sim).exit_code == 5, "the cap holds until another is set"
        assert sim.totals()["cost_nano"] <= cost / 2
        assert analyse(book, sim, cap_usd=(cost + largest) / NANO).exit_code == 0
        assert sim.totals()["cost_nano"] == pytest.approx(cost, rel=0.1)


def test_a_run_stops_before_the_balance_turns_negative(tmp_path: Path, whole: tuple[int, int]) -> None:
    cost, _ = whole
    book = make_book(tmp_path / "tiny")
    with simulated(**BURST) as sim:
        outcome = analyse(book, sim, balance_usd=cost / 3 / NANO, concurrency=IN_FLIGHT)
        assert outcome.exit_code == 5 and "the balance" in str(outcome.error)
        assert sim.totals()["cost_nano"] <= cost / 3


def test_the_bill_agrees_with_the_providers_books_to_the_nano_dollar(tmp_path: Path) -> None:
    book = make_book(tmp_path / "tiny")
    with simulated(faults=FaultPlan(by_index={2: Fault("rate_limit", retry_after="0"), 5: Fault("half")})) as sim:
        analyse(book, sim, concurrency=IN_FLIGHT)
        rows = sim.rows()
        bill = sorted(round((call.cost_usd or 0) * NANO) for call in calls(book))
        assert bill == sorted(row.cost_nano for row in rows)
    contents(book)


def test_only_what_the_same_model_answered_over_the_same_text_counts_as_done(tmp_path: Path) -> None:
    book = make_book(tmp_path / "tiny")
    with simulated() as sim:
        here = {"base_url": sim.base_url, "profile": "openai"}
        fresh = pipeline.prepare(book, pipeline.RunRequest(model=MODEL, **here)).estimate
        assert analyse(book, sim).exit_code == 0
        same = pipeline.prepare(book, pipeline.RunRequest(model=MODEL, **here))
        other = pipeline.prepare(book, pipeline.RunRequest(model="gpt-6.1-terra", **here))
        manuscript = book.parent / "tiny.txt"
        manuscript.write_text(
            manuscript.read_text("utf-8").replace("Chapter 3\n", "Chapter 3\n\nIt rained.\n"), "utf-8"
        )
        longer = pipeline.prepare(book, pipeline.RunRequest(model=MODEL, **here))
    assert same.priced and same.estimate.n_calls == 0
    assert same.whole_usd == pytest.approx(fresh.likely_usd)
    with Store.open(book) as store:
        n_asked = Counter(task.step for task in store.tasks() if task.n_answers)
    by_step = {row.step: row.n_calls for row in fresh.rows if n_asked[row.step] == N_CHAPTERS}
    assert {row.step: row.n_calls for row in other.estimate.rows if row.step in by_step} == by_step
    assert 0 < longer.estimate.n_calls < fresh.n_calls
