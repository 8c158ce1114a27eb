"""Threads from gold plants.

Gold gives each chapter's items without ids across chapters. `linked` finds for every item that is no plant the earlier one
it goes on with, by the words of both, the words of their sentences, the entities these name, and their kinds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from analyzer.llm.transports.gold_book import GoldView
from analyzer.llm.transports.gold_story._items import NOBODY, field as field_of, listed, note, picked, places_of
from analyzer.models.gold import GoldChapter, GoldItem
from analyzer.models.question import Answer, Question
from analyzer.models.text import Place
from analyzer.text.fold import fold_name
from analyzer.text.wordbags import word_bag

ENOUGH = 0.20
"""Least likeness of an item and an earlier one. Source: read by hand over the own serials."""
CLOSED = 0.75
"""Share of its likeness that a thread keeps once gold has it paid: it may be spoken of again."""
ORDER = ("reinforce", "trigger", "partial_payoff", "abandon", "subvert", "payoff")
STARTS = ("new", "kept", "answer")
MAX_PLACES = 3


@dataclass(frozen=True)
class Slot:
    """The kind and sentence under which an item of the chapter is noticed; each has its own."""

    kind: str
    place: Place


@dataclass
class _Chain:
    """A thread as gold tells it: its items' words so far, and whether it is paid."""

    chapter: int
    item: GoldItem
    words: Counter[str] = field(default_factory=Counter)
    kinds: set[str] = field(default_factory=set)
    closed: bool = False


class _View:
    """A view as such: what is worked out of it is kept beside it."""

    def __init__(self, view: GoldView) -> None:
        self.view = view

    def __hash__(self) -> int:
        return id(self.view)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _View) and self.view is other.view


@lru_cache(maxsize=64)
def _slots(of: _View) -> dict[int, Slot]:
    """Return each item's slot by its place in gold: its own kind and first sentence, else what is free of the others."""
    view, found = of.view, dict[int, Slot]()
    taken: set[Slot] = set()
    order = sorted(range(len(view.gold.plants)), key=lambda i: (view.gold.plants[i].level != "core", i))
    for index in order:
        item = view.gold.plants[index]
        kinds = (field_of(item, "kind"), *listed(item, "alternates"))
        ways = [Slot(kind, place) for kind in kinds for place in places_of(item, view, limit=100)]
        free = next((way for way in ways if way not in taken), None)
        if free is not None:
            found[index] = free
            taken.add(free)
    return found


def _item_words(item: GoldItem, gold: GoldChapter, text: Mapping[int, str]) -> Counter[str]:
    """Return the words of an item, its own counting twice those of its sentences, and the ids of entities it names."""
    words = Counter(dict.fromkeys(word_bag(field_of(item, "what")), 2))
    told = f"{field_of(item, 'what')} {text.get(id(item), '')}"
    words.update(dict.fromkeys(word_bag(text.get(id(item), "")), 1))
    folded = fold_name(told)
    named = [e.id for e in gold.entities if any(len(n) > 1 and fold_name(n) in folded for n in e.names)]
    words.update({f"@{name}": 2 for name in named})
    return words


def linked(chapters: Sequence[GoldChapter], texts: Mapping[int, str] | None = None) -> dict[tuple[int, int], tuple[int, int]]:
    """Return for every item (chapter, place in gold) the first item of its thread; one that begins a thread is its own.

    `texts` are the words of items' sentences by `id(item)`. Items of a chapter take threads in the order of their likeness.
    """
    text = texts or {}
    words = {
        (gold.number, i): _item_words(item, gold, text)
        for gold in chapters
        for i, item in enumerate(gold.plants)
    }
    weight = _weights(words.values())
    chains: dict[tuple[int, int], _Chain] = {}
    root: dict[tuple[int, int], tuple[int, int]] = {}
    for gold in sorted(chapters, key=lambda g: g.number):
        later = {(gold.number, i): item for i, item in enumerate(gold.plants) if field_of(item, "event") != "plant"}
        ranked = sorted(
            (
                (-_likeness(words[key], item, chain, weight), key, first)
                for key, item in later.items()
                for first, chain in chains.items()
            ),
        )
        for likeness, key, first in ranked:
            if -likeness >= ENOUGH and key not in root:
                root[key] = first
        for i, item in enumerate(gold.plants):
            key = (gold.number, i)
            first = root.setdefault(key, key)
            chain = chains.setdefault(first, _Chain(gold.number, item))
            chain.words |= words[key]
            chain.kinds |= {field_of(item, "kind"), *listed(item, "alternates")}
            chain.closed = chain.closed or field_of(item, "event") in ("payoff", "abandon", "subvert")
    return root


def _weights(items: Sequence[Counter[str]] | object) -> dict[str, float]:
    rows = list(items)  # type: ignore[call-overload]
    seen = Counter(word for row in rows for word in row)
    return {word: math.log1p(len(rows) / n) for word, n in seen.items()}


def _likeness(words: Counter[str], item: GoldItem, chain: _Chain, weight: Mapping[str, float]) -> float:
    """Return how far an item's words are those of a thread: the share of the weight they have in common."""
    common = sum(weight[w] ** 2 * min(words[w], chain.words[w]) for w in words.keys() & chain.words.keys())
    size = math.sqrt(_size(words, weight) * _size(chain.words, weight)) or 1.0
    kind = 1.0 if field_of(item, "kind") in chain.kinds else 0.8
    return common / size * kind * (CLOSED if chain.closed else 1.0)


def _size(words: Mapping[str, int], weight: Mapping[str, float]) -> float:
    return sum(weight[w] ** 2 * n for w, n in words.items())


@lru_cache(maxsize=64)
def _roots(of: _View) -> dict[tuple[int, int], tuple[int, int]]:
    view = of.view
    return linked((*view.earlier, view.gold))


def _first_items(view: GoldView) -> dict[tuple[int, int], GoldItem]:
    return {(g.number, i): item for g in (*view.earlier, view.gold) for i, item in enumerate(g.plants)}


def _item_at(question: Question, view: GoldView) -> tuple[int, Slot | None, Slot]:
    """Return which item a candidate is (-1: none), the slot of that item, and the candidate's own."""
    about = question.key.about[0]
    mine = Slot(about.kind, about.places[0])
    slots = _slots(_View(view))
    for index, slot in slots.items():
        if slot == mine:
            return index, slot, mine
    for index, item in enumerate(view.gold.plants):
        if mine.place in places_of(item, view, 100) and mine.kind in (field_of(item, "kind"), *listed(item, "alternates")):
            return index, slots.get(index), mine
    return -1, None, mine


def _notice(question: Question, view: GoldView) -> Answer:
    kind, _, blocks = question.key.detail.partition(":")
    return _noticed(question, view, blocks, kind)


def _stretch(question: Question, view: GoldView) -> Answer:
    return _noticed(question, view, question.key.detail, "")


def _noticed(question: Question, view: GoldView, blocks: str, kind: str) -> Answer:
    """Return the slots that lie in a stretch: under their role where one kind is asked for, else under their kind."""
    first, _, last = blocks.partition("-")
    found: dict[str, list[Place]] = {}
    for index, slot in sorted(_slots(_View(view)).items(), key=lambda row: row[1].place):
        if int(first) <= slot.place.block <= int(last) and kind in ("", slot.kind):
            role = "set_up" if field_of(view.gold.plants[index], "event") == "plant" else "taken_up"
            found.setdefault(role if kind else slot.kind, []).append(slot.place)
    return picked(found, question)


def _doubt(question: Question, view: GoldView) -> Answer:
    index, slot, mine = _item_at(question, view)
    if index < 0:
        return NOBODY
    if slot is not None and slot != mine:
        for option in question.options:
            ref = option.ref
            if option.key.startswith("same:") and ref and (ref.kind, ref.places[0]) == (slot.kind, slot.place):
                return Answer(status="answered", picked=(option.key,))
    event = field_of(view.gold.plants[index], "event")
    if event == "plant":
        return Answer(status="answered", picked=("new",))
    root = _roots(_View(view))[view.gold.number, index]
    for option in question.options:
        if option.key.startswith("thread:") and option.ref and _thread_of(option.ref.names[0], view) == root:
            return Answer(status="answered", picked=(option.key,))
    return Answer(status="answered", picked=("kept" if event in ("reinforce", "trigger") else "answer",))


def _thread_of(statement: str, view: GoldView) -> tuple[int, int] | None:
    """Return the first gold item of the thread that a statement is of, None where gold has none with its words."""
    wanted = fold_name(statement)
    for key, item in _first_items(view).items():
        what = fold_name(" ".join(field_of(item, "what").split()))
        if key[0] < view.gold.number and wanted and what.startswith(wanted):
            return key
    return None


def _statement(question: Question, view: GoldView) -> Answer:
    index, _, _ = _item_at(question, view)
    return note(field_of(view.gold.plants[index], "what")) if index >= 0 else NOBODY


def _touch(question: Question, view: GoldView) -> Answer:
    first = _thread_of(question.key.about[0].names[0], view)
    roots = _roots(_View(view))
    items = [
        item
        for i, item in enumerate(view.gold.plants)
        if first is not None and field_of(item, "event") in ORDER and roots[view.gold.number, i] == first
    ]
    if not items:
        return NOBODY
    item = max(items, key=lambda one: ORDER.index(field_of(one, "event")))
    return picked({field_of(item, "event"): places_of(item, view, MAX_PLACES)}, question)


ANSWERERS = {
    "thread.notice": _notice,
    "thread.stretch": _stretch,
    "thread.doubt": _doubt,
    "thread.statement": _statement,
    "thread.touch": _touch,
}
