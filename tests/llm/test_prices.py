from __future__ import annotations

from datetime import date

import pytest

from analyzer.llm import prices
from analyzer.llm.prices import Tier, litellm_map, nearest_names, price_of, tier_price_of
from analyzer.models.run import Usage


def test_every_row_has_a_source_a_date_and_prices_above_zero() -> None:
    for price, first, until in prices._rows():
        assert price.source and date.fromisoformat(price.date) and first < until
        assert 0 < price.cache_read < price.input <= price.cache_write
        decides = price.model.startswith("decisions:")
        assert price.output == 0 if decides else price.output > price.cache_write


def test_the_four_classes_are_priced_apart() -> None:
    price = price_of("gpt-6-luna")
    assert price is not None
    usage = Usage(input=1_000_000, cache_read=1_000_000, cache_write=1_000_000, output=1_000_000)
    assert price.cost_usd(usage) == pytest.approx(0.10 + 0.01 + 0.125 + 0.50)


@pytest.mark.parametrize("name", ["openai/gpt-6-luna", "gpt-6-luna-2026-09-01", "openai/gpt-6-luna-20260901"])
def test_a_maker_prefix_or_a_date_does_not_hide_a_model(name: str) -> None:
    assert price_of(name) == price_of("gpt-6-luna")


@pytest.mark.parametrize(
    "name",
    ["gpt-6.2-sol", "openai/gpt-6.2-sol", "nobody/nothing", "", "local:x.gguf", "reseller/gpt-6-luna", "azure/x-y"],
)
def test_an_unknown_model_is_unpriced_and_never_free(name: str) -> None:
    assert price_of(name) is None


def test_a_promotion_ends_on_its_day() -> None:
    before, after = (price_of("gemini/gemini-3.8-flash", on=day) for day in (date(2026, 12, 31), date(2027, 1, 1)))
    assert before is not None and after is not None
    assert after.input == 2 * before.input


def test_models_without_a_row_come_from_the_installed_map() -> None:
    price = price_of("gpt-4.1-mini")
    row = litellm_map()["gpt-4.1-mini"]
    assert price is not None
    assert price.input == pytest.approx(row["input_cost_per_token"] * 1e6)
    assert price.cache_read == pytest.approx(row["cache_read_input_token_cost"] * 1e6)
    assert price.cache_write == price.input
    assert "litellm" in price.source


def test_a_foreign_row_of_zeros_is_unpriced(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {
        "free": {"input_cost_per_token": 0.0, "output_cost_per_token": 0.0, "mode": "chat"},
        "odd": {"input_cost_per_token": "1", "output_cost_per_token": True},
        "picture": {"input_cost_per_token": 1e-6, "output_cost_per_token": 1e-6, "mode": "image_generation"},
        "bare": {"input_cost_per_token": 1e-6, "output_cost_per_token": 4e-6},
    }
    monkeypatch.setattr(prices, "litellm_map", lambda: rows)
    assert [price_of(name) for name in ("free", "odd", "picture")] == [None, None, None]
    bare = price_of("bare")
    assert bare is not None and (bare.input, bare.cache_read, bare.cache_write, bare.output) == (1, 1, 1, 4)


def test_our_rows_agree_with_the_installed_map() -> None:
    for price, _, until in prices._rows():
        row = litellm_map().get(price.model) or litellm_map().get(f"gemini/{price.model}")
        if row is not None and until == date(9999, 12, 31) and "promotion" not in price.source and price.date:
            if price.model == "gemini-3.8-flash":
                continue
            assert price.input == pytest.approx(row["input_cost_per_token"] * 1e6), price.model
            assert price.output == pytest.approx(row["output_cost_per_token"] * 1e6), price.model
            assert price.cache_read == pytest.approx(row["cache_read_input_token_cost"] * 1e6), price.model


def test_the_nearest_known_names_of_a_misspelt_model_come_likest_first_and_have_a_price() -> None:
    for wrong, right in (("gpt-6-lunna", "gpt-6-luna"), ("gtp-5.4-nano", "gpt-5.4-nano")):
        near = nearest_names(wrong)
        assert near[0] == right and len(near) == 3
        assert all(price_of(name) is not None for name in near)
    assert nearest_names("gpt-6-lunna", n=1) == ("gpt-6-luna",)
    assert nearest_names("zzzz/qqqq") == ()


@pytest.mark.parametrize("tier", ["batch", "flex"])
@pytest.mark.parametrize("name", ["gpt-6-luna", "openai/gpt-5.6-luna", "gpt-6.1-terra", "gpt-5.4-nano", "gpt-6-astra"])
def test_openais_slower_tiers_halve_every_class(name: str, tier: Tier) -> None:
    price, slower = price_of(name), tier_price_of(name, tier)
    assert price is not None and slower is not None
    for rate in ("input", "cache_read", "cache_write", "output"):
        assert getattr(slower, rate) == pytest.approx(getattr(price, rate) / 2), rate
    assert slower.source.startswith(price.source) and tier in slower.source


def test_a_class_that_a_tier_does_not_make_cheaper_keeps_its_rate() -> None:
    price, slower = price_of("gemini/gemini-2.5-flash-lite"), tier_price_of("gemini/gemini-2.5-flash-lite", "batch")
    assert price is not None and slower is not None
    assert slower.input == pytest.approx(price.input / 2) and slower.cache_read == price.cache_read


def test_a_tier_that_is_not_offered_has_no_price_and_is_never_taken_for_half() -> None:
    assert tier_price_of("anthropic/claude-haiku-5-5", "batch") is not None
    assert tier_price_of("anthropic/claude-haiku-5-5", "flex") is None
    assert tier_price_of("deepseek/deepseek-flash", "batch") is None
    assert tier_price_of("decisions:gpt-6-luna", "batch") is None
    assert tier_price_of("nobody/nothing", "batch") is None


def test_a_promotion_ends_at_a_slower_tier_on_the_same_day() -> None:
    before, after = (
        tier_price_of("gemini/gemini-3.8-flash", "batch", on=day) for day in (date(2026, 12, 31), date(2027, 1, 1))
    )
    assert before is not None and after is not None and after.input == pytest.approx(2 * before.input)
