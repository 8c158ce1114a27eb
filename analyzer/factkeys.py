"""Facts by their content, and what of them is left where some are hidden: what decisions of the author are about."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.models.facts import RELATION_KINDS, Evidence, Fact
from analyzer.models.story import RevealFact

Root = Callable[[str], str]
"""The handle that stands for a handle after merges."""
Key = tuple[str, tuple[str, ...], tuple[str, ...]]
"""A fact by its content: class, handles of its ends, what else tells it from others."""

_KEYS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "entity": (("entity",), ()),
    "name": (("entity",), ("surface",)),
    "same": (("entity", "same_as"), ()),
    "relation": (("subject", "object"), ("relation",)),
    "turn": (("subject", "object"), ("relation", "turn")),
    "reveal": (("persona", "behind"), ()),
    "change": ((), ("change",)),
    "secret": ((), ("secret",)),
    "secret_event": ((), ("secret", "event")),
    "knowledge": (("knower",), ("piece",)),
    "thread": ((), ("thread",)),
    "thread_event": ((), ("thread", "event")),
}
"""Fields that make a fact's key, by class: handles of ends, then words. Events are also told by their first sentence."""
OWNERS = ("entity", "same_as", "subject", "object", "persona", "behind", "knower", "holder")
"""Fields whose entity a fact is about: with it the fact goes. Elsewhere a handle that is hidden is left out of the fact."""
_MENTIONS = ("speaker", "told_by", "to_entity", "tied_to", "point_of_view")
_LISTS = ("holders", "hidden_from", "hearers", "to", "about", "people", "places", "handles")


def key_of(fact: Fact) -> Key | None:
    """Return the key of a fact, None for classes an author decides nothing about."""
    if fact.fact not in _KEYS:
        return None
    if isinstance(fact, RevealFact) and not fact.is_mask:
        return "called", (fact.persona,), (fact.called,)
    ends, words = _KEYS[fact.fact]
    told = tuple(str(getattr(fact, name)) for name in words)
    if fact.fact in ("secret_event", "thread_event"):
        evidence: tuple[Evidence, ...] = getattr(fact, "evidence", ())
        told = (*told, evidence[0].text if evidence else "")
    return ordered(fact.fact, tuple(str(getattr(fact, name)) for name in ends), told)


def ordered(kind: str, ends: tuple[str, ...], words: tuple[str, ...]) -> Key:
    """Return a key; ends of what holds both ways stand in one order."""
    both_ways = kind == "same" or (
        kind in ("relation", "turn") and words[0] in RELATION_KINDS and RELATION_KINDS[words[0]].symmetric
    )
    return kind, tuple(sorted(ends)) if both_ways else ends, words


def rooted(key: Key, root: Root) -> Key:
    """Return a key with the handles its ends are known by after merges."""
    kind, ends, words = key
    return ordered(kind, tuple(map(root, ends)), words)


def is_about(key: Key, keys: set[Key]) -> bool:
    """Say whether a key is one of these, or the id in it stands in one of them."""
    return key in keys or any(key[2] and key[2][0] in words for _, _, words in keys)


def _hangs_on_hidden(fact: Fact, root: Root, hidden: frozenset[Key]) -> bool:
    """Say whether a fact rests on one that is hidden: what happens to a secret, a thread or a relation."""
    if fact.fact.startswith(("secret_", "thread_")):
        kind = fact.fact.partition("_")[0]
        return (kind, (), (str(getattr(fact, kind, "")),)) in hidden
    if fact.fact == "turn":
        return ordered("relation", (root(fact.subject), root(fact.object)), (fact.relation,)) in hidden
    return False


def _without(fact: Fact, root: Root, gone: frozenset[str], hidden: frozenset[Key]) -> Fact | None:
    """Return a fact without handles that are gone; None where nobody is left to hold a secret."""
    changes: dict[str, object] = {
        name: "" for name in _MENTIONS if gone and root(getattr(fact, name, "") or "@0") in gone
    }
    for name in _LISTS if gone else ():
        before = getattr(fact, name, ())
        if isinstance(before, tuple) and any(root(handle) in gone for handle in before):
            changes[name] = tuple(handle for handle in before if root(handle) not in gone)
    if changes.get("holders") == ():
        return None
    secret = getattr(fact, "secret", "") if fact.fact == "knowledge" else ""
    if secret and ("secret", (), (secret,)) in hidden:
        changes["secret"] = ""
    return fact.model_copy(update=changes) if changes else fact


def left_of(fact: Fact, root: Root, gone: frozenset[str], hidden: frozenset[Key]) -> Fact | None:
    """Return what is left of a fact where `hidden` facts and entities that are `gone` are no more; None: nothing."""
    key = key_of(fact)
    if key is not None and (key in hidden or rooted(key, root) in hidden):
        return None
    if gone and any(root(getattr(fact, name, "")) in gone for name in OWNERS):
        return None
    return None if _hangs_on_hidden(fact, root, hidden) else _without(fact, root, gone, hidden)
