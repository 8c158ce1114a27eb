"""Case forms of names, in languages that decline them: which spellings a known name has, and which name a spelling is of.

The rules are data of the table: `[names] cases` holds `ending>form,form …`, the first that fits a word, forms in a fixed
order of cases with `/` between ways to write one. `case_words` says whether every word of a name is declined or the last.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from analyzer.text.languages import LanguageTable

_MOST_WORDS = 4
"""Words of a name that is declined; longer ones are phrases and stand in one form."""


class _Rules(NamedTuple):
    endings: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]
    last_only: bool
    given: frozenset[str]
    fixed: frozenset[str]
    clitics: tuple[str, ...]


def _listed(table: LanguageTable, key: str) -> list[str]:
    raw = table.names.get(key, ())
    return raw.split() if isinstance(raw, str) else [str(word) for word in raw]


@lru_cache(maxsize=32)
def _rules(table: LanguageTable) -> _Rules:
    rows = [row.partition(">")[::2] for row in _listed(table, "cases")]
    return _Rules(
        tuple((ending, tuple(tuple(case.split("/")) for case in forms.split(",") if case)) for ending, forms in rows),
        table.names.get("case_words") == "last",
        frozenset(_listed(table, "given_names")),
        frozenset(_listed(table, "particles")),
        tuple(_listed(table, "clitics")),
    )


def declines(table: LanguageTable) -> bool:
    """Return whether names have case forms in this language."""
    return bool(_rules(table).endings)


@lru_cache(maxsize=65536)
def case_forms(surface: str, table: LanguageTable) -> tuple[str, ...]:
    """Return the other forms `surface` is declined to, in the order of the cases; empty where the language has none.

    A form that is a given name of its own (Александра of Александр) is left out: it would be taken for another person.
    """
    rules = _rules(table)
    words = surface.split(" ")
    if not rules.endings or len(words) > _MOST_WORDS:
        return ()
    declined = [_cases(word, rules) for word in words]
    if rules.last_only:
        declined[:-1] = [()] * (len(words) - 1)
    n_cases = max(map(len, declined))
    found: dict[str, None] = {}
    for case in range(n_cases):
        ways = [forms[case] if case < len(forms) else (word,) for word, forms in zip(words, declined, strict=True)]
        found |= dict.fromkeys(" ".join(way) for way in product(*ways))
    return tuple(form for form in found if form != surface and form.lower() not in rules.given)


def _cases(word: str, rules: _Rules) -> tuple[tuple[str, ...], ...]:
    lower = word.lower()
    if lower in rules.fixed or len(word) < 2:
        return ()
    for ending, cases in rules.endings:
        if lower.endswith(ending):
            stem = word[: len(word) - len(ending)]
            return tuple(tuple(_joined(stem, form, word) for form in case) for case in cases)
    return ()


def _joined(stem: str, form: str, word: str) -> str:
    if word.isupper() and len(word) > 1:
        return stem + form.upper()
    return stem + form if stem else form.capitalize() if word[0].isupper() else form


def nominative(surface: str, table: LanguageTable, n_found: Callable[[str], int]) -> str:
    """Return the name of which `surface` is a case form, the one `n_found` counts most often; else `surface` itself.

    Only a name that stands somewhere is taken, and a third as often as the form: a rare one is another word. One word; a
    longer name is its own. A particle written onto the end with a hyphen (Соню-то) is cut off.
    """
    rules = _rules(table)
    surface = next((surface[: -len(end)] for end in rules.clitics if surface.endswith(end)), surface)
    if not rules.endings or " " in surface or surface.lower() in rules.given:
        return surface
    possible = {
        surface[: len(surface) - len(form)] + ending
        for ending, cases in rules.endings
        for case in cases
        for form in case
        if len(surface) > len(form) + 1 and surface.endswith(form)
    }
    real = [name for name in possible if n_found(name) and surface in case_forms(name, table)]
    real = [name for name in real if not any(name in case_forms(other, table) for other in real)]
    best = max(real, key=lambda name: (n_found(name), name), default=surface)
    return best if n_found(best) * 3 >= max(3, n_found(surface)) else surface
