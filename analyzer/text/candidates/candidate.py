"""What candidate makers hand on: a surface form that may be a name."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.models.text import Place

LONGEST_FORM = 120
"""Code points of a surface form, at most. Source: a choice, twice the longest name one would print."""
MOST_WORDS = 12
"""Words of a surface form, at most: more capitals in a row are a list, a heading or a stutter. Source: a choice."""


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


def may_be_form(surface: str) -> bool:
    """Tell whether a surface is short enough for a name, by code points and by words; cost: a microsecond."""
    return len(surface) <= LONGEST_FORM and len(surface.split(None, MOST_WORDS)) <= MOST_WORDS
