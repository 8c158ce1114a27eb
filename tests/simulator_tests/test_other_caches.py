"""Implicit breakpoints, whole units, cache_control marks, older models."""

from __future__ import annotations

from typing import Any

import pytest
from openai import AsyncOpenAI

from tests.simulator import Clock, Simulator, preset
from tests.simulator_tests.calls import FRESH, MESSAGE, QUESTION_TOKENS, REPLY, ask, client_of, marked, split, words

PLAIN = [{"type": "text", "text": words(1500)}]


async def _twice(client: AsyncOpenAI, **options: Any) -> Any:
    await ask(client, PLAIN, prompt_cache_options=None, **options)
    return await ask(client, PLAIN, prompt_cache_options=None, **options)


async def test_implicit_mode_writes_every_tail_at_the_write_rate() -> None:
    with Simulator() as sim:
        async with client_of(sim) as client:
            first = split((await ask(client, marked(words(1500)), prompt_cache_options=None)).usage)
            other = split((await ask(client, marked(words(1500)), "1. Else? | a; b", prompt_cache_options=None)).usage)
        tail = MESSAGE + QUESTION_TOKENS
        assert first == (REPLY, 0, 1504 + tail)
        assert other[0] == REPLY and other[1] == 1504 and other[2] > MESSAGE


async def test_implicit_mode_without_marks_reads_only_the_same_whole_prompt() -> None:
    with Simulator() as sim:
        async with client_of(sim) as client:
            options: dict[str, Any] = {"prompt_cache_options": None}
            first = split((await ask(client, PLAIN, **options)).usage)
            again = split((await ask(client, PLAIN, **options)).usage)
            other = split((await ask(client, PLAIN, "1. Else? | a; b", **options)).usage)
        whole = 1504 + MESSAGE + QUESTION_TOKENS
        assert (first, again) == ((REPLY, 0, whole), (REPLY, whole, 0))
        assert other[1] == 0


async def test_conversation_grows_from_one_implicit_breakpoint_to_the_next() -> None:
    def turns(count: int) -> list[dict[str, Any]]:
        return [{"role": "user", "content": words(1100, word)} for word in ("one", "two", "three")[:count]]

    with Simulator() as sim:
        async with client_of(sim) as client:
            seen = []
            for count in (1, 2, 3):
                messages: Any = turns(count)
                reply = await client.chat.completions.create(model="gpt-6-luna", messages=messages)
                seen.append(split(reply.usage))
        assert seen == [(REPLY, 0, 1104), (REPLY, 1104, 1104), (REPLY, 2208, 1104)]


async def test_explicit_call_does_not_see_what_implicit_mode_wrote_elsewhere() -> None:
    with Simulator() as sim:
        async with client_of(sim) as client:
            await ask(client, PLAIN, prompt_cache_options=None)
            assert split((await ask(client, marked(words(1500)))).usage) == (FRESH, 0, 1504)


@pytest.mark.parametrize(("name", "model", "unit"), [("deepseek", "deepseek-flash", 64), ("vllm", "any", 16)])
async def test_automatic_cache_reads_whole_units_and_charges_no_write(name: str, model: str, unit: int) -> None:
    with Simulator(preset(name)) as sim:
        async with client_of(sim) as client:
            first = await ask(client, PLAIN, model=model, prompt_cache_options=None)
            other = await ask(client, PLAIN, "Else", model=model, prompt_cache_options=None)
        row = sim.rows()[1]
        assert first.usage.prompt_tokens_details.cached_tokens == 0
        assert other.usage.prompt_tokens_details.cached_tokens == row.read == (1504 + MESSAGE) // unit * unit
        assert row.write == 0 and "cache_write_tokens" not in other.usage.prompt_tokens_details.model_fields_set


async def test_same_prompt_again_is_computed_only_where_the_reply_begins() -> None:
    with Simulator(preset("llama")) as sim:
        async with client_of(sim) as client:
            reply = await _twice(client, model="mine")
        assert reply.usage.prompt_tokens_details.cached_tokens == reply.usage.prompt_tokens - REPLY
        assert reply.timings["cache_n"] + reply.timings["prompt_n"] == reply.usage.prompt_tokens


async def test_deepseek_reports_hits_and_misses_that_add_up() -> None:
    with Simulator(preset("deepseek")) as sim:
        async with client_of(sim) as client:
            usage = (await _twice(client, model="deepseek-flash")).usage
        assert usage.prompt_cache_hit_tokens == sim.rows()[1].read > 1400
        assert usage.prompt_cache_hit_tokens + usage.prompt_cache_miss_tokens == usage.prompt_tokens


async def test_silent_server_tells_nothing_of_its_cache() -> None:
    with Simulator(preset("vllm", {"usage_style": "silent"})) as sim:
        async with client_of(sim) as client:
            usage = (await ask(client, PLAIN, model="mine", prompt_cache_options=None)).usage
        assert usage.prompt_tokens == sim.rows()[0].prompt_tokens and usage.prompt_tokens_details is None


async def test_older_model_reads_multiples_of_128_by_itself() -> None:
    with Simulator() as sim:
        async with client_of(sim) as client:
            reply = await _twice(client, model="sim-old")
        assert split(reply.usage) == (1504 + FRESH - 11 * 128, 11 * 128, 0)


async def _ask_claude(client: AsyncOpenAI, *texts: str, marks: set[int]) -> Any:
    parts: list[dict[str, Any]] = [
        {"type": "text", "text": text, **({"cache_control": {"type": "ephemeral"}} if i in marks else {})}
        for i, text in enumerate(texts)
    ]
    return await ask(client, parts, model="claude-haiku-5-5", prompt_cache_options=None)


async def test_cache_control_marks_look_back_to_older_entries() -> None:
    with Simulator(preset("anthropic")) as sim:
        async with client_of(sim) as client:
            first = await _ask_claude(client, words(600), words(100, "two"), marks={0})
            grown = await _ask_claude(client, words(600), words(100, "two"), marks={1})
        assert split(first.usage) == (100 + FRESH, 0, 604)
        assert split(grown.usage) == (FRESH, 604, 100)


async def test_cache_control_entry_lives_five_minutes() -> None:
    with Simulator(preset("anthropic"), clock=Clock(manual=True)) as sim:
        async with client_of(sim) as client:
            reads = []
            for pause in (0, 299, 300):
                sim.advance(pause)
                reads.append(split((await _ask_claude(client, words(600), marks={0})).usage)[1])
        assert reads == [0, 604, 0]
