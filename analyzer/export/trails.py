"""What led to a fact of the story, or to nothing: notices, looks, notes, doubts and votes of the same chapter.

Facts at the door name no answers themselves; they are tied to what led to them by their ids (which are made from words), by whom
they are about, and by the sentences both stand on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from analyzer.models.evidence import Evidence
from analyzer.models.facts import Fact, StoredFact
from analyzer.models.issue import Issue

LEADS: dict[str, frozenset[str]] = {
    "change": frozenset({"state_notice", "state_say"}),
    "secret": frozenset({"secret_notice", "secret_say"}),
    "secret_event": frozenset({"secret_touch", "secret_notice", "secret_say"}),
    "knowledge": frozenset({"knowledge_notice", "knowledge_say"}),
    "thread": frozenset({"thread_notice", "thread_say"}),
    "thread_event": frozenset({"thread_touch", "thread_notice", "thread_say"}),
    "reveal": frozenset({"mask", "mask_say"}),
    "turn": frozenset({"turn_vote"}),
    "speech": frozenset({"speaker"}),
    "card": frozenset({"card_say"}),
}
"""Classes that lead to each class of the story."""
LEADING = frozenset().union(*LEADS.values())
"""All of them."""
_VOTES = frozenset({"mask", "secret_touch", "thread_touch", "turn_vote"})
"""Of these, classes whose look gives a verdict."""
_DOUBTS = frozenset({"check", "doubt", "nature", "stance", "unaware", "way", "again", "called"})
"""What a say is about where it is a verdict and no note."""
IDS = ("change", "secret", "piece", "thread", "reveal")
"""Fields that hold an id made from words; `why` takes such an id for all facts that share it."""
_VERDICTS = ("vote", "event", "turn", "value")
_PLACE = re.compile(r"[1-9][0-9]*\.[1-9][0-9]*")
Key = tuple[object, ...]
Root = Callable[[str], str]


def leads_of(fact: Fact, stored: Sequence[StoredFact], root: Root) -> list[StoredFact]:
    """Return what led to a fact of the story, in order: what shares its id, or stands on its sentences about the same."""
    classes = LEADS.get(fact.fact, frozenset())
    there = [
        s for s in stored if s.fact.fact in classes and s.chapter == fact.chapter and _same_knower(s.fact, fact, root)
    ]
    keys = _keys(fact, root)
    ids = {key for s in there for key in _keys(s.fact, root) if keys & _keys(s.fact, root) and key[0] in IDS}
    return [s for s in there if (keys | ids) & _keys(s.fact, root)]


def leads_to_nothing(issue: Issue, stored: Sequence[StoredFact]) -> list[StoredFact]:
    """Return what led to an issue: intermediate facts of its chapter that name all it is about, and what shares their ids."""
    wanted = set(issue.about)
    first = issue.detail.split(" ", 1)[0]
    wanted |= {first} if _PLACE.fullmatch(first) else set()
    if not issue.about:
        return []
    there = [s for s in stored if s.chapter == issue.chapter and s.fact.fact in LEADING]
    ids = {(name, value) for s in there if wanted <= _tokens(s.fact) for name, value in _ids(s.fact)}
    return [s for s in there if wanted <= _tokens(s.fact) or ids & set(_ids(s.fact))]


def is_vote(fact: Fact) -> bool:
    """Say whether a leading fact is a verdict: a look that answers, a doubt."""
    return fact.fact in _VOTES or (fact.fact in LEADING and getattr(fact, "what", "") in _DOUBTS)


def in_words(fact: Fact) -> str:
    """Return a leading fact on one line: `first look: reinforce 3.2`, `note proposition: …`, `doubt: planned`."""
    kind = fact.fact.rpartition("_")[0] or fact.fact
    what, look = getattr(fact, "what", ""), getattr(fact, "look", "")
    noticed = f" {look} look" if fact.fact in _VOTES else f" noticed, {look} look" if look else ""
    head = f"{kind} {what}" if what else kind + noticed
    said = [str(getattr(fact, name)) for name in _VERDICTS if getattr(fact, name, "")]
    said += [str(getattr(fact, name)) for name in ("attribute", "via", "kind", "speaker") if getattr(fact, name, "")]
    said += [f"via {cue}" for cue in getattr(fact, "cues", ())]
    said += [*getattr(fact, "handles", ()), *getattr(fact, "to", ())]
    return f"{head}: {' '.join([*said, *(str(e.place) for e in _evidence(fact))]) or 'nothing'}"


def _same_knower(lead: Fact, fact: Fact, root: Root) -> bool:
    """Say whether what is said of a piece is said of the fact's knower, or of whoever learns it."""
    said_of, knower = getattr(lead, "knower", ""), getattr(fact, "knower", "")
    return not (said_of and knower) or root(said_of) == root(knower)


def _keys(fact: Fact, root: Root) -> set[Key]:
    """Return what ties a fact to others of its chapter."""
    found: set[Key] = set(_ids(fact))
    places = [e.place for e in _evidence(fact)]
    for name in ("knower", "holder"):
        if handle := getattr(fact, name, ""):
            found |= {("one", root(handle), place) for place in places}
    if holders := getattr(fact, "holders", ()):
        found |= {("one", root(handle), place) for handle in holders for place in places}
    if (entity := getattr(fact, "entity", "")) and (attribute := getattr(fact, "attribute", "")):
        found |= {("state", root(entity), attribute, place) for place in places}
    if kind := getattr(fact, "kind", ""):
        found |= {("kind", kind, place) for place in places}
    if persona := getattr(fact, "persona", ""):
        found.add(("pair", frozenset({root(persona), root(getattr(fact, "behind", ""))})))
    if subject := getattr(fact, "subject", ""):
        ends = frozenset({root(subject), root(getattr(fact, "object", ""))})
        found.add(("tie", ends, getattr(fact, "relation", "")))
    if fact.fact in ("speech", "speaker"):
        found.add(("quotation", getattr(fact, "block", 0), getattr(fact, "start", 0)))
    if fact.fact in ("card", "card_say"):
        found.add(("card",))
    return found


def _ids(fact: Fact) -> list[tuple[str, str]]:
    return [(name, value) for name in IDS if (value := getattr(fact, name, ""))]


def _evidence(fact: Fact) -> Iterable[Evidence]:
    found: Iterable[Evidence] = getattr(fact, "evidence", ())
    return found


def _tokens(fact: Fact) -> set[str]:
    """Return every word a fact is told by: its values, handles and places."""
    found: set[str] = set()
    for value in dict(fact).values():
        if isinstance(value, str):
            found.add(value)
        elif isinstance(value, tuple):
            found |= {one for one in value if isinstance(one, str)}
    return found | {str(e.place) for e in _evidence(fact)}


def story_ids(fact: Fact) -> frozenset[str]:
    """Return the ids made from words that a fact carries, those of the story's facts alone."""
    return frozenset(value for _, value in _ids(fact)) if fact.fact in LEADS else frozenset()
