from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiktoken.load import load_tiktoken_bpe

from analyzer.llm import usage as module
from analyzer.llm.usage import count_tokens, counts_exactly, estimate_tokens, normalise, read_ranks, worst_usage
from analyzer.models.run import Usage
from tests.simulator.tokens import encoding

from .build import pack

CASES = {
    "openai reads and writes": (
        {
            "prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020,
            "prompt_tokens_details": {"cached_tokens": 600, "cache_write_tokens": 300},
            "completion_tokens_details": {"reasoning_tokens": 5},
        },
        Usage(input=100, cache_read=600, cache_write=300, output=20, reasoning=5),
    ),
    "openai without details": ({"prompt_tokens": 7, "completion_tokens": 2}, Usage(input=7, output=2)),
    "openai with null details": (
        {"prompt_tokens": 7, "completion_tokens": 2, "prompt_tokens_details": None}, Usage(input=7, output=2),
    ),
    "litellm for anthropic": (
        {
            "prompt_tokens": 1607, "completion_tokens": 5, "cache_creation_input_tokens": 1500, "cache_read_input_tokens": 100,
            "prompt_tokens_details": {"cached_tokens": 100, "cache_creation_tokens": 1500},
        },
        Usage(input=7, cache_read=100, cache_write=1500, output=5),
    ),
    "anthropic itself: input is only the rest": (
        {
            "input_tokens": 7, "cache_creation_input_tokens": 1500, "cache_read_input_tokens": 100, "output_tokens": 9,
            "output_tokens_details": {"thinking_tokens": 4},
        },
        Usage(input=7, cache_read=100, cache_write=1500, output=9, reasoning=4),
    ),
    "openai responses and decisions": (
        {
            "input_tokens": 1000, "input_tokens_details": {"cached_tokens": 600, "cache_write_tokens": 300}, "output_tokens": 3,
            "output_tokens_details": {"reasoning_tokens": 1},
        },
        Usage(input=100, cache_read=600, cache_write=300, output=3, reasoning=1),
    ),
    "gemini: thoughts stand beside the candidates": (
        {"promptTokenCount": 100, "cachedContentTokenCount": 40, "candidatesTokenCount": 3, "thoughtsTokenCount": 2},
        Usage(input=60, cache_read=40, output=5, reasoning=2),
    ),
    "deepseek": (
        {"prompt_tokens": 100, "completion_tokens": 3, "prompt_cache_hit_tokens": 64, "prompt_cache_miss_tokens": 36},
        Usage(input=36, cache_read=64, output=3),
    ),
    "ollama": (
        {"prompt_eval_count": 50, "prompt_eval_cached_count": 30, "eval_count": 4}, Usage(input=20, cache_read=30, output=4),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("raw", "expected"), CASES.values(), ids=CASES.keys())
def test_each_provider_comes_to_the_same_disjoint_counts(raw: dict[str, object], expected: Usage) -> None:
    assert normalise(raw) == (expected, ())


def test_llama_cpp_timings_fill_in_what_an_old_server_does_not_report() -> None:
    timings = {"cache_n": 90, "prompt_n": 10, "predicted_n": 3}
    assert normalise(None, timings=timings).usage == Usage(input=10, cache_read=90, output=3)
    mixed = normalise({"prompt_tokens": 100, "completion_tokens": 3}, timings=timings)
    assert mixed.usage == Usage(input=10, cache_read=90, output=3)


@pytest.mark.parametrize("raw", [None, {}, {"total_tokens": 5}])
def test_a_missing_report_is_none_and_not_zero(raw: dict[str, object] | None) -> None:
    assert normalise(raw).usage is None


def test_impossible_figures_are_clamped_and_flagged() -> None:
    raw = {"prompt_tokens": 10, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 99}}
    assert normalise(raw) == (Usage(cache_read=10, output=1), ("cached_over_prompt",))
    bad = normalise({"prompt_tokens": -4, "completion_tokens": "many"})
    assert bad == (Usage(), ("bad_prompt_tokens", "bad_completion_tokens"))
    over = normalise({"prompt_tokens": 1, "completion_tokens": 1, "completion_tokens_details": {"reasoning_tokens": 9}})
    assert over == (Usage(input=1, output=9, reasoning=9), ("reasoning_over_output",))


NUMBERS = st.one_of(
    st.none(), st.integers(-5, 10**6), st.floats(), st.text(max_size=3), st.booleans(), st.lists(st.none())
)
NAMES = st.sampled_from(
    ["prompt_tokens", "completion_tokens", "input_tokens", "output_tokens", "promptTokenCount", "prompt_eval_count",
     "cached_tokens", "cache_write_tokens", "prompt_cache_hit_tokens", "cache_read_input_tokens", "reasoning_tokens"]
)  # fmt: skip
REPORTS = st.dictionaries(
    st.one_of(NAMES, st.sampled_from(["prompt_tokens_details", "input_tokens_details", "completion_tokens_details"])),
    st.one_of(NUMBERS, st.dictionaries(NAMES, NUMBERS, max_size=4)),
    max_size=8,
)


@settings(max_examples=200, deadline=None)
@given(REPORTS)
def test_no_report_raises_or_gives_a_negative_count(raw: dict[str, object]) -> None:
    found = normalise(raw).usage
    assert found is None or min(found.model_dump().values()) >= 0
    if found is not None and isinstance(total := raw.get("prompt_tokens"), int) and not isinstance(total, bool):
        assert found.total_input == max(0, total)


def test_tokens_are_counted_by_the_bundled_table_in_every_script() -> None:
    assert counts_exactly()
    assert count_tokens("") == 0
    assert [count_tokens(s) for s in ("Hello world", "안녕하세요", "你好世界", "こんにちは")] == [2, 2, 2, 1]
    assert count_tokens("<|endoftext|>") > 1
    assert count_tokens("lone \ud800 surrogate") > 0


def test_a_long_text_counts_as_its_pieces_do_and_hostile_ones_stay_quick() -> None:
    words = "The mill stood above the river. " * 4000
    assert abs(count_tokens(words) - 4000 * count_tokens("The mill stood above the river. ")) < 4100
    assert count_tokens("a" * 300_000) > 0


def test_counting_never_reaches_for_the_network() -> None:
    code = (
        "import socket\n"
        "def no(*a, **k): raise SystemExit('network')\n"
        "socket.socket.connect = no; socket.getaddrinfo = no\n"
        "from analyzer.llm.usage import count_tokens\n"
        "import os, sys\n"
        "print(count_tokens('word ' * 9), 'TIKTOKEN_CACHE_DIR' in os.environ, 'litellm' in sys.modules)\n"
    )
    env = {name: value for name, value in os.environ.items() if name != "TIKTOKEN_CACHE_DIR"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    assert done.stdout.split() == ["10", "False", "False"]


def test_the_ranks_read_here_are_those_that_tiktoken_reads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    table = module._tokenizer_table()
    assert table is not None
    (tmp_path / "table").write_bytes(table)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")  # as it lies there
    ranks = load_tiktoken_bpe(str(tmp_path / "table"))
    assert read_ranks(table) == ranks and len(ranks) == 199_998


TEXTS = (
    "The mill stood above the river; nobody's hand had turned it since 1984.",
    "방앗간은 강 위에 서 있었다. “아버지는?” 하고 하은이가 물었다.",
    "磨坊立在河上，“父亲呢？”她问。",
    "水車小屋は川の上に立っていた。「お父さんは？」",
    "Le moulin n’était plus à personne — « et ton père ? »",
    "<|endoftext|>\r\n\r\n   \t🙂‍↔️ e\u0301\u200b",
)


@given(st.lists(st.one_of(st.sampled_from(TEXTS), st.text()), max_size=4))
@settings(max_examples=40, deadline=None)
def test_tokens_are_counted_as_tiktoken_counts_them(texts: list[str]) -> None:
    text = " ".join(texts)
    assert count_tokens(text) == len(encoding().encode_ordinary(text))


def test_a_table_with_another_checksum_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "O200K_SHA256", "0" * 64)
    monkeypatch.setattr(module, "_COUNTER", module._Counter())
    assert not counts_exactly()


def test_without_the_table_tokens_are_estimated_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_tokenizer_table", lambda: None)
    monkeypatch.setattr(module, "_COUNTER", module._Counter())
    assert not counts_exactly()
    assert count_tokens("abcdefgh") == 2
    assert estimate_tokens("안녕하세요") == 4


def test_the_worst_case_lies_above_the_count_and_in_the_dearest_class() -> None:
    asked = pack()
    count = sum(count_tokens(text) for text in [*(part.text for part in asked.parts), asked.tail])
    writes = worst_usage(asked, max_output_tokens=48, writes_cache=True)
    assert writes.cache_write > count and writes.output == 48 and writes.input == 0
    assert worst_usage(asked, max_output_tokens=48, writes_cache=False).input == writes.cache_write
