"""Quote location: a fifth each exact, punctuation changed, typos, a word dropped, two words swapped; right means both ends."""

from __future__ import annotations

import random
import re
from typing import NamedTuple

from analyzer.models.text import Span
from analyzer.text.fold import CJK

_TOKEN = re.compile(f"[{CJK}]|[^\\W_{CJK}]+(?:['’][^\\W_]+)*")
KINDS = ("exact", "punctuation", "typos", "dropped", "swapped")
_OTHER = {",": ";", ";": ",", ".": "!", "!": ".", "?": ".", "“": '"', "”": '"', "’": "'", "—": "-", ":": ",", "，": "、", "。": "！", "、": "，"}


class Case(NamedTuple):
    """An altered quote of a text and where it was taken from."""

    kind: str
    quote: str
    span: Span


def altered(text: str, rng: random.Random, n_quotes: int) -> list[Case]:
    """Return `n_quotes` quotes of 6 to 30 words (12 to 60 signs of Han and kana) of `text`, a fifth of each kind.

    A quote begins and ends with a word, or, for half of them, takes the punctuation after its last word along. Quotes that
    stand twice in the text are left out: their place would be a matter of luck.
    """
    words = list(_TOKEN.finditer(text))
    cases: list[Case] = []
    while len(cases) < n_quotes:
        kind = KINDS[len(cases) % len(KINDS)]
        first = rng.randrange(len(words) - 8)
        unspaced = re.fullmatch(f"[{CJK}]", words[first].group()) is not None
        size = rng.randint(12, 60) if unspaced else rng.randint(6, 30)
        chosen = words[first : first + size]
        start, end = chosen[0].start(), chosen[-1].end()
        if rng.random() < 0.5:
            while end < len(text) and not text[end].isalnum() and not text[end].isspace():
                end += 1
        quote = text[start:end]
        if len(chosen) < 6 or text.count(quote) > 1:
            continue
        changed = _changed(kind, quote, [(w.start() - start, w.end() - start) for w in chosen], unspaced, rng)
        if kind == "exact" or changed != quote:
            cases.append(Case(kind, changed, Span(start, end)))
    return cases


def _changed(kind: str, quote: str, words: list[tuple[int, int]], unspaced: bool, rng: random.Random) -> str:
    if kind == "exact":
        return quote
    if kind == "punctuation":
        return "".join(_OTHER.get(sign, sign) for sign in quote) if rng.random() < 0.7 else _without_inner_marks(quote)
    if kind == "typos":
        return _mistyped(quote, rng)
    step = 2 if unspaced else 1
    if kind == "dropped":
        at = rng.randrange(1, len(words) - step)
        return quote[: words[at][0]] + quote[words[at + step - 1][1] :].lstrip(" ")
    at = rng.randrange(0, len(words) - 2 * step + 1)
    (a, b), (c, d) = (words[at][0], words[at + step - 1][1]), (words[at + step][0], words[at + 2 * step - 1][1])
    return quote[:a] + quote[c:d] + quote[b:c] + quote[a:b] + quote[d:]


def _without_inner_marks(quote: str) -> str:
    last = max(i for i, sign in enumerate(quote) if sign.isalnum())
    return "".join(sign for i, sign in enumerate(quote) if i > last or sign not in ",;:，、“”‘’\"")


def _mistyped(quote: str, rng: random.Random) -> str:
    """One typo per 40 signs, at least one: a letter replaced, lost, doubled or swapped with the next one."""
    signs = list(quote)
    for _ in range(max(1, len(quote) // 40)):
        letters = [i for i in range(1, len(signs) - 2) if signs[i].isalnum() and signs[i + 1].isalnum()]
        if not letters:
            break
        at = rng.choice(letters)
        match rng.randrange(4):
            case 0:
                signs[at] = rng.choice([sign for sign in quote if sign.isalnum()])
            case 1:
                del signs[at]
            case 2:
                signs.insert(at, signs[at])
            case _:
                signs[at], signs[at + 1] = signs[at + 1], signs[at]
    return "".join(signs)
