"""The books: every reply's usage priced by hand equals them, to the nano-dollar; what was turned away costs nothing."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from decimal import Decimal
from typing import Any

import pytest
from openai import APIStatusError

from tests.simulator import Fault, FaultPlan, Price, Simulator, preset
from tests.simulator_tests.calls import ask, client_of, marked, split, words

USD_PER_MILLION = {"fresh": "0.10", "read": "0.01", "write": "0.125", "output": "0.50"}


def by_hand(usage: Any) -> Decimal:
    fresh, read, written = split(usage)
    rates = {name: Decimal(rate) / 1_000_000 for name, rate in USD_PER_MILLION.items()}
    output = int(usage.completion_tokens)
    return fresh * rates["fresh"] + read * rates["read"] + written * rates["write"] + output * rates["output"]


async def test_ledger_equals_the_reported_usage_priced_by_hand() -> None:
    with Simulator(preset("openai", {"latency.prefill_tps": 500_000.0})) as sim:
        async with client_of(sim) as client:
            prefixes = [marked(words(1100, "rule"), words(1000 + 10 * n, "one")) for n in range(3)]
            replies = await asyncio.gather(*(ask(client, prefixes[n % 3], f"{n}. Who? | a; b") for n in range(24)))
            streamed: list[Any] = []
            for _ in range(3):
                stream = await ask(client, prefixes[0], stream=True, stream_options={"include_usage": True})
                streamed += [event.usage async for event in stream if event.usage]
        reported = [reply.usage for reply in replies] + streamed
        totals = sim.totals()
        assert len(reported) == totals["requests"] == 27
        assert Decimal(totals["cost_usd"]) == sum(map(by_hand, reported))
        assert totals["cost_nano"] == sum(row.cost_nano for row in sim.rows())
        assert totals["prompt_tokens"] == sum(usage.prompt_tokens for usage in reported)


async def test_each_prefix_is_listed_per_model_with_its_writes_and_reads() -> None:
    system, cast = words(1100, "rule"), words(200, "cast")
    with Simulator() as sim:
        async with client_of(sim) as client:
            for chapter in ("one", "one", "two"):
                await ask(client, marked(system, cast, words(2000, chapter)))
            await ask(client, marked(system, cast), model="gpt-6.1-terra")
            await ask(client, marked("too short"), reasoning_effort="low")
        totals = sim.totals()
        seen = [
            tuple(row[k] for k in ("model", "tokens", "prefix_tokens", "write", "read")) for row in totals["prefixes"]
        ]
        luna, terra = "gpt-6-luna", "gpt-6.1-terra"
        assert seen == [
            (luna, 1104, 1104, 1, 2),
            (luna, 200, 1304, 1, 2),
            (luna, 2000, 3304, 1, 1),
            (luna, 2000, 3304, 1, 0),
            (terra, 1104, 1104, 1, 0),
            (terra, 200, 1304, 1, 0),
            (luna, 6, 6, 0, 0),
        ]
        assert sum(part["cost_nano"] for part in totals["by_model"].values()) == totals["cost_nano"]
        assert totals["by_model"][luna]["write"] == 3304 + 2000


async def test_ledger_over_http_is_the_ledger_in_process() -> None:
    with Simulator() as sim:
        async with client_of(sim) as client:
            await ask(client, marked(words(1500)))
        seen = json.loads(await asyncio.to_thread(_get, f"{sim.root_url}/_sim/ledger"))
        assert seen == sim.ledger()
        assert seen["rows"][0]["parts"][0]["outcome"] == "write"
        assert sum(part["tokens"] for part in seen["rows"][0]["parts"]) + 3 == seen["rows"][0]["input"] + 1504
        await asyncio.to_thread(_post, f"{sim.root_url}/_sim/reset")
        assert sim.rows() == [] and sim.totals()["cost_nano"] == 0
        assert sim.totals()["cost_usd"] == "0.000000000"


def _get(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=5) as reply:
        return bytes(reply.read())


def _post(url: str) -> bytes:
    with urllib.request.urlopen(urllib.request.Request(url, method="POST"), timeout=5) as reply:
        return bytes(reply.read())


async def test_reset_forgets_the_cache() -> None:
    with Simulator() as sim:
        async with client_of(sim) as client:
            await ask(client, marked(words(1500)))
            sim.reset()
            assert split((await ask(client, marked(words(1500)))).usage)[1] == 0
        assert [row.index for row in sim.rows()] == [0] and sim.rows()[0].flags == []


@pytest.mark.parametrize("kind", ["rate_limit", "quota", "server_error", "bad_key", "bad_request"])
async def test_what_is_turned_away_costs_nothing_and_writes_nothing(kind: str) -> None:
    with Simulator(faults=FaultPlan(by_index={0: Fault(kind)})) as sim:
        async with client_of(sim) as client:
            with pytest.raises(APIStatusError):
                await ask(client, marked(words(1500)))
            assert sim.totals()["cost_nano"] == 0
            assert split((await ask(client, marked(words(1500)))).usage)[2] == 1504
        assert sim.rows()[0].fault == kind and not sim.rows()[0].billed and sim.rows()[1].flags == []


async def test_reasoning_is_billed_as_output_when_no_effort_is_named() -> None:
    with Simulator(answerer=lambda body: "1 a") as sim:
        async with client_of(sim) as client:
            dear = (await ask(client, marked(words(1500)), reasoning_effort=None)).usage
            cheap = (await ask(client, marked(words(1500)))).usage
        assert dear.completion_tokens_details.reasoning_tokens == 256
        assert dear.completion_tokens == cheap.completion_tokens + 256
        assert [row.output for row in sim.rows()] == [dear.completion_tokens, cheap.completion_tokens]


async def test_output_never_exceeds_what_was_allowed() -> None:
    with Simulator(answerer=lambda body: words(500)) as sim:
        async with client_of(sim) as client:
            reply = await ask(client, marked(words(1500)), max_completion_tokens=20)
        assert reply.usage.completion_tokens == sim.rows()[0].output == 20
        assert reply.choices[0].finish_reason == "length"
        assert reply.choices[0].message.content == words(20)


async def test_reasoning_may_use_up_all_that_was_allowed() -> None:
    with Simulator() as sim:
        async with client_of(sim) as client:
            reply = await ask(client, marked(words(1500)), reasoning_effort="low", max_completion_tokens=20)
        assert (reply.usage.completion_tokens, reply.usage.completion_tokens_details.reasoning_tokens) == (20, 20)
        assert reply.choices[0].message.content == "" and reply.choices[0].finish_reason == "length"
        assert (sim.rows()[0].output, sim.rows()[0].reasoning) == (20, 20)


def test_a_rate_finer_than_a_nano_dollar_is_refused() -> None:
    with pytest.raises(ValueError, match="whole number"):
        Price.usd_per_million("0.0001", "0", "0", "0")
    assert Price.usd_per_million("0.10", "0.01", "0.125", "0.50", "0.25") == Price()
