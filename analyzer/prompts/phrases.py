"""Relation kinds in words, from phrases.toml: option texts that spell out both ends leave no direction to guess."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from analyzer.errors import DefinitionError
from analyzer.models.facts import RELATION_KINDS


class Phrase(NamedTuple):
    """`says` and `again` hold `{a}` and `{b}`; `nearest` is the kind most easily taken for this one."""

    says: str
    again: str
    nearest: str

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
    return {kind: Phrase(row["says"], row["again"], row["nearest"]) for kind, row in raw.items()}
