"""Ids of a site: given as the story is told, so that none of them says anything of later chapters or of how the book was analysed.

The cast is addressed by a hash of kind and name at entrance; all other rows count up in the order of the story.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

Fields = dict[str, Any]
_LETTERS = 10
"""Letters of a cast id after its `e`: 50 bits, so that two of 10,000 share one once in 20 million books; those two are told apart."""
_NAME_LETTERS = 20


def short_hash(*parts: str, letters: int = _NAME_LETTERS) -> str:
    """Return the first letters of a hash of words, a to z and 2 to 7."""
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()
    return base64.b32encode(digest).decode("ascii").lower()[:letters]


def ordered_json(value: object) -> str:
    """Return a value as JSON in which equal values are equal strings."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


class Ids:
    """The ids given so far. What is asked for a second time keeps its id."""

    def __init__(self) -> None:
        self._cast: dict[str, str] = {}
        self._arrival: dict[str, int] = {}
        self._taken: set[str] = set()
        self._numbers: dict[str, dict[tuple[Hashable, int], str]] = {}

    def enter(self, handle: str, kind: str, name: str) -> str:
        """Return the id of one of the cast, given now if it has none: call in the order of the story."""
        if handle not in self._cast:
            again = 0
            while (found := "e" + short_hash(kind, name, str(again or ""), letters=_LETTERS)) in self._taken:
                again += 1
            self._taken.add(found)
            self._cast[handle] = found
            self._arrival[handle] = len(self._arrival)
        return self._cast[handle]

    def __contains__(self, handle: str) -> bool:
        return handle in self._cast

    def of(self, handle: str) -> str:
        """Return the id of one of the cast that has entered."""
        return self._cast[handle]

    def arrival(self, handle: str) -> int:
        """Return the place of one of the cast in the order of entrance."""
        return self._arrival[handle]

    def numbers(self, row_class: str) -> dict[Any, str]:
        """Return the numbers of a class by what its rows are known by, those of the first of equals."""
        return {key: number for (key, again), number in self._numbers.get(row_class, {}).items() if not again}

    def numbered(self, row_class: str, rows: Iterable[tuple[Hashable, Fields]]) -> dict[str, Fields]:
        """Return rows by number, in order of numbers: `rows` come with what they are known by from one chapter to the next.

        New ones are numbered by chapter and place of their first words, then by what they say, whatever order they come in.
        """
        numbers = self._numbers.setdefault(row_class, {})
        known: dict[tuple[Hashable, int], Fields] = {}
        for key, fields in rows:
            again = 0
            while (named := (key, again)) in known:
                again += 1
            known[named] = fields
        new = sorted((key for key in known if key not in numbers), key=lambda key: _stands(known[key]))
        for key in new:
            numbers[key] = str(len(numbers) + 1)
        found = {numbers[key]: fields for key, fields in known.items()}
        return {number: found[number] for number in sorted(found, key=int)}


def _stands(fields: Mapping[str, Any]) -> tuple[int, int, int, str]:
    """Return where a row stands in the story, and what it says."""
    chapter = fields.get("c", fields.get("since", 0))
    quotes = fields.get("q") or [[chapter, fields.get("place", ""), "", ""]]
    block, _, sentence = str(quotes[0][1]).partition(".")
    return int(chapter), int(block or 0), int(sentence or 0), ordered_json(fields)
