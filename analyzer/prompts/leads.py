"""The words before a question in the letter format, from leads.toml: a small model does not follow a step's instructions."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=1)
def leads() -> dict[str, str]:
    """Return the lead of every ask that has one; `{task}` stands for the first line of the step's instructions."""
    raw = tomllib.loads(files("analyzer.prompts").joinpath("leads.toml").read_text("utf-8"))
    return {ask: str(words) for ask, words in raw.items()}


def lead(ask: str, instructions: str) -> str:
    """Return what stands before a question of this kind: its lead, or the instructions as they are."""
    task = instructions.partition("\n")[0].removeprefix("TASK:").strip()
    return leads().get(ask, instructions).replace("{task}", task)
