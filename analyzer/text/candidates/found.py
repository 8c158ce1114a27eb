"""What is gathered about one surface form while a chapter is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(slots=True)
class Found:
    """What was seen of one surface form: where it starts, how often inside a sentence, and which cues how often.

    `alone` says that it stood by itself at least once, not only as part of a longer form.
    """

    starts: list[int] = field(default_factory=list)
    n_inside: int = 0
    cues: Counter[str] = field(default_factory=Counter)
    alone: bool = False

    def add(self, start: int, *, inside: bool, cue: str = "") -> None:
        """Count one occurrence."""
        self.starts.append(start)
        self.n_inside += inside
        if cue:
            self.cues[cue] += 1

    def strongest(self, weights: Mapping[str, float]) -> str:
        """Return the cue with most weight (ties by name), or ""."""
        return max(self.cues, key=lambda cue: (weights.get(cue, 0.0), cue), default="")


class Reading(NamedTuple):
    """A surface form judged: what was found, its order value, the entity kind guessed or "", the cue that says so."""

    found: Found
    score: float
    kind: str
    cue: str
