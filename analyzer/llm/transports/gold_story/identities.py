"""How gold answers who turns out to be whom.

Two of the cast are one where gold gives one of them `persona_of` the other, told in its `revealed_in`. Words that mean somebody
are its identities with `revealed_here` beside those: the sentence that tells it is the last one gold cites. Gold does not list
who learns a mask; they are taken to be whoever gains knowledge in the very blocks that tell it.
"""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.llm.transports.gold_book import GoldView
from analyzer.llm.transports.gold_story._items import NOBODY, field, id_of, keys_of, picked, places_of
from analyzer.models.gold import GoldEntity, GoldItem
from analyzer.models.question import Answer, Question
from analyzer.models.text import Place
from analyzer.text.namefold import fold_name


def _one(key: str, places: Sequence[Place] = ()) -> Answer:
    return Answer(status="answered", picked=(key,), sentences=tuple(places)[:3])


def _mask(question: Question, view: GoldView) -> tuple[GoldEntity, str] | None:
    """Return the persona of the two a question is about and who is behind, where a chapter up to this one tells it."""
    a, b = (id_of(ref, view) for ref in question.key.about)
    for persona, behind in ((a, b), (b, a)):
        entity = view.gold.by_id.get(persona)
        if (
            entity is not None
            and behind
            and entity.persona_of == behind
            and (entity.revealed_in or 0) <= view.gold.number
        ):
            return entity, behind
    return None


def _is_mask(item: GoldItem, view: GoldView) -> bool:
    """Say whether an identity is about a persona that gold keeps as an entity of its own."""
    personas = [e for e in view.gold.entities if e.persona_of == field(item, "is")]
    told = fold_name(field(item, "persona"))
    return any(fold_name(word) in told for e in personas for word in (*view.names(e), *e.descriptors))


def _telling(persona: GoldEntity, behind: str, view: GoldView) -> tuple[Place, ...]:
    """Return the sentences of the identities that tell a mask, earliest first; those in its own words before others."""
    items = [i for i in view.gold.identities if field(i, "is") == behind]
    words = {fold_name(w) for w in (*view.names(persona), *persona.descriptors)}
    own = [i for i in items if any(w in fold_name(field(i, "persona")) for w in words)]
    return tuple(sorted({p for i in (own or items) for p in places_of(i, view)}))


def _same(question: Question, view: GoldView) -> Answer:
    found = _mask(question, view)
    second = question.option_by_key("settled") is not None
    if found is None:
        return _one("different") if second else NOBODY
    persona, behind = found
    here = persona.revealed_in == view.gold.number
    return _one("settled" if second else "told" if here else "known", _telling(persona, behind, view))


def _to(question: Question, view: GoldView) -> Answer:
    found = _mask(question, view)
    if found is None:
        return NOBODY
    blocks = {p.block for p in _telling(*found, view)}
    knowers = [
        field(k, "knower")
        for k in view.gold.knowledge
        if field(k, "stance") == "knows" and {p.block for p in places_of(k, view)} & blocks
    ]
    keys = keys_of(question, knowers, view)
    return Answer(status="answered", picked=keys) if keys else NOBODY


def _told_of(handle_id: str, view: GoldView) -> list[GoldItem]:
    return [
        item
        for item in view.gold.identities
        if field(item, "is") == handle_id
        and (item.model_extra or {}).get("revealed_here") is True
        and item.evidence
        and not _is_mask(item, view)
    ]


def _way(item: GoldItem, entity: GoldEntity, view: GoldView) -> str:
    words = fold_name(field(item, "persona"))
    if any(fold_name(name) in words for name in view.names(entity)):
        return "name"
    described = any(fold_name(d) in words or words in fold_name(d) for d in entity.descriptors)
    return "stranger" if described else "doer"


def _called(question: Question, view: GoldView) -> Answer:
    entity = view.of(question.key.about[0])
    if entity is None:
        return NOBODY
    found: dict[str, list[Place]] = {}
    for item in _told_of(entity.id, view):
        places = places_of(item, view, limit=9)
        if places:
            found.setdefault(_way(item, entity, view), []).append(max(places))
    return picked(found, question)


def _called_again(question: Question, view: GoldView) -> Answer:
    handle_id = id_of(question.key.about[0], view)
    told = {place for item in _told_of(handle_id, view) for place in places_of(item, view, limit=9)}
    return _one("first") if told & set(question.sentences) else _one("usual")


ANSWERERS = {
    "mask.same": _same,
    "mask.to": _to,
    "mask.called": _called,
    "mask.called_again": _called_again,
}
