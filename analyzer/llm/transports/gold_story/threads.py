"""Threads from gold plants.

Gold gives each chapter's items without ids across chapters. `linked` finds for every item that is no plant the earlier one
it goes on with, by the words of both (rare ones count most), the entities they name, and their kinds. Read by hand over the own
serials, four of five links are right; it knows nothing of words that mean the same.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from analyzer.llm.transports.gold_book import GoldView
from analyzer.llm.transports.gold_story._items import NOBODY, listed, note, picked, places_of
from analyzer.llm.transports.gold_story._items import field as field_of
from analyzer.models.gold import GoldChapter, GoldItem
from analyzer.models.question import Answer, Question
from analyzer.models.text import Place
from analyzer.text.fold import fold_name
from analyzer.text.wordbags import word_bag

ENOUGH = 0.20
"""Least likeness of an item and an earlier one. Source: the links read over the four own serials."""
STEM = 4
"""Letters of a word that count here: "mend" and "mended" are one; items are short, so chance agreement is rare."""
LATIN = 0x2E80
"""Signs from here on (Han, kana, Hangul and their radicals) also count one by one."""
OTHER_KIND, NAMED = 0.75, 0.5
"""What another kind leaves of a likeness; how much an entity weighs: the same people are in many threads."""
Item = tuple[int, int]
"""A chapter and the place of an item among its plants."""
CLOSED = 0.75
"""Share of its likeness that a thread keeps once gold has it paid: it may be spoken of again."""
ORDER = ("reinforce", "trigger", "partial_payoff", "abandon", "subvert", "payoff")
MAX_PLACES = 3


@dataclass(frozen=True)
class Slot:
    """The kind and sentence under which an item of the chapter is noticed; each has its own."""

    kind: str
    place: Place


@dataclass
class _Chain:
    """A thread as gold tells it so far: the words of each of its items, their kinds, and whether it is paid."""

    words: list[frozenset[str]] = field(default_factory=list)
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
        ways = [Slot(kind, place) for kind in _kinds(item) for place in places_of(item, view, limit=100)]
        free = next((way for way in ways if way not in taken), None)
        if free is not None:
            found[index] = free
            taken.add(free)
    return found


def _kinds(item: GoldItem) -> tuple[str, ...]:
    return (field_of(item, "kind"), *listed(item, "alternates"))


def _item_words(item: GoldItem, gold: GoldChapter) -> frozenset[str]:
    """Return the words of an item in any script, cut short, and the ids of the entities it names."""
    what = field_of(item, "what")
    folded = fold_name(what)
    named = {f"@{e.id}" for e in gold.entities if any(len(n) > 1 and fold_name(n) in folded for n in e.names)}
    signs = {sign for sign in folded if ord(sign) > LATIN and sign.isalnum()}
    words = {word[:STEM] for word in word_bag(what) if len(word) >= STEM or not word.isascii() or word.isdigit()}
    return frozenset(words | named | signs)


def linked(chapters: Sequence[GoldChapter]) -> dict[Item, Item]:
    """Return for every item (chapter, place in gold) the first item of its thread; one that begins a thread is its own.

    An item goes on with the thread one of whose items is most like it, if that is like enough; plants begin threads.
    """
    words = {(g.number, i): _item_words(item, g) for g in chapters for i, item in enumerate(g.plants)}
    seen = Counter(word for row in words.values() for word in row)
    weight = {w: math.log1p(len(words) / n) ** 2 * (NAMED if w[0] == "@" else 1.0) for w, n in seen.items()}
    chains: dict[Item, _Chain] = {}
    root: dict[Item, Item] = {}
    for gold in sorted(chapters, key=lambda g: g.number):
        rows = [((gold.number, i), item) for i, item in enumerate(gold.plants)]
        for key, item in rows:
            likest = [(_likeness(words[key], item, chain, weight), first) for first, chain in chains.items()]
            best, first = max(likest, default=(0.0, key), key=lambda row: row[0])
            root[key] = first if field_of(item, "event") != "plant" and best >= ENOUGH else key
        for key, item in rows:
            chain = chains.setdefault(root[key], _Chain())
            chain.words.append(words[key])
            chain.kinds |= set(_kinds(item))
            chain.closed = chain.closed or field_of(item, "event") in ("payoff", "abandon", "subvert")
    return root


def _likeness(words: frozenset[str], item: GoldItem, chain: _Chain, weight: Mapping[str, float]) -> float:
    """Return the share of weight an item has in common with the likest of a thread's items, less for another kind or a paid one."""
    alike = max((_share(words, other, weight) for other in chain.words), default=0.0)
    kind = 1.0 if chain.kinds & set(_kinds(item)) else OTHER_KIND
    return alike * kind * (CLOSED if chain.closed else 1.0)


def _share(one: frozenset[str], other: frozenset[str], weight: Mapping[str, float]) -> float:
    sizes = [sum(weight[word] for word in row) for row in (one, other)]
    return sum(weight[word] for word in one & other) / (math.sqrt(sizes[0] * sizes[1]) or 1.0)


@lru_cache(maxsize=64)
def _roots(of: _View) -> dict[Item, Item]:
    view = of.view
    return linked((*view.earlier, view.gold))


def _first_items(view: GoldView) -> dict[Item, GoldItem]:
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
        if mine.place in places_of(item, view, 100) and mine.kind in _kinds(item):
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


def _thread_of(statement: str, view: GoldView) -> Item | None:
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
