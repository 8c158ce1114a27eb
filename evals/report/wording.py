"""How figures, labels and words of a manuscript are written in a report, and the marks a run is held against."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from analyzer.cli._screen import safe
from evals.records import Figure, Label

RECALL_MARK, PRECISION_MARK, CENTS_MARK = 0.85, 0.95, 1.0
"""Core relations found, statements right, US cents for 4,000 words. Source: the project's promise."""
WORDS_UNIT = 4000
"""Length of a usual chapter, in words, to which money is brought."""
LONGEST = 300
"""Characters of one piece of text; what is longer is cut and says so."""

LABELS: dict[Label, tuple[str, str]] = {
    "truthful": (
        "truthful answers",
        "Every question was answered from the gold itself: this is the most that any model could reach with these questions,"
        " and no model's score.",
    ),
    "simulated": (
        "simulated answers",
        "The answers are those of the gold with errors mixed in on purpose; no model was asked.",
    ),
    "rules": ("rules, no model", "No model was asked: fixed rules answered from the words on the page."),
    "adversary": (
        "adversary",
        "The answers were made to do harm, to see what the checks let through; no model was asked.",
    ),
    "by hand": ("answered by hand", "A reader who saw nothing but the questions as sent answered them once."),
    "local model": ("local model", "A small model on the machine itself answered."),
    "provider": ("provider's model", "A provider's model answered."),
}
"""For each label what stands beside every figure, and what it means."""
CLASS_NAMES = {
    "entity": "people, places and things",
    "relation": "relations",
    "change": "changes",
    "appearance": "looks",
    "identity": "identities",
    "secret": "secrets",
    "knowledge": "who knows what",
    "plant": "plants",
}
LANGUAGE_NAMES = {
    "en": "English",
    "ko": "Korean",
    "zh": "Chinese",
    "ja": "Japanese",
    "fr": "French",
    "de": "German",
    "ru": "Russian",
    "es": "Spanish",
}
NOTHING = "–"
"""Where there is nothing to count: no share, which is not zero."""


def shown(text: object, limit: int = LONGEST) -> str:
    """Return somebody else's text as one line that steers nothing, at most `limit` characters and what was cut told."""
    line = safe(text)
    return line if len(line) <= limit else f"{line[:limit].rstrip()}… ({len(line) - limit:,} more characters)"


def language_name(tag: str) -> str:
    """Return a language's English name, or its tag."""
    return LANGUAGE_NAMES.get(tag.split("-")[0].lower(), shown(tag, 20) or "unknown")


def percent(share: float | None) -> str:
    """Return a share as "96.8 %"; only a whole is 100.0 %, only nothing 0.0 %."""
    if share is None:
        return NOTHING
    value = round(share * 100, 1)
    if value == 100 and share < 1:
        value = 99.9
    elif value == 0 and share > 0:
        value = 0.1
    return f"{value:.1f} %"


def amount(number: float) -> str:
    """Return a count, whole where it is whole."""
    return f"{number:,.0f}" if float(number).is_integer() else f"{number:,.1f}"


def of_n(figure: Figure) -> str:
    """Return "150 of 155"."""
    return f"{amount(figure.hit)} of {amount(figure.n)}" if figure.n else NOTHING


def share_of_n(figure: Figure) -> str:
    """Return "96.8 % of 155"."""
    return f"{percent(figure.share)} of {amount(figure.n)}" if figure.n else NOTHING


def interval(figure: Figure) -> str:
    """Return "94.1–98.9", with a w behind it where it is Wilson's."""
    if figure.low is None or figure.high is None:
        return NOTHING
    return f"{figure.low * 100:.1f}–{figure.high * 100:.1f}{' w' if figure.interval == 'wilson' else ''}"


def figure_cells(figure: Figure) -> tuple[str, str, str]:
    """Return a figure as three cells: share, hits of n, interval."""
    return percent(figure.share), of_n(figure), interval(figure)


def cents(value: float | None) -> str:
    """Return US cents with three significant places below one; – for None."""
    return NOTHING if value is None else f"{value:.3f}" if value < 10 else f"{value:,.1f}"


def against(figure: Figure, mark: float) -> str:
    """Return in words where a share stands against its mark, the interval taken along."""
    if figure.share is None:
        return "nothing to count"
    above = figure.share >= mark
    low, high = figure.low, figure.high
    sure = low is not None and high is not None and (low >= mark if above else high < mark)
    return ("above" if above else "below") + (" the mark" if sure else " the mark, but the interval reaches across")


def width(text: str) -> int:
    """Return how many columns text takes: wide characters are two, combining ones none."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )


def counted_words(number: int, one: str, many: str = "") -> str:
    """Return "1 chapter", "12 chapters"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(words: Sequence[str]) -> str:
    """Return words as a list in a sentence."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""
