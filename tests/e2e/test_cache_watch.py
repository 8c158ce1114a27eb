"""The cache watchdog over the real client: each fault of a provider's cache has its name, its likely cause and its cost."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest

from analyzer import pipeline
from analyzer.llm.profiles import OPENAI
from analyzer.models.run import CacheLoss
from analyzer.scheduler.events import Machine, RunOutcome
from analyzer.scheduler.run import MACHINE, run_book
from analyzer.scheduler.watch import Pace
from tests.e2e.tiny import Told, analyse, contents, flags, judged, simulated
from tests.simulator import Clock

NEVER_FULL = OPENAI.model_copy(update={"calls_per_prefix": 0})
"""A provider whose calls come to one machine at any rate."""


def losses(outcome: RunOutcome) -> dict[str, CacheLoss]:
    """Return what a run lost, by fault; `bill` and `status` say the same."""
    return {str(loss.fault): loss for loss in outcome.cache_losses}


def on_clock(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    """Let runs live in the simulated time: who sleeps moves it."""

    async def sleep(seconds: float) -> None:
        clock.advance(seconds)
        await asyncio.sleep(0)

    there = Machine(clock.now, clock.now, sleep, MACHINE.jitter, MACHINE.new_run_id)
    monkeypatch.setitem(run_book.__kwdefaults__, "machine", there)


def test_a_healthy_cache_loses_nothing_and_nothing_is_told(book: Path) -> None:
    told = Told()
    with simulated() as sim:
        outcome = analyse(book, sim, told=told)
    assert (outcome.cache_losses, outcome.n_cache_misses, told.of("warning")) == ((), 0, [])
    assert pipeline.bill(book).cache_losses == ()


def _assert_told_everywhere(book: Path, outcome: RunOutcome, fault: str) -> None:
    loss = losses(outcome)[fault]
    state = pipeline.status(book)
    assert state is not None and loss in state.status.cache_losses
    bill = pipeline.bill(book)
    assert loss in bill.cache_losses
    rows = [call for call in bill.calls if call.detail.startswith("cache: ")]
    assert len(rows) == sum(one.n_calls for one in outcome.cache_losses)
    assert all(call.status == "ok" and call.settled for call in rows)


def test_a_cache_that_is_off_is_named_with_the_whole_price_of_what_was_not_read(book: Path) -> None:
    told = Told()
    with simulated(cache__kind="off") as sim:
        outcome = analyse(book, sim, told=told)
    (loss,) = outcome.cache_losses
    assert loss.fault == "nothing_read" and "caching is off" in loss.cause
    assert loss.n_calls == outcome.n_cache_misses > outcome.n_calls - 12
    assert loss.lost_nano == pytest.approx(loss.n_tokens * 90, rel=0.001)
    assert "did not read the prefix" in told.of("warning")[0] and "$" in told.of("warning")[0]
    _assert_told_everywhere(book, outcome, "nothing_read")


def test_a_part_that_was_dropped_is_named_and_what_it_cost_is_what_was_billed(book: Path) -> None:
    with simulated(cache__drops_every=7) as sim:
        outcome = analyse(book, sim, profile=NEVER_FULL, concurrency=1)
        twice = [row for row in sim.rows() if row.write and row.index % 7 == 6]
    loss = losses(outcome)["part_read"]
    assert "the part added is missing" in loss.cause and "written again" in loss.cause
    assert sum(one.n_calls for one in outcome.cache_losses) == len(twice) > 5
    billed = sum(row.write for row in twice) * 115
    assert sum(one.lost_nano for one in outcome.cache_losses) == pytest.approx(billed, rel=0.2)
    _assert_told_everywhere(book, outcome, "part_read")


def test_a_prefix_written_again_although_it_was_there_is_named_and_priced(book: Path) -> None:
    with simulated(cache__readable="prewarm") as sim:
        outcome = analyse(book, sim, concurrency=1, chapters="1", on_cache_loss="go-on")
        n_late = sum(bool(row.write) for row in sim.rows())
    loss = losses(outcome)["double_write"]
    assert 0 < loss.n_calls < n_late
    assert "nobody has read it yet" in loss.cause and "were written again" in loss.cause
    assert loss.lost_nano == pytest.approx(loss.n_tokens * 115, rel=0.001)
    _assert_told_everywhere(book, outcome, "double_write")


def test_a_prefix_below_the_providers_minimum_is_told_costs_nothing_and_never_stops_a_run(book: Path) -> None:
    profile = OPENAI.model_copy(update={"min_prefix_tokens": 20_000})
    told = Told()
    with simulated(cache__min_tokens=20_000) as sim:
        outcome = analyse(book, sim, profile=profile, told=told, on_cache_loss="stop")
    assert (outcome.exit_code, outcome.n_cache_misses) == (0, 0)
    loss = losses(outcome)["too_short"]
    assert (loss.n_calls, loss.lost_nano, loss.n_tokens) == (outcome.n_calls, 0, 0)
    assert "is too short for the cache" in told.of("warning")[0] and "20,000" in told.of("warning")[0]
    assert len(told.of("warning")) < 10
    _assert_told_everywhere(book, outcome, "too_short")


def test_an_entry_nobody_used_in_time_is_written_by_one_call_alone_and_called_expired(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(manual=True)
    on_clock(monkeypatch, clock)
    seen: list[int] = []

    def slowly(body: dict[str, Any]) -> str:
        seen.append(1)
        clock.advance(1900 if len(seen) == 20 else 5)
        return judged(body)

    with simulated(slowly, clock=clock) as sim:
        outcome = analyse(book, sim, on_cache_loss="stop", concurrency=1)
    loss = losses(outcome)["expired"]
    assert (outcome.exit_code, set(losses(outcome))) == (0, {"expired"})
    assert 1 <= loss.n_calls <= 4 and "an entry is kept for 1,800 s" in loss.cause
    assert loss.lost_nano > 0
    _assert_told_everywhere(book, outcome, "expired")


def _overflowing(book: Path, monkeypatch: pytest.MonkeyPatch, told: Told, policy: str) -> tuple[RunOutcome, int, float]:
    clock = Clock(manual=True)
    on_clock(monkeypatch, clock)
    with simulated(clock=clock, limits__overflow_per_minute=15) as sim:
        outcome = analyse(book, sim, told=told, on_cache_loss=policy)
        return outcome, flags(sim)["overflow"], clock.now()


def test_an_overflow_is_seen_and_slows_the_calls_down_and_no_run_fails_from_it(
    book: Path, undisturbed: dict[str, list[tuple[object, ...]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Told()
    outcome, n_overflown, took_s = _overflowing(book, monkeypatch, told, "stop")
    loss = losses(outcome)["overflow"]
    assert (outcome.exit_code, outcome.error) == (0, None)
    assert "within a minute" in loss.cause and loss.lost_nano > 0
    assert any("are slowed down to 15 a minute" in words for words in told.of("warning"))
    assert took_s > 30
    assert n_overflown < outcome.n_calls - 15
    assert contents(book) == undisturbed
    _assert_told_everywhere(book, outcome, "overflow")


def test_calls_go_out_as_fast_as_before_once_reads_come_back(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, told = Clock(manual=True), Told()
    on_clock(monkeypatch, clock)
    seen: list[int] = []

    def in_a_burst_then_slowly(body: dict[str, Any]) -> str:
        seen.append(1)
        clock.advance(0 if len(seen) < 18 else 5)
        return judged(body)

    with simulated(in_a_burst_then_slowly, clock=clock, limits__overflow_per_minute=16) as sim:
        outcome = analyse(book, sim, told=told, concurrency=1)
    said = [words for words in told.of("warning") if words.startswith(("calls on this", "the cache is read"))]
    assert outcome.exit_code == 0
    assert said[0] == "calls on this prefix are slowed down to 15 a minute until it is read again"
    assert said[-1] == "the cache is read again: calls go out as fast as before"


def test_a_pace_falls_by_half_rises_with_reads_and_stays_within_its_bounds() -> None:
    rng = random.Random(5)
    for _ in range(200):
        pace, now = Pace(least=15.0), 0.0
        for _ in range(rng.randrange(200)):
            now += rng.random()
            before = pace.rate
            if rng.random() < 0.2:
                fell = pace.overflowed(n := rng.randrange(16, 400), sent_at=now, now=now)
                assert pace.rate is not None and 15 <= pace.rate <= max(15, (before or n))
                assert fell == (before is None or before > 15)
                assert not pace.overflowed(400, sent_at=now - 0.1, now=now)
            else:
                was_free = before is None
                free = pace.read(sent_at=now)
                assert free == (not was_free and pace.rate is None)
                assert pace.rate is None or pace.rate == (before or 0) + 1
        for _ in range(500):
            now += 1
            pace.read(sent_at=now)
        assert pace.rate is None


@pytest.mark.parametrize(("policy", "told_any"), [("go-on", False), ("warn", True)])
def test_policy_decides_whether_it_is_told_and_the_settings_keep_it(book: Path, policy: str, told_any: bool) -> None:
    with (book / "analyzer.toml").open("a") as settings:
        settings.write(f'on_cache_loss = "{policy}"\n')
    told = Told()
    with simulated(cache__kind="off") as sim:
        outcome = analyse(book, sim, told=told, chapters="1")
    assert outcome.exit_code == 0 and outcome.n_cache_misses > 0
    assert bool(told.of("warning")) == told_any


def test_bill_and_status_say_it_in_words_and_as_json(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from analyzer.cli import app

    with simulated(cache__kind="off") as sim:
        analyse(book, sim, chapters="1")
    for command in ("bill", "status"):
        for more in ((), ("--json",)):
            app([command, str(book), *more], standalone_mode=False)
            out = capsys.readouterr().out
            assert "caching is off at this address" in out
            if more:
                found = json.loads(out)
                kept = found["cache_losses"] if command == "bill" else found["status"]["cache_losses"]
                assert kept[0]["fault"] == "nothing_read" and kept[0]["lost_nano"] > 0
            else:
                assert "read nothing from the cache" in out and "more than reading it" in out


def test_losses_of_later_runs_are_added_to_those_of_earlier_ones(book: Path) -> None:
    with simulated(cache__kind="off") as sim:
        first = analyse(book, sim, chapters="1")
        second = analyse(book, sim)
    both = {loss.fault: loss.n_calls for loss in pipeline.bill(book).cache_losses}
    assert both["nothing_read"] == first.n_cache_misses + second.n_cache_misses
