"""What candidate makers hand on: a surface form that may be a name."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.models.text import Place


@dataclass(frozen=True, slots=True)
class FormCandidate:
    """A surface form that may be a new name.

    `surface` is as printed, without article (kept before a lowercase title: "the emperor") and without particle. `places`
    are all sentences where it stands, in order, at least one; `n` counts occurrences. `score` orders candidates: higher
    is more likely a name, no probability. `hint` is code's guess of the entity kind or "", `cue` what says so
    (title, place_word, place_suffix, speaks, vocative, surname, naming, locative, group_suffix, quoted, repeated, capital).
    """

    surface: str
    places: tuple[Place, ...]
    n: int
    score: float
    hint: str = ""
    cue: str = ""
