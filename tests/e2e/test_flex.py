"""The flex tier: the same answers for half, full price where the tier did not serve, and a sentence where none is offered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer import pipeline
from analyzer.errors import ConfigError
from analyzer.scheduler.events import RunOutcome
from analyzer.storage.store import Store
from tests.e2e.tiny import MODEL, STORY, contents, judged, simulated
from tests.simulator import Fault, FaultPlan, Simulator


def run_at(book: Path, sim: Simulator, *, flex: bool, **wishes: Any) -> RunOutcome:
    return pipeline.run(
        book,
        pipeline.RunRequest(
            model=MODEL, base_url=sim.base_url, profile="openai", flex=flex, off=STORY, concurrency=1, **wishes
        ),
    )


@pytest.fixture
def now(tmp_path: Path, book: Path) -> tuple[dict[str, Any], int, float]:
    """What a run at the standard tier leaves, what the simulator bills for it and what ours does."""
    manuscript = tmp_path / "now" / "tiny.txt"
    manuscript.parent.mkdir()
    manuscript.write_text(pipeline.source_of(book)[0].text, "utf-8")
    folder = pipeline.init(manuscript)
    with simulated() as sim:
        outcome = run_at(folder, sim, flex=False)
        return contents(folder), sim.totals()["cost_nano"], outcome.spent_usd


def test_a_run_at_flex_leaves_the_same_book_for_half_and_is_billed_as_the_provider_bills(
    book: Path, now: tuple[dict[str, Any], int, float]
) -> None:
    tiers: list[object] = []

    def answer(body: dict[str, Any]) -> str:
        tiers.append(body.get("service_tier"))
        return judged(body)

    with simulated(answer) as sim:
        outcome = run_at(book, sim, flex=True)
        billed = sim.totals()["cost_nano"]
    assert outcome.exit_code == 0 and outcome.n_calls > 10
    assert set(tiers) == {"flex"}
    assert contents(book)["facts"] == now[0]["facts"]
    assert outcome.spent_usd == pytest.approx(now[2] / 2, rel=1e-4)
    assert round(outcome.spent_usd * 1e9) == pytest.approx(billed, abs=outcome.n_calls)


def test_a_call_that_another_tier_served_is_billed_in_full(book: Path, now: tuple[dict[str, Any], int, float]) -> None:
    with simulated(serves_flex=False) as sim:
        outcome = run_at(book, sim, flex=True)
    assert outcome.spent_usd == pytest.approx(now[2], rel=1e-6)


def test_what_flex_answered_is_not_asked_again_at_the_standard_tier(book: Path) -> None:
    with simulated() as sim:
        run_at(book, sim, flex=True)
        n_calls = len(sim.rows())
        assert run_at(book, sim, flex=False).n_calls == 0
        assert len(sim.rows()) == n_calls


def test_no_room_at_flex_is_waited_for_and_costs_nothing(book: Path) -> None:
    with simulated(faults=FaultPlan(by_index={2: Fault("rate_limit", retry_after="0")})) as sim:
        outcome = run_at(book, sim, flex=True)
    assert outcome.exit_code == 0
    with Store.open(book) as store:
        calls = store.calls()
    assert [call.cost_usd for call in calls if call.status == "transient"] == [0.0]


def test_the_cap_holds_at_flex_by_the_standard_price(book: Path) -> None:
    with simulated() as sim:
        outcome = run_at(book, sim, flex=True, cap_usd=0.001)
        billed = sim.totals()["cost_nano"]
    assert outcome.exit_code == 5 and billed <= 1_000_000


@pytest.mark.parametrize(
    "model", ["rules", "deepseek/deepseek-flash", "anthropic/claude-haiku-5-5", "decisions:gpt-6-luna"]
)
def test_a_model_without_a_flex_tier_is_refused_before_anything_is_sent(
    book: Path, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none-0123456789")
    with pytest.raises(ConfigError, match="no flex tier is known") as refused:
        pipeline.prepare(book, pipeline.RunRequest(model=model, flex=True))
    assert refused.value.where == "--when" and json.dumps(refused.value.hint)
