"""The answer format for small local models: one question a call, the answer inside JSON, `{"answer": "B"}`.

A 1.5B model was right in 54 to 59 % of 32 questions with a bare letter, in 68 to 72 % inside JSON, in 72 to 78 % over several
option orders (chance 26 %). The assistant's turn is begun for it (`PREFILL`), so that one token decides and its probability can
be read. What comes back is turned into an ordinary answer line, so the run reads one format only.
"""

from __future__ import annotations

import json
import math
import re
import string
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from analyzer.models.question import NONE, Answer, Option, Pack, Question
from analyzer.models.text import Place

PREFILL = '{"answer": "'
"""How the assistant's turn begins."""
NONE_TEXT = "none of these, or the text does not say"
MAX_LETTERS = len(string.ascii_uppercase)
NOTE_TOKENS = 80
SELECT_TOKENS = 24

_ANSWER = re.compile(r'"answer"\s*:\s*"((?:[^"\\]|\\.)*)')


class Shown(NamedTuple):
    """A question as shown with letters: the text after the prefix, and the option key behind each letter in order."""

    tail: str
    keys: tuple[str, ...]


def instructions(pack: Pack) -> str:
    """Return the step's own words: what stands in the tail before its first question (all of it where that is not found)."""
    at = pack.tail.find(pack.questions[0].text) if pack.questions else -1
    if at < 0:
        return pack.tail.strip()
    return pack.tail[: pack.tail.rfind("\n", 0, at) + 1].strip()


def turned(question: Question, turn: int, turns: int) -> tuple[Option, ...]:
    """Return the options, none included as the last of them, rotated for ask number `turn` of `turns`.

    Rotation spreads every option over the letters: a small model likes A.
    """
    options = [option for option in question.options if option.key != NONE]
    none = question.option_by_key(NONE) or Option(mark="-", key=NONE, text=NONE_TEXT)
    row = [*options[: MAX_LETTERS - 1], none]
    shift = (turn * len(row)) // max(1, turns)
    return tuple(row[shift:] + row[:shift])


def render(pack: Pack, *, turn: int = 0, turns: int = 1) -> Shown:
    """Return the only question of `pack` with its options lettered, in the order of this turn."""
    question = pack.questions[0]
    lines = [line for line in (instructions(pack), question.text) if line]
    if question.type == "note":
        return Shown(
            "\n".join([*lines, 'Answer with one JSON object: {"answer": "the words"}; "-" if there is none.']), ()
        )
    row = turned(question, turn, turns)
    lines.extend(f"{letter}) {_words(option)}" for letter, option in zip(string.ascii_uppercase, row, strict=False))
    several = question.type == "select" and question.max_picks > 1
    how = 'with all letters that fit: {"answer": "A C"}' if several else 'with one letter: {"answer": "A"}'
    return Shown("\n".join([*lines, f"Answer with one JSON object, {how}"]), tuple(option.key for option in row))


def _words(option: Option) -> str:
    if option.key == NONE:
        return option.text or NONE_TEXT
    shown = option.text or (", ".join(option.ref.names[:2]) if option.ref else "") or option.key
    return f"{option.mark} {shown}" if option.mark.startswith("@") and option.mark not in shown else shown


def render_places(question: Question, places: Sequence[Place]) -> Shown:
    """Return the follow-up question which of the candidate sentences shows the answer just given."""
    lines = [f"{question.text}", "Which sentence of the chapter shows it?"]
    lines.extend(f"{letter}) {place}" for letter, place in zip(string.ascii_uppercase, places, strict=False))
    return Shown(
        "\n".join([*lines, 'Answer with one JSON object, with one letter: {"answer": "A"}']), tuple(map(str, places))
    )


def parse_keys(text: str, shown: Shown, *, several: bool = False) -> tuple[str, ...] | None:
    """Return the option keys that a completion (with or without the prefill) picks, or None where it cannot be told."""
    value = answer_value(text)
    if value is None:
        return None
    letters = re.findall(r"[A-Za-z0-9]+", value)
    known = dict(zip(string.ascii_uppercase, shown.keys, strict=False))
    if not letters or any(letter.upper() not in known for letter in letters) or (len(letters) > 1 and not several):
        return None
    return tuple(dict.fromkeys(known[letter.upper()] for letter in letters))


def answer_value(text: str) -> str | None:
    """Return the string inside `{"answer": "…"}`, the prefill added where it is missing, or None."""
    found = _ANSWER.search(text) or _ANSWER.search(PREFILL + text.lstrip())
    if found is None:
        return None
    try:
        return str(json.loads(f'"{found.group(1)}"', strict=False)).strip()
    except json.JSONDecodeError:
        return None


def letter_probabilities(choice: Mapping[str, Any], shown: Shown) -> dict[str, float]:
    """Return the probability of each option key at the first token, {} where the server gave no log-probabilities.

    Tokens that begin with the same letter add up; what is no letter offered is left out and the rest scaled to 1.
    """
    logprobs = choice.get("logprobs")
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    first = content[0] if isinstance(content, list) and content and isinstance(content[0], Mapping) else {}
    known = dict(zip(string.ascii_uppercase, shown.keys, strict=False))
    mass: dict[str, float] = {}
    for row in first.get("top_logprobs") or ():
        letter = str(row.get("token", "")).strip().strip('"').upper() if isinstance(row, Mapping) else ""
        value = row.get("logprob") if isinstance(row, Mapping) else None
        if letter in known and isinstance(value, int | float) and not isinstance(value, bool) and value <= 0:
            mass[known[letter]] = mass.get(known[letter], 0.0) + math.exp(value)
    total = sum(mass.values())
    return {key: share / total for key, share in mass.items()} if total > 0 else {}


def mean_probabilities(turns: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean over option orders; an option missing from a turn counts 0 there. {} where no turn has any."""
    seen = [turn for turn in turns if turn]
    keys = dict.fromkeys(key for turn in seen for key in turn)
    return {key: sum(turn.get(key, 0.0) for turn in seen) / len(seen) for key in keys}


def answer_from(picks: tuple[str, ...], confidence: float | None = None) -> Answer:
    """Return the answer that picks these keys; `NONE` alone is none, `NONE` beside others is dropped."""
    real = tuple(key for key in picks if key != NONE)
    return Answer(status="answered" if real else "none", picked=real, confidence=confidence)
