"""Small readings, and hypothesis strategies for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from analyzer.models.facts import RELATION_KINDS
from analyzer.models.text import Span
from evals.records import ChapterResult, ItemClass, Outcome, Reading, SaidEntity, SaidItem, SaidRelation
from evals.scoring.outcomes import compare


def who(id: str, *names: str, kind: str = "character", **more: Any) -> SaidEntity:
    return SaidEntity(id=id, kind=kind, names=names, **more)


def rel(triple: str, *at: int, **more: Any) -> SaidRelation:
    """Return a relation whose evidence is ten code points from each of `at`."""
    subject, kind, target = triple.split()
    return SaidRelation(key=triple, subject=subject, kind=kind, object=target, spans=spans(*at), **more)


def item(cls: ItemClass, *at: int, level: str = "core", **fields: Any) -> SaidItem:
    return SaidItem(f"{cls} {at}", cls, fields, spans(*at), level)


def spans(*at: int) -> tuple[Span, ...]:
    return tuple(Span(n, n + 10) for n in at)


def reading(
    entities: tuple[SaidEntity, ...] = (),
    relations: tuple[SaidRelation, ...] = (),
    items: tuple[SaidItem, ...] = (),
    *,
    language: str = "en",
    chapter: int = 1,
    **more: Any,
) -> Reading:
    stated = tuple(r if r.chapter else replace(r, chapter=chapter) for r in relations)
    return Reading("small", chapter, language, entities, stated, items, **more)


def result(gold: Reading, said: Reading, *, case: str = "small", **more: Any) -> ChapterResult:
    return ChapterResult(
        case=case,
        chapter=gold.chapter,
        language=gold.language,
        label="truthful",
        outcomes=compare(gold, said, **more),
    )


def hits_of(outcomes: tuple[Outcome, ...], side: str, cls: str) -> list[dict[str, bool]]:
    return [o.hits for o in outcomes if o.side == side and o.cls == cls]


def only(outcomes: tuple[Outcome, ...], side: str, cls: str) -> Outcome:
    found = [o for o in outcomes if o.side == side and o.cls == cls]
    assert len(found) == 1, found
    return found[0]


def renamed(given: Reading, to: Mapping[str, str]) -> Reading:
    """Return a reading with other ids."""

    def one(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return [one(v) for v in value]
        return to.get(value, value) if isinstance(value, str) else value

    people = ("entity", "is", "knower", "holders", "hidden_from", "exposed_to")
    return replace(
        given,
        entities=tuple(
            replace(e, id=to[e.id], tied_to=to.get(e.tied_to, ""), persona_of=to.get(e.persona_of, ""))
            for e in given.entities
        ),
        relations=tuple(replace(r, key="", subject=to[r.subject], object=to[r.object]) for r in given.relations),
        items=tuple(
            replace(i, key="", fields={k: one(v) if k in people else v for k, v in i.fields.items()})
            for i in given.items
        ),
    )


_NAMES = (
    "Oda Marrin",
    "Captain Hesk",
    "Ludo",
    "한서윤",
    "마루 선장",
    "林小雨",
    "白先生",
    "田中",
    "花子さん",
    "Madame Fauvel",
    "d'Arcy",
    "Pia",
)
_PLACES = st.lists(st.integers(0, 60).map(lambda n: n * 50), min_size=1, max_size=2, unique=True)
_LEVELS = st.sampled_from(("core", "optional"))
_LANGUAGES = st.sampled_from(("en", "ko", "zh-Hant", "ja", "fr"))
_KINDS = st.sampled_from(sorted(RELATION_KINDS))


@st.composite
def readings(draw: st.DrawFn) -> Reading:
    """Readings of up to six people with names of their own, relations and items of every class among them."""
    names = draw(st.lists(st.sampled_from(_NAMES), min_size=2, max_size=6, unique=True))
    people = tuple(who(f"p{n}", name, level=draw(_LEVELS)) for n, name in enumerate(names))
    ids = [p.id for p in people]
    one = st.sampled_from(ids)
    ends = st.lists(one, min_size=2, max_size=2, unique=True)
    triples = draw(st.lists(st.tuples(ends, _KINDS), max_size=6, unique_by=lambda t: (tuple(t[0]), t[1])))
    relations = tuple(
        rel(f"{a} {kind} {b}", *draw(_PLACES), level=draw(_LEVELS), chapter=1) for (a, b), kind in triples
    )
    items = draw(st.lists(_item(one), max_size=6))
    return reading(people, relations, tuple(items), language=draw(_LANGUAGES))


@st.composite
def _item(draw: st.DrawFn, one: st.SearchStrategy[str]) -> SaidItem:
    cls: ItemClass = draw(st.sampled_from(("change", "appearance", "identity", "secret", "knowledge", "plant")))
    words = draw(st.text("ab 가나林", min_size=1, max_size=4))
    fields: dict[ItemClass, dict[str, Any]] = {
        "change": {
            "entity": draw(one),
            "attribute": draw(st.sampled_from(("health", "mood"))),
            "op": "set",
            "to": words,
        },
        "appearance": {"entity": draw(one), "feature": "hair", "value": words},
        "identity": {"persona": words, "is": draw(one), "revealed_here": True},
        "secret": {"holders": [draw(one)], "hidden_from": [], "exposed_to": [], "proposition": words},
        "knowledge": {"knower": draw(one), "stance": "knows", "via": "told", "proposition": words},
        "plant": {"kind": "object", "event": "plant", "what": words},
    }
    return item(cls, *draw(_PLACES), level=draw(_LEVELS), **fields[cls])
