"""`python -m evals.faults CASE [--answers adversary:story-random]`: what a run stored though a rule could know it false.

Whoever answers may be wrong about what a chapter says; nobody may get past what code can know: words that are not there,
somebody who is nobody, a thing that feels, a dead man's deed nobody was asked about, a secret kept from its holder, an event
of a thread before its plant. Written from what the facts mean and without the code of the doors, so that it can try them.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from analyzer import pipeline
from analyzer.bible import Bible, fold
from analyzer.models.evidence import Evidence
from analyzer.models.facts import RELATION_KINDS, Fact
from analyzer.models.story import (
    READER,
    CardFact,
    ChangeFact,
    KnowledgeFact,
    RevealFact,
    SecretEventFact,
    SecretFact,
    SpeechFact,
    StateSayFact,
    ThreadEventFact,
    ThreadFact,
    TurnFact,
)
from analyzer.models.text import Manuscript, Place
from analyzer.storage.store import Store
from evals.answerers.named import ALLOWED, answerer_named
from evals.command import command, show, show_json
from evals.goldset.cases import find_cases
from evals.losses import case_named
from evals.runs import alone, run_book

BEINGS = frozenset({"character", "group"})
VALUES_OF: Mapping[str, frozenset[str]] = {
    "location": frozenset({"place", "object"}),
    "possession": frozenset({"object", "text", "place"}),
    "affiliation": BEINGS,
}
"""Attributes whose value may be one of the cast, and of which kinds; whose a thing is, beings are."""
OF_THE_LIVING = frozenset({"health", "goal", "mood", "ability", "occupation", "affiliation"})
"""Attributes the dead have no more."""
MINDS = frozenset({"goal", "mood", "affiliation", "occupation"})
"""Attributes that only beings have, as all of appearance."""
BLOOD = frozenset({"parent_of", "sibling_of", "grandparent_of", "aunt_uncle_of", "cousin_of"})
OUTSIDE = "outside"
_HANDLE = re.compile(r"@[1-9][0-9]*")


class Fault(NamedTuple):
    """A stored fact that cannot be: its class, chapter, the rule it breaks, and what in it."""

    cls: str
    chapter: int
    rule: str
    detail: str


@dataclass(frozen=True)
class Stored:
    """All facts of a book, beside its text; `bible` is the book at its end."""

    facts: tuple[Fact, ...]
    manuscript: Manuscript
    bible: Bible

    def kind(self, handle: str) -> str:
        """Return of which kind somebody of the cast is, "" for nobody."""
        entry = self.bible.cast.get(self.bible.root(handle))
        return entry.entity.entity_kind if entry is not None else ""

    def since(self, handle: str) -> int:
        """Return the chapter in which somebody comes into the cast."""
        return self.bible.cast[self.bible.root(handle)].entity.chapter

    def root(self, handle: str) -> str:
        """Return who somebody is, merges followed; READER stays."""
        return handle if handle == READER else self.bible.root(handle)

    @cached_property
    def secrets(self) -> dict[str, list[SecretFact]]:
        """The secrets by id, the first statement first."""
        found: dict[str, list[SecretFact]] = {}
        for fact in sorted((f for f in self.facts if isinstance(f, SecretFact)), key=lambda f: f.chapter):
            found.setdefault(fact.secret, []).append(fact)
        return found

    @cached_property
    def threads(self) -> dict[str, ThreadFact]:
        """The threads by id."""
        return {f.thread: f for f in self.facts if isinstance(f, ThreadFact)}

    @cached_property
    def doubted(self) -> frozenset[tuple[int, str]]:
        """Chapter and id of every change that was doubted and confirmed."""
        return frozenset((f.chapter, f.change) for f in self.facts if isinstance(f, StateSayFact) and f.what == "doubt")


def stored_in(book: Path) -> Stored:
    """Return what a book's store holds."""
    manuscript = pipeline.manuscript_of(book)
    with Store.open(book) as store:
        facts, handles = tuple(row.fact for row in store.facts()), store.handles()
    return Stored(facts, manuscript, fold(facts, through=len(manuscript.chapters), handles=handles))


def faults_of(stored: Stored) -> tuple[Fault, ...]:
    """Return every fault of the facts about the story, in order of chapters. Cost: code only, milliseconds a chapter."""
    found = [
        Fault(fact.fact, fact.chapter, rule, detail)
        for fact in stored.facts
        if fact.fact in _RULES
        for rule, detail in (*_shown(fact, stored), *_RULES[fact.fact](fact, stored))
    ]
    found += _acts_of_the_dead(stored)
    return tuple(sorted(found))


Broken = Iterator[tuple[str, str]]
"""Rules broken by one fact, with what in it."""


def _shown(fact: Fact, stored: Stored) -> Broken:
    """Yield what is wrong with the words that are to show a fact."""
    evidence: Sequence[Evidence] | None = getattr(fact, "evidence", None)
    if evidence is None:
        return
    if not evidence:
        yield "no evidence", fact.fact
    for one in evidence:
        chapter = stored.manuscript.chapter(one.chapter)
        block = chapter.block(one.block) if chapter is not None else None
        if one.chapter != fact.chapter:
            yield "evidence of another chapter", f"{one.chapter} {one.place}"
        elif block is None or block.text[one.start : one.end] != one.text or not one.text:
            yield "evidence that is not there", f"{one.place} {one.text[:40]!r}"


def _somebody(handles: Iterable[str], stored: Stored, kinds: Iterable[str], chapter: int) -> Broken:
    """Yield those who are nobody, of a kind that cannot be meant, or not in the book yet."""
    for handle in handles:
        kind = stored.kind(handle)
        if not kind:
            yield "nobody of the cast", handle
        elif kind not in kinds:
            yield "wrong kind", f"{handle} is a {kind}"
        elif stored.since(handle) > chapter:
            yield "not in the book yet", f"{handle} comes in chapter {stored.since(handle)}"


_ALL = frozenset({"character", "group", "place", "object", "event", "lore", "text"})


def _change(fact: ChangeFact, stored: Stored) -> Broken:
    kinds = BEINGS if fact.is_look or fact.attribute in MINDS else _ALL - {"event", "lore"}
    yield from _somebody((fact.entity,), stored, kinds, fact.chapter)
    if fact.to_entity:
        owned = fact.attribute == "possession" and stored.kind(fact.entity) not in BEINGS
        values = BEINGS if owned else VALUES_OF.get(fact.attribute, frozenset())
        yield from _somebody((fact.to_entity,), stored, values, fact.chapter)
        if stored.root(fact.to_entity) == stored.root(fact.entity):
            yield "its own value", f"{fact.entity} {fact.attribute}"
    if fact.op in ("set", "add") and not fact.to and not fact.to_entity and not fact.looks:
        yield "no value and no look", f"{fact.entity} {fact.attribute}"


def _acts_of_the_dead(stored: Stored) -> Iterator[Fault]:
    """Yield what the dead do or feel though nobody was asked whether that can be."""
    dead: dict[str, tuple[int, Place]] = {}
    changes = sorted(
        (f for f in stored.facts if isinstance(f, ChangeFact) and f.evidence),
        key=lambda f: (f.chapter, f.evidence[0].place),
    )
    for fact in changes:
        who = stored.root(fact.entity)
        if fact.attribute == "life_status" and fact.modality == "asserted":
            dead.pop(who, None)
            if fact.to == "dead" and fact.op in ("set", "add"):
                dead[who] = (fact.chapter, fact.evidence[0].place)
        acts = fact.attribute in OF_THE_LIVING and fact.op in ("set", "add") and fact.modality == "asserted"
        if acts and who in dead and (fact.chapter, fact.change) not in stored.doubted:
            yield Fault("change", fact.chapter, "act of the dead", f"{who} {fact.attribute}, dead since {dead[who][0]}")


def _secret(fact: SecretFact, stored: Stored) -> Broken:
    yield from _somebody(fact.holders, stored, BEINGS, fact.chapter)
    yield from _somebody((h for h in fact.hidden_from if h != READER), stored, BEINGS, fact.chapter)
    if not fact.holders:
        yield "kept by nobody", fact.secret
    if not fact.proposition.strip():
        yield "no words", fact.secret
    both = set(map(stored.root, fact.holders)) & set(map(stored.root, fact.hidden_from))
    if both:
        yield "kept from a holder", " ".join(sorted(both))


def _secret_event(fact: SecretEventFact, stored: Stored) -> Broken:
    yield from _somebody((h for h in fact.to if h != READER), stored, BEINGS, fact.chapter)
    before = [f for f in stored.secrets.get(fact.secret, ()) if f.chapter <= fact.chapter]
    if not before:
        yield "before its secret", fact.secret
    holders = {stored.root(h) for f in before for h in f.holders}
    known = holders & set(map(stored.root, fact.to))
    if known and fact.event != "touched":
        yield "exposed to a holder", " ".join(sorted(known))


def _knowledge(fact: KnowledgeFact, stored: Stored) -> Broken:
    people = (fact.knower, *((fact.told_by,) if fact.told_by else ()))
    yield from _somebody(people, stored, BEINGS, fact.chapter)
    if not fact.proposition.strip():
        yield "no words", fact.piece
    if fact.stance == "unaware" and fact.via is not None:
        yield "a way to what is not known", fact.via
    if fact.stance == "knows" and fact.via == "deceived":
        yield "knows what is not so", fact.piece
    if fact.told_by and stored.root(fact.told_by) == stored.root(fact.knower):
        yield "told by oneself", fact.knower
    twice = [
        f
        for f in stored.facts
        if isinstance(f, KnowledgeFact)
        and f is not fact
        and f.chapter == fact.chapter
        and stored.root(f.knower) == stored.root(fact.knower)
        and f.proposition.casefold() == fact.proposition.casefold()
    ]
    if twice:
        yield "said twice of one", f"{fact.knower} {fact.stance} {twice[0].stance}"


def _thread(fact: ThreadFact, stored: Stored) -> Broken:
    yield from _somebody(fact.about, stored, _ALL, fact.chapter)
    if not fact.statement.strip():
        yield "no words", fact.thread
    events = [f for f in stored.facts if isinstance(f, ThreadEventFact) and f.thread == fact.thread]
    if not any(f.chapter == fact.chapter for f in events):
        yield "no first event", fact.thread


def _thread_event(fact: ThreadEventFact, stored: Stored) -> Broken:
    thread = stored.threads.get(fact.thread)
    if thread is None or thread.chapter > fact.chapter:
        yield "before its thread", f"{fact.event} of {fact.thread}"
    elif fact.event == "plant" and thread.chapter < fact.chapter:
        yield "planted again", fact.thread


def _reveal(fact: RevealFact, stored: Stored) -> Broken:
    ends = dict.fromkeys((fact.persona, fact.behind))
    kinds = frozenset({"character"}) if len(ends) > 1 else _ALL
    yield from _somebody(ends, stored, kinds, fact.chapter)
    yield from _somebody((h for h in fact.to if h != READER), stored, BEINGS, fact.chapter)
    if not fact.to:
        yield "told to nobody", fact.reveal
    hides = {
        f.behind
        for f in stored.facts
        if isinstance(f, RevealFact) and f.persona == fact.persona != f.behind and f.chapter <= fact.chapter
    }
    if len(hides) > 1:
        yield "one mask of two", f"{fact.persona}: {' '.join(sorted(hides))}"
    if set(map(stored.root, fact.to)) & {fact.persona, fact.behind}:
        yield "told to oneself", f"{fact.persona} {fact.behind}"


def _turn(fact: TurnFact, stored: Stored) -> Broken:
    yield from _somebody((fact.subject, fact.object), stored, _ALL, fact.chapter)
    rule = RELATION_KINDS.get(fact.relation)
    ends = (stored.root(fact.subject), stored.root(fact.object))
    ways = (ends, ends[::-1]) if rule is not None and rule.symmetric else (ends,)
    stated = any(
        r.relation == fact.relation
        and (stored.root(r.subject), stored.root(r.object)) in ways
        and r.chapter < fact.chapter
        for r in stored.bible.relations
    )
    if not stated:
        yield "turn of what was not", f"{fact.subject} {fact.relation} {fact.object}"
    if fact.turn == "ends" and fact.relation in BLOOD:
        yield "blood that ends", f"{fact.subject} {fact.relation} {fact.object}"


def _speech(fact: SpeechFact, stored: Stored) -> Broken:
    people = (*((fact.speaker,) if fact.speaker else ()), *fact.hearers)
    yield from _somebody(people, stored, BEINGS, fact.chapter)
    chapter = stored.manuscript.chapter(fact.chapter)
    block = chapter.block(fact.block) if chapter is not None else None
    if block is None or not 0 <= fact.start < fact.end <= len(block.text):
        yield "quotation that is not there", f"{fact.block} {fact.start}-{fact.end}"
    if fact.speaker and stored.root(fact.speaker) in map(stored.root, fact.hearers):
        yield "hears oneself", fact.speaker
    if bool(fact.speaker) == (fact.by == "unknown"):
        yield "a speaker nobody knows", fact.speaker or fact.by


def _card(fact: CardFact, stored: Stored) -> Broken:
    yield from _somebody(fact.people, stored, BEINGS, fact.chapter)
    yield from _somebody(fact.places, stored, frozenset({"place"}), fact.chapter)
    yield from _somebody(_HANDLE.findall(fact.summary), stored, _ALL, fact.chapter)
    if fact.point_of_view not in ("", OUTSIDE):
        yield from _somebody((fact.point_of_view,), stored, BEINGS, fact.chapter)
    if not fact.summary.strip():
        yield "no words", "summary"


_RULES: Mapping[str, Callable[..., Broken]] = {
    "change": _change,
    "secret": _secret,
    "secret_event": _secret_event,
    "knowledge": _knowledge,
    "thread": _thread,
    "thread_event": _thread_event,
    "reveal": _reveal,
    "turn": _turn,
    "speech": _speech,
    "card": _card,
}
CHECKED = tuple(_RULES)
"""Classes of facts that are tried."""


@command
def main(words: Sequence[str] | None = None) -> int:
    """Run a case with the answerer named and print every fault; exit code 1 where there is one."""
    parser = argparse.ArgumentParser(prog="python -m evals.faults", description="What was stored and cannot be.")
    parser.add_argument("case", help="a goldset's name")
    parser.add_argument("--answers", default="adversary:story-random", help=ALLOWED)
    parser.add_argument("--texts", type=Path, help="a folder with the texts of public editions, found by hash")
    parser.add_argument("--json", action="store_true", help="print records instead of lines")
    options = parser.parse_args(words)
    answerer = answerer_named(options.answers)
    found: list[Fault] = []
    n_facts = 0
    with tempfile.TemporaryDirectory() as folder:
        for one in alone([case_named(options.case, find_cases(options.texts))]):
            stored = stored_in(run_book(one, answerer, Path(folder)))
            n_facts += sum(fact.fact in CHECKED for fact in stored.facts)
            found += faults_of(stored)
    if options.json:
        show_json([fault._asdict() for fault in found])
    else:
        show(*(f"{fault.chapter}: {fault.cls}: {fault.rule}: {fault.detail}" for fault in found))
        show(f"{len(found)} faults in {n_facts} facts of the story ({answerer.name})")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
