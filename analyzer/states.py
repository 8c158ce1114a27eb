"""What state everybody and everything is in: a pure fold of changes, as of the chapter a bible is folded to."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import fuzz

from analyzer.bible import Bible
from analyzer.models.story import ChangeFact
from analyzer.text.fold import fold_name

Values = dict[str, tuple[ChangeFact, ...]]
"""The changes that hold now, by attribute, in the order in which they were told."""
States = dict[str, Values]
"""The same by root handle, in order of arrival."""

MANY = frozenset({
    "possession", "title_or_rank", "occupation", "affiliation", "ability", "goal", "appearance.mark", "appearance.other"
})  # fmt: skip
"""Attributes of which one may have several at once; another value of any other attribute takes the place of the last."""
ALIKE = 90
"""Likeness of two wordings (0 to 100) from which they say the same. Source: a choice; one letter in ten may differ."""


def same_value(one: ChangeFact, other: ChangeFact) -> bool:
    """Say whether two changes come to the same value: the same one of the cast, else nearly the same words."""
    if one.to_entity or other.to_entity:
        return one.to_entity == other.to_entity
    return alike(one.to, other.to)


def alike(one: str, other: str) -> bool:
    """Say whether two wordings of a value are nearly the same; no wording is like none."""
    a, b = fold_name(one).casefold(), fold_name(other).casefold()
    return bool(a) and bool(b) and (a == b or fuzz.ratio(a, b) >= ALIKE)


def after(values: tuple[ChangeFact, ...], change: ChangeFact) -> tuple[ChangeFact, ...]:
    """Return the values of one attribute once `change` is told.

    `set` and `add` put a value there (beside the others where several may hold), `remove` and `end` take the one they name
    away; an end that names none of them ends them all, unless several may hold and there is more than one.
    """
    if change.op in ("set", "add"):
        kept = values if change.attribute in MANY else ()
        return (*(v for v in kept if not same_value(v, change)), change)
    left = tuple(v for v in values if not same_value(v, change))
    if len(left) < len(values):
        return left
    return values if change.attribute in MANY and len(values) > 1 else ()


def in_story_order(changes: Iterable[ChangeFact]) -> tuple[ChangeFact, ...]:
    """Return changes by chapter and by their first sentence; equal ones as given."""
    return tuple(sorted(changes, key=lambda c: (c.chapter, c.evidence[0].place if c.evidence else (0, 0))))


def rooted(change: ChangeFact, bible: Bible) -> ChangeFact:
    """Return the change with merged handles resolved."""
    entity, to = bible.root(change.entity), bible.root(change.to_entity) if change.to_entity else ""
    if (entity, to) == (change.entity, change.to_entity):
        return change
    return change.model_copy(update={"entity": entity, "to_entity": to})


def states_at(bible: Bible) -> States:
    """Return what holds of everybody at the end of chapter `bible.through`, by handle and attribute.

    Only what is asserted counts; what is planned, believed, dreamt or a lie is no state. A thing of the cast has one holder:
    whoever gets it takes it from whoever had it. Attributes without a value are left out.
    """
    folded = folded_states(rooted(f, bible) for f in bible.of(ChangeFact) if isinstance(f, ChangeFact))
    return dict(sorted(folded.items(), key=lambda row: bible.arrival.get(row[0], len(bible.arrival))))


def folded_states(changes: Iterable[ChangeFact]) -> States:
    """Return what holds after these changes, whose handles are roots."""
    states: dict[str, Values] = {}
    for change in in_story_order(changes):
        if change.modality == "asserted":
            tell(states, change)
    return {handle: kept for handle, values in states.items() if (kept := {a: v for a, v in values.items() if v})}


def tell(states: dict[str, Values], change: ChangeFact) -> None:
    """Take one more change into `states`, which it alters."""
    own = states.setdefault(change.entity, {})
    own[change.attribute] = after(own.get(change.attribute, ()), change)
    if change.attribute == "possession" and change.to_entity and change.op in ("set", "add"):
        for handle, values in states.items():
            if handle != change.entity and "possession" in values:
                values["possession"] = tuple(v for v in values["possession"] if v.to_entity != change.to_entity)
