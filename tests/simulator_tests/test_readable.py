"""From when on an entry can be read: the writer's first event, its end, or a prewarm only; and how long things take."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from openai import AsyncOpenAI

from tests.simulator import Clock, Simulator, preset
from tests.simulator_tests.calls import FRESH, MESSAGE, ask, client_of, marked, split, words

SLOW = {"latency.base_s": 1.0, "latency.prefill_tps": 1000.0, "latency.output_tps": 10.0}


def slow(readable: str, **options: Any) -> Simulator:
    """Return a simulator whose time is moved by hand: 1 s, then 1,000 tokens/s in, then 10 tokens/s out."""
    return Simulator(preset("openai", {**SLOW, "cache.readable": readable, **options}), clock=Clock(manual=True))


async def _arrived(sim: Simulator, count: int) -> None:
    await asyncio.to_thread(sim.wait_arrived, count)


async def test_concurrent_first_calls_each_write_and_say_so() -> None:
    with slow("first_event") as sim:
        async with client_of(sim) as client:
            calls = [asyncio.create_task(ask(client, marked(words(1500)))) for _ in range(3)]
            await _arrived(sim, 3)
            sim.advance(100)
            seen = [split((await call).usage) for call in calls]
        assert seen == [(FRESH, 0, 1504)] * 3
        assert [row.flags for row in sim.rows()] == [
            [],
            ["sent_before_readable", "written_again"],
            ["sent_before_readable", "written_again"],
        ]
        assert [(p["write"], p["read"], p["prefix_tokens"]) for p in sim.totals()["prefixes"]] == [(3, 0, 1504)]


@pytest.mark.parametrize(("readable", "reads"), [("first_event", True), ("end", False), ("prewarm", False)])
async def test_second_call_between_first_event_and_end(readable: str, reads: bool) -> None:
    prefill_s = 1.0 + (1504 + FRESH) / 1000
    with slow(readable) as sim:
        async with client_of(sim) as client:
            first = asyncio.create_task(ask(client, marked(words(1500))))
            await _arrived(sim, 1)
            sim.advance(prefill_s)
            second = asyncio.create_task(ask(client, marked(words(1500))))
            await _arrived(sim, 2)
            sim.advance(100)
            await first
            _, read, written = split((await second).usage)
        assert (read, written) == ((1504, 0) if reads else (0, 1504))
        assert sim.rows()[1].flags == ([] if reads else ["sent_before_readable", "written_again"])


@pytest.mark.parametrize(("readable", "reads"), [("first_event", True), ("end", True), ("prewarm", False)])
async def test_call_after_the_end_of_the_first(readable: str, reads: bool) -> None:
    with Simulator(preset("openai", {"cache.readable": readable})) as sim:
        async with client_of(sim) as client:
            await ask(client, marked(words(1500)))
            _, read, _ = split((await ask(client, marked(words(1500)))).usage)
        assert bool(read) is reads
        assert (sim.rows()[0].readable_at is not None) is reads
        assert sim.rows()[1].flags == ([] if reads else ["written_again"])


async def test_prefix_two_write_at_once_can_be_read_as_soon_as_the_first_is_ready() -> None:
    with slow("first_event") as sim:
        async with client_of(sim) as client:
            calls = []
            for sent, pause in enumerate((2.0, 1.0, 100.0), 1):
                calls.append(asyncio.create_task(ask(client, marked(words(1500)))))
                await _arrived(sim, sent)
                sim.advance(pause)
            await asyncio.gather(*calls)
        first, second, third = sim.rows()
        assert first.readable_at is not None and second.readable_at is not None
        assert first.readable_at < third.arrival < second.readable_at
        assert [row.read for row in sim.rows()] == [0, 0, 1504]


async def test_entry_of_a_writer_that_must_end_is_dated_from_its_end() -> None:
    with slow("end") as sim:
        async with client_of(sim) as client:
            call = asyncio.create_task(ask(client, marked(words(1500))))
            await _arrived(sim, 1)
            sim.advance(100)
            await call
        row = sim.rows()[0]
        assert row.readable_at == row.ended_at == 100.0


async def test_ordinary_call_beside_a_prewarm_does_not_undo_it() -> None:
    with slow("prewarm") as sim:
        async with client_of(sim) as client:
            ordinary = asyncio.create_task(ask(client, marked(words(1500)), max_completion_tokens=1))
            await _arrived(sim, 1)
            sim.advance(2.0)
            warming = asyncio.create_task(_prewarm(client))
            await _arrived(sim, 2)
            sim.advance(1.0)
            await ordinary
            sim.advance(100)
            await warming
            later = asyncio.create_task(ask(client, marked(words(1500))))
            await _arrived(sim, 3)
            sim.advance(100)
            assert split((await later).usage) == (FRESH, 1504, 0)


async def _prewarm(client: AsyncOpenAI) -> Any:
    parts: list[Any] = [
        {"type": "input_text", "text": words(1500), "prompt_cache_breakpoint": {"mode": "explicit"}},
    ]
    return await client.responses.create(
        model="gpt-6-luna",
        input=[{"type": "message", "role": "system", "content": parts}],
        reasoning={"effort": "none"},
        prompt_cache_options={"mode": "explicit", "prewarm": True},
    )


async def test_call_just_before_the_first_event_does_not_read() -> None:
    with slow("first_event") as sim:
        async with client_of(sim) as client:
            first = asyncio.create_task(ask(client, marked(words(1500))))
            await _arrived(sim, 1)
            sim.advance(2.5)
            second = asyncio.create_task(ask(client, marked(words(1500))))
            await _arrived(sim, 2)
            sim.advance(100)
            await first
            assert split((await second).usage) == (FRESH, 0, 1504)


@pytest.mark.parametrize("readable", ["first_event", "end", "prewarm"])
async def test_prewarmed_prefix_is_read_by_every_call_and_bills_no_output(readable: str) -> None:
    with Simulator(preset("openai", {"cache.readable": readable})) as sim:
        async with client_of(sim) as client:
            warm = await _prewarm(client)
            reads = [split((await ask(client, marked(words(1500)))).usage) for _ in range(2)]
        assert warm.output == [] and warm.usage is not None and warm.usage.output_tokens == 0
        assert warm.usage.input_tokens_details.cache_write_tokens == 1500 + MESSAGE
        assert warm.usage.input_tokens_details.cache_write_tokens_details is not None
        assert warm.usage.input_tokens_details.cache_write_tokens_details.ttl_30m_tokens == 1500 + MESSAGE
        assert reads == [(FRESH, 1504, 0)] * 2
        assert sim.rows()[0].prewarm and sim.rows()[0].output == 0


async def test_the_two_apis_can_be_kept_apart() -> None:
    with Simulator(preset("openai", {"apis_share_cache": False})) as sim:
        async with client_of(sim) as client:
            await client.responses.create(
                model="gpt-6-luna",
                input=words(1500),
                reasoning={"effort": "none"},
                prompt_cache_options={"prewarm": True},
            )
            reply: Any = await client.chat.completions.create(
                model="gpt-6-luna", reasoning_effort="none", messages=[{"role": "user", "content": words(1500)}]
            )
        assert split(reply.usage)[1] == 0


async def test_first_stream_event_comes_when_the_prefix_can_be_read() -> None:
    with slow("first_event") as sim:
        async with client_of(sim) as client:
            opening = asyncio.create_task(ask(client, marked(words(1500)), stream=True))
            await _arrived(sim, 1)
            sim.advance(2.0)
            assert not opening.done()
            sim.advance(1.0)
            stream = await opening
            first = await anext(aiter(stream))
            assert first.choices[0].delta.content == ""
            other = asyncio.create_task(ask(client, marked(words(1500))))
            await _arrived(sim, 2)
            sim.advance(100)
            assert split((await other).usage) == (FRESH, 1504, 0)
            async for _ in stream:
                pass
        assert sim.rows()[0].first_event_at == 3.0


async def test_time_is_base_and_prefill_of_what_is_not_cached_and_output() -> None:
    with slow("first_event") as sim:
        async with client_of(sim) as client:
            for sent in (1, 2):
                call = asyncio.create_task(ask(client, marked(words(1500))))
                await _arrived(sim, sent)
                await asyncio.to_thread(_run_out, sim, sent)
                await call
        first, second = sim.rows()
        assert first.readable_at == pytest.approx(1.0 + (1504 + FRESH) / 1000)
        assert first.ended_at is not None and first.readable_at is not None and second.ended_at is not None
        assert first.ended_at - first.readable_at >= first.output / 10
        assert second.first_event_at is not None
        assert 1.0 + FRESH / 1000 <= second.first_event_at - second.arrival < 1.2


def _run_out(sim: Simulator, ended: int) -> None:
    """Move time in small steps until so many requests have ended."""
    for _ in range(100):
        sim.advance(0.1)
        sim.rows()
        if sum(row.ended_at is not None for row in sim.rows()) >= ended:
            return
    raise AssertionError("the request did not end in 10 simulated seconds")


async def test_automatic_cache_also_waits_for_its_writer() -> None:
    plain = [{"type": "text", "text": words(1500)}]
    options: dict[str, Any] = {"model": "deepseek-flash", "prompt_cache_options": None}
    with Simulator(preset("deepseek", SLOW), clock=Clock(manual=True)) as sim:
        async with client_of(sim) as client:
            calls = [asyncio.create_task(ask(client, plain, **options)) for _ in range(2)]
            await _arrived(sim, 2)
            sim.advance(100)
            await asyncio.gather(*calls)
            call = asyncio.create_task(ask(client, plain, **options))
            await _arrived(sim, 3)
            sim.advance(100)
            await call
        assert [row.read for row in sim.rows()] == [0, 0, 1472]
        assert "sent_before_readable" in sim.rows()[1].flags
