"""The sections once more by a caller that knows the cache: chapter first and marked, one warm call, the others once it began, in rows."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from evals.bench._truth import IN_ROWS, MARK_PART, MARK_TEXT, PARTS
from evals.bench.peers._found import Found
from evals.bench.peers.sections import INSTRUCTIONS

PACKAGE = ""


def run(text: str, url: str, model: str, folder: Path) -> Found:
    """Ask for every part by itself; the first call writes the prefix, the others read it from its first event on."""
    return asyncio.run(_ask(text, url, model))


async def _ask(text: str, url: str, model: str) -> Found:
    import openai

    mark: Any = {"prompt_cache_breakpoint": {"mode": "explicit"}}
    begun = asyncio.Event()
    async with openai.AsyncOpenAI(base_url=url, api_key="unused", max_retries=0) as client:

        async def call(part: str) -> list[list[str]]:
            stream: Any = await client.chat.completions.create(
                model=model,
                reasoning_effort="none",
                messages=(),
                stream=True,
                extra_body={
                    "prompt_cache_options": {"mode": "explicit"},
                    "messages": [
                        {"role": "system", "content": [{"type": "text", "text": INSTRUCTIONS, **mark}]},
                        {
                            "role": "user",
                            "content": [
                                {"type": "text", "text": f"{MARK_TEXT}{text}", **mark},
                                {"type": "text", "text": f"{MARK_PART}{part}\n{IN_ROWS}"},
                            ],
                        },
                    ],
                },
            )
            said = []
            async for chunk in stream:
                begun.set()
                said += [choice.delta.content or "" for choice in chunk.choices]
            return [line.split(" | ") for line in "".join(said).splitlines()]

        first = asyncio.create_task(call(PARTS[0]))
        await begun.wait()
        cast, relations, *others = await asyncio.gather(first, *map(call, PARTS[1:]))
    return Found(
        names=tuple(row[0] for row in cast),
        pairs=tuple((row[0], row[2]) for row in relations),
        n_others=sum(map(len, others)),
    )
