"""Quote location: a fifth each exact, punctuation changed, typos, a word dropped, two words swapped; right means both ends."""

from __future__ import annotations

import json
import random
import re
import time
from pathlib import Path
from typing import NamedTuple

from rapidfuzz import fuzz

from analyzer.models.text import Span
from analyzer.text.fold import CJK
from analyzer.text.locate import LEAST_SCORE, Locator
from evals.bench import Row, generated_novel

_TOKEN = re.compile(f"[{CJK}]|[^\\W_{CJK}]+(?:['’][^\\W_]+)*")
KINDS = ("exact", "punctuation", "typos", "dropped", "swapped")
_OTHER = {
    ",": ";",
    ";": ",",
    ".": "!",
    "!": ".",
    "?": ".",
    "“": '"',
    "”": '"',
    "’": "'",
    "—": "-",
    ":": ",",
    "，": "、",
    "。": "！",
    "、": "，",
}


_TEXTS = ("count-of-monte-cristo-en", "youth-ko", "xiyouji-zh", "kokoro-ja", "comte-de-monte-cristo-fr")
_CHAPTER = 23_000  # code points of a long chapter, the size the target is set for
_N_QUOTES = 2_000


class Case(NamedTuple):
    """An altered quote of a text and where it was taken from."""

    kind: str
    quote: str
    span: Span


def bench_locate(data: Path | None) -> list[Row]:
    """Return, for each text: percent right (both ends) and quotes a processor second, with rapidfuzz alone as the reference.

    Also how many quotes of another chapter are located in this one, which should be next to none.
    """
    texts = {slug: _chapters(data / "texts" / slug) for slug in _TEXTS} if data is not None else _generated()
    return [row for name, (text, other) in texts.items() for row in _measured(name, text, other)]


def _generated() -> dict[str, tuple[str, str]]:
    words, signs = generated_novel(2 * _CHAPTER), _generated_signs()
    return {
        "generated words": (words[:_CHAPTER], words[_CHAPTER:]),
        "generated signs": (signs[:_CHAPTER], signs[_CHAPTER:]),
    }


def _generated_signs() -> str:
    rng = random.Random(11)
    signs = [chr(code) for code in rng.sample(range(0x4E00, 0x9FA0), 1500)]
    weights = [1 / (rank + 5) for rank in range(len(signs))]
    lines = ("".join(rng.choices(signs, weights, k=rng.randint(8, 30))) + rng.choice("。，！") for _ in range(2600))
    return "".join(lines)


def _chapters(folder: Path) -> tuple[str, str]:
    """Return the two chapters nearest to the target size, cut there."""
    book = (folder / "book.txt").read_text("utf-8")
    chapters = json.loads((folder / "chapters.json").read_text("utf-8"))["chapters"]
    nearest = sorted(chapters, key=lambda chapter: abs(chapter["end"] - chapter["body_start"] - _CHAPTER))[:2]
    first, second = (book[chapter["body_start"] : chapter["end"]][:_CHAPTER] for chapter in nearest)
    return first, second


def _measured(name: str, text: str, other: str) -> list[Row]:
    cases = altered(text, random.Random(5), _N_QUOTES)
    locator = Locator(text)
    locator.locate("zyx wvu")  # the indexes are built once a chapter, not once a quote
    started = time.process_time()
    located = [locator.locate(case.quote) for case in cases]
    ours = len(cases) / (time.process_time() - started)
    started = time.process_time()
    aligned = [fuzz.partial_ratio_alignment(case.quote, text) for case in cases[:200]]
    reference = 200 / (time.process_time() - started)
    right = {kind: 0 for kind in KINDS}
    for case, found in zip(cases, located, strict=True):
        right[case.kind] += found is not None and Span(found.start, found.end) == case.span
    by_alignment = sum(
        found is not None and Span(found.dest_start, found.dest_end) == case.span
        for case, found in zip(cases, aligned, strict=False)
    )
    strangers = [locator.locate(case.quote) for case in altered(other, random.Random(6), 200)]
    share = 100 * len(KINDS) / len(cases)
    return [
        Row(f"locate {name}: text", len(text), "chars"),
        *(Row(f"locate {name}: {kind} right", right[kind] * share, "%") for kind in KINDS),
        Row(
            f"locate {name}: right",
            sum(right.values()) * 100 / len(cases),
            "%",
            sum(right.values()) / len(cases) / (by_alignment / 200),
        ),
        Row(f"locate {name}: speed", ours, "quotes/s", ours / reference),
        Row(f"locate {name}: strangers above {LEAST_SCORE}", sum(found is not None for found in strangers) / 2, "%"),
    ]


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
    return "".join(sign for i, sign in enumerate(quote) if i > last or sign not in ',;:，、“”‘’"')


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
