"""The benchmark of speed tells what a chapter costs from what a call costs, and its answerer gives lines that can be used."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.prompts import prompt_text
from analyzer.storage.store import Store
from evals.bench._measured import Measured, Moment, measured
from evals.bench._plausible import ANSWERED, plausible, step_of
from evals.bench._serving import served
from evals.bench.speed import CALL_S, CHAPTER_S, WINDOW, fixed_and_each, rows_of
from evals.made_serial import printed, story_of, world_of


def moments(n: int, *, fixed: float, each: float, calls: list[int]) -> tuple[Moment, ...]:
    """A run whose every chapter costs `fixed` seconds and `each` a call."""
    found = [Moment(0, 0.0, 5.0, 0, 200.0)]
    for no in range(1, n + 1):
        cpu_s, done = found[-1].cpu_s + fixed + each * calls[no - 1], found[-1].n_calls + calls[no - 1]
        found.append(Moment(no, cpu_s, cpu_s, done, 200.0 + no))
    return tuple(found)


def test_a_chapters_own_cost_is_told_from_that_of_its_calls() -> None:
    rng = random.Random(5)
    run = moments(117, fixed=0.2, each=0.01, calls=[rng.randint(20, 90) for _ in range(117)])
    assert fixed_and_each(run) == pytest.approx((0.2, 0.01))


def test_where_all_chapters_have_as_many_calls_the_cost_is_the_calls() -> None:
    run = moments(4 * WINDOW, fixed=0.2, each=0.01, calls=[40] * 4 * WINDOW)
    assert fixed_and_each(run) == (0.0, pytest.approx(0.015))


def test_cpu_and_memory_are_held_against_what_was_promised() -> None:
    run = moments(120, fixed=CHAPTER_S, each=CALL_S, calls=[10 + no % 50 for no in range(120)])
    rows = {row.name: row for row in rows_of(Measured(run, 0), 1.0)}
    whole = rows["speed: CPU of 120 chapters"]
    assert whole.ratio == pytest.approx(whole.value / (whole.value - 5.0))
    assert rows["speed: peak memory at chapter 40"].value == 240.0
    assert rows["speed: peak at 117 over that at 40"].value == pytest.approx(317 / 240)


@pytest.mark.parametrize("step", sorted(ANSWERED))
def test_every_task_is_told_from_the_others_by_its_first_words(step: str) -> None:
    assert step_of(prompt_text(step)) == step


def test_what_is_no_task_of_ours_is_answered_all_the_same() -> None:
    body = {"messages": [{"role": "user", "content": "QUESTIONS\n1. so? | a yes; b no\n2. or? | a yes; b no"}]}
    assert [line[0] for line in plausible(body).splitlines()] == ["1", "2"]
    assert plausible(body) == plausible(body)


def test_a_run_against_a_provider_of_its_own_process_is_measured_chapter_by_chapter(tmp_path: Path) -> None:
    text = tmp_path / "serial.txt"
    text.write_text(printed(story_of(world_of(), 3)), "utf-8")
    book = pipeline.init(text, book=tmp_path / "book", language="en")
    with served() as provider:
        run = measured("run", str(book), provider.base_url, "1-3", "8", str(tmp_path / "kept"))
        reference = measured("reference", str(tmp_path / "kept"), provider.base_url, "8")
    assert [m.n_chapters for m in run.moments] == [0, 1, 2, 3]
    assert 0 < run.moments[0].cpu_s < run.last.cpu_s
    assert 50 < run.moments[0].peak_mb <= run.last.peak_mb < 1000
    assert reference.last.n_calls == len((tmp_path / "kept").read_text("utf-8").splitlines()) >= run.last.n_calls > 0
    assert provider.totals["requests"] == 2 * reference.last.n_calls
    assert provider.cpu_s > 0
    with Store.open(book) as store:
        assert {row.fact.fact for row in store.facts()} >= {"entity", "name", "presence", "relation", "thread"}
