"""Language detection by script and by the commonest function words of the languages with a table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from analyzer.text.languages import language_table, languages

_SAMPLE = 60_000
"""Code points looked at, from three places: enough that the shares stand still (they move under 1 % beyond 20,000)."""

_SCRIPTS = (
    ("Latin", "AZazÀɏḀỿ"),
    ("Cyrillic", "Ѐԯ"),
    ("Hangul", "가힣ᄀᇿㄱㆎ"),
    ("Kana", "ぁゖァヺーー"),
    ("Han", "\u3400\u4dbf\u4e00\u9fff\uf900\ufaff\U00020000\U000323af"),
)
"""First and last signs of the stretches of every script, in turn."""

_WORD = re.compile(r"[^\W\d_]+")
_LEAST_SHARE = 0.12
"""Share of function words from which a language is named; running prose of a language of the tables has 0.2 to 0.4."""

_LEAST_KANA = 0.1
"""Kana of kana and Han from which the text is Japanese; Japanese prose has 0.5 to 0.8, Chinese none."""

_ONE_SCRIPT = 0.8
"""Share of one script among the signs that only one of the two Chinese scripts has, from which it is named."""


def detect_language(text: str) -> tuple[str, float]:
    """Return the tag of the language of `text` and a certainty from 0 to 1; ("und", …) where no table fits.

    A tag with a script names Chinese: "zh-Hans" or "zh-Hant" by the signs only one of them has, "zh" where both stand
    or neither. `language_table` takes any tag returned. A ranking, not a frequency.
    """
    sample = _sample(text)
    counts, n_letters = _counted(sample)
    if not n_letters:
        return "und", 0.0
    east = {"ko": counts["Hangul"], "cjk": counts["Kana"] + counts["Han"]}
    weights = {"Latin": counts["Latin"], "Cyrillic": counts["Cyrillic"], **{k: v * 3 for k, v in east.items()}}
    script = max(weights, key=lambda name: weights[name])
    known = counts["Latin"] + counts["Cyrillic"] + sum(east.values())
    if known * 2 < n_letters or not weights[script]:
        return "und", round(1 - known / n_letters, 2)
    share = weights[script] / sum(weights.values())
    if script == "ko":
        return "ko", round(share, 2)
    if script == "cjk":
        kana = counts["Kana"] / east["cjk"]
        if kana >= _LEAST_KANA:
            return "ja", round(min(share, 0.5 + kana), 2)
        return _chinese(sample, min(share, 1 - kana))
    tag, certainty = _by_words(sample, script)
    return tag, round(min(share, certainty), 2)


def script_of(text: str) -> str:
    """Return the script most letters of `text` are in ("Kana" where a tenth of Han and kana is), or "" where none has three in five."""
    found, n_letters = _counted(text)
    counts = dict(found)
    east = counts["Han"] + counts["Kana"]
    if counts["Kana"] >= east * _LEAST_KANA:
        counts |= {"Kana": east, "Han": 0}
    script = max(counts, key=lambda name: counts[name])
    return script if counts[script] * 5 >= max(1, n_letters) * 3 else ""


def n_letters_of(sample: str) -> int:
    """Return how many signs of a sample are letters."""
    return _counted(sample)[1]


@lru_cache(maxsize=2)
def _counted(sample: str) -> tuple[Mapping[str, int], int]:
    """Return how many signs are of which script, and how many are letters: every sign is looked at once, however often it stands."""
    counts = {name: 0 for name, _ in _SCRIPTS}
    n_letters = 0
    for ch, n in Counter(sample).items():
        if ch.isalpha():
            n_letters += n
        name = _script_of(ch)
        if name:
            counts[name] += n
    return counts, n_letters


@lru_cache(maxsize=65_536)
def _script_of(ch: str) -> str:
    for name, bounds in _SCRIPTS:
        if any(first <= ch <= last for first, last in zip(bounds[::2], bounds[1::2], strict=True)):
            return name
    return ""


def primary(tag: str) -> str:
    """Return the language of a tag without script and region: "zh" of "zh-Hant"."""
    return tag.split("-")[0].lower()


def _sample(text: str) -> str:
    if len(text) <= _SAMPLE:
        return text
    size = _SAMPLE // 3
    middle = len(text) // 2
    return text[size : 2 * size] + text[middle : middle + size] + text[-2 * size : -size]


class _Lists(NamedTuple):
    """The commonest words of the languages written in a script, by tag, and for every word the tags that have it."""

    tags: tuple[str, ...]
    owners: dict[str, tuple[str, ...]]


@lru_cache(maxsize=8)
def _lists(script: str) -> _Lists:
    """Return the lists of a script; those without a table stand under a number."""
    tables = {tag: language_table(tag).script for tag in languages()}
    found = {tag: frozenset(rules["common"]) for tag, rules in tables.items() if script in rules["names"]}
    for number, row in enumerate(tables["und"]["neighbours"]):
        first, *words = row.split()
        if first == script:
            found[str(number)] = frozenset(words)
    owners: dict[str, list[str]] = {}
    for tag, common in found.items():
        for word in common:
            owners.setdefault(word, []).append(tag)
    return _Lists(tuple(found), {word: tuple(tags) for word, tags in owners.items()})


@lru_cache(maxsize=1)
def _chinese_signs() -> tuple[frozenset[str], frozenset[str]]:
    script = language_table("zh").script
    return frozenset(script["simplified"]), frozenset(script["traditional"])


def _chinese(sample: str, certainty: float) -> tuple[str, float]:
    """Return which of the two scripts Chinese is written in; mixed or without any sign that tells it is "zh"."""
    signs = Counter(sample)
    n_simplified, n_traditional = (sum(signs[ch] for ch in own) for own in _chinese_signs())
    total = n_simplified + n_traditional
    share = max(n_simplified, n_traditional) / total if total else 0.0
    if share < _ONE_SCRIPT:
        return "zh", round(certainty, 2)
    return "zh-Hans" if n_simplified > n_traditional else "zh-Hant", round(min(certainty, share), 2)


def _by_words(sample: str, script: str) -> tuple[str, float]:
    """Return the language whose function words are commonest; one that several languages have counts a part for each.

    Languages without a table are ranked too: where one of them comes first no table fits.
    """
    words = Counter(map(str.casefold, _WORD.findall(sample)))
    known = _lists(script)
    weights, counts = dict.fromkeys(known.tags, 0.0), dict.fromkeys(known.tags, 0)
    for word, n in words.items():
        owners = known.owners.get(word, ())
        for tag in owners:
            weights[tag] += n / len(owners)
            counts[tag] += n
    ranked = sorted(weights, key=lambda tag: (-weights[tag], tag))
    share = counts[ranked[0]] / words.total() if ranked else 0.0
    if share < _LEAST_SHARE:
        return "und", round(1 - share, 2)
    second = weights[ranked[1]] if len(ranked) > 1 else 0.0
    certainty = round(1 - (second / weights[ranked[0]]) ** 2, 2)  # neighbours share a third of their words at most
    return (ranked[0] if ranked[0] in languages() else "und"), certainty
