from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.errors import ConfigError
from evals.answerers.rates import ERROR_KINDS, Rates, read_rates, step_names


def test_one_number_is_the_rate_of_every_kind_at_every_step() -> None:
    rates = read_rates("0.05")
    assert {rates.of(step, kind) for step in step_names() for kind in ERROR_KINDS} == {0.05}


def test_what_is_narrower_wins_in_whatever_order_it_is_said() -> None:
    said = ("0.3", "miss=0.1", "steps=relation_confirm:0.2+relation_kind.miss:0.4", "seed=3")
    for order in (said, said[::-1]):
        rates = read_rates(",".join(order))
        assert rates.of("cast_forms", "invent") == 0.3
        assert rates.of("cast_forms", "miss") == 0.1
        assert rates.of("relation_confirm", "miss") == 0.2
        assert rates.of("relation_kind", "miss") == 0.4
        assert rates.of("relation_kind", "invent") == 0.3
        assert rates.seed == 3


def test_a_kind_nobody_names_is_never_made() -> None:
    rates = read_rates("miss=0.1,correlation=0.5,votes=two")
    assert rates == Rates(kinds={"miss": 0.1}, correlation=0.5, votes="two")
    assert rates.of("relation_kind", "invent") == 0


@pytest.mark.parametrize(
    "text",
    (
        "1.5", "-0.1", "nan", "inf", "mis=0.1", "miss=", "miss=lots", "seed=-1", "seed=x", "votes=three",
        "steps=relation_confirm", "steps=nobody:0.1", "steps=relations:0.1", "steps=relation_kind.mis:0.1", "=0.1",
        "correlation=2", f"seed={'9' * 5000}", "miss=0.1;invent=0.1",
    ),
)  # fmt: skip
def test_what_cannot_be_read_is_named_with_an_example(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_rates(text)
    assert text.split("=")[0][:4] in str(caught.value) and "noisy:" in caught.value.hint


@given(st.text(max_size=40))
def test_any_other_text_is_read_or_refused_and_nothing_else(text: str) -> None:
    try:
        rates = read_rates(text)
    except ConfigError:
        return
    assert all(0 <= rates.of(step, kind) <= 1 for step in step_names() for kind in ERROR_KINDS)
