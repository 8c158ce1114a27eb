"""Changes, looks, identities, secrets, knowledge and plants of one reading against another's.

What must agree for an item to be the same, besides near evidence (`places.near`):

| class | must agree | reported apart |
|---|---|---|
| change | entity and attribute, or an alternate (`entity.attribute` too) | op |
| appearance | entity and feature or an alternate | |
| identity | who is behind it; equal wording of the persona stands for near evidence | revealed |
| secret | a common holder | hidden_from, exposed_to |
| knowledge | knower and stance or an alternate | via |
| plant | nothing more | kind, event |

Matching is one to one: a plant needs nothing but nearness, and without this a system that calls every paragraph one would be
right everywhere. Most core items are matched first, then most items, then the nearest in place and words; so optional gold
never takes a partner from a core item. Whether two free wordings say the same is for a judge (`verdicts`), never guessed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from rapidfuzz.fuzz import ratio

from evals.records import ItemClass, Reading, SaidItem
from evals.scoring.assign import assign
from evals.scoring.entities import Matched
from evals.scoring.names import head
from evals.scoring.places import gap, near, overlaps

Keys = frozenset[tuple[str, ...]]
Resolve = Callable[[str], str | None]
_CORE, _FOUND = 10**9, 10**6
"""Weights: a core item outweighs all others of a chapter, a match outweighs all closeness (at most 1,000 each)."""
TEXT_FIELDS: Mapping[ItemClass, str] = {
    "change": "to",
    "appearance": "value",
    "identity": "persona",
    "secret": "proposition",
    "knowledge": "proposition",
    "plant": "what",
}
WHO_FIELDS: Mapping[ItemClass, tuple[str, ...]] = {
    "change": ("entity",),
    "appearance": ("entity",),
    "identity": ("is",),
    "secret": ("holders",),
    "knowledge": ("knower",),
    "plant": (),
}
KIND_FIELDS: Mapping[ItemClass, str] = {
    "change": "attribute",
    "appearance": "feature",
    "identity": "",
    "secret": "",
    "knowledge": "stance",
    "plant": "kind",
}
_SETS = ("hidden_from", "exposed_to")
_VALUES: Mapping[ItemClass, tuple[tuple[str, str], ...]] = {
    "change": (("op", "op_alternates"),),
    "appearance": (),
    "identity": (("revealed_here", ""),),
    "secret": (),
    "knowledge": (("via", "via_alternates"),),
    "plant": (("kind", "alternates"), ("event", "event_alternates")),
}


@dataclass(frozen=True)
class ComparedItem:
    """An item, its partner and its measures; `match` is found, repeat (fits only what is taken), or ""."""

    item: SaidItem
    partner: SaidItem | None
    match: str
    hits: dict[str, bool]


def text_of(item: SaidItem) -> str:
    """Return an item's free wording."""
    return str(item.fields.get(TEXT_FIELDS[item.cls], ""))


def listed(value: object) -> tuple[str, ...]:
    """Return a field as words: one, several, or none."""
    if value is None or value == "":
        return ()
    return tuple(str(v) for v in value) if isinstance(value, list | tuple | set | frozenset) else (str(value),)


def people_of(item: SaidItem) -> tuple[str, ...]:
    """Return the ids an item is about."""
    return tuple(i for name in WHO_FIELDS[item.cls] for i in listed(item.fields.get(name)))


def statements(item: SaidItem, resolve: Resolve, *, alternates: bool) -> Keys:
    """Return what an item states, in resolved ids: any one in common makes two items of a class alike."""
    f = item.fields
    others = listed(f.get("alternates")) if alternates else ()
    raw: list[tuple[str, ...]]
    match item.cls:
        case "plant":
            return frozenset({()})
        case "secret":
            holders = (*listed(f.get("holders")), *(listed(f.get("holders_alternates")) if alternates else ()))
            raw = [(h,) for h in holders]
        case "identity":
            raw = [(i,) for i in listed(f.get("is"))]
        case "knowledge":
            stances = (*listed(f.get("stance")), *(listed(f.get("stance_alternates")) if alternates else ()))
            raw = [(k, s) for k in listed(f.get("knower")) for s in stances]
        case _:
            raw = [
                (e, v)
                for e in listed(f.get("entity"))
                for v in (*listed(f.get(KIND_FIELDS[item.cls])), *others)
                if "." not in v
            ]
            raw += [(v.rpartition(".")[0], v.rpartition(".")[2]) for v in others if "." in v]
    return frozenset((who, *row[1:]) for row in raw if (who := resolve(row[0])) is not None)


def _sorted(items: Iterable[SaidItem]) -> list[SaidItem]:
    """Return items in an order that depends on no id and no order of arrival."""
    return sorted(
        items, key=lambda i: (i.cls, i.level != "core", i.spans, text_of(i), str(i.fields.get(KIND_FIELDS[i.cls], "")))
    )


def compare_items(gold: Reading, said: Reading, matched: Matched) -> tuple[list[ComparedItem], list[ComparedItem]]:
    """Return gold's side and the said side, class by class."""
    left, right = _sorted(gold.items), _sorted(said.items)
    mine = [statements(i, matched.canonical, alternates=True) for i in left]
    theirs = [statements(i, matched.who, alternates=False) for i in right]
    weights = {
        (a, b): _weight(left[a], right[b])
        for a in range(len(left))
        for b in range(len(right))
        if left[a].cls == right[b].cls and mine[a] & theirs[b] and _close(gold, left[a], right[b])
    }
    pairs = assign(weights)
    back = {b: a for a, b in pairs.items()}
    fits = {b for _, b in weights}
    gold_side = [_compared(i, right[pairs[a]] if a in pairs else None, i, matched) for a, i in enumerate(left)]
    said_side = []
    for b, item in enumerate(right):
        row = _compared(item, left[back[b]] if b in back else None, None, matched)
        said_side.append(ComparedItem(item, None, "repeat", row.hits) if b not in back and b in fits else row)
    return gold_side, said_side


def _close(gold: Reading, mine: SaidItem, theirs: SaidItem) -> bool:
    if mine.cls == "identity" and head(text_of(mine)) == head(text_of(theirs)):
        return True
    return near(gold, mine.spans, theirs.spans)


def _weight(mine: SaidItem, theirs: SaidItem) -> int:
    """Return core first, then that there is a match, then overlap, distance and wording (at most 1,000 together)."""
    between = gap(mine.spans, theirs.spans)
    closeness = 500 if overlaps(mine.spans, theirs.spans) else 300 - min(300, between if between is not None else 300)
    return (
        (_CORE if mine.level == "core" else 0) + _FOUND + closeness + round(4 * ratio(text_of(mine), text_of(theirs)))
    )


def _compared(item: SaidItem, partner: SaidItem | None, gold: SaidItem | None, matched: Matched) -> ComparedItem:
    """Compare an item with its partner; `gold` is the item itself on gold's side, None on the said side."""
    if partner is None:
        return ComparedItem(item, None, "", {"found": False})
    true, said = (item, partner) if gold is not None else (partner, item)
    hits = {"found": True, **_details(true, said, matched)}
    if true.spans and said.spans:
        hits["evidence"] = overlaps(true.spans, said.spans)
    return ComparedItem(item, partner, "found", hits)


def _details(gold: SaidItem, said: SaidItem, matched: Matched) -> dict[str, bool]:
    found = {}
    for name, others in _VALUES[gold.cls]:
        true, mine = gold.fields.get(name), said.fields.get(name)
        if true is None and mine is None:
            continue
        label = "revealed" if name == "revealed_here" else name
        found[label] = mine == true or str(mine) in listed(gold.fields.get(others))
    if gold.cls == "secret":
        for name in _SETS:
            found[name] = _same_people(gold, said, name, matched)
    return found


def _same_people(gold: SaidItem, said: SaidItem, name: str, matched: Matched) -> bool:
    """Say whether everybody gold lists is said, and nobody beyond gold's alternates."""
    true = {matched.canonical(i) for i in listed(gold.fields.get(name))}
    spare = {matched.canonical(i) for i in listed(gold.fields.get(f"{name}_alternates"))}
    mine = {matched.who(i) or f"?{i}" for i in listed(said.fields.get(name))}
    return true - spare <= mine <= true | spare
