"""A provider that fails in every way it can: nothing is lost in silence, and the exit code says how the run ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.storage.store import Store
from tests.e2e.tiny import Told, analyse, calls, contents, make_book, meaning, simulated
from tests.simulator import Fault, FaultPlan, Simulator

Contents = dict[str, list[tuple[object, ...]]]
PASSING = {
    "429 with Retry-After": Fault("rate_limit", retry_after="2"),
    "429 without": Fault("rate_limit"),
    "500": Fault("server_error"),
    "503": Fault("unavailable"),
    "529": Fault("overloaded"),
    "reset before any work": Fault("reset"),
    "reset half-way": Fault("reset_mid"),
    "cut short": Fault("truncated"),
    "half of the JSON": Fault("half_json"),
    "a page instead of JSON": Fault("not_json"),
    "empty": Fault("empty"),
    "null": Fault("null"),
    "prose": Fault("prose"),
    "half of the lines": Fault("half"),
    "a loop": Fault("loop"),
    "lines twice": Fault("duplicated"),
    "numbers nobody asked for": Fault("strangers"),
    "usage missing": Fault("usage_missing"),
    "usage null": Fault("usage_null"),
    "usage zero": Fault("usage_zero"),
    "usage negative": Fault("usage_negative"),
    "usage wrong": Fault("usage_wrong"),
}


def _ledger_agrees(book: Path, sim: Simulator) -> None:
    """Every request the provider saw is in the bill, and none was counted for less than it cost, unless usage lied."""
    found = calls(book)
    assert len(found) == len(sim.rows())
    counted = sum(c.cost_usd if c.settled and c.cost_usd is not None else c.reserved_usd for c in found)
    with Store.open(book) as store:
        assert store.spent_usd() == pytest.approx(counted, abs=1e-12)
    lied = any(row.fault in ("usage_wrong", "usage_negative") for row in sim.rows())
    assert lied or round(counted * 1e9) >= sim.totals()["cost_nano"]


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING)
def test_a_failure_that_passes_leaves_no_trace_in_the_book(book: Path, fault: Fault, calm: Path) -> None:
    told = Told()
    plan = FaultPlan(by_index={0: fault, 3: fault, 7: fault})
    with simulated(faults=plan) as sim:
        assert analyse(book, sim, told=told).exit_code == 0
        _ledger_agrees(book, sim)
    assert meaning(book) == meaning(calm)
    if fault.kind in ("rate_limit", "server_error", "unavailable", "overloaded", "reset", "reset_mid"):
        assert len(told.of("retry")) == 3
    with Store.open(book) as store:
        noted = {a.call_id for a in store.attempts()} | {c.call_id for c in store.calls() if c.status == "transient"}
    odd_replies = {"empty", "null", "half", "loop"}
    if fault.kind in odd_replies or told.of("retry"):
        assert len(noted) >= 3


@pytest.mark.parametrize("kind", ["quota", "bad_key", "forbidden", "not_found"])
def test_what_cannot_pass_stops_the_run_at_once_and_says_what_to_do(book: Path, kind: str) -> None:
    with simulated(faults=FaultPlan(always=Fault(kind))) as sim:
        outcome = analyse(book, sim, concurrency=8)
        assert (outcome.exit_code, len(sim.rows())) == (4, 1)
    assert outcome.error is not None and outcome.error.hint
    assert outcome.spent_usd == 0


def test_a_quota_used_up_half_way_keeps_what_arrived_and_the_next_run_goes_on_from_there(
    book: Path, undisturbed: Contents
) -> None:
    plan = FaultPlan(by_index={n: Fault("quota") for n in range(20, 500)})
    with simulated(faults=plan) as sim:
        outcome = analyse(book, sim)
        n_before = len(sim.rows())
        assert (outcome.exit_code, n_before < 20 + 8) == (4, True)
        sim.plan_faults(FaultPlan())
        again = analyse(book, sim)
        assert again.exit_code == 0
        assert again.n_calls + outcome.n_calls <= 72 + 8
    assert contents(book) == undisturbed


def test_a_server_that_never_comes_back_ends_the_run_with_what_failed(book: Path) -> None:
    with simulated(faults=FaultPlan(always=Fault("server_error"))) as sim:
        outcome = analyse(book, sim)
        assert (outcome.exit_code, len(sim.rows())) == (4, 6)
    assert "500" in str(outcome.error)


@pytest.mark.parametrize("kind", ["empty", "loop", "strangers", "refusal", "filter"])
def test_a_model_that_never_says_anything_of_use_ends_with_every_question_named(book: Path, kind: str) -> None:
    with simulated(faults=FaultPlan(always=Fault(kind))) as sim:
        outcome = analyse(book, sim, chapters="1")
        assert outcome.exit_code == 7
        _ledger_agrees(book, sim)
    assert outcome.unanswered
    named = [issue.detail for issue in outcome.issues if issue.code in ("unanswered", "refused")]
    assert all(any(key in detail for detail in named) for key in outcome.unanswered)
    with Store.open(book) as store:
        assert {call.call_id for call in store.calls()} <= {attempt.call_id for attempt in store.attempts()}
        assert store.facts(classes=["relation"]) == []


STORM = dict.fromkeys(
    ("rate_limit", "server_error", "reset", "reset_mid", "truncated", "half_json", "half", "usage_missing"), 0.04
)


def _weathered(book: Path) -> dict[str, object]:
    """Return what a book comes to in a storm of failures, each of them paid for and none in silence."""
    with simulated(faults=FaultPlan(mix=STORM, seed=5)) as sim:
        outcome = analyse(book, sim, concurrency=16)
        while outcome.exit_code in (5, 7):
            outcome = analyse(book, sim, concurrency=16)
        assert outcome.exit_code == 0
        _ledger_agrees(book, sim)
        assert sum(bool(row.fault) for row in sim.rows()) > 10
    return meaning(book)


def test_a_long_run_through_a_storm_of_failures_comes_to_the_same_book(book: Path, calm: Path) -> None:
    assert _weathered(book) == meaning(calm)


def test_a_storm_over_the_whole_story_comes_to_the_same_book(tmp_path: Path, whole_calm: Path) -> None:
    assert _weathered(make_book(tmp_path / "tiny", off=())) == meaning(whole_calm)
