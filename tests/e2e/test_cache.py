"""The prefix at the provider: written once, read by all that follow, and a warning at once where that fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analyzer.errors import BudgetReachedError
from analyzer.llm.asker import Profile
from analyzer.llm.profiles import OPENAI
from analyzer.scheduler import plan
from tests.e2e.tiny import Told, analyse, calls, contents, flags, simulated, written_twice
from tests.simulator import Clock

AT_FIRST_EVENT = OPENAI.model_copy(update={"release": "first_event"})
AT_ONCE = OPENAI.model_copy(update={"release": "at_once"})
LOW = 0.2
"""Share of the rates that makes four times the estimate less than the tiny book costs without a cache, and more than with one."""
SLOW: dict[str, Any] = {"latency__base_s": 0.02, "latency__output_tps": 4000.0}


@pytest.fixture
def low_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rates so low that a cache which is not read costs more than four times the estimate."""
    known = plan.calibration()
    rates = {step: rate._replace(factor=rate.factor * LOW) for step, rate in known.rates.items()}
    monkeypatch.setattr(plan, "calibration", lambda: known._replace(rates=rates))


@pytest.mark.parametrize(
    ("profile", "readable"), [(OPENAI, "end"), (OPENAI, "first_event"), (AT_FIRST_EVENT, "first_event")]
)
def test_every_part_of_the_prefix_is_written_once_and_read_by_all_later_calls(
    book: Path, profile: Profile, readable: str
) -> None:
    with simulated(cache__readable=readable, **SLOW) as sim:
        outcome = analyse(book, sim, profile=profile, concurrency=8)
        assert (outcome.exit_code, outcome.n_cache_misses, outcome.unanswered) == (0, 0, ())
        assert written_twice(sim) == []
        assert flags(sim) == {}
        rows = sim.rows()
    seen: set[str] = set()
    for row in rows:
        for part in row.parts:
            assert part.outcome == ("input" if not part.mark else "read" if part.prefix in seen else "write")
            seen |= {part.prefix} if part.mark else set()
    assert len({row.arrival for row in rows}) > 40


def test_the_system_part_is_shared_by_all_chapters(book: Path) -> None:
    with simulated() as sim:
        outcome = analyse(book, sim)
        shared = sim.totals()["prefixes"][0]
    assert (shared["write"], shared["read"]) == (1, outcome.n_calls - 1)


def test_the_others_start_at_the_writers_first_event_where_the_profile_says_so(book: Path) -> None:
    with simulated(cache__readable="first_event", latency__output_tps=45.0) as sim:
        analyse(book, sim, profile=AT_FIRST_EVENT, chapters="1")
        rows = sim.rows()
    writers = [row for row in rows if row.write]
    early = [(w, r) for w in writers for r in rows if w.first_event_at <= r.arrival < w.ended_at]  # type: ignore[operator]
    assert all(row.stream for row in rows)
    assert early


def test_without_waiting_the_prefix_would_be_written_again(book: Path) -> None:
    with simulated(cache__readable="end", **SLOW) as sim:
        analyse(book, sim, profile=AT_ONCE)
        assert flags(sim)["sent_before_readable"] > 0


@pytest.mark.usefixtures("low_estimate")
def test_a_cache_that_is_not_read_is_told_at_once_and_the_money_stops_at_four_times_the_estimate(
    book: Path, undisturbed: dict[str, list[tuple[object, ...]]]
) -> None:
    told = Told()
    with simulated(cache__readable="prewarm") as sim:
        outcome = analyse(book, sim, told=told)
        first_miss = next(row.index for row in sim.rows()[1:] if not row.read)
    warned = next(event for event in told.events if event.kind == "warning")
    assert outcome.n_cache_misses > len(told.of("warning")) > 2
    assert "did not read the prefix" in warned.text
    assert warned.progress.n_calls_done <= first_miss + 2
    assert isinstance(outcome.error, BudgetReachedError) and "4 times the likely estimate" in str(outcome.error)
    with simulated() as healthy:
        assert analyse(book, healthy).exit_code == 0
    assert contents(book) == undisturbed


def test_an_overflow_to_other_machines_is_told_and_the_book_is_finished(
    book: Path, undisturbed: dict[str, list[tuple[object, ...]]]
) -> None:
    with simulated(clock=Clock(manual=True), limits__overflow_per_minute=15) as sim:
        outcome = analyse(book, sim)
        assert flags(sim)["overflow"] == outcome.n_calls - 15
    assert (outcome.exit_code, outcome.error) == (0, None)
    assert 0 < outcome.n_cache_misses < outcome.n_calls
    assert contents(book) == undisturbed


@pytest.mark.usefixtures("low_estimate")
def test_a_prefix_too_short_for_the_providers_cache_is_told_and_stops_at_four_times_the_estimate(
    book: Path, undisturbed: dict[str, list[tuple[object, ...]]]
) -> None:
    with simulated(cache__min_tokens=1_000_000) as sim:
        outcome = analyse(book, sim)
        assert (sim.totals()["write"], sim.totals()["read"]) == (0, 0)
    assert outcome.exit_code == 5
    assert isinstance(outcome.error, BudgetReachedError) and "4 times the likely estimate" in str(outcome.error)
    assert outcome.n_calls // 2 < outcome.n_cache_misses < outcome.n_calls
    with simulated() as healthy:
        assert analyse(book, healthy).exit_code == 0
    assert contents(book) == undisturbed


def test_a_cache_that_is_not_read_stops_the_run_where_that_was_asked_for(book: Path) -> None:
    with simulated(cache__readable="prewarm") as sim:
        outcome = analyse(book, sim, on_cache_loss="stop", concurrency=4)
        assert outcome.exit_code == 5
        assert outcome.error is not None and "--on-cache-loss" in outcome.error.hint
        n_sent = len(sim.rows())
    assert n_sent <= 1 + 2 * 4
    assert len(calls(book)) == n_sent
    with simulated() as healthy:
        again = analyse(book, healthy, on_cache_loss="stop")
    assert (again.exit_code, again.n_unchanged > 0) == (0, True)
