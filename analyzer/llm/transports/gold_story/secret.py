"""How gold answers the questions about secrets: by the sentences gold shows them in, and whose they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
from analyzer.models.question import Answer, Option, Question
from analyzer.models.text import Place
from analyzer.prefix import quoted


def _in_order(items: Iterable[GoldItem]) -> list[GoldItem]:
    """Return core items first, so that they come before a bound."""
    return sorted(items, key=lambda item: item.level != "core")


def _noticed(items: Sequence[GoldItem], view: GoldView) -> tuple[Place, ...]:
    """Return one sentence for each item: the first of its evidence."""
    return tuple(dict.fromkeys(place for item in items for place in places_of(item, view, limit=1)))


def _notice(question: Question, view: GoldView) -> Answer:
    me = id_of(question.key.about[0], view)
    own = [s for s in _in_order(view.gold.secrets) if listed(s, "holders")[:1] == (me,)]
    shared = [s for s in _in_order(view.gold.secrets) if me in listed(s, "holders")[1:]]
    found = {"own": _noticed(own, view), "shared": _noticed(shared, view)}
    return picked({key: places for key, places in found.items() if places}, question) if me else NOBODY


def _where(question: Question, view: GoldView) -> Answer:
    first, last = question.key.about[0].places
    found: dict[str, list[Place]] = {}
    for item in _in_order(view.gold.secrets):
        for place in places_of(item, view, limit=1):
            if first <= place <= last:
                for key in keys_of(question, listed(item, "holders"), view):
                    found.setdefault(key, []).append(place)
    return picked(found, question)


def _meant(question: Question, view: GoldView) -> GoldItem | None:
    """Return the secret a question about a sentence means: one it shows, first of its holders, core before optional."""
    there = [s for s in _in_order(view.gold.secrets) if touches(s, question.sentences, view)]
    mine = {id_of(ref, view) for ref in question.key.about}
    held = [s for s in there if mine & {*listed(s, "holders"), *listed(s, "holders_alternates")}]
    first = [s for s in held or there if places_of(s, view, limit=1) == question.sentences[:1]]
    return next(iter(first or held or there), None)


def _doubt(question: Question, view: GoldView) -> Answer:
    item = _meant(question, view)
    if item is None:
        return NOBODY
    same = next((o.key for o in question.options if o.key.startswith("same:") and _is(o, item, view)), "")
    nature = "out" if listed(item, "exposed_to") and not listed(item, "hidden_from") else "kept"
    return picked({same or nature: ()}, question)


def _is(option: Option, item: GoldItem, view: GoldView) -> bool:
    """Whether an option states the secret an item is about, in the words of an earlier chapter's gold."""
    return any(quoted(field(old, "proposition")) in option.text for old in _earlier(item, view))


def _earlier(item: GoldItem, view: GoldView) -> list[GoldItem]:
    """Return what earlier chapters' gold says of the same secret: by its id over chapters, or in the same words."""
    name, words = field(item, "secret"), field(item, "proposition")
    return [old for g in view.earlier for old in g.secrets if _same(old, name, words)]


def _same(old: GoldItem, name: str, words: str) -> bool:
    return field(old, "proposition") == words or (bool(name) and field(old, "secret") == name)


def _say(question: Question, view: GoldView) -> Answer:
    item = _meant(question, view)
    return note(field(item, "proposition")) if item is not None else NOBODY


def _people(name: str) -> Answerer:
    def answer(question: Question, view: GoldView) -> Answer:
        item = _meant(question, view) if question.sentences else _now(question, view)
        if item is None:
            return NOBODY
        return picked({key: () for key in keys_of(question, listed(item, name), view)}, question)

    return answer


def _now(question: Question, view: GoldView) -> GoldItem | None:
    """Return what this chapter's gold says of the secret of before that a question states."""
    stated = [
        old for g in view.earlier for old in g.secrets if question.text.startswith(quoted(field(old, "proposition")))
    ]
    here = _in_order(view.gold.secrets)
    return next((s for s in here if any(_same(o, field(s, "secret"), field(s, "proposition")) for o in stated)), None)


def _touch(question: Question, view: GoldView) -> Answer:
    item = _now(question, view)
    if item is None:
        return picked({}, question)
    event = "touched"
    if listed(item, "exposed_to"):
        event = "shared" if listed(item, "hidden_from") else "exposed"
    return picked({event: places_of(item, view)}, question)


ANSWERERS: dict[str, Answerer] = {
    "secret.notice": _notice,
    "secret.where": _where,
    "secret.doubt": _doubt,
    "secret.say": _say,
    "secret.holders": _people("holders"),
    "secret.from": _people("hidden_from"),
    "secret.to": _people("exposed_to"),
    "secret.touch": _touch,
}
