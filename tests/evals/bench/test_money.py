"""What a chapter of an open story costs is counted step by step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.llm.transports.gold_book import load_gold
from analyzer.models.story import SecretFact, ThreadEventFact, ThreadFact
from analyzer.storage.store import Store
from evals.bench import money
from evals.bench.money import BUDGET, N_SECRETS, N_THREADS, bench_money, cents, spent_on
from evals.faults import faults_of, stored_in
from evals.goldset.cases import Case
from evals.known_cast import put_known_cast
from evals.open_story import put_open_story
from evals.runs import STORY
from tests.evals.small import tiny_case


@pytest.fixture(scope="module")
def third(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """The last chapter of the tiny serial, to be read alone."""
    case = tiny_case(tmp_path_factory.mktemp("tiny"))
    gold = sorted(case.gold.glob("*.json"))[-1]
    return replace(case, name="tiny-003", gold=gold, numbers=(3,), chapters="3")


def test_threads_and_secrets_stand_open_before_the_chapter_and_can_be(third: Case, tmp_path: Path) -> None:
    book = pipeline.init(third.text(), book=tmp_path / "book", language="en")
    [gold] = load_gold(third.gold).values()
    before = pipeline.manuscript_of(book).chapters[1]
    with Store.open(book) as store:
        put_known_cast(store, gold)
        assert put_open_story(store, before, n_threads=40, n_secrets=8) == 48
        facts = [row.fact for row in store.facts()]
    threads = [fact for fact in facts if isinstance(fact, ThreadFact)]
    assert len({fact.thread for fact in threads}) == len({fact.statement for fact in threads}) == 40
    assert len({fact.secret for fact in facts if isinstance(fact, SecretFact)}) == 8
    assert sum(isinstance(fact, ThreadEventFact) for fact in facts) == 40
    assert faults_of(stored_in(book)) == ()


def test_without_people_there_is_nothing_to_leave_open(third: Case, tmp_path: Path) -> None:
    book = pipeline.init(third.text(), book=tmp_path / "book", language="en")
    with Store.open(book) as store, pytest.raises(ValueError, match="two named people"):
        put_open_story(store, pipeline.manuscript_of(book).chapters[1], n_threads=1, n_secrets=1)


def test_every_open_thread_and_secret_is_asked_about_and_a_part_that_is_off_costs_nothing(
    third: Case, tmp_path: Path
) -> None:
    spent = spent_on(third, tmp_path)
    assert spent["thread_touch"].n_questions == N_THREADS
    assert spent["secret_touch"].n_questions >= N_SECRETS  # asked once more where all answers are one mark
    assert spent["thread_touch"].usage.output > N_THREADS * 2  # some are touched: a hyphen alone has two tokens
    without = spent_on(third, tmp_path, off=("threads",))
    assert not [step for step in without if step.startswith("thread_")]
    assert cents(without) < cents(spent) and set(without) < set(spent)


def test_the_rows_add_up(third: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(money, "case_of", lambda _data: third)
    rows = {row.name: row for row in bench_money(None)}
    total = rows["money: tiny-003, all of it"]
    steps = [row.value for name, row in rows.items() if name.endswith("tokens)")]
    assert sum(steps) == pytest.approx(total.value)
    bare = rows["money: tiny-003, cast and relations"]
    assert bare.value < total.value and total.ratio == pytest.approx(total.value / 1000 / money.MOST_CENTS)
    assert {f"money: {part}, by leaving it out" for part in STORY} <= set(rows)
    assert set(BUDGET) == set(STORY)
