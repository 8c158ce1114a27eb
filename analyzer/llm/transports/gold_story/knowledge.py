"""How gold answers the questions about knowledge: by the knower and the sentences gold shows it in."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz.fuzz import ratio

from analyzer.llm.transports.gold_book import GoldView
from analyzer.llm.transports.gold_story import Answerer
from analyzer.llm.transports.gold_story._items import (
    NOBODY,
    field,
    id_of,
    keys_of,
    listed,
    note,
    picked,
    places_of,
    touches,
)
from analyzer.models.gold import GoldItem
from analyzer.models.question import Answer, Question
from analyzer.models.text import Place

UNAWARE = "unaware"
ALIKE = 60
"""Likeness (0 to 100) from which what one learns and what another does not know are the same. Source: the gold chapters, by eye."""


def _via(item: GoldItem) -> str:
    """Return an item's way, "unaware" for what is not known; where gold is silent one of its alternates, or told."""
    if field(item, "stance") == UNAWARE:
        return UNAWARE
    return field(item, "via") or next(iter(listed(item, "via_alternates")), "told")


def _kind(item: GoldItem) -> str:
    return {"inferred": "thought", UNAWARE: "gap"}.get(_via(item), "news")


def _in_order(items: Iterable[GoldItem]) -> list[GoldItem]:
    """Return core items first, so that they come before a bound."""
    return sorted(items, key=lambda item: item.level != "core")


def _of(knower: str, view: GoldView) -> list[GoldItem]:
    return [k for k in _in_order(view.gold.knowledge) if knower and field(k, "knower") == knower]


def _noticed(items: Iterable[GoldItem], view: GoldView) -> list[tuple[GoldItem, Place]]:
    """Return for each item the sentence that stands for it: the first of its evidence that no item before it has."""
    taken: set[Place] = set()
    found: list[tuple[GoldItem, Place]] = []
    for item in items:
        places = places_of(item, view)
        place = next((p for p in places if p not in taken), next(iter(places), None))
        if place is not None:
            taken.add(place)
            found.append((item, place))
    return found


def _notice(question: Question, view: GoldView) -> Answer:
    found: dict[str, list[Place]] = {}
    for item, place in _noticed(_of(id_of(question.key.about[0], view), view), view):
        found.setdefault(_via(item), []).append(place)
    return picked(found, question)


def _where(question: Question, view: GoldView) -> Answer:
    first, last = question.key.about[0].places
    found: dict[str, list[Place]] = {}
    for option in question.options:
        for _, place in _noticed(_of(id_of(option.ref, view), view), view):
            if first <= place <= last:
                found.setdefault(option.key, []).append(place)
    return picked(found, question)


def _item(question: Question, view: GoldView) -> GoldItem | None:
    """Return what the first one a question is about has to do with its piece: of its kind, noticed at its sentence if possible."""
    kind = question.key.detail.partition(":")[0]
    for ref in question.key.about:
        there = [k for k in _of(id_of(ref, view), view) if touches(k, question.sentences, view)]
        fits = [k for k in there if kind == "any" or _kind(k) == kind]
        noticed = _noticed(_of(id_of(ref, view), view), view)
        here = [k for k in fits if any(k is item and place in question.sentences for item, place in noticed)]
        if here or fits:
            return (here or fits)[0]
    return None


def _say(question: Question, view: GoldView) -> Answer:
    item = _item(question, view)
    return note(field(item, "proposition")) if item is not None else NOBODY


def _doubted(question: Question, view: GoldView) -> GoldItem | None:
    """Return the item a doubt means; what is news to one may be what another is not told, if both say the same."""
    item = _item(question, view)
    if item is not None or question.key.detail.startswith(("gap", "thought")):
        return item
    knower = id_of(question.key.about[0], view)
    return next((gap for gap in _missed(question, view) if field(gap, "knower") == knower), None)


def _missed(question: Question, view: GoldView) -> list[GoldItem]:
    """Return who does not know what is news to others in a sentence: gold says both there, in like words."""
    there = [k for k in _in_order(view.gold.knowledge) if touches(k, question.sentences, view)]
    news = [field(k, "proposition") for k in there if _kind(k) == "news"]
    gaps = [k for k in there if field(k, "stance") == UNAWARE]
    return [k for k in gaps if any(ratio(field(k, "proposition"), words) >= ALIKE for words in news)]


def _stance(question: Question, view: GoldView) -> Answer:
    item = _doubted(question, view)
    return picked({field(item, "stance") if item is not None else "nothing": ()}, question)


def _way(question: Question, view: GoldView) -> Answer:
    item = _doubted(question, view)
    return picked({_via(item) if item is not None else "nothing": ()}, question)


def _unaware(question: Question, view: GoldView) -> Answer:
    knowers = [field(gap, "knower") for gap in _missed(question, view)]
    return picked({key: () for key in keys_of(question, knowers, view)}, question)


ANSWERERS: dict[str, Answerer] = {
    "knowledge.notice": _notice,
    "knowledge.where": _where,
    "knowledge.unaware": _unaware,
    "knowledge.say": _say,
    "knowledge.stance": _stance,
    "knowledge.way": _way,
    "knowledge.settle": _stance,
}
