"""Planes: whose eyes a view is seen through. A plane is a filter over facts; the bible of a plane is a fold of what is left.

The author sees everything. A reader of chapters 1..N sees what these chapters told readers: no secret that is still kept from
READER, and two for every persona until the author has confirmed the reveal. A character sees what `minds` leaves. Nothing
here looks at a fact of a later chapter, so a view as of N is the view of a book that ends there (docs/planes.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple, TypeVar

from analyzer.bible import Bible, fold
from analyzer.errors import ConfigError
from analyzer.export.minds import Mind, mind_of
from analyzer.knowledge import linked, secrets
from analyzer.models.base import Record
from analyzer.models.decision import Rename, Reveal
from analyzer.models.evidence import Evidence
from analyzer.models.facts import Fact, SameFact, StoredFact
from analyzer.models.story import (
    READER,
    KnowledgeFact,
    RevealFact,
    SecretEventFact,
    SecretFact,
    ThreadEventFact,
    ThreadFact,
)
from analyzer.rulings import NO_RULINGS, Rulings
from analyzer.settling import Ruling
from analyzer.speech import with_asked
from analyzer.turns import Tie, Triple, ties

INTERMEDIATE = frozenset(
    {
        "form", "proposal", "claim", "detail", "vote", "speaker", "mask", "mask_say", "state_notice", "state_say",
        "secret_notice", "secret_say", "secret_touch", "knowledge_notice", "knowledge_say", "thread_notice", "thread_say",
        "thread_touch", "turn_vote", "card_say",
    }
)  # fmt: skip
"""Classes that only lead to facts; the author alone may look at them."""
_PLANE = re.compile(r"author|reader|character:(@[1-9][0-9]*)")
_Spot = tuple[int, int, int]
_Kind = TypeVar("_Kind", bound=Record)


class Plane(NamedTuple):
    """Whose eyes: `handle` is the character's, "" for the author and readers."""

    kind: Literal["author", "reader", "character"]
    handle: str = ""


AUTHOR = Plane("author")


def plane_of(words: str) -> Plane:
    """Return the plane written as `author`, `reader` or `character:@7`; raises ConfigError for anything else."""
    found = _PLANE.fullmatch(words)
    if found is None:
        raise ConfigError(f"{words!r} is no plane", hint="--plane takes author, reader or character:@7")
    if found.group(1):
        return Plane("character", found.group(1))
    return Plane("reader") if words == "reader" else AUTHOR


@dataclass(frozen=True)
class Seen:
    """A book as of chapter `through` on one plane: the facts seen there, in order, and the bible folded from them.

    `confirmed` are the ids of the reveals the author has confirmed; `mind` is the character's, None on other planes.
    `was_read` says whether the book was ever run, `threads_unread` in which chapters nobody looked for threads. `unknown` is
    how somebody is called whom the plane does not know ("": by the handle).
    """

    plane: Plane
    through: int
    stored: tuple[StoredFact, ...]
    bible: Bible
    confirmed: frozenset[str] = frozenset()
    mind: Mind | None = None
    was_read: bool = True
    threads_unread: frozenset[int] = frozenset()
    unknown: str = ""

    @cached_property
    def ids(self) -> dict[Fact, str]:
        """The id of each fact."""
        return {s.fact: s.fact_id for s in self.stored}

    @cached_property
    def ties(self) -> dict[Triple, Tie]:
        """The relations as they stand, by subject, kind and object."""
        return ties(self.bible)

    def id_of(self, fact: Fact) -> str:
        """Return the id of a fact of this view, "" for one that is derived from others."""
        return self.ids.get(fact, "")

    def each(self, kind: type[_Kind]) -> list[tuple[_Kind, str]]:
        """Return the facts of a class with their ids, in order."""
        return [(s.fact, s.fact_id) for s in self._by_class.get(kind, ()) if isinstance(s.fact, kind)]

    @cached_property
    def _by_class(self) -> dict[type, list[StoredFact]]:
        found: dict[type, list[StoredFact]] = {}
        for one in self.stored:
            found.setdefault(type(one.fact), []).append(one)
        return found


def seen(
    stored: Iterable[StoredFact],
    *,
    through: int,
    plane: Plane = AUTHOR,
    confirmed: frozenset[str] = frozenset(),
    decisions: Rulings = NO_RULINGS,
    handles: dict[str, str] | None = None,
    proposals: bool = False,
) -> Seen:
    """Return the book as of chapter `through` on a plane; facts of later chapters are left out before anything else.

    `confirmed` are ids of reveals the author has confirmed, those in `decisions` beside: whoever was told of one sees persona
    and person as one from its chapter on. All others stay two. What the author rejected is on no plane. `proposals`
    shows readers those told to them that he has not decided on, which join nobody. Raises ConfigError where the plane's
    character is nobody of the cast by then.
    """
    eyes: Literal["author", "reader"] = "author" if plane.kind == "author" else "reader"
    known = with_asked([s for s in stored if s.chapter <= through])

    def folded(rows: Iterable[StoredFact], ruled: Rulings) -> Bible:
        facts = [s.fact for s in rows]
        told = _merges(rows, confirmed)
        return fold((*facts, *told), through=through, handles=handles, decisions=ruled, plane=eyes)

    whole = folded(known, decisions)
    known = _left(known, whole)
    confirmed = confirmed | _confirmed_in(known, decisions.known(through, eyes))
    mind, kept = None, tuple(known)
    if plane.kind == "reader":
        kept = _for_readers(known, whole, confirmed, proposals=proposals)
    elif plane.kind == "character":
        whole = folded(known, decisions)
        mind = mind_of(whole, plane.handle)
        kept = mind.left(known, confirmed)
        decisions = _told_to(mind, kept, decisions.known(through, eyes))
    return Seen(plane, through, kept, folded(kept, decisions), confirmed, mind)


def _left(stored: Sequence[StoredFact], bible: Bible) -> list[StoredFact]:
    """Return the facts without what the author rejected."""
    if not bible.ruled:
        return list(stored)
    found = []
    for one in stored:
        for fact in bible.ruled.left((one.fact,), bible.root):
            found.append(one if fact is one.fact else one.model_copy(update={"fact": fact}))
    return found


def _confirmed_in(stored: Iterable[StoredFact], decisions: Rulings) -> frozenset[str]:
    """Return the reveals of which decisions known by now say that the two are one."""
    pairs = {frozenset(r.ends) for r in decisions.known_rulings if r.joins()}
    return frozenset(
        s.fact.reveal
        for s in stored
        if isinstance(s.fact, RevealFact) and frozenset((s.fact.persona, s.fact.behind)) in pairs
    )


def _told_to(mind: Mind, stored: Sequence[StoredFact], decisions: Rulings) -> Rulings:
    """Return the decisions as a character knows them.

    Without those that join two of whom they have not been told that they are one; new names of others as of the last scene that
    shows them.
    """
    told = {frozenset((s.fact.persona, s.fact.behind)) for s in stored if isinstance(s.fact, RevealFact)}

    def is_known(ruling: Ruling) -> bool:
        if not ruling.joins():
            return True
        if isinstance(ruling.decision, Reveal):
            return frozenset(ruling.ends) in told or mind.is_me(*ruling.ends)
        return mind.is_told(ruling)

    known = (mind.as_named(r) if isinstance(r.decision, Rename) else r for r in decisions.known_rulings)
    return replace(decisions, known_rulings=tuple(filter(is_known, known)))


def _merges(stored: Iterable[StoredFact], confirmed: frozenset[str]) -> list[SameFact]:
    """Return the merges that confirmed reveals among these facts bring."""
    return [
        SameFact(entity=s.fact.persona, same_as=s.fact.behind, chapter=s.fact.chapter, evidence=s.fact.evidence)
        for s in stored
        if isinstance(s.fact, RevealFact) and s.fact.reveal in confirmed and s.fact.persona != s.fact.behind
    ]


def _for_readers(
    stored: Sequence[StoredFact], whole: Bible, confirmed: frozenset[str], *, proposals: bool
) -> tuple[StoredFact, ...]:
    # what a reader was told once is never hidden again, whatever a later chapter says of it
    hidden = [s for s in secrets(whole) if READER in s.kept_from and READER in s.fact.hidden_from]
    kept_back = {secret.id for secret in hidden}
    pieces = {piece for piece, secret in linked(whole, hidden).items() if secret in kept_back}
    spots = {_spot(e) for secret in hidden for e in secret.evidence}
    threads = {
        s.fact.thread
        for s in stored
        if isinstance(s.fact, ThreadFact)
        and s.fact.kind == "secret"
        and any(_spot(e) in spots for e in s.fact.evidence)
    }

    def shown(fact: Fact) -> bool:
        match fact:
            case SecretFact() | SecretEventFact():
                return fact.secret not in kept_back
            case KnowledgeFact():
                return fact.piece not in pieces and fact.secret not in kept_back
            case ThreadFact() | ThreadEventFact():
                return fact.thread not in threads
            case RevealFact():
                return READER in fact.to and (proposals or fact.reveal in confirmed or not fact.is_mask)
            case _:
                return fact.fact not in INTERMEDIATE

    return tuple(s for s in stored if shown(s.fact))


def _spot(evidence: Evidence) -> _Spot:
    return evidence.chapter, evidence.block, evidence.sentence
