"""The flex tier: the same answers for half, full price where the tier did not serve, and a sentence where none is offered."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from analyzer import pipeline
from analyzer.errors import ConfigError
from analyzer.scheduler.events import RunOutcome
from analyzer.storage.store import Store
from tests.e2e.tiny import MODEL, STORY, contents, judged, make_book, simulated
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
    "model",
    [
        "rules",
        "deepseek/deepseek-flash",
        "anthropic/claude-haiku-5-5",
        "decisions:gpt-6-luna",
        "openai/openai/gpt-6-luna",
    ],
)
def test_a_model_without_a_flex_tier_is_refused_before_anything_is_sent(
    book: Path, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none-0123456789")
    with pytest.raises(ConfigError, match="no flex tier is known") as refused:
        pipeline.prepare(book, pipeline.RunRequest(model=model, flex=True))
    assert refused.value.where == "--when" and json.dumps(refused.value.hint)


@pytest.mark.parametrize("model", [" gpt-6-luna", "gpt-6-luna\n", " "])
def test_a_name_that_is_none_is_said_to_be_so_at_flex_too(book: Path, model: str) -> None:
    with pytest.raises(ConfigError, match="names nothing known"):
        pipeline.prepare(book, pipeline.RunRequest(model=model, flex=True))


def test_a_server_whose_prices_are_not_known_is_the_reason_that_is_told(book: Path) -> None:
    with pytest.raises(ConfigError, match="the server at --base-url"):
        pipeline.prepare(book, pipeline.RunRequest(model=MODEL, flex=True, base_url="http://127.0.0.1:9/v1"))


def test_what_the_cache_did_not_give_is_counted_at_the_price_of_the_tier_that_served(tmp_path: Path) -> None:
    lost: list[int] = []
    for name, flex in (("standard", False), ("flex", True)):
        with simulated(cache__kind="off") as sim:
            outcome = run_at(make_book(tmp_path / name), sim, flex=flex)
        lost.append(sum(loss.lost_nano for loss in outcome.cache_losses))
        assert 0 < lost[-1] < outcome.spent_usd * 1e9
    assert lost[1] == pytest.approx(lost[0] / 2, rel=0.01)


@pytest.mark.parametrize(("language", "words"), [
    ("en", "Mara met Tom at the mill."), ("ko", "마라는 물방앗간에서 도하를 만났다."),
    ("zh", "林黛在磨坊遇见了卓白。"), ("ja", "花子は水車小屋で健一に会った。"),
])  # fmt: skip
def test_the_stop_far_above_the_estimate_counts_what_any_tier_may_cost(
    tmp_path: Path, language: str, words: str
) -> None:
    manuscript = tmp_path / "short.txt"
    manuscript.write_text(f"{words}\n", "utf-8")
    book = pipeline.init(manuscript, language=language)
    wish = pipeline.RunRequest(model=MODEL, base_url="http://127.0.0.1:9/v1", profile="openai")
    standard, flex = (pipeline.prepare(book, dataclasses.replace(wish, flex=flex)) for flex in (False, True))
    assert standard.estimate.likely_usd and flex.estimate.likely_usd == pytest.approx(standard.estimate.likely_usd / 2)
    assert flex.whole_usd == standard.whole_usd == standard.estimate.likely_usd
