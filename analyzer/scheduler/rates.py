"""What was measured of each step, by which a plan tells what a chapter asks: rates of chat, and what decisions take beside.

The figures stand in calibration.toml and decisions.toml, each with the command that measured it.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from analyzer.scheduler.signs import Signs


class Rate(NamedTuple):
    """What a step asks by one of a chapter's signs: `factor * sign ** power` questions, at most `most` for each of the sign.

    `tail` and `output` are tokens in (without the prefix) and out per question.
    """

    sign: str
    factor: float
    power: float
    most: float
    tail: float
    output: float

    def questions(self, signs: Signs) -> int:
        """Return the questions a chapter with these signs is likely to ask."""
        n: int = getattr(signs, self.sign)
        return round(min(self.factor * n**self.power, self.most * n)) if n else 0


class Decided(NamedTuple):
    """What a step's questions take at a decisions endpoint.

    `tail` are tokens in (without the prefix) per question over all its requests, `requests` those of a pack, `chat` is the share of
    questions that go by chat.
    """

    tail: float
    requests: float
    chat: float


@lru_cache(maxsize=1)
def decided_rates() -> dict[str, Decided]:
    """Return what was measured of decisions by step; its source stands in the file."""
    raw = tomllib.loads(files("analyzer.scheduler").joinpath("decisions.toml").read_text("utf-8"))
    return {step: Decided(**row) for step, row in raw["steps"].items()}


class Calibration(NamedTuple):
    """Rates by step, and `low` and `high` as shares of the likely figure."""

    rates: dict[str, Rate]
    low: float
    high: float


@lru_cache(maxsize=1)
def calibration() -> Calibration:
    """Return what was measured; its source stands in the file."""
    raw = tomllib.loads(files("analyzer.scheduler").joinpath("calibration.toml").read_text("utf-8"))
    rates = {step: Rate(**row) for step, row in raw["steps"].items()}
    return Calibration(rates, raw["bounds"]["low"], raw["bounds"]["high"])
