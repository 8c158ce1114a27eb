"""Whatever is sent, in any order and mode: counts are disjoint and whole, and only what was written is read."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.simulator import CacheRule, preset
from tests.simulator.cache import Charge, PromptCache
from tests.simulator.prompt import Prompt, read_prompt
from tests.simulator.settings import Settings
from tests.simulator.tokens import TextMemory

MEMORY = TextMemory()
SETTINGS: Settings = preset("openai")
TEXTS = st.sampled_from(["river " * 9, "stone " * 12, "어머니가 왔다 " * 4, "他走了。" * 6, "雨が降る。" * 5, ""])
PART = st.tuples(TEXTS, st.booleans())
CALL = st.tuples(st.lists(PART, min_size=1, max_size=6), st.sampled_from(["implicit", "explicit"]), st.integers(0, 40))
RULES = st.sampled_from(
    [
        CacheRule(min_tokens=10),
        CacheRule(min_tokens=25, max_writes=2),
        CacheRule(kind="cache_control", min_tokens=10, lookback=2, default_ttl="5m"),
        CacheRule(kind="automatic", unit=4, min_tokens=4),
        CacheRule(kind="automatic", unit=1, min_tokens=8),
        CacheRule(kind="off"),
    ]
)


def _prompt(parts: list[tuple[str, bool]], mode: str, rule: CacheRule) -> Prompt:
    mark: dict[str, Any] = {"prompt_cache_breakpoint": {"mode": "explicit"}, "cache_control": {"type": "ephemeral"}}
    content = [{"type": "text", "text": text, **(mark if marked else {})} for text, marked in parts]
    body = {
        "model": "gpt-6-luna",
        "messages": [{"role": "user", "content": content}],
        "prompt_cache_options": {"mode": mode},
    }
    return read_prompt(body, "chat", SETTINGS, rule.kind, MEMORY)


def _charge(cache: PromptCache, prompt: Prompt, rule: CacheRule, now: float) -> Charge:
    charge = cache.charge(prompt, rule, machine=0, now=now)
    cache.publish(charge, now)
    return charge


@settings(max_examples=60, deadline=None)
@given(rule=RULES, calls=st.lists(CALL, min_size=1, max_size=8))
def test_counts_are_disjoint_and_whole(rule: CacheRule, calls: list[tuple[list[tuple[str, bool]], str, int]]) -> None:
    cache, now = PromptCache(), 0.0
    seen: list[int] = []
    for parts, mode, pause in calls:
        now += pause
        prompt = _prompt(parts, mode, rule)
        charge = _charge(cache, prompt, rule, now)
        assert min(charge.read, charge.write, charge.fresh) >= 0 and charge.fresh >= 3
        assert charge.read + charge.write + charge.fresh == charge.total == prompt.total
        assert max(charge.written_parts, charge.read_parts) <= len(prompt.parts)
        assert charge.read_parts == 0 or prompt.parts[charge.read_parts - 1].end <= charge.read
        assert charge.read == 0 or charge.read <= max(seen, default=0)
        assert charge.read == 0 or charge.read >= rule.min_tokens
        seen.append(charge.read + charge.write if rule.kind != "automatic" else prompt.total)


@settings(max_examples=60, deadline=None)
@given(rule=RULES, call=CALL)
def test_the_same_prompt_again_reads_all_it_wrote_and_writes_nothing(
    rule: CacheRule, call: tuple[list[tuple[str, bool]], Literal["implicit", "explicit"], int]
) -> None:
    cache, prompt = PromptCache(), _prompt(call[0], call[1], rule)
    first, second = (_charge(cache, prompt, rule, now) for now in (0.0, 1.0))
    assert first.read == 0 and second.write == 0
    assert second.read + second.fresh == prompt.total
    assert (second.read > 0) is bool(first.entries)
    if rule.kind == "automatic":
        whole = prompt.parts[-1].end // rule.unit * rule.unit
        assert second.read == (whole if whole >= rule.min_tokens else 0)
    else:
        assert second.read == first.write
    assert not second.again and not second.pending


@pytest.mark.parametrize(
    "rule",
    [
        CacheRule(min_tokens=10),
        CacheRule(kind="cache_control", min_tokens=10),
        CacheRule(kind="automatic", unit=4, min_tokens=4),
        CacheRule(kind="off"),
    ],
    ids=lambda rule: rule.kind,
)
def test_a_marked_prompt_long_enough_is_read_the_second_time_by_every_rule_but_none(rule: CacheRule) -> None:
    cache, prompt = PromptCache(), _prompt([("river " * 9, True), ("stone " * 12, True)], "explicit", rule)
    first, second = (_charge(cache, prompt, rule, now) for now in (0.0, 1.0))
    assert (first.read, second.write) == (0, 0)
    assert (second.read > 20) is (rule.kind != "off")


@settings(max_examples=40, deadline=None)
@given(rule=RULES, call=CALL, late=st.floats(0.001, 100))
def test_nothing_is_read_before_its_writer_says_so(
    rule: CacheRule, call: tuple[list[tuple[str, bool]], str, int], late: float
) -> None:
    cache, prompt = PromptCache(), _prompt(call[0], call[1], rule)
    first = cache.charge(prompt, rule, machine=0, now=0.0)
    early = cache.charge(prompt, rule, machine=0, now=0.0)
    assert early.read == 0 and early.write == first.write
    assert early.pending is bool(first.entries)
    cache.publish(first, late)
    assert cache.charge(prompt, rule, machine=0, now=late / 2).read == 0
    assert (cache.charge(prompt, rule, machine=0, now=late).read > 0) is bool(first.entries)
    assert cache.charge(prompt, rule, machine=1, now=late).read == 0
