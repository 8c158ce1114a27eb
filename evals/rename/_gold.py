"""A gold chapter with its names and its offsets moved; block numbers, ids and everything said in closed words stay."""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping, Sequence
from typing import Any

from analyzer.hashing import bytes_sha256
from analyzer.models.gold import GoldChapter
from evals.rename._edits import Moved
from evals.rename._forms import Bearer, Form
from evals.rename._renaming import Renaming, begins_sentence

_STRINGS = ("names", "descriptors", "to", "value", "persona", "proposition", "what")
"""The fields of gold that are words about the story."""
_ASCII_WORDS = re.compile(r"[A-Z][a-z'’-]+(?: [A-Z][a-z'’-]+)*")


def bearers_of(golds: Sequence[GoldChapter]) -> tuple[Bearer, ...]:
    """Return every named entity of all chapters, with all its names; the kind is that of its first chapter."""
    kinds: dict[str, str] = {}
    names: dict[str, dict[str, None]] = {}
    for gold in golds:
        for entity in gold.entities:
            kinds.setdefault(entity.id, entity.kind)
            names.setdefault(entity.id, {}).update(dict.fromkeys(entity.names))
    return tuple(Bearer(id, kinds[id], tuple(found)) for id, found in names.items() if found)


class InGold:
    """Says where a name that is a word too is meant: in the blocks that gold gives for it, elsewhere only inside a sentence."""

    def __init__(self, golds: Sequence[GoldChapter], text: str, *, cased: bool) -> None:
        self._golds = sorted(golds, key=lambda gold: gold.body_start)
        self._text = text
        self._cased = cased

    def __call__(self, at: int, form: Form) -> bool:
        """Tell whether the name is meant at an offset of the whole text."""
        for gold in self._golds if not form.loose else ():
            if gold.body_start <= at < gold.body_end:
                block = bisect.bisect_right(gold.block_starts, at)
                return any(block in e.blocks for e in gold.entities if e.id in form.bearers)
        return self._cased and not begins_sentence(self._text, at)


def moved_chapter(
    raw: Mapping[str, Any], gold: GoldChapter, moved: Moved, renaming: Renaming, *, base: int, number: int
) -> dict[str, Any]:
    """Return a gold chapter for the renamed text; `base` is what was cut off before it, `number` its new position."""
    start, end = moved.at(gold.body_start), moved.at(gold.body_end, end=True)
    starts = [moved.at(at) for at in gold.block_starts]
    mover = _Mover(gold, moved, starts, renaming)
    made = {key: mover.value(key, value) for key, value in raw.items()}
    made |= {
        "edition": f"{gold.edition or gold.book}, renamed",
        "edition_chapter": number,
        "language": gold.language,
        "body_start": start - base,
        "body_end": end - base,
        "block_starts": [at - base for at in starts],
        "body_sha256": bytes_sha256(moved.text[start:end].encode()),
    }
    made.pop("text_sha256", None)
    return made


class _Mover:
    """Moves one chapter's fields."""

    def __init__(self, gold: GoldChapter, moved: Moved, starts: Sequence[int], renaming: Renaming) -> None:
        self._gold = gold
        self._moved = moved
        self._starts = starts
        self._renaming = renaming
        self._latin = romanised(gold, renaming)

    def value(self, key: str, value: Any) -> Any:
        """Return a field's value in the renamed chapter."""
        if key in _STRINGS and isinstance(value, str):
            return self._string(key, value)
        if isinstance(value, list):
            return [self.value(key, one) for one in value]
        if isinstance(value, dict):
            if {"block", "start", "end"} <= value.keys():
                return self._evidence(value)
            return {name: self.value(name, one) for name, one in value.items()}
        return value

    def _string(self, key: str, text: str) -> str:
        if key == "names":
            return self._renaming.name(text)
        new = self._renaming.string(text)
        return _ASCII_WORDS.sub(self._romanised, new) if self._latin else new

    def _romanised(self, found: re.Match[str]) -> str:
        """Return the names of a text in another script that a reader wrote in Latin letters, in the text's own script."""
        words = found.group().split(" ")
        whole = self._latin.get(_letters("".join(words)))
        if whole is not None:
            return whole
        return " ".join(self._one(word) for word in words)

    def _one(self, word: str) -> str:
        stem = re.sub(r"['’]s$", "", word)
        new = self._latin.get(_letters(stem))
        return word if new is None else new + word[len(stem) :]

    def _evidence(self, place: Mapping[str, Any]) -> dict[str, Any]:
        block = place["block"]
        base = self._gold.block_starts[block - 1]
        span = self._moved.span(base + place["start"], base + place["end"])
        new = self._starts[block - 1]
        return {**place, "start": span.start - new, "end": span.end - new}


def _letters(word: str) -> str:
    return re.sub(r"[^a-z]", "", word.casefold())


def romanised(gold: GoldChapter, renaming: Renaming) -> dict[str, str]:
    """Return Latin spellings of renamed entities (their ids say them) with the new name; nothing in scripts with capitals."""
    if renaming.lexicon.cased:
        return {}
    found: dict[str, str] = {}
    for entity in gold.entities:
        images = [new for name in entity.names if (new := renaming.name(name)) != name]
        words = [word for word in entity.id.split("_") if len(word) > 2]
        if images and words:
            found["".join(entity.id.split("_"))] = max(images, key=len) if len(words) > 1 else _usual(images)
            if len(words) > 1:
                found.setdefault(words[-1], _usual(images))
    return found


def _usual(images: Sequence[str]) -> str:
    return min((image for image in images if len(image) > 1), key=len, default=images[0])
