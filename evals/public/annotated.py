"""What an annotated text says, whichever set it is from: people and places by their printed names, and what the set knows beside.

A place is told in the set's own terms (sentence and token, scene and code point, chapter), as a string: errors are listed
by it, so that no sentence of a set needs to be printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from analyzer.models.facts import EntityKind
from analyzer.text.languages import language_table
from analyzer.text.namefold import core_name, fold_name

_SHORT = 2
"""Syllables of a Korean name that ends in 이 by itself at most ("동이")."""


class Printed(NamedTuple):
    """Words of an annotation as printed, and where they stand in the set's own terms."""

    text: str
    at: str


@dataclass(frozen=True)
class Chain:
    """Somebody or something: mentions by name, and descriptions. `kinds` are the entity kinds that are right, the likeliest first.

    `names` empty: it has no name in this text.
    """

    id: str
    kinds: tuple[EntityKind, ...]
    names: tuple[Printed, ...] = ()
    descriptions: tuple[Printed, ...] = ()

    @property
    def group(self) -> str:
        """`people`, `places` or `groups and things`."""
        return {"character": "people", "place": "places"}.get(self.kinds[0], "groups and things")

    @property
    def forms(self) -> frozenset[str]:
        """Every name, as printed."""
        return frozenset(name.text for name in self.names)

    @property
    def at(self) -> str:
        """Where it stands first."""
        return (*self.names, *self.descriptions)[0].at if self.names or self.descriptions else self.id


class Sentence(NamedTuple):
    """`[start, end)` of the text, and the chains somebody marked in it."""

    start: int
    end: int
    chains: frozenset[str]
    at: str


class Kinship(NamedTuple):
    """A relation between two chains; `kinds` are the kinds that are right, canonical direction. `stated` is where, `[start, end)`."""

    subject: str
    kinds: tuple[str, ...]
    object: str
    stated: tuple[int, int]
    at: str


@dataclass(frozen=True)
class Document:
    """A text with its annotation; `present` maps offsets where chapters begin to the chains that take part in them.

    `unlisted` are pairs of chains of which the set says something that no kind answers to: neither right nor wrong.
    """

    name: str
    text: str
    language: str
    chains: tuple[Chain, ...] = ()
    present: Mapping[int, frozenset[str]] = field(default_factory=dict)
    sentences: tuple[Sentence, ...] = ()
    kinships: tuple[Kinship, ...] = ()
    unlisted: frozenset[frozenset[str]] = frozenset()

    @property
    def n_words(self) -> float:
        """Words, or pairs of characters in a script without spaces."""
        return float(len(self.text.split())) if " " in self.text[:400] else len(self.text) / 2


def key_of(surface: str, language: str) -> str:
    """Return a form as names are compared here: folded, without titles and articles."""
    return core_name(fold_name(surface), language_table(language))


def tail_of(form: str) -> str:
    """Return the capitalised words a form ends in ("the judicious Hooker": "Hooker"), all of it where there are none."""
    words = form.split()
    at = len(words)
    while at and words[at - 1][:1].isupper():
        at -= 1
    return " ".join(words[at:]) or form


def keys_of(forms: Iterable[str], language: str) -> set[str]:
    """Return the keys of forms and of their tails; Korean names with and without the ending that makes them familiar."""
    whole = set(forms)
    if language == "ko":
        whole |= {form.removesuffix("이") for form in whole if len(form) > _SHORT}
    return {key_of(form, language) for form in whole} | {key_of(tail_of(form), language) for form in whole}
