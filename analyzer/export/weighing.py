"""What is weighed before a decision is kept: whom it can be about, what the book proposes of them, which names are free."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from analyzer.errors import ConfigError
from analyzer.export.decided_rows import Known
from analyzer.models.facts import EntityFact, NameFact, StoredFact
from analyzer.models.story import READER, RevealFact
from analyzer.text.namefold import fold_name

_LOOK_ALIKE = re.compile(
    rf"@\s*\d|[\[(]\s*\d+\s*[.:]\s*\d+\s*[\])]|\A\d+[.:]\d+\Z|\A{READER}\Z|\A(?:form|name|narrator|character|fact|issue):"
)
"""Handles, marks of sentences and words of the tool, folded: a name that looks like one would be read as one in a prompt."""
_BEINGS = frozenset({"character", "group"})


def no_look_alike(label: str) -> None:
    """Raise ConfigError for a name that looks like a handle, a sentence's mark or a word of the tool."""
    if _LOOK_ALIKE.search(unicodedata.normalize("NFKC", label).casefold()):
        raise ConfigError(
            f"{label!r} is no name: it looks like a handle or a mark of the tool",
            hint="give a name as the story writes it; to make two one: merge @2 @9",
        )


def others_called(known: Known, handle: str, label: str) -> Iterator[str]:
    """Yield a sentence for everybody else who bears a name."""
    root, wanted = known.bible.root(handle), fold_name(label)
    for own, entry in known.bible.cast.items():
        if own != root and wanted in map(fold_name, entry.called):
            yield f"{label} is a name of {known.name(own)} too; if they are one: merge {handle} {own}"


def of_one_class(known: Known, handles: Sequence[str], verb: str) -> None:
    """Raise ConfigError where two can never be one: a person and a river; in a reveal also a person and a group."""
    kinds = [_kind(known, handle) for handle in handles]
    alike = verb == "merge" and set(kinds) <= _BEINGS
    if "" not in kinds and len(set(kinds)) > 1 and not alike:
        (one, other), (first, second) = map(known.own_name, handles), kinds
        raise ConfigError(
            f"{verb}: {one} is of kind {first}, {other} of kind {second}, they cannot be one",
            hint=f"to hide what is nothing of the story: reject {handles[0]}, or: reject {handles[1]}",
        )


def _kind(known: Known, handle: str) -> str:
    own = next((s.fact for s in known.stored if isinstance(s.fact, EntityFact) and s.fact.entity == handle), None)
    entry = known.bible.cast.get(known.bible.root(handle))
    return own.entity_kind if isinstance(own, EntityFact) else entry.entity.entity_kind if entry else ""


def proposed(known: Known, pair: tuple[str, str]) -> tuple[tuple[str, str], tuple[StoredFact, ...]]:
    """Return a persona and the person behind it as the book proposes them, with its facts; as given where it proposes nothing.

    Told apart in this order: as given, the other way round, by the handles those have become by merges.
    """
    root = known.bible.root
    ends = [
        ((s.fact.persona, s.fact.behind), s) for s in known.stored if isinstance(s.fact, RevealFact) and s.fact.is_mask
    ]
    one, other = map(root, pair)
    near = [both for both, _ in ends if one != other and {root(both[0]), root(both[1])} == {one, other}]
    there = {both for both, _ in ends}
    found = next((both for both in (pair, pair[::-1], *near) if both in there), pair)
    return found, tuple(s for both, s in ends if both == found)


def anchors_borne(known: Known, handle: str) -> Iterator[str]:
    """Yield the anchors by which an analysis may find somebody again: of all who are one with them, and of each name they bear alone."""
    root, bible = known.bible.root, known.bible
    facts = [s.fact for s in known.stored]
    group = {f.entity: root(f.entity) == root(handle) for f in facts if isinstance(f, EntityFact)}
    yield from (known.anchors[one] for one, is_theirs in group.items() if is_theirs)
    others = {fold_name(name) for own, entry in bible.cast.items() if own != root(handle) for name in entry.surfaces}
    names = [f.label for f in facts if isinstance(f, EntityFact) and f.named and group[f.entity]]
    names += [
        f.surface for f in facts if isinstance(f, NameFact) and f.name_kind != "descriptor" and group.get(f.entity)
    ]
    for name in dict.fromkeys(names):
        holder = bible.handles.get(f"name:{name}", "")
        is_free = group.get(holder, True) or holder in known.rulings.settled.gone
        if is_free and fold_name(name) not in others:
            yield f"name:{name}"
