"""A book as its author sees it, and each of his decisions as it stands: in words, with what it waits for."""

from __future__ import annotations

from typing import NamedTuple

from analyzer.bible import Bible
from analyzer.export.show import shown_name
from analyzer.factkeys import Key, key_of
from analyzer.models.base import Record
from analyzer.models.decision import (
    About,
    Confirm,
    Decided,
    Merge,
    Reject,
    Rename,
    Reveal,
    Split,
    Undo,
    anchors_of,
)
from analyzer.models.facts import EntityFact, Fact, StoredFact
from analyzer.rulings import Rulings
from analyzer.settling import Ruling


class DecisionRead(Record):
    """A decision as it stands: `since` is the chapter from which readers see it (0: not so far; None: it shows them nothing).

    `waits` says why it does nothing now, `overruled_by` which later one contradicts it, `told` what the author should know of it.
    """

    id: str
    decided_at: float
    kind: str
    what: str
    since: int | None
    words: str = ""
    undone: bool = False
    overruled_by: str = ""
    waits: str = ""
    told: tuple[str, ...] = ()


class Known(NamedTuple):
    """A book as its author sees it: facts, bible with his decisions, the decisions, anchors by handle, ids of chapters by number."""

    stored: tuple[StoredFact, ...]
    bible: Bible
    rulings: Rulings
    decided: tuple[Decided, ...]
    anchors: dict[str, str]
    ids: dict[int, int]

    def about(self, key: Key) -> About:
        """Return a key by anchors."""
        kind, ends, words = key
        return About(fact=kind, ends=tuple(self.anchors.get(end, "") for end in ends), words=words)

    def name(self, handle: str, *, but: str = "") -> str:
        """Return a handle with how it is called, by another name than `but` where there is one."""
        entry = self.bible.cast.get(self.bible.root(handle))
        if entry is None:
            return self.own_name(handle)
        shown = shown_name(entry, self.bible)
        others = [name for name in entry.called if name != but] if shown == but else []
        return f"{handle} {others[0] if others else shown}"

    def own_name(self, handle: str, *, before: str = "") -> str:
        """Return a handle with the name it has by itself, whoever it is one with: by the author's last name for it, else the text's.

        Of names the author gave only those of decisions older than `before` ("" for all) count.
        """
        ids = [one.id for one in self.decided]
        older = set(ids[: ids.index(before)] if before in ids else ids)
        given = [
            r.decision.label
            for r in self.rulings.known_rulings
            if r.id in older and isinstance(r.decision, Rename) and r.ends == (handle,)
        ]
        facts = [s.fact.label for s in self.stored if isinstance(s.fact, EntityFact) and s.fact.entity == handle]
        labels = [*given[-1:], *facts]
        if labels:
            return f"{handle} {labels[0]}"
        entry = self.bible.cast.get(handle)
        return f"{handle} {entry.entity.label}" if entry else handle


def decision_row(known: Known, one: Decided, *, new: bool = True, notes: tuple[str, ...] = ()) -> DecisionRead:
    """Return a decision as it stands; `new` False says that it was in force before it was taken again, `notes` what else to tell."""
    undone = any(isinstance(d.decision, Undo) and d.decision.decision == one.id for d in known.decided)
    ruling = next((r for r in known.rulings.known_rulings if r.id == one.id), None)
    by_id = {d.id: d for d in known.decided}
    overruled = known.rulings.settled.overruled
    by = next((o.by for o in overruled if o.id == one.id), "")
    told = [f"it overrules {o.id} ({said_of(known, by_id[o.id])})" for o in overruled if o.by == one.id]
    waits = waiting(known, ruling) if ruling else ""
    words = getattr(one.decision, "words", None)
    return DecisionRead(
        id=one.id,
        decided_at=one.at,
        kind=one.decision.kind,
        what=said_of(known, one),
        since=ruling.chapter if ruling and ruling.needs_words else None,
        words=words.text if words else "",
        undone=undone,
        overruled_by=by,
        waits=waits,
        told=(*(() if new else ("it is in force already",)), *notes, *told, *((waits,) if waits else ())),
    )


def decision_rows(known: Known) -> tuple[DecisionRead, ...]:
    """Return all decisions, oldest first; what undid one is told with it."""
    return tuple(decision_row(known, one) for one in known.decided if not isinstance(one.decision, Undo))


def said_of(known: Known, one: Decided) -> str:
    """Return a decision in words, with the names of before it was taken."""
    decision, who = one.decision, [_by_anchor(known, anchor, one.id) for anchor in anchors_of(one.decision)]
    if isinstance(decision, Confirm | Reject):
        many = decision.about[0].fact not in (
            "entity",
            "name",
        )  # of these the others are whatever else they are found by
        return "; ".join(_said(known, about, one.id) for about in (decision.about if many else decision.about[:1]))
    if isinstance(decision, Rename):
        return f"{who[0]} is called {decision.label}"
    if isinstance(decision, Split):
        names = f": {', '.join(decision.surfaces)}" if decision.surfaces else ""
        return f"{who[1]} is not {who[0]}{names}"
    if isinstance(decision, Undo):
        return decision.decision
    if isinstance(decision, Reveal):
        return f"{who[0]} is {'not ' if decision.status == 'rejected' else ''}{who[1]}"
    return f"{who[0]} {'is' if isinstance(decision, Merge) else 'is never'} {who[1]}"


def _by_anchor(known: Known, anchor: str, decision_id: str) -> str:
    """Return whom an anchor means, with the name of before a decision; the anchor where it means nobody."""
    handle = known.bible.handles.get(anchor, "")
    return known.own_name(handle, before=decision_id) if handle else anchor


def _said(known: Known, about: About, decision_id: str) -> str:
    who = [_by_anchor(known, anchor, decision_id) for anchor in about.ends]
    between = {"same": "=", "reveal": "is", "name": "called"}.get(about.fact, "")
    if about.fact == "relation":
        return f"{who[0]} {about.words[0]} {who[1]}"
    if between and (len(who) > 1 or about.words):
        return f"{who[0]} {between} {(*who[1:], *about.words)[0]}"
    return " ".join((about.fact, *who, *about.words))


def waiting(known: Known, ruling: Ruling) -> str:
    """Return why a decision does nothing now, or nothing for readers; "" where it does all it says."""
    there = {s.fact.entity for s in known.stored if isinstance(s.fact, EntityFact)} | set(known.bible.cast)
    anchors = anchors_of(ruling.decision)
    parts = isinstance(ruling.decision, Split) or ruling.parts()
    missing = [a for a, handle in zip(anchors, ruling.ends, strict=True) if handle not in there]
    if missing and not parts:
        return f"it waits: nobody of the book is {' or '.join(_by_anchor(known, anchor, ruling.id) for anchor in missing)} now"
    if isinstance(ruling.decision, Confirm) and not {key_of(s.fact) for s in known.stored} & set(ruling.keys):
        return "it waits: the book does not say this now" + ("" if any(ruling.kept) else ", and its words are gone")
    if ruling.needs_words and not ruling.chapter:
        return _unseen(known, ruling)
    return ""


def _unseen(known: Known, ruling: Ruling) -> str:
    if getattr(ruling.decision, "words", None) is not None:
        if isinstance(ruling.decision, Rename) and _bears(known, ruling):
            return ""
        return "it waits with readers: the sentence that carries it is gone; name another with --at"
    return "readers do not see it: no sentence carries it so far; name one with --at CHAPTER:BLOCK.SENTENCE"


def _bears(known: Known, ruling: Ruling) -> bool:
    entry = known.bible.cast.get(known.bible.root(ruling.ends[0]))
    return entry is not None and getattr(ruling.decision, "label", "") in entry.surfaces


def rejected_by(known: Known, fact: Fact) -> str:
    """Return the id of the decision by which the author rejected a fact or whom it is about; "" where he did not."""
    if not known.rulings or known.rulings.left((fact,), known.bible.root):
        return ""
    overruled = {one.id for one in known.rulings.settled.overruled}
    rejecting = [
        r
        for r in known.rulings.touching((fact,))
        if r.id not in overruled and (isinstance(r.decision, Reject) or (isinstance(r.decision, Reveal) and r.parts()))
    ]
    own = [r for r in rejecting if key_of(fact) in r.keys]
    return next((r.id for r in reversed(own or rejecting)), "")
