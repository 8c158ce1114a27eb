"""What an estimate is made of: cells that add up to it, and reasons that stand where they say."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.models.run import Price, Usage
from analyzer.models.text import Manuscript
from analyzer.scheduler.explain import ExplainedStep, explained
from analyzer.scheduler.plan import estimate, planned
from analyzer.steps._registry import load_steps
from analyzer.steps._step import AskStep
from analyzer.text.manuscript import read_manuscript

GOLDSETS = Path(__file__).parents[2] / "goldsets"
PRICE = Price(
    model="x", input=0.1, cache_read=0.01, cache_write=0.125, output=0.5, source="of the test", date="2026-11-29"
)
BOOKS = {"en": "dark-of-the-gullick", "ko": "goose-in-the-paper", "zh": "ferry-of-wujiu", "ja": "glass-of-kanoura"}
CHAPTERS = (1, 2, 3)
MODELS = ("gpt-6-luna", "decisions:gpt-6-luna")
STEPS = {step.name: step for step in load_steps() if isinstance(step, AskStep)}
TASKS = st.sets(st.tuples(st.sampled_from(sorted(STEPS)), st.sampled_from(CHAPTERS)))
OFF = st.sampled_from([(), ("secrets",), ("threads", "state"), ("relations",)])


@lru_cache
def book(language: str) -> Manuscript:
    return read_manuscript(GOLDSETS / BOOKS[language] / "serial.txt", language=language)


def words(step: ExplainedStep) -> str:
    return "; ".join(why.words for why in step.why)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("language", BOOKS)
@settings(max_examples=4, deadline=None)
@given(done=TASKS, off=OFF)
def test_cells_add_up_to_the_estimate(
    language: str, model: str, done: set[tuple[str, int]], off: tuple[str, ...]
) -> None:
    made = planned(book(language), CHAPTERS, model=model, price=PRICE, done=done, off=off)
    whole = estimate(book(language), CHAPTERS, model=model, price=PRICE, done=done, off=off)
    assert made.estimate == whole
    assert not {(cell.step, cell.chapter) for cell in made.cells} & done
    used = sum((cell.both for cell in made.cells), Usage())
    assert sum(cell.questions for cell in made.cells) == whole.n_questions
    assert sum(cell.calls for cell in made.cells) == whole.n_calls
    assert used.input + used.cache_write == sum(row.input_tokens for row in whole.rows)
    assert used.cache_read == sum(row.cached_tokens for row in whole.rows)
    assert used.output == sum(row.output_tokens for row in whole.rows)
    assert sum(made.prices.usd((cell,)) for cell in made.cells) == pytest.approx(whole.likely_usd)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("language", BOOKS)
def test_a_chapter_s_prefix_is_written_once_by_whoever_is_asked_first(language: str, model: str) -> None:
    made = planned(book(language), CHAPTERS, model=model, price=PRICE)
    for number in CHAPTERS:
        of_chapter = [cell for cell in made.cells if cell.chapter == number]
        for way in ("usage", "beside"):
            asked = [usage for cell in of_chapter if (usage := getattr(cell, way)).total_input]
            written = [usage.cache_write > 0 for usage in asked]
            assert written == [True] + [False] * (len(asked) - 1) if asked else not written


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("language", BOOKS)
def test_steps_are_the_rows_of_the_estimate_and_the_sums_of_their_chapters(language: str, model: str) -> None:
    told = explained(book(language), CHAPTERS, model=model, price=PRICE)
    assert [step.step for step in told.steps] == [row.step for row in told.estimate.rows]
    for step, row in zip(told.steps, told.estimate.rows, strict=True):
        assert (step.questions, step.calls, step.output) == (row.n_questions, row.n_calls, row.output_tokens)
        assert (step.cache_read, step.cache_write + step.input) == (row.cached_tokens, row.input_tokens)
        assert step.usd == row.likely_usd
        for name in ("candidates", "questions", "calls", "cache_read", "cache_write", "input", "output"):
            assert getattr(step, name) == sum(getattr(part, name) for part in step.chapters)
        assert step.why, step.step


@pytest.mark.parametrize("model", MODELS)
def test_no_call_holds_more_than_its_pack(model: str) -> None:
    for cell in planned(book("en"), range(1, 10), model=model, price=PRICE).cells:
        assert cell.questions <= cell.calls * max(cell.packs, default=0)
        assert set(cell.packs) <= {STEPS[cell.step].pack_size, 250}


def test_what_is_switched_off_is_named_with_the_part_that_is_and_asks_nothing() -> None:
    told = explained(book("en"), CHAPTERS, model="x", price=PRICE, off=("relations", "thread_notice_again"))
    steps = {step.step: step for step in told.steps}
    assert set(steps) == set(STEPS)
    for name, step in STEPS.items():
        if step.part == "relations":
            assert words(steps[name]) == "left out: relations is off"
            assert (steps[name].questions, steps[name].calls, steps[name].chapters) == (0, 0, ())
    assert words(steps["thread_notice_again"]) == "left out: thread_notice_again is off"
    assert "left out" not in words(steps["cast_forms"])


def test_what_is_answered_is_named_by_chapter_and_the_next_step_writes_the_prefix_there() -> None:
    before = explained(book("en"), CHAPTERS, model="x", price=PRICE).steps
    first = next(step for step in before if step.cache_write)
    assert "writes the prefix of 1-3" in words(first)
    done = {(first.step, 1), (first.step, 2)}
    after = explained(book("en"), CHAPTERS, model="x", price=PRICE, done=done).steps
    assert "answered already: 1-2" in words(next(step for step in after if step.step == first.step))
    assert any("writes the prefix of 1-2" in words(step) for step in after if step.step != first.step)


def test_why_says_what_the_step_itself_declares() -> None:
    told = explained(book("en"), range(1, 10), model="x", price=PRICE)
    for step in told.steps:
        own = STEPS[step.step]
        if step.questions:
            assert f"{own.pack_size} a call" in words(step)
            assert ("asked again to confirm" in words(step)) == own.confirms
            assert ("along the book" in words(step)) == (own.carries or bool(own.past))


def test_without_a_price_there_is_no_money_but_all_else() -> None:
    told = explained(book("ko"), CHAPTERS, model="nobody", price=None)
    assert {step.usd for step in told.steps} == {None} and any(step.questions for step in told.steps)


def test_a_step_that_asks_nothing_says_whether_the_text_or_what_was_measured_is_why() -> None:
    told = explained(book("en"), [1], model="x", price=PRICE)
    silent = [step for step in told.steps if not step.questions]
    assert {why.source for step in silent if step.candidates for why in step.why} == {"measured"}
    assert {why.source for step in silent if not step.candidates for why in step.why} == {"text"}


def test_at_a_decisions_endpoint_the_chat_beside_has_a_pack_and_a_prefix_of_its_own() -> None:
    told = explained(book("zh"), CHAPTERS, model="decisions:gpt-6-luna", price=PRICE)
    both = [step for step in told.steps if len(step.packs) == 2]
    assert both and all(step.packs == (STEPS[step.step].pack_size, 250) for step in both)
    assert sum("first by chat: writes its prefix of 1-3" in words(step) for step in told.steps) == 1
    assert sum("asked first: writes the prefix of 1-3" in words(step) for step in told.steps) == 1
