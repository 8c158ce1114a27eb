"""Every fault reaches the real SDK as the exception or the odd reply it stands for."""

from __future__ import annotations

import json
from typing import Any

import openai
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.simulator import Fault, FaultPlan, Simulator
from tests.simulator.faults import DECISION_FAULTS, KINDS, plan_from_json
from tests.simulator_tests.calls import ask, client_of, marked, words

PREFIX = marked(words(1500))
TAIL = "\n".join(f"{n}. Who? | a one; b two" for n in range(1, 7))
LINES = [f"{n} a" for n in range(1, 7)]


def faulty(kind: str, **options: Any) -> Simulator:
    return Simulator(faults=FaultPlan(by_index={0: Fault(kind, **options)}))


STATUSES = [
    ("bad_request", openai.BadRequestError, 400),
    ("context", openai.BadRequestError, 400),
    ("bad_key", openai.AuthenticationError, 401),
    ("forbidden", openai.PermissionDeniedError, 403),
    ("not_found", openai.NotFoundError, 404),
    ("timeout_status", openai.APIStatusError, 408),
    ("rate_limit", openai.RateLimitError, 429),
    ("quota", openai.RateLimitError, 429),
    ("server_error", openai.InternalServerError, 500),
    ("bad_gateway", openai.InternalServerError, 502),
    ("unavailable", openai.InternalServerError, 503),
    ("overloaded", openai.InternalServerError, 529),
]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("kind", "error", "status"), STATUSES, ids=[row[0] for row in STATUSES])
async def test_status_is_seen_as_its_exception(
    kind: str, error: type[openai.APIStatusError], status: int, stream: bool
) -> None:
    with faulty(kind) as sim:
        async with client_of(sim) as client:
            with pytest.raises(error) as caught:
                await ask(client, PREFIX, stream=stream)
            assert caught.value.status_code == status and caught.value.request_id == "req_sim_0"
            assert (await ask(client, PREFIX)).choices[0].message.content == "1 a 1.1"


async def test_quota_is_told_from_a_rate_limit_by_its_code() -> None:
    codes = []
    for kind in ("quota", "rate_limit", "context"):
        with faulty(kind) as sim:
            async with client_of(sim) as client:
                with pytest.raises(openai.APIStatusError) as caught:
                    await ask(client, PREFIX)
                codes.append(caught.value.code)
    assert codes == ["insufficient_quota", "rate_limit_exceeded", "context_length_exceeded"]


@pytest.mark.parametrize("wish", ["", "7"])
async def test_retry_after_is_sent_only_where_given(wish: str) -> None:
    with faulty("rate_limit", retry_after=wish) as sim:
        async with client_of(sim) as client:
            with pytest.raises(openai.RateLimitError) as caught:
                await ask(client, PREFIX)
        assert caught.value.response.headers.get("retry-after", "") == wish


@pytest.mark.parametrize("kind", ["reset", "reset_mid", "truncated"])
async def test_broken_connection_is_seen_as_one(kind: str) -> None:
    with faulty(kind) as sim:
        async with client_of(sim) as client:
            with pytest.raises(openai.APIConnectionError):
                await ask(client, PREFIX)
            assert (await ask(client, PREFIX)).choices[0].message.content == "1 a 1.1"
        assert sim.rows()[0].billed is (kind != "reset")


async def test_hang_is_seen_as_a_timeout_and_ends_with_the_server() -> None:
    with faulty("hang", seconds=30) as sim:
        async with client_of(sim, timeout=0.2) as client:
            with pytest.raises(openai.APITimeoutError):
                await ask(client, PREFIX)
        assert sim.rows()[0].billed


async def test_hang_is_bounded_and_then_a_broken_connection() -> None:
    with faulty("hang", seconds=0.05) as sim:
        async with client_of(sim) as client:
            with pytest.raises(openai.APIConnectionError) as caught:
                await ask(client, PREFIX)
        assert not isinstance(caught.value, openai.APITimeoutError)


async def test_half_of_a_json_body_is_not_taken_for_a_reply() -> None:
    with faulty("half_json") as sim:
        async with client_of(sim) as client:
            with pytest.raises(json.JSONDecodeError):
                await ask(client, PREFIX)


async def test_page_instead_of_json_comes_out_as_a_bare_string() -> None:
    with faulty("not_json") as sim:
        async with client_of(sim) as client:
            reply = await ask(client, PREFIX)
        assert isinstance(reply, str) and "Bad gateway" in reply


async def _drain(sim: Simulator) -> list[Any]:
    async with client_of(sim) as client:
        stream = await ask(client, PREFIX, TAIL * 9, stream=True, stream_options={"include_usage": True})
        return [event async for event in stream]


@pytest.mark.parametrize("kind", ["reset_mid", "truncated"])
async def test_stream_that_breaks_is_seen_as_a_broken_connection(kind: str) -> None:
    with faulty(kind) as sim, pytest.raises(openai.APIConnectionError):
        await _drain(sim)


async def test_error_inside_a_stream_is_an_api_error() -> None:
    with faulty("stream_error") as sim, pytest.raises(openai.APIError, match="had an error"):
        await _drain(sim)


async def test_stream_without_an_end_has_no_usage_and_no_reason_to_stop() -> None:
    with faulty("no_done") as sim:
        events = await _drain(sim)
        assert events and all(event.usage is None for event in events)
        assert all(choice.finish_reason is None for event in events for choice in event.choices)


async def test_whole_stream_holds_the_same_text_and_usage_as_a_plain_reply() -> None:
    with Simulator() as sim:
        events = await _drain(sim)
        async with client_of(sim) as client:
            plain = await ask(client, PREFIX, TAIL * 9)
        text = "".join(choice.delta.content or "" for event in events for choice in event.choices)
        assert text == plain.choices[0].message.content and len(events) > 4
        assert [event.usage.completion_tokens for event in events if event.usage] == [plain.usage.completion_tokens]
        assert events[-1].choices == [] and events[-2].choices[0].finish_reason == "stop"


async def test_stream_tells_its_usage_only_when_asked() -> None:
    with Simulator() as sim:
        async with client_of(sim) as client:
            events = [event async for event in await ask(client, PREFIX, stream=True)]
        assert all(event.usage is None for event in events)


CONTENTS = [
    ("empty", "", "stop"),
    ("null", None, "stop"),
    ("refusal", None, "stop"),
    ("refusal_text", "I'm sorry, but I can't help with that.", "stop"),
    ("filter", "", "content_filter"),
    ("half", "\n".join(LINES[:3]), "length"),
    ("half_line", "\n".join([*LINES[:5], "6"]), "length"),
    ("duplicated", "\n".join(line for line in LINES for _ in range(2)), "stop"),
    ("strangers", "\n".join(f"{n} a" for n in range(5000, 5006)), "stop"),
    ("fence", "\n".join(["```text", *LINES, "```"]), "stop"),
]


@pytest.mark.parametrize(("kind", "content", "finish"), CONTENTS, ids=[row[0] for row in CONTENTS])
async def test_odd_content_arrives_as_it_is(kind: str, content: str | None, finish: str) -> None:
    with faulty(kind) as sim:
        async with client_of(sim) as client:
            choice = (await ask(client, PREFIX, TAIL)).choices[0]
        assert (choice.message.content, choice.finish_reason) == (content, finish)
        assert (choice.message.refusal is not None) is (kind == "refusal")
        assert sim.rows()[0].billed


async def test_prose_stands_around_the_answers() -> None:
    with faulty("prose") as sim:
        async with client_of(sim) as client:
            text = (await ask(client, PREFIX, TAIL)).choices[0].message.content
        assert text.splitlines()[2:8] == LINES and len(text.splitlines()) == 10


async def test_loop_runs_into_the_output_bound() -> None:
    with faulty("loop") as sim:
        async with client_of(sim) as client:
            reply = await ask(client, PREFIX, TAIL, max_completion_tokens=100)
        assert reply.choices[0].finish_reason == "length" and reply.usage.completion_tokens == 100
        assert reply.choices[0].message.content.startswith("1 a\n1 a\n1 a")


async def test_odd_usage_figures_are_reported_while_the_books_stay_right() -> None:
    seen = {}
    for kind in ("usage_missing", "usage_null", "usage_zero", "usage_negative", "usage_wrong"):
        with faulty(kind) as sim:
            async with client_of(sim) as client:
                seen[kind] = (await ask(client, PREFIX, TAIL)).usage
            assert sim.rows()[0].write == 1504 and sim.rows()[0].cost_nano > 1504 * 125
    assert seen["usage_missing"] is None and seen["usage_null"] is None
    assert seen["usage_zero"].prompt_tokens == 0 and seen["usage_negative"].prompt_tokens < 0
    assert seen["usage_wrong"].prompt_tokens_details.cached_tokens > seen["usage_wrong"].prompt_tokens


def test_unknown_fault_and_impossible_mix_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown fault"):
        Fault("sulk")
    with pytest.raises(ValueError, match="unknown fault"):
        FaultPlan(mix={"sulk": 0.1})
    with pytest.raises(ValueError, match="add up"):
        FaultPlan(mix={"quota": 0.6, "reset": 0.6})


def test_plan_is_read_from_json() -> None:
    plan = plan_from_json('{"by_index": {"1": "quota", "2": {"kind": "hang", "seconds": 2}}, "always": "empty"}')
    picked = [plan.pick(index, b"") for index in range(3)]
    assert picked == [Fault("empty"), Fault("quota"), Fault("hang", seconds=2)]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), order=st.permutations(range(12)))
def test_mix_by_body_does_not_depend_on_the_order_of_arrival(seed: int, order: list[int]) -> None:
    def dealt(bodies: list[int]) -> dict[int, str]:
        plan = FaultPlan(mix={"reset": 0.3, "empty": 0.3}, seed=seed, by="body")
        picked = {n: plan.pick(i, b"%d" % n) for i, n in enumerate(bodies)}
        return {n: fault.kind if fault else "" for n, fault in picked.items()}

    assert dealt(order) == dealt(sorted(order))


def test_body_sent_again_gets_another_draw() -> None:
    plan = FaultPlan(mix={"reset": 0.5}, by="body")
    assert {plan.pick(i, b"same") for i in range(40)} == {None, Fault("reset")}


def test_mix_keeps_its_rate_and_its_bound() -> None:
    plan = FaultPlan(mix={"reset": 0.25}, seed=3)
    assert 200 < sum(plan.pick(i, b"") is not None for i in range(1000)) < 300
    bounded = FaultPlan(mix={"reset": 1.0}, at_most=4)
    assert sum(bounded.pick(i, b"") is not None for i in range(100)) == 4


def test_every_fault_is_tried_here() -> None:
    tried = (
        {row[0] for row in STATUSES} | {row[0] for row in CONTENTS} | {"prose", "loop", "hang", "reset", "reset_mid"}
    )
    tried |= {"truncated", "not_json", "half_json", "stream_error", "no_done"}
    tried |= {"usage_missing", "usage_null", "usage_zero", "usage_wrong", "usage_negative"}
    assert tried == KINDS - DECISION_FAULTS, "those have tests of their own"
