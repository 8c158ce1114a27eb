"""Whole runs by decisions: plan, bill, cap, kill, reuse, spared second looks."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from analyzer import pipeline
from analyzer.errors import DefinitionError
from analyzer.llm.certainty import Certainty, Spare
from analyzer.models.facts import VoteFact
from analyzer.scheduler.events import RunOutcome
from analyzer.scheduler.sparing import rules_for
from analyzer.storage.store import Store
from tests.e2e.tiny import Told, analyse, calls, contents, make_book, simulated
from tests.simulator import Fault, FaultPlan, Simulator

MODEL = "decisions:gpt-6-luna"
NANO = 1_000_000_000


def drawn(*words: str) -> float:
    """Return a number of 0 to 1 that depends on the words alone."""
    return int.from_bytes(hashlib.blake2b("|".join(words).encode(), digest_size=4).digest(), "big") / 2**32


def decided(body: dict[str, Any]) -> list[Any]:
    """Decide every question by its words alone, far from ties."""
    return [_decided(question) for question in body["questions"]]


def _decided(asked: dict[str, Any]) -> Any:
    words = asked["instructions"]
    if asked["type"] == "predicate":
        return 0.9 if drawn(words) < 0.3 else 0.1
    values = [choice["value"] for choice in asked["choices"]]
    if all(value == "-" or value[0].isdigit() for value in values):
        values = values[:-1]
    elif values[0].startswith("@"):
        values = [values[int(drawn(words) * (len(values) - 1))], "-"]
    best = min(values, key=lambda value: drawn(words, value))
    return {value: 0.9 if value == best else 0.1 / len(values) for value in (c["value"] for c in asked["choices"])} | {
        best: 1 - 0.1 / len(values) * (len(asked["choices"]) - 1)
    }


def decide(book: Path, sim: Simulator, told: Told | None = None, **wishes: Any) -> RunOutcome:
    """Run the pipeline with the real client of the decisions endpoint."""
    request = pipeline.RunRequest(model=MODEL, base_url=sim.base_url, profile="openai", **wishes)
    return pipeline.run(book, request, on_event=(told or Told()).events.append)


def test_a_book_is_decided_notes_go_by_chat_and_plan_and_bill_tell_the_two_apart(tmp_path: Path) -> None:
    book = make_book(tmp_path / "tiny", off=("speech", "identities", "secrets", "knowledge", "threads"))
    made = pipeline.plan(book, model=MODEL)
    with simulated(decider=decided) as sim:
        outcome = decide(book, sim)
        rows = sim.rows()
    bill = calls(book)
    assert outcome.error is None and {call.model for call in bill} == {MODEL, "gpt-6-luna"}
    assert {row.api for row in rows} == {"decisions", "chat"}
    assert sum(round((call.cost_usd or 0) * NANO) for call in bill) == sum(row.cost_nano for row in rows)
    assert not sim.totals()["flags"], "each of the two caches is written once, by one call"
    assert all(row["write"] <= 2 for row in sim.totals()["prefixes"])
    with Store.open(book) as store:
        answers = store.all_answers()
        assert store.verify() == []
    assert {a.question.type for a in answers if a.model == "gpt-6-luna"} == {"note"}
    assert all(a.answer.probabilities for a in answers if a.model == MODEL and a.answer.status == "answered")
    assert made.likely_usd and "notes by gpt-6-luna in chat" in made.price_note


def test_a_second_run_asks_nothing_and_another_way_of_asking_shares_no_decisions(tmp_path: Path) -> None:
    book = make_book(tmp_path / "tiny")
    with simulated(decider=decided) as sim:
        assert decide(book, sim).error is None
        n_first = len(sim.rows())
        before = contents(book)
        again = decide(book, sim)
        assert again.replaced is None and again.n_calls == 0
        assert len(sim.rows()) == n_first and contents(book) == before
        assert analyse(book, sim).n_reused == 0
    with Store.open(book) as store:
        by_model = Counter(row.model for row in store.all_answers())
    assert set(by_model) == {MODEL, "gpt-6-luna"}


def test_no_cap_is_overshot_and_a_stopped_run_goes_on(tmp_path: Path) -> None:
    whole = make_book(tmp_path / "whole")
    with simulated(decider=decided) as sim:
        assert decide(whole, sim).error is None
        cost: int = sim.totals()["cost_nano"]
    book = make_book(tmp_path / "tiny")
    with simulated(decider=decided, faults=FaultPlan(mix={"reset_mid": 0.05, "usage_missing": 0.05})) as sim:
        for share in (0.3, 0.5, 0.7):
            outcome = decide(book, sim, cap_usd=cost * share / NANO, concurrency=16)
            assert outcome.exit_code == 5
            assert sim.totals()["cost_nano"] <= cost * share
        sim.plan_faults(FaultPlan())
        assert decide(book, sim, cap_usd=1.0).error is None
    with Store.open(book) as store:
        assert store.verify() == []


def test_killed_at_any_request_it_resumes_to_the_same_book(tmp_path: Path) -> None:
    whole, book = make_book(tmp_path / "whole"), make_book(tmp_path / "tiny")
    with simulated(decider=decided) as sim:
        decide(whole, sim)
        n_all = len(sim.rows())
    run = (
        "import sys; from pathlib import Path; from analyzer import pipeline; "
        f"pipeline.run(Path(sys.argv[1]), pipeline.RunRequest(model={MODEL!r}, base_url=sys.argv[2], profile='openai'))"
    )
    with simulated(decider=decided, latency__base_s=0.02) as sim:
        for at in (n_all // 4, n_all // 2):
            child = subprocess.Popen(
                [sys.executable, "-c", run, str(book), sim.base_url], cwd=Path(__file__).parents[2]
            )
            sim.wait_arrived(at, 60.0)
            child.kill()
            child.wait()
        decide(book, sim)
    assert contents(book, without=("request_hash",)) == contents(whole, without=("request_hash",))


def test_refusals_ties_and_faults_never_become_answers(tmp_path: Path) -> None:
    book = make_book(tmp_path / "tiny")
    kinds = ("one_refused", "half", "nan", "strangers", "wrong_order", "empty", "not_one")
    faults = FaultPlan(by_index={3 * n: Fault(kind) for n, kind in enumerate(kinds, 1)})
    with simulated(decider="even", faults=faults) as sim:
        outcome = decide(book, sim)
    assert outcome.error is None
    with Store.open(book) as store:
        statuses = {row.answer.status for row in store.all_answers()}
        assert store.verify() == []
    assert statuses <= {"abstained", "none", "answered"} and "abstained" in statuses
    assert any(issue.code == "near_tie" for issue in outcome.issues)


def spare(step: str, at_least: float = 0.8) -> Spare:
    return Spare(
        step=step, after="relation_confirm", model=MODEL, at_least=at_least, source="a made one", date="2026-11-30"
    )


def votes_of(book: Path) -> Counter[str]:
    with Store.open(book) as store:
        return Counter(f.fact.wording for f in store.facts() if isinstance(f.fact, VoteFact))


def test_second_looks_are_spared_only_by_a_rule_and_only_where_the_first_was_sure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full, spared, unsure = (make_book(tmp_path / name) for name in ("full", "spared", "unsure"))
    with simulated(decider=decided) as sim:
        assert decide(full, sim).n_spared == 0
        for book, bar in ((spared, 0.8), (unsure, 0.999)):
            rules = (spare("relation_confirm_again", bar), spare("relation_third", bar))
            monkeypatch.setattr("analyzer.scheduler.run.certainty", lambda rules=rules: Certainty(0.02, rules))
            outcome = decide(book, sim)
            if book is spared:
                assert outcome.n_spared > 0
                again = decide(book, sim)
                assert (again.n_calls, again.n_unchanged) == (0, outcome.n_tasks)
            else:
                assert outcome.n_spared == 0
    assert votes_of(spared)["first"] > votes_of(spared)["second"]
    assert votes_of(unsure) == votes_of(full)


def test_a_rule_about_steps_in_the_wrong_order_is_refused() -> None:
    rule = Spare(step="a", after="b", model="m", at_least=0.9, source="a made one", date="2026-11-30")
    assert rules_for([rule], ["b"]) == ()
    with pytest.raises(DefinitionError, match="comes after it"):
        rules_for([rule], ["a", "b"])
