"""What the tests of the simulator ask: prompts of an exact length, through the real SDK."""

from __future__ import annotations

from typing import Any

from openai import AsyncOpenAI
from openai.types.completion_usage import CompletionUsage

from tests.simulator import Simulator

MESSAGE = 4
REPLY = 3
"""Framing as documented in the simulator's README, written down a second time on purpose."""
MODEL = "gpt-6-luna"
QUESTION = "1. Who opens the door? | a the miller; b the guest | see 1.1 2.3"
QUESTION_TOKENS = 26


def words(count: int, word: str = "word") -> str:
    """Return a text of exactly `count` tokens (a common word of one token each)."""
    return " ".join([word] * count)


def client_of(sim: Simulator, **options: Any) -> AsyncOpenAI:
    """Return the real SDK pointed at the simulator; it never retries by itself."""
    return AsyncOpenAI(base_url=sim.base_url, **{"api_key": "test-key", "max_retries": 0, "timeout": 10.0, **options})


def marked(*texts: str, ttl: str = "") -> list[dict[str, Any]]:
    """Return content parts, each ended by an explicit breakpoint."""
    mark = {"mode": "explicit", **({"ttl": ttl} if ttl else {})}
    return [{"type": "text", "text": text, "prompt_cache_breakpoint": mark} for text in texts]


async def ask(client: AsyncOpenAI, prefix: list[dict[str, Any]], tail: str = QUESTION, **options: Any) -> Any:
    """Return the completion of a marked prefix (system) and a tail (user), in explicit mode unless told otherwise."""
    messages: Any = [
        {"role": "system", "content": prefix},
        {"role": "user", "content": [{"type": "text", "text": tail}]},
    ]
    defaults = {"model": MODEL, "reasoning_effort": "none", "prompt_cache_options": {"mode": "explicit"}}
    given = {name: value for name, value in {**defaults, **options}.items() if value is not None}
    return await client.chat.completions.create(messages=messages, **given)


def split(usage: CompletionUsage | None) -> tuple[int, int, int]:
    """Return the disjoint counts of a reported usage: fresh, read, written."""
    assert usage is not None and usage.prompt_tokens_details is not None
    read = usage.prompt_tokens_details.cached_tokens or 0
    written = usage.prompt_tokens_details.cache_write_tokens or 0
    return usage.prompt_tokens - read - written, read, written


FRESH = MESSAGE + QUESTION_TOKENS + REPLY
"""What a call pays in full when all of its prefix is cached."""
