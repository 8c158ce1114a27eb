"""Explicit breakpoints: exact boundaries, minimum, writes, lifetimes, what belongs to the key."""

from __future__ import annotations

from typing import Any

import pytest

from tests.simulator import Clock, Simulator, preset
from tests.simulator.tokens import tokens_of
from tests.simulator_tests.calls import (
    FRESH,
    MESSAGE,
    QUESTION,
    QUESTION_TOKENS,
    ask,
    client_of,
    marked,
    split,
    words,
)


def test_texts_of_the_tests_have_the_length_they_say() -> None:
    assert len(tokens_of(words(1500))) == 1500
    assert len(tokens_of(QUESTION)) == QUESTION_TOKENS


async def test_first_call_writes_the_prefix_once_and_later_calls_read_it() -> None:
    with Simulator() as sim:
        async with client_of(sim) as client:
            seen = [split((await ask(client, marked(words(1500)))).usage) for _ in range(3)]
        assert seen == [(FRESH, 0, 1504), (FRESH, 1504, 0), (FRESH, 1504, 0)]
        assert [row.flags for row in sim.rows()] == [[], [], []]


async def test_a_new_chapter_reads_the_parts_that_stand_and_writes_the_rest() -> None:
    system, cast = words(1100, "rule"), words(200, "cast")
    with Simulator() as sim:
        async with client_of(sim) as client:
            first = split((await ask(client, marked(system, cast, words(2000, "one")))).usage)
            second = split((await ask(client, marked(system, cast, words(3000, "two")))).usage)
            other_cast = split((await ask(client, marked(system, words(300, "crew"), words(2000, "one")))).usage)
        assert first == (FRESH, 0, 4 + 1100 + 200 + 2000)
        assert second == (FRESH, 4 + 1100 + 200, 3000)
        assert other_cast == (FRESH, 4 + 1100, 300 + 2000)
        assert [[part.outcome for part in row.parts] for row in sim.rows()] == [
            ["write", "write", "write", "input"],
            ["read", "read", "write", "input"],
            ["read", "write", "write", "input"],
        ]


async def test_a_part_added_later_is_written_alone() -> None:
    base = [words(1100, "rule"), words(2000, "one")]
    with Simulator() as sim:
        async with client_of(sim) as client:
            await ask(client, marked(*base))
            assert split((await ask(client, marked(*base, words(50, "added")))).usage) == (FRESH, 3104, 50)
            assert split((await ask(client, marked(*base, words(50, "added")))).usage) == (FRESH, 3154, 0)
            assert split((await ask(client, marked(*base))).usage) == (FRESH, 3104, 0)


@pytest.mark.parametrize(("length", "cached"), [(1023, False), (1024, True)])
async def test_prefix_below_the_minimum_is_silently_uncached(length: int, cached: bool) -> None:
    with Simulator() as sim:
        async with client_of(sim) as client:
            first = split((await ask(client, marked(words(length)))).usage)
            second = split((await ask(client, marked(words(length)))).usage)
        whole = MESSAGE + length
        assert first == ((FRESH, 0, whole) if cached else (FRESH + whole, 0, 0))
        assert second == ((FRESH, whole, 0) if cached else (FRESH + whole, 0, 0))


async def test_short_first_part_is_written_together_with_the_next_and_never_read_alone() -> None:
    with Simulator() as sim:
        async with client_of(sim) as client:
            await ask(client, marked(words(300, "rule"), words(2000, "one")))
            other = split((await ask(client, marked(words(300, "rule"), words(2000, "two")))).usage)
        assert other == (FRESH, 0, 2304)


async def test_explicit_mode_without_breakpoints_caches_nothing() -> None:
    plain = [{"type": "text", "text": words(1500)}]
    with Simulator() as sim:
        async with client_of(sim) as client:
            seen = [split((await ask(client, plain)).usage) for _ in range(2)]
        assert seen == [(FRESH + 1504, 0, 0)] * 2


async def test_only_the_latest_four_breakpoints_are_written() -> None:
    texts = [words(1100, word) for word in ("one", "two", "three", "four", "five", "six")]
    with Simulator() as sim:
        async with client_of(sim) as client:
            assert split((await ask(client, marked(*texts))).usage) == (FRESH, 0, 4 + 6600)
            assert split((await ask(client, marked(*texts[:3]))).usage) == (FRESH, 4 + 3300, 0)
            assert split((await ask(client, marked(*texts[:2]))).usage) == (FRESH, 0, 4 + 2200)


CHANGES: list[tuple[str, dict[str, Any], bool]] = [
    ("model", {"model": "gpt-6.1-terra"}, True),
    ("effort", {"reasoning_effort": "low"}, True),
    ("verbosity", {"verbosity": "low"}, True),
    ("format", {"response_format": {"type": "json_object"}}, True),
    ("tier", {"service_tier": "flex"}, True),
    ("key", {"prompt_cache_key": "other"}, True),
    (
        "tools",
        {"tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]},
        True,
    ),
    ("temperature", {"temperature": 0.0}, False),
    ("length", {"max_completion_tokens": 50}, False),
    ("seed", {"seed": 7}, False),
    ("default format said aloud", {"response_format": {"type": "text"}}, False),
    ("default verbosity said aloud", {"verbosity": "medium"}, False),
]


@pytest.mark.parametrize(("change", "misses"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
async def test_what_belongs_to_the_key_makes_a_miss_when_it_changes(change: dict[str, Any], misses: bool) -> None:
    with Simulator() as sim:
        async with client_of(sim) as client:
            await ask(client, marked(words(1500)))
            _, read, written = split((await ask(client, marked(words(1500)), **change)).usage)
        assert (read == 0 and written >= 1504) if misses else (read, written) == (1504, 0)


async def test_two_schemas_do_not_share_and_a_schema_is_part_of_the_prefix() -> None:
    def shape(*letters: str) -> dict[str, Any]:
        schema = {"type": "object", "properties": {"answer": {"enum": list(letters)}}}
        return {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}

    with Simulator() as sim:
        async with client_of(sim) as client:
            first = split((await ask(client, marked(words(1500)), response_format=shape("a", "b"))).usage)
            again = split((await ask(client, marked(words(1500)), response_format=shape("a", "b"))).usage)
            other = split((await ask(client, marked(words(1500)), response_format=shape("a", "c"))).usage)
        assert first[2] > 1504 and again == (FRESH, first[2], 0) and other == first


@pytest.mark.parametrize("old_new", [("word", "Word"), ("word", "word ")])
async def test_one_moved_byte_is_a_miss(old_new: tuple[str, str]) -> None:
    text = words(1500)
    with Simulator() as sim:
        async with client_of(sim) as client:
            await ask(client, marked(text))
            _, read, _ = split((await ask(client, marked(text.replace(*old_new, 1)))).usage)
        assert read == 0


async def test_entry_lives_thirty_minutes_from_its_last_use() -> None:
    with Simulator(clock=Clock(manual=True)) as sim:
        async with client_of(sim) as client:
            reads = []
            for pause in (0, 1799, 1799, 1800):
                sim.advance(pause)
                reads.append(split((await ask(client, marked(words(1500)))).usage)[1])
        assert reads == [0, 1504, 1504, 0]
        assert sim.rows()[-1].flags == ["written_again", "expired"]


async def test_reading_the_long_prefix_keeps_its_shorter_parts_alive() -> None:
    system, chapter = words(1100, "rule"), words(1000, "one")
    with Simulator(clock=Clock(manual=True)) as sim:
        async with client_of(sim) as client:
            await ask(client, marked(system, chapter))
            sim.advance(1700)
            await ask(client, marked(system, chapter))
            sim.advance(1700)
            assert split((await ask(client, marked(system, words(1000, "two")))).usage) == (FRESH, 1104, 1000)


async def test_long_lifetime_is_billed_at_its_own_rate_and_outlives_the_short_one() -> None:
    with Simulator(clock=Clock(manual=True)) as sim:
        async with client_of(sim) as client:
            await ask(client, [*marked(words(1100, "rule"), ttl="12h"), *marked(words(400, "one"))])
            row = sim.rows()[0]
            assert (row.write, row.write_long) == (1504, 1104)
            assert row.cost_nano == FRESH * 100 + 400 * 125 + 1104 * 250 + row.output * 500
            sim.advance(2000)
            assert split((await ask(client, marked(words(1100, "rule"), words(400, "one")))).usage)[1] == 1104


async def test_overflow_above_fifteen_a_minute_writes_again_on_each_further_machine() -> None:
    settings = preset("openai", {"limits.overflow_per_minute": 15})
    with Simulator(settings, clock=Clock(manual=True)) as sim:
        async with client_of(sim) as client:
            written = [split((await ask(client, marked(words(1500)))).usage)[2] for _ in range(32)]
            assert [place for place, tokens in enumerate(written) if tokens] == [0, 15, 30]
            assert [row.machine for row in sim.rows()] == [0] * 15 + [1] * 15 + [2] * 2
            assert sim.rows()[15].flags == ["written_again", "overflow"]
            sim.advance(60)
            assert split((await ask(client, marked(words(1500)))).usage) == (FRESH, 1504, 0)
            assert sim.rows()[-1].machine == 0


async def test_overflow_can_follow_the_last_breakpoint_instead_of_the_first_part() -> None:
    system = words(1100, "rule")
    seen = {}
    for key in ("first_part", "last_breakpoint"):
        options = {"limits.overflow_per_minute": 2, "limits.overflow_key": key}
        with Simulator(preset("openai", options), clock=Clock(manual=True)) as sim:
            async with client_of(sim) as client:
                for chapter in ("one", "two", "three", "four"):
                    await ask(client, marked(system, chapter))
            seen[key] = [row.machine for row in sim.rows()]
    assert seen == {"first_part": [0, 0, 1, 1], "last_breakpoint": [0, 0, 0, 0]}


async def test_no_overflow_unless_asked_for() -> None:
    with Simulator(clock=Clock(manual=True)) as sim:
        async with client_of(sim) as client:
            written = [split((await ask(client, marked(words(1500)))).usage)[2] for _ in range(40)]
        assert sum(written) == 1504


async def test_known_parts_are_not_counted_again() -> None:
    with Simulator(answerer="none") as sim:
        async with client_of(sim) as client:
            for _ in range(50):
                await ask(client, marked(words(1500)))
        assert sim.texts_counted == 3
