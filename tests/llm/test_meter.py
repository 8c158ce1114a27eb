from __future__ import annotations

from analyzer.llm.meter import Meter
from analyzer.llm.usage import count_tokens
from analyzer.models.question import Pack, Part
from analyzer.models.run import Usage

LONG = "Mara kept the mill at Corvin and hated the water. " * 60


def pack(*parts: str, tail: str = "QUESTIONS\n1. Who?\nANSWERS") -> Pack:
    names = ("system", "cast", "chapter", "added")
    made = tuple(Part(name=names[i], text=text) for i, text in enumerate(parts))  # type: ignore[arg-type]
    return Pack(step="s", chapter=1, parts=made, tail=tail, questions=())


def test_the_first_pack_writes_the_prefix_and_later_ones_read_all_of_it() -> None:
    meter, prefix = Meter(min_prefix_tokens=10), ("system " + LONG, "cast " + LONG)
    first, second = meter.usage(pack(*prefix), "1 a"), meter.usage(pack(*prefix, tail="other"), "1 a\n2 b")
    size = sum(count_tokens(text) for text in prefix)
    assert (first.cache_write, first.cache_read) == (size, 0)
    assert (second.cache_write, second.cache_read) == (0, size)
    assert first.output == count_tokens("1 a") and second.input == count_tokens("other")


def test_an_added_part_is_written_once_on_top_of_what_is_read() -> None:
    meter = Meter(min_prefix_tokens=10)
    meter.usage(pack("system " + LONG), "1 a")
    grown = meter.usage(pack("system " + LONG, "cast " + LONG), "1 a")
    assert (grown.cache_read, grown.cache_write) == (count_tokens("system " + LONG), count_tokens("cast " + LONG))


def test_below_the_minimum_nothing_is_cached() -> None:
    meter = Meter()
    for _ in range(2):
        usage = meter.usage(pack("short", "parts"), "1 a")
        assert usage.cache_read == usage.cache_write == 0 and usage.input > 0


def test_a_part_below_the_minimum_is_cached_together_with_the_next() -> None:
    meter = Meter()
    parts = ("short", LONG * 4)
    first, second = meter.usage(pack(*parts), ""), meter.usage(pack(*parts), "")
    assert first.cache_write == second.cache_read == sum(count_tokens(text) for text in parts)


def test_another_chapter_shares_the_system_part_alone() -> None:
    meter = Meter(min_prefix_tokens=10)
    meter.usage(pack("system " + LONG, "cast one " + LONG), "")
    other = meter.usage(pack("system " + LONG, "cast two " + LONG), "")
    assert (other.cache_read, other.cache_write) == (count_tokens("system " + LONG), count_tokens("cast two " + LONG))


def test_every_token_sent_is_counted_once() -> None:
    meter = Meter(min_prefix_tokens=10)
    for parts in (("a " + LONG,), ("a " + LONG, "b " + LONG), ("c",), ()):
        asked = pack(*parts)
        usage = meter.usage(asked, "1 a")
        assert usage.total_input == sum(count_tokens(p.text) for p in asked.parts) + count_tokens(asked.tail)
        assert isinstance(usage, Usage) and min(usage.model_dump().values()) >= 0
