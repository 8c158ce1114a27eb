"""Gold items of one chapter beside what a question is about: fields, people, sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from analyzer.llm.transports.gold_book import GoldView
from analyzer.models.gold import GoldItem
from analyzer.models.question import Answer, Question, Ref
from analyzer.models.text import Place

NOBODY = Answer(status="none")


def field(item: GoldItem, name: str) -> str:
    """Return a field of an item as words, "" where it has none."""
    value = (item.model_extra or {}).get(name)
    return value if isinstance(value, str) else ""


def listed(item: GoldItem, name: str) -> tuple[str, ...]:
    """Return a field of an item as several words."""
    value = (item.model_extra or {}).get(name)
    if isinstance(value, str):
        return (value,) if value else ()
    return tuple(str(v) for v in value) if isinstance(value, list | tuple) else ()


def places_of(item: GoldItem, view: GoldView, limit: int = 3) -> tuple[Place, ...]:
    """Return the sentences of an item's evidence, each once, in the order gold gives them."""
    found = (view.place(view.gold.span(evidence).start) for evidence in item.evidence)
    return tuple(dict.fromkeys(place for place in found if place is not None))[:limit]


def id_of(ref: Ref | None, view: GoldView) -> str:
    """Return the gold id a reference means, or ""."""
    entity = view.of(ref) if ref is not None else None
    return entity.id if entity is not None else ""


def keys_of(question: Question, ids: Iterable[str], view: GoldView) -> tuple[str, ...]:
    """Return the keys of the options that mean one of these gold ids, in the order offered, at most `max_picks`."""
    wanted = set(ids)
    found = [o.key for o in question.options if o.ref is not None and id_of(o.ref, view) in wanted - {""}]
    return tuple(found[: question.max_picks])


def touches(item: GoldItem, places: Sequence[Place], view: GoldView) -> bool:
    """Say whether an item stands on one of these sentences."""
    return bool(set(places_of(item, view, limit=100)) & set(places))


def picked(found: Mapping[str, Sequence[Place]], question: Question) -> Answer:
    """Return the answer that picks these keys, each with its sentences; keys not offered are left out."""
    kept = {
        key: tuple(dict.fromkeys(places))[: question.max_sentences]
        for key, places in found.items()
        if question.option_by_key(key) is not None
    }
    kept = dict(list(kept.items())[: question.max_picks])
    if not kept:
        return NOBODY
    together = tuple(dict.fromkeys(place for places in kept.values() for place in places))
    by_pick = tuple(kept.values()) if len(kept) > 1 and question.evidence != "no" else ()
    return Answer(
        status="answered",
        picked=tuple(kept),
        sentences=together if question.evidence != "no" else (),
        by_pick=by_pick,
    )


def note(words: str) -> Answer:
    """Return a note in gold's words, none where it has none."""
    return Answer(status="answered", text=words) if words else NOBODY
