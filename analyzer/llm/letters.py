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
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from analyzer.focus import sentence_shown, spelled_out
from analyzer.models.question import NONE, Answer, Option, Pack, Part, Question
from analyzer.models.text import Place
from analyzer.prompts.leads import lead

PREFILL = '{"answer": "'
"""How the assistant's turn begins."""
DENY = "deny"
"""The key of a step's own option that the text does not say so."""
NONE_TEXT = "none of these, or the text does not say"
MAX_LETTERS = len(string.ascii_uppercase)
ALSO = 0.25
"""Least probability of a second pick in a select: of two options that both hold each gets up to a half."""
MAX_QUOTES = 3
"""Most sentences quoted with a question."""
NOTE_TOKENS = 80

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

    Rotation spreads every option over the letters: a small model likes some of them. Where the step itself offers that the
    text denies it (`DENY`), that is the none: two of the kind would share what belongs to one.
    """
    options = [option for option in question.options if option.key != NONE]
    none = question.option_by_key(NONE) or Option(mark="-", key=NONE, text=NONE_TEXT)
    last = [] if question.option_by_key(DENY) else [none]
    row = [*options[: MAX_LETTERS - 1], *last]
    shift = (turn * len(row)) // max(1, turns)
    return tuple(row[shift:] + row[:shift])


def render(pack: Pack, *, turn: int = 0, turns: int = 1) -> Shown:
    """Return the only question of `pack` with its options lettered, in the order of this turn."""
    question = pack.questions[0]
    asked = spelled_out(question.text, pack.parts)
    lines = [line for line in (lead(question.key.ask, instructions(pack)), asked, *_quotes(pack, question)) if line]
    if question.type == "note":
        return Shown(
            "\n".join([*lines, 'Answer with one JSON object: {"answer": "the words"}; "-" if there is none.']), ()
        )
    row = turned(question, turn, turns)
    lines.extend(
        f"{letter}) {_words(option, pack.parts)}" for letter, option in zip(string.ascii_uppercase, row, strict=False)
    )
    lines.append(_ask_letter(len(row)))
    return Shown("\n".join(lines), tuple(option.key for option in row))


def _quotes(pack: Pack, question: Question) -> list[str]:
    """Return the sentences a question points to, in words: a small model does not look them up by number."""
    places = question.sentences or tuple(place for ref in question.key.about for place in ref.places)
    rows = ((place, sentence_shown(pack.parts, place)) for place in dict.fromkeys(places[:MAX_QUOTES]))
    return [f"{place} “{words}”" for place, words in rows if words]


def _words(option: Option, parts: Sequence[Part]) -> str:
    if option.key == NONE:
        return option.text or NONE_TEXT
    if option.text:
        return spelled_out(option.text, parts)
    named = spelled_out(option.mark, parts)
    if named != option.mark or option.ref is None:
        return named
    return f"{option.mark} {', '.join(option.ref.names[:2])}".rstrip()


def _ask_letter(n: int) -> str:
    """Return the last line, which names all letters: a model copies one shown alone (`"A"`), or the word LETTER."""
    return f'Answer with JSON: {{"answer": "<one of {", ".join(string.ascii_uppercase[:n])}>"}}'


def render_places(pack: Pack, said: str, places: Sequence[Place]) -> Shown:
    """Return the follow-up question which of the candidate sentences shows `said`, the answer just given."""
    lines = [said, "Which of these sentences shows it best?"]
    quoted = (f"{place} “{words}”" if (words := sentence_shown(pack.parts, place)) else f"{place}" for place in places)
    lines.extend(f"{letter}) {words}" for letter, words in zip(string.ascii_uppercase, quoted, strict=False))
    return Shown("\n".join([*lines, _ask_letter(len(places))]), tuple(map(str, places)))


def parse_key(text: str, shown: Shown) -> str | None:
    """Return the option key that a completion (with or without the prefill) picks, or None where it cannot be told."""
    value = answer_value(text)
    if value is None:
        return None
    letters = re.findall(r"[A-Za-z0-9]+", value)
    known = dict(zip(string.ascii_uppercase, shown.keys, strict=False))
    return known.get(letters[0].upper()) if len(letters) == 1 else None


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


def settled(turns: Sequence[Mapping[str, float]], planned: int) -> bool:
    """Say whether one option is the likeliest in more than half of the orders planned: the rest is not asked.

    Two orders of three agreed in 34 of 61 questions, and the third changed the answer of none of these.
    """
    tops = Counter(max(turn, key=lambda key: turn[key]) for turn in turns if turn)
    return bool(tops) and max(tops.values()) * 2 > planned


def mean_probabilities(turns: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean over option orders; an option missing from a turn counts 0 there. {} where no turn has any."""
    seen = [turn for turn in turns if turn]
    keys = dict.fromkeys(key for turn in seen for key in turn)
    return {key: sum(turn.get(key, 0.0) for turn in seen) / len(seen) for key in keys}


def answer_from(question: Question, mean: Mapping[str, float]) -> Answer:
    """Return the answer that mean probabilities give: the likeliest option; for a select also what is likelier than none.

    A select's further picks need `ALSO` at least. What picks nothing is none; `confidence` is the likeliest option's share.
    """
    ranked = sorted(mean, key=lambda key: -mean[key])
    bar = max(ALSO, mean.get(NONE, 0.0))
    also = (
        [key for key in ranked[1 : max(1, question.max_picks)] if mean[key] >= bar] if question.type == "select" else []
    )
    picked = () if ranked[0] == NONE else (ranked[0], *(key for key in also if key != NONE))
    return Answer(
        status="answered" if picked else "none", picked=picked, confidence=round(min(1.0, mean[ranked[0]]), 6)
    )
