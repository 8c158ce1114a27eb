"""The shared limiter: no minute holds more than the rate, and a 429 slows all of it down."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import ConfigError
from analyzer.shelf.limiter import LEAST, SLOWER, Rate, SharedLimiter, parse_rate


class Time:
    """Time that passes only where somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


def limiter(rate: Rate, **more: Any) -> tuple[SharedLimiter, Time]:
    time = Time()
    return SharedLimiter(rate, monotonic=time, sleep=time.sleep, **more), time


async def sent(made: SharedLimiter, time: Time, sizes: list[int]) -> list[tuple[float, int]]:
    found = []
    for size in sizes:
        await made.enter(size)
        found.append((time.now, size))
    return found


@settings(max_examples=60, deadline=None)
@given(
    calls=st.one_of(st.none(), st.integers(1, 60)),
    tokens=st.integers(1_000, 9_000),
    sizes=st.lists(st.integers(1, 500), min_size=5, max_size=120),
    pauses=st.lists(st.integers(0, 90), max_size=4),
)
async def test_no_minute_holds_more_than_the_rate(
    calls: int | None, tokens: int, sizes: list[int], pauses: list[int]
) -> None:
    made, time = limiter(Rate(calls, tokens))
    found: list[tuple[float, int]] = []
    for pause in [0, *pauses]:
        time.now += pause
        found += await sent(made, time, sizes)
    for start, _ in found:
        within = [size for at, size in found if start <= at < start + 60]
        assert calls is None or len(within) <= calls
        assert sum(within) <= tokens


async def test_the_rate_is_used_and_not_only_kept() -> None:
    made, time = limiter(Rate(60, None))
    await sent(made, time, [1] * 180)
    assert 120 < time.now < 240


async def test_a_call_larger_than_the_rate_still_goes_once_the_bucket_is_full() -> None:
    made, time = limiter(Rate(None, 100))
    await sent(made, time, [1000, 1, 1000])
    assert time.now > 600


async def test_without_a_rate_nothing_waits_until_a_429_comes() -> None:
    made, time = limiter(Rate())
    await sent(made, time, [10_000] * 100)
    assert time.now == 0
    made.turned_away(None)
    await sent(made, time, [1] * 60)
    assert time.now > 30, "the calls of the last minute are taken for the rate"
    time.now += 3600
    started = time.now
    await sent(made, time, [1] * 1000)
    assert time.now == started, "and it is forgotten when none came for long"


async def test_a_429_holds_all_back_for_as_long_as_the_provider_wishes_and_then_they_go_slower() -> None:
    made, time = limiter(Rate(600, None))
    await made.enter(1)
    made.turned_away(20.0)
    made.turned_away(5.0)
    assert made.share == pytest.approx(SLOWER), "calls turned away together count once"
    assert made.n_turned_away == 2
    [(at, _)] = await sent(made, time, [1])
    assert at >= 20
    for _ in range(40):
        time.now += 2
        made.turned_away(None)
    assert made.share == LEAST
    time.now += 600
    await made.enter(1)
    assert made.share == 1.0, "it comes back while nothing is turned away"


async def test_who_gives_up_waiting_takes_no_place() -> None:
    made, time = limiter(Rate(2, None))
    await made.enter(1)
    waiting = asyncio.create_task(made.enter(1))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    before = time.now
    await made.enter(1)
    assert time.now - before < 62


@pytest.mark.parametrize(
    ("words", "rate"),
    [
        (None, Rate()),
        ("500/200000", Rate(500, 200_000)),
        ("500", Rate(500, None)),
        ("/2_000", Rate(None, 2_000)),
        (" 7 / 9 ", Rate(7, 9)),
    ],
)
def test_a_rate_is_calls_and_tokens_a_minute_and_either_may_be_left_out(words: str | None, rate: Rate) -> None:
    assert parse_rate(words) == rate


@pytest.mark.parametrize("words", ["", "/", "0/5", "-1/5", "a/5", "1/2/3", "٣/5", "1.5/5", "1e3"])
def test_what_is_no_rate_is_refused(words: str) -> None:
    with pytest.raises(ConfigError, match="is no rate"):
        parse_rate(words)
