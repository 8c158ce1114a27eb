"""A naive caller: one call for each section of a story bible, the whole chapter each time, no thought of a cache, answers in JSON."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from evals.bench._truth import MARK_PART, MARK_TEXT, PARTS
from evals.bench.peers._found import Found

PACKAGE = ""
INSTRUCTIONS = (
    "You keep the story bible of a serial novel. Read the chapter and return what is asked for as one JSON object with a list for each "
    "part: cast (name, kind), relations (subject, relation, object, status, evidence), changes of state, appearance, identities "
    "behind names, secrets, knowledge (who learns what), plants (what is set up or paid off); each with the sentence that shows it. "
    "Only what this chapter says; no guesses."
)


def run(text: str, url: str, model: str, folder: Path) -> Found:
    """Ask for every part by itself, all at once."""
    return asyncio.run(ask(text, url, model, [[part] for part in PARTS]))


async def ask(text: str, url: str, model: str, wanted: list[list[str]]) -> Found:
    """Ask for groups of parts, a call each, and return what came back together."""
    import openai

    async with openai.AsyncOpenAI(base_url=url, api_key="unused", max_retries=0) as client:

        async def call(parts: list[str]) -> dict[str, Any]:
            reply = await client.chat.completions.create(
                model=model,
                reasoning_effort="none",
                messages=[
                    {"role": "system", "content": INSTRUCTIONS},
                    {"role": "user", "content": f"{MARK_PART}{', '.join(parts)}\n{MARK_TEXT}{text}"},
                ],
                response_format={"type": "json_object"},
            )
            found: dict[str, Any] = json.loads(reply.choices[0].message.content or "{}")
            return found

        replies = await asyncio.gather(*map(call, wanted))
    found = {part: rows for reply in replies for part, rows in reply.items()}
    return Found(
        names=tuple(row["name"] for row in found["cast"]),
        pairs=tuple((row["subject"], row["object"]) for row in found["relations"]),
        n_others=sum(len(found[part]) for part in PARTS[2:]),
    )
