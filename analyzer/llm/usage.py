"""Usage as every provider reports it, brought to four disjoint counts; and token counts made offline.

OpenAI's shape (also litellm, vLLM, SGLang, newer llama.cpp and Ollama): `prompt_tokens` holds everything, reads and writes are
inside it. Anthropic's own shape: `input_tokens` is only what follows the last breakpoint. Gemini: thoughts stand beside the
candidates. DeepSeek: hits and misses. llama.cpp: `timings`. Ollama: `prompt_eval_count`.
"""

from __future__ import annotations

import binascii
import hashlib
import importlib.util
import math
import threading
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

from analyzer.models.question import Pack
from analyzer.models.run import Usage

O200K_FILE = "fb374d419588a4632f3f557e76b4b70aebbca790"
"""Name of the o200k_base table in a tiktoken cache: sha1 of its address."""
O200K_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
"""Checksum of that table, as tiktoken itself expects it."""
MEMO_CHARS = 512
"""Texts from this length are remembered: parts of a prefix are counted again for every call."""
PIECE_CHARS = 50_000
"""Longest text given to the encoder at once; bounds its time on text without any break."""
WORST_FACTOR = 1.35
"""What another tokenizer may make of a text that o200k_base counts as 1: an older one gave 8,001 for 6,001 on English."""


class Normalised(NamedTuple):
    """`usage` None: the provider reported none. `flags` name what was impossible and clamped."""

    usage: Usage | None
    flags: tuple[str, ...] = ()


def normalise(raw: Mapping[str, Any] | None, *, timings: Mapping[str, Any] | None = None) -> Normalised:
    """Return the disjoint counts of a usage report of any known shape.

    `raw` is the report as a dict (of the whole reply for Ollama's own shape), `timings` llama.cpp's, which knows the cache where
    an older server's usage does not. Impossible figures (more read than sent, negative, no number) are clamped and flagged.
    """
    raw = raw or {}
    flags: list[str] = []
    if "prompt_tokens" in raw:
        usage = _openai(raw, timings or {}, flags)
    elif "input_tokens" in raw:
        usage = _responses(raw, flags) if "input_tokens_details" in raw else _anthropic(raw, flags)
    elif "promptTokenCount" in raw:
        usage = _gemini(raw, flags)
    elif "prompt_eval_count" in raw:
        usage = _split(raw, "prompt_eval_count", _count(raw, "prompt_eval_cached_count", flags), 0, flags)
        usage = _with_output(usage, _count(raw, "eval_count", flags), 0)
    elif timings:
        usage = _timings(timings, flags)
    else:
        return Normalised(None)
    return Normalised(usage, tuple(dict.fromkeys(flags)))


def _openai(raw: Mapping[str, Any], timings: Mapping[str, Any], flags: list[str]) -> Usage:
    details = _mapping(raw, "prompt_tokens_details")
    read = _first(details, raw, ("cached_tokens", "cache_read_input_tokens", "prompt_cache_hit_tokens"), flags)
    if not read and timings:
        read = _count(timings, "cache_n", flags)
    write = _first(details, raw, ("cache_write_tokens", "cache_creation_tokens", "cache_creation_input_tokens"), flags)
    usage = _split(raw, "prompt_tokens", read, write, flags)
    thought = _count(_mapping(raw, "completion_tokens_details"), "reasoning_tokens", flags)
    return _with_output(usage, _count(raw, "completion_tokens", flags), thought, flags)


def _responses(raw: Mapping[str, Any], flags: list[str]) -> Usage:
    details = _mapping(raw, "input_tokens_details")
    read, write = _count(details, "cached_tokens", flags), _count(details, "cache_write_tokens", flags)
    thought = _count(_mapping(raw, "output_tokens_details"), "reasoning_tokens", flags)
    usage = _split(raw, "input_tokens", read, write, flags)
    return _with_output(usage, _count(raw, "output_tokens", flags), thought, flags)


def _anthropic(raw: Mapping[str, Any], flags: list[str]) -> Usage:
    thought = _count(_mapping(raw, "output_tokens_details"), "thinking_tokens", flags)
    usage = Usage(
        input=_count(raw, "input_tokens", flags),
        cache_read=_count(raw, "cache_read_input_tokens", flags),
        cache_write=_count(raw, "cache_creation_input_tokens", flags),
    )
    return _with_output(usage, _count(raw, "output_tokens", flags), thought, flags)


def _gemini(raw: Mapping[str, Any], flags: list[str]) -> Usage:
    thought = _count(raw, "thoughtsTokenCount", flags)
    usage = _split(raw, "promptTokenCount", _count(raw, "cachedContentTokenCount", flags), 0, flags)
    return _with_output(usage, _count(raw, "candidatesTokenCount", flags) + thought, thought, flags)


def _timings(timings: Mapping[str, Any], flags: list[str]) -> Usage:
    return Usage(
        input=_count(timings, "prompt_n", flags),
        cache_read=_count(timings, "cache_n", flags),
        output=_count(timings, "predicted_n", flags),
    )


def _split(raw: Mapping[str, Any], total_name: str, read: int, write: int, flags: list[str]) -> Usage:
    """Return the usage whose classes add up to the total: too much read or written is clamped, writes first."""
    total = _count(raw, total_name, flags)
    if read + write > total:
        flags.append("cached_over_prompt")
        read = min(read, total)
        write = min(write, total - read)
    return Usage(input=total - read - write, cache_read=read, cache_write=write)


def _with_output(usage: Usage, output: int, thought: int, flags: list[str] | None = None) -> Usage:
    if thought > output:
        # some servers report reasoning beside the completion; billed either way
        (flags if flags is not None else []).append("reasoning_over_output")
        output = thought
    return usage.model_copy(update={"output": output, "reasoning": thought})


def _mapping(raw: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = raw.get(name)
    return found if isinstance(found, Mapping) else {}


def _first(a: Mapping[str, Any], b: Mapping[str, Any], names: tuple[str, ...], flags: list[str]) -> int:
    for name in names:
        for source in (a, b):
            if source.get(name) is not None:
                return _count(source, name, flags)
    return 0


def _count(raw: Mapping[str, Any], name: str, flags: list[str]) -> int:
    value = raw.get(name)
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        flags.append(f"bad_{name}")
        return 0
    return int(value)


def worst_usage(pack: Pack, *, max_output_tokens: int, writes_cache: bool) -> Usage:
    """Return the most a call can have used where its usage is missing: all input at the dearest class, all output.

    `writes_cache` says that the provider bills writes. The count is an estimate times `WORST_FACTOR`, plus 16 per part.
    """
    texts = [part.text for part in pack.parts] + [pack.tail]
    tokens = math.ceil(sum(count_tokens(text) for text in texts) * WORST_FACTOR) + 16 * len(texts)
    if writes_cache:
        return Usage(cache_write=tokens, output=max_output_tokens)
    return Usage(input=tokens, output=max_output_tokens)


class _Counter:
    """The encoder, loaded on first use; None where its table is not installed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._encode: Any = None
        self._loaded = False

    def encode(self) -> Any:
        with self._lock:
            if not self._loaded:
                self._encode = _load_encoder()
                self._loaded = True
        return self._encode


_COUNTER = _Counter()


def counts_exactly() -> bool:
    """Say whether `count_tokens` uses the o200k_base table; False: it estimates by characters."""
    return _COUNTER.encode() is not None


def count_tokens(text: str) -> int:
    """Return how many o200k_base tokens `text` has, offline; an estimate by characters where the table is not installed.

    Other providers' tokenizers differ by up to a third (`WORST_FACTOR`). Never downloads. About 0.2 s on first use, then
    2 MB/s; long texts are remembered.
    """
    return _count_long(text) if len(text) >= MEMO_CHARS else _count_text(text)


@lru_cache(maxsize=512)
def _count_long(text: str) -> int:
    return sum(_count_text(text[at : at + PIECE_CHARS]) for at in range(0, len(text), PIECE_CHARS))


def _count_text(text: str) -> int:
    encode = _COUNTER.encode()
    return len(encode(text)) if encode is not None else estimate_tokens(text)


def estimate_tokens(text: str) -> int:
    """Return a token count by characters: four ASCII characters a token, about one and a half of any other script."""
    ascii_chars = sum(ch < "\x80" for ch in text)
    return math.ceil(ascii_chars / 4 + (len(text) - ascii_chars) / 1.5)


def _load_encoder() -> Any:
    table = _tokenizer_table()
    if table is None or importlib.util.find_spec("tiktoken") is None:
        return None
    import tiktoken
    from tiktoken_ext import openai_public  # type: ignore[import-untyped]

    # tiktoken's own function, so its pattern and special tokens, but with our reading of the same table
    instead = {"load_tiktoken_bpe": lambda *_address, **_checksum: read_ranks(table)}
    describe = FunctionType(openai_public.o200k_base.__code__, {**vars(openai_public), **instead})
    encoding = tiktoken.Encoding(**describe())
    encoding._mergeable_ranks = {}  # 30 MB: its second copy of the table, which counting does not look at
    return encoding.encode_ordinary


def read_ranks(table: bytes) -> dict[bytes, int]:
    """Return the ranks of a table whose lines are a token in base64, a space and the number of the line, from 0.

    That is how o200k_base is; takes 0.1 s for its 200,000 lines, half of what tiktoken's loop over lines takes.
    """
    tokens = table.split()[::2]
    return dict(zip(map(binascii.a2b_base64, tokens), range(len(tokens)), strict=True))


def _tokenizer_table() -> bytes | None:
    """Return the o200k_base table inside the installed litellm, found without importing it; None where there is no sound one."""
    spec = importlib.util.find_spec("litellm")
    for root in (spec.submodule_search_locations or []) if spec else []:
        path = Path(root) / "litellm_core_utils" / "tokenizers" / O200K_FILE
        table = path.read_bytes() if path.is_file() else b""
        if hashlib.sha256(table).hexdigest() == O200K_SHA256:
            return table
    return None
