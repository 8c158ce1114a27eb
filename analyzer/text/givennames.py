"""Given names with what belongs to them: patronymics (Родион Романович) and short forms (Родя, Paco), by the table's lists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from analyzer.text.candidates.lexicon import word_list, word_set
from analyzer.text.languages import LanguageTable
from analyzer.text.namefold import fold_name

_SHORTEST = 5
"""Letters of the shortest patronymic (Кузьмич has 7, Ильич 5)."""


@lru_cache(maxsize=32)
def short_names(table: LanguageTable) -> dict[str, str]:
    """Return short form -> full given name, both folded; rows of `[names] short_names` hold the full name first.

    A short form of several names (Саша) stands in no row.
    """
    rows = [fold_name(row).split() for row in word_list(table.names, "short_names")]
    return {short: row[0] for row in rows for short in row[1:]}


@lru_cache(maxsize=32)
def _endings(table: LanguageTable) -> tuple[str, ...]:
    return word_list(table.names, "patronymics")


def is_patronymic(word: str, table: LanguageTable) -> bool:
    """Return whether a folded word is a father's name by its ending."""
    endings = _endings(table)
    return bool(endings) and len(word) >= _SHORTEST and word.endswith(endings)


def with_patronymics(words: Sequence[str], table: LanguageTable) -> tuple[str, ...]:
    """Return folded words with given name and patronymic as one, before the family name even where that leads.

    Together they tell people apart as a full name does elsewhere: two Petrs with other fathers are two people.
    """
    if not _endings(table):
        return tuple(words)
    joined: list[str] = []
    for word in words:
        if joined and " " not in joined[-1] and is_patronymic(word, table):
            joined[-1] += f" {word}"
        else:
            joined.append(word)
    if len(joined) == 2 and " " in joined[1] and " " not in joined[0]:
        joined.reverse()
    return tuple(joined)


@lru_cache(maxsize=32)
def _given(table: LanguageTable) -> frozenset[str]:
    return frozenset(map(fold_name, word_set(table.names, "given_names")))


def root_of(name: str, table: LanguageTable) -> str:
    """Return the full given name that a folded name begins with ("родион" of "родя"); "" where it is none that is known.

    Always "" in a language whose table lists no short names.
    """
    short = short_names(table)
    first = name.split(" ")[0]
    known = short and (first in short or first in _given(table) or " " in name)
    return short.get(first, first) if known else ""
