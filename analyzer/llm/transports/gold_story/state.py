"""How gold answers what is asked about states and looks: from its changes and appearance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from analyzer.llm.transports.gold_book import GoldView
from analyzer.llm.transports.gold_story._items import NOBODY, field, id_of, listed, note, picked, places_of
from analyzer.models.gold import GoldItem
from analyzer.models.question import Answer, Option, Question
from analyzer.models.text import Place
from analyzer.text.fold import fold_name

LOOK = "appearance."
NATURE_OF_OP = {"set": "begins", "add": "gained", "remove": "lost", "end": "ended"}
NEAR_CHARS, NEAR_BLOCKS = 200, 2
"""How far a sentence stands from gold's own words and still shows the same. Source: how gold is compared (scoring rules)."""
MAX_WORDS = 10
LIFE_WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("thought_dead", ("said to", "rumour", "believed dead", "据说", "전해")),
    ("dead", ("dead", "died", "drown", "lost with", "死", "亡", "죽")),
    ("missing", ("missing", "不明")),
    ("destroyed", ("broken", "wrecked", "destroyed")),
    ("alive", ("alive", "살아", "生きて", "活")),
)
"""Words of gold's own values by state of life, the first that fits counts."""


class Told(NamedTuple):
    """A gold item with its id and attribute as asked, and all (id, attribute) under which it is right."""

    item: GoldItem
    who: str
    attribute: str
    right: frozenset[tuple[str, str]]


def told(view: GoldView) -> Iterator[Told]:
    """Yield gold's changes and looks, core ones first."""
    sources = [(item, field(item, "attribute"), "") for item in view.gold.changes]
    sources += [(item, field(item, "feature"), LOOK) for item in view.gold.appearance]
    for item, name, ground in sorted(sources, key=lambda row: row[0].level != "core"):
        who = field(item, "entity")
        right = {(who, f"{ground}{name}")}
        for other in listed(item, "alternates"):
            entity, dot, attribute = other.rpartition(".")
            right.add((entity if dot else who, f"{ground}{attribute}"))
        yield Told(item, who, f"{ground}{name}", frozenset(right))


def _person(question: Question, view: GoldView) -> Answer:
    who = id_of(question.key.about[0], view)
    if not who:
        return NOBODY
    return _noticed(((one.attribute, one.item) for one in told(view) if one.who == who), question, view)


def _attribute(question: Question, view: GoldView) -> Answer:
    attribute = question.key.detail.partition(":")[2]
    of = {id_of(option.ref, view): option.key for option in reversed(question.options)}
    rows = ((of[one.who], one.item) for one in told(view) if one.attribute == attribute and one.who in of)
    return _noticed(rows, question, view)


def _noticed(rows: Iterable[tuple[str, GoldItem]], question: Question, view: GoldView) -> Answer:
    """Return each key with the first sentence of each of its items."""
    found: dict[str, list[Place]] = {}
    for key, item in rows:
        found.setdefault(key, []).extend(places_of(item, view, limit=1))
    return picked(found, question)


def near(places: Sequence[Place], item: GoldItem, view: GoldView) -> bool:
    """Say whether one of the sentences is near gold's words."""
    own = places_of(item, view, limit=100)
    return any(
        abs(p.block - q.block) <= NEAR_BLOCKS or abs(_offset(p, view) - _offset(q, view)) <= NEAR_CHARS
        for p in places
        for q in own
    )


def _offset(place: Place, view: GoldView) -> int:
    block = view.chapter.blocks[place.block - 1]
    return block.start + block.sentences[place.sentence - 1].start


def meant(question: Question, attribute: str, view: GoldView) -> Told | None:
    """Return the item that a question about a noticed change means: the same one and attribute nearby, its own sentence first."""
    who = id_of(question.key.about[0], view)
    fits = [one for one in told(view) if (who, attribute) in one.right and near(question.sentences, one.item, view)]
    exact = [one for one in fits if set(places_of(one.item, view, limit=100)) & set(question.sentences)]
    primary = [one for one in exact or fits if (one.who, one.attribute) == (who, attribute)]
    return next(iter(primary or exact or fits), None)


def _elsewhere(question: Question, attribute: str, view: GoldView) -> bool:
    """Say whether these very sentences tell the attribute of somebody else."""
    wanted = set(question.sentences)
    return any(one.attribute == attribute and wanted & set(places_of(one.item, view, limit=100)) for one in told(view))


def _nature(question: Question, view: GoldView) -> Answer:
    attribute = question.key.detail.partition(":")[0]
    one = meant(question, attribute, view)
    if one is None:
        return _pick("other" if _elsewhere(question, attribute, view) else "not", question)
    return _pick(NATURE_OF_OP.get(field(one.item, "op") or "set", "begins"), question)


def _doubt(question: Question, view: GoldView) -> Answer:
    reason, attribute, _ = question.key.detail.split(":")
    one = meant(question, attribute, view)
    if one is None:
        return _pick("other" if _elsewhere(question, attribute, view) else "not", question)
    again = reason == "twice" and not set(places_of(one.item, view, limit=100)) & set(question.sentences)
    return _pick("before" if again else "holds", question)


def _pick(key: str, question: Question) -> Answer:
    return Answer(status="answered", picked=(key,)) if question.option_by_key(key) else NOBODY


def _value(question: Question, view: GoldView) -> Answer:
    how, attribute, _ = question.key.detail.split(":")
    one = meant(question, attribute, view)
    if one is None:
        return NOBODY
    words = field(one.item, "value") or field(one.item, "to")
    if how == "words":
        return note(" ".join(words.split()[:MAX_WORDS]))
    if attribute == "life_status":
        lower = words.lower()
        key = next((key for key, signs in LIFE_WORDS if any(sign in lower for sign in signs)), "")
        return _pick(key, question)
    return _pick(_linked(words, question, view) or "else", question)


def _linked(words: str, question: Question, view: GoldView) -> str:
    """Return the option whose name stands in gold's words, the longest of several."""
    text = fold_name(words).casefold()
    found = [(len(name), option.key) for option in question.options for name in _names(option, view) if name in text]
    return max(found, default=(0, ""))[1]


def _names(option: Option, view: GoldView) -> Iterator[str]:
    entity = view.of(option.ref) if option.ref is not None else None
    for name in (*view.names(entity), *entity.descriptors) if entity is not None else ():
        folded = fold_name(name).casefold()
        if len(folded) > 1:
            yield folded


ANSWERERS: dict[str, Callable[[Question, GoldView], Answer]] = {
    "state.notice": _person,
    "state.notice_again": _attribute,
    "state.value": _value,
    "state.nature": _nature,
    "state.doubt": _doubt,
}
