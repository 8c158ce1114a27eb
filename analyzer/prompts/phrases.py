"""Relation kinds in words, from phrases.toml: option texts that spell out both ends leave no direction to guess."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from analyzer.errors import DefinitionError
from analyzer.models.facts import RELATION_KINDS


class Phrase(NamedTuple):
    """`says` and `again` hold `{a}` and `{b}`; `nearest` are kinds easily taken for this one, the likeliest first."""

    says: str
    again: str
    nearest: tuple[str, ...]

    def put(self, first: str, second: str, *, again: bool = False) -> str:
        """Return the sentence about two shown entities."""
        return (self.again if again else self.says).replace("{a}", "\x00").replace("{b}", second).replace("\x00", first)


@lru_cache(maxsize=1)
def phrases() -> dict[str, Phrase]:
    """Return the phrase of every relation kind; raises DefinitionError where the file and the vocabulary differ."""
    raw = tomllib.loads(files("analyzer.prompts").joinpath("phrases.toml").read_text("utf-8"))
    if set(raw) != set(RELATION_KINDS):
        raise DefinitionError(
            f"phrases.toml differs from the relation kinds in {sorted(set(raw) ^ set(RELATION_KINDS))!r}"
        )
    return {kind: Phrase(row["says"], row["again"], _listed(row["nearest"])) for kind, row in raw.items()}


def _listed(nearest: str | list[str]) -> tuple[str, ...]:
    return (nearest,) if isinstance(nearest, str) else tuple(nearest)
