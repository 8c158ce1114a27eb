"""Who is turned away: rate limits with and without a wish to wait, keys, models, fields."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import Any

import openai
import pytest

from tests.simulator import Clock, Simulator, preset
from tests.simulator_tests.calls import FRESH, ask, client_of, marked, split, words

PREFIX = marked(words(1500))


async def _refused(sim: Simulator, error: type[openai.APIStatusError], **options: Any) -> openai.APIStatusError:
    async with client_of(sim) as client:
        with pytest.raises(error) as caught:
            await ask(client, **{"prefix": PREFIX, **options})
    return caught.value


async def test_requests_per_minute_are_bounded_and_the_wish_to_wait_is_kept() -> None:
    settings = preset("openai", {"limits.requests_per_minute": 2})
    with Simulator(settings, clock=Clock(manual=True)) as sim:
        async with client_of(sim) as client:
            await ask(client, PREFIX)
            sim.advance(20)
            await ask(client, PREFIX)
            error = await _refused(sim, openai.RateLimitError)
            assert error.response.headers["retry-after"] == "40" and error.code == "rate_limit_exceeded"
            sim.advance(39.5)
            await _refused(sim, openai.RateLimitError)
            sim.advance(0.5)
            assert split((await ask(client, PREFIX)).usage) == (FRESH, 1504, 0)
        assert [row.status for row in sim.rows()] == [200, 200, 429, 429, 200]


async def test_cached_tokens_count_toward_tokens_per_minute() -> None:
    settings = preset("openai", {"limits.tokens_per_minute": 3 * (1504 + FRESH) - 1})
    with Simulator(settings, clock=Clock(manual=True)) as sim:
        async with client_of(sim) as client:
            for _ in range(2):
                await ask(client, PREFIX)
        assert (await _refused(sim, openai.RateLimitError)).type == "tokens"


async def test_tokens_that_may_be_written_count_too() -> None:
    with Simulator(preset("openai", {"limits.tokens_per_minute": 2000})) as sim:
        await _refused(sim, openai.RateLimitError, max_completion_tokens=1000)
        async with client_of(sim) as client:
            assert split((await ask(client, PREFIX, max_completion_tokens=100)).usage) == (FRESH, 0, 1504)
        assert [(row.status, row.billed) for row in sim.rows()] == [(429, False), (200, True)]


@pytest.mark.parametrize("style", ["seconds", "ms", "date", "none"])
async def test_wish_to_wait_comes_in_every_form(style: str) -> None:
    options = {"limits.requests_per_minute": 1, "limits.retry_after": style}
    with Simulator(preset("openai", options), clock=Clock(manual=True)) as sim:
        async with client_of(sim) as client:
            await ask(client, PREFIX)
        headers = (await _refused(sim, openai.RateLimitError)).response.headers
        wish, wish_ms = headers.get("retry-after"), headers.get("retry-after-ms")
        if style == "date":
            assert wish is not None and parsedate_to_datetime(wish).tzinfo is not None
        else:
            expected = {"seconds": ("60", None), "ms": (None, "60000"), "none": (None, None)}
            assert (wish, wish_ms) == expected[style]


@pytest.mark.parametrize(("key", "good"), [("right", True), ("wrong", False)])
async def test_only_the_given_keys_are_good(key: str, good: bool) -> None:
    with Simulator(preset("openai", {"keys": ["right"]})) as sim:
        async with client_of(sim, api_key=key) as client:
            if good:
                await ask(client, PREFIX)
                assert [model.id async for model in client.models.list()] == ["gpt-6-luna", "gpt-6.1-terra", "sim-old"]
                return
            for call in (ask(client, PREFIX), client.models.list()):
                with pytest.raises(openai.AuthenticationError) as caught:
                    await call
                assert caught.value.code == "invalid_api_key"


OPTIONS = {"prompt_cache_options": {"mode": "explicit"}}
REFUSED: list[tuple[str, type[openai.APIStatusError], dict[str, Any], str]] = [
    ("unknown model", openai.NotFoundError, {"model": "gpt-7"}, "model"),
    ("old model, cache options", openai.BadRequestError, {"model": "sim-old", **OPTIONS}, "prompt_cache_options"),
    (
        "old model, breakpoints",
        openai.BadRequestError,
        {"model": "sim-old", "prompt_cache_options": None},
        "prompt_cache_breakpoint",
    ),
    ("unknown field", openai.BadRequestError, {"extra_body": {"cache_hints": 1}}, "cache_hints"),
    (
        "prewarm outside responses",
        openai.BadRequestError,
        {"prompt_cache_options": {"prewarm": True}},
        "prompt_cache_options.prewarm",
    ),
    ("long lifetime on chat", openai.BadRequestError, {"prompt_cache_options": {"ttl": "12h"}}, "prompt_cache_options.ttl"),
    ("unknown lifetime", openai.BadRequestError, {"prefix": marked("text", ttl="2h")}, "prompt_cache_breakpoint"),
    ("effort minimal", openai.BadRequestError, {"reasoning_effort": "minimal"}, "reasoning_effort"),
    ("temperature with effort", openai.BadRequestError, {"reasoning_effort": "low", "temperature": 0}, "temperature"),
]  # fmt: skip


@pytest.mark.parametrize(("error", "options", "param"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
async def test_what_the_api_would_not_take_is_refused_by_name(
    error: type[openai.APIStatusError], options: dict[str, Any], param: str
) -> None:
    with Simulator() as sim:
        assert (await _refused(sim, error, **options)).param == param
        assert not sim.rows()[0].billed


async def test_prompt_beyond_the_context_is_refused_by_code() -> None:
    with Simulator(preset("openai", {"model.context_tokens": 1504 + FRESH - 1})) as sim:
        assert (await _refused(sim, openai.BadRequestError)).code == "context_length_exceeded"
    with Simulator(preset("openai", {"model.context_tokens": 1504 + FRESH})) as sim:
        async with client_of(sim) as client:
            assert split((await ask(client, PREFIX)).usage) == (FRESH, 0, 1504)


async def test_fifth_cache_control_mark_is_refused() -> None:
    parts = [{"type": "text", "text": "text", "cache_control": {"type": "ephemeral"}} for _ in range(5)]
    options: dict[str, Any] = {"model": "claude-haiku-5-5", "prompt_cache_options": None}
    with Simulator(preset("anthropic")) as sim:
        await _refused(sim, openai.BadRequestError, prefix=parts, **options)
        async with client_of(sim) as client:
            assert (await ask(client, parts[:4], **options)).choices[0].finish_reason == "stop"
        assert [(row.status, row.billed) for row in sim.rows()] == [(400, False), (200, True)]
        assert sum(bool(part.mark) for part in sim.rows()[1].parts) == 4


@pytest.mark.parametrize("path", ["nothing", "latency.nothing", "cache.nothing"])
def test_unknown_option_is_refused(path: str) -> None:
    with pytest.raises(KeyError):
        preset("openai", {path: 1})
