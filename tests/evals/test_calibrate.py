"""How rates are fitted."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest

from analyzer.models.run import Usage
from analyzer.scheduler.rates import Calibration, Rate, calibration
from analyzer.scheduler.signs import Signs
from analyzer.steps._registry import load_steps
from analyzer.steps._step import AskStep
from analyzer.text.manuscript import manuscript_from_text
from evals.calibrate import SIGN_OF, Measured, as_toml, left_out, power_of, rates_of

BOOK = manuscript_from_text("Oda Marrin met Captain Hesk.", title="Weir", language="en")


def chapter(case: str, pairs: int, *, factor: float = 1.0) -> Measured:
    """A chapter in which every step asks twice the square root of its sign, times `factor`."""
    signs = Signs(*[pairs] * len(Signs._fields))
    n = round(2 * pairs**0.5 * factor)
    steps = {step: (n, Usage(input=20 * n, output=3 * n)) for step in SIGN_OF}
    return Measured(case, BOOK, (1,), 1, signs, steps)


@pytest.mark.parametrize(("power", "wanted"), [(0.5, 0.5), (1.0, 1.0), (2.0, 1.0), (-1.0, 0.0), (0.0, 0.0)])
def test_a_power_is_recovered_and_kept_between_nothing_and_proportion(power: float, wanted: float) -> None:
    assert power_of([(x, 3 * x**power) for x in (1, 4, 9, 100)]) == pytest.approx(wanted)


def test_one_odd_chapter_does_not_bend_a_power() -> None:
    assert power_of([(x, x**0.5) for x in (1, 4, 9, 16, 25, 36)] + [(49, 900.0)]) == pytest.approx(0.5)


def test_where_nothing_can_be_compared_questions_go_by_proportion() -> None:
    assert power_of([]) == power_of([(5, 3)]) == power_of([(5, 3), (5, 9), (7, 0)]) == 1.0


def test_rates_give_back_what_was_measured() -> None:
    rows = [chapter("a", n) for n in (25, 100, 400, 900)]
    rate = rates_of(rows)["relation_kind"]
    assert (rate.power, rate.factor, rate.tail, rate.output) == (0.5, 2.0, 20.0, 3.0)
    assert rate.questions(Signs(0, 0, 0, 400)) == 40
    assert rate.questions(Signs(400, 400, 400, 0, 400, 8)) == 0


def test_a_case_left_out_is_judged_by_the_others_alone() -> None:
    rows = [chapter("a", 100), chapter("a", 400), chapter("b", 100, factor=3), chapter("b", 400, factor=3)]
    others = left_out(rows)
    assert others["a"].rates["relation_kind"].factor == 6.0
    assert others["b"].rates["relation_kind"].factor == 2.0


def test_every_step_that_asks_has_a_sign() -> None:
    assert set(SIGN_OF) == {step.name for step in load_steps() if isinstance(step, AskStep)}


def test_every_step_that_asks_has_a_rate_by_a_sign_that_is_counted() -> None:
    rates = calibration().rates
    assert set(rates) == {step.name for step in load_steps() if isinstance(step, AskStep)}
    assert {rate.sign for rate in rates.values()} <= set(Signs._fields)


def test_a_step_nobody_was_asked_by_has_a_rate_of_nothing() -> None:
    rows = [replace(chapter("a", 100), steps={"cast_forms": (10, Usage(input=10, output=10))})]
    rate = rates_of(rows)["thread_touch"]
    assert rate.questions(rows[0].signs) == 0 and (rate.tail, rate.output) == (0.0, 0.0)


def test_the_file_names_its_cases_and_reads_back_as_it_was() -> None:
    rates = rates_of([chapter("a", 100), chapter("b", 400)])
    text = as_toml(Calibration(rates, 0.5, 1.5), ("a", "b"))
    raw = tomllib.loads(text)
    assert "over a, b." in text and raw["bounds"] == {"low": 0.5, "high": 1.5}
    assert {step: Rate(**row) for step, row in raw["steps"].items()} == rates
