"""Folds notices, words and doubts into secrets and what happens to them; every rule at the door is here, named and counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from analyzer.bible import Bible
from analyzer.knowledge import Secret, open_secrets
from analyzer.models.facts import Evidence, Fact
from analyzer.models.issue import Issue, IssueCode
from analyzer.models.question import NONE
from analyzer.models.story import (
    READER,
    SecretEvent,
    SecretEventFact,
    SecretFact,
    SecretSayFact,
    SecretTouchFact,
)
from analyzer.steps._secrets import BEINGS, CAST, PAST, SAME, Hidden, What, alike, hidden_here
from analyzer.steps._step import ComputeStep, Effects, Unit

EVENTS: tuple[SecretEvent, ...] = ("touched", "shared", "exposed")
"""From the weakest to the strongest: of two looks that differ the weaker counts."""
VOTES_NEEDED = 2
"""Looks (two wordings, and a notice taken for the secret) that must find an open secret touched."""
Shut = tuple[IssueCode, str]


@dataclass
class _Book:
    """What the chapter's compute gathers: facts and issues, and the votes on secrets of before."""

    unit: Unit
    bible: Bible
    says: dict[tuple[str, What], SecretSayFact]
    told: dict[str, tuple[str, ...]]
    before: dict[str, Secret]
    facts: list[Fact] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)
    again: dict[str, list[Hidden]] = field(default_factory=dict)

    def issue(self, code: IssueCode, about: Iterable[str], detail: str) -> None:
        """Keep an issue."""
        found = Issue(code=code, step=STEP.name, chapter=self.unit.chapter.no, about=tuple(about), detail=detail)
        self.issues.append(found)

    def beings(self, handles: Iterable[str]) -> tuple[str, ...]:
        """Return those of the handles that are people or groups of the cast, merged ones once; READER stays."""
        roots = dict.fromkeys(self.bible.root(handle) for handle in handles)
        cast = self.bible.cast
        return tuple(h for h in roots if h == READER or (h in cast and cast[h].entity.entity_kind in BEINGS))


def compute(unit: Unit, bible: Bible) -> Effects:
    """Return the chapter's new secrets and the events of old ones, and an issue for everything a rule turned away."""
    no = unit.chapter.no
    says = {(s.secret, s.what): s for s in bible.of(SecretSayFact) if isinstance(s, SecretSayFact) and s.chapter == no}
    touches = [t for t in bible.of(SecretTouchFact) if isinstance(t, SecretTouchFact) and t.chapter == no]
    told = {t.secret: t.to for t in touches if t.event == "to"}
    before = {secret.id: secret for secret in open_secrets(bible, through=no - 1)}
    book = _Book(unit, bible, says, told, before)
    for one in hidden_here(unit, bible):
        _settle(one, book)
    for secret in before.values():
        _happens(secret, [t for t in touches if t.secret == secret.id and t.event != "to"], book)
    return Effects(tuple((fact, ()) for fact in book.facts), tuple(book.issues))


def _settle(one: Hidden, book: _Book) -> None:
    """Store something noticed as a new secret, count it for an open one, or say which rule turned it away."""
    check = book.says.get((one.secret, "check"))
    nature = check.value if check is not None else ""
    if nature.startswith(SAME) and nature.removeprefix(SAME) in book.before:
        book.again.setdefault(nature.removeprefix(SAME), []).append(one)
        return
    words = _words(one, book)
    holders = _holders(one, book)
    shut = _door(one, nature, words, holders, book.unit)
    if shut is not None:
        book.issue(shut[0], one.holders, f"{one.place}: {shut[1]}")
        return
    known = alike(words, holders, [(s.id, s.fact.proposition, s.holders) for s in book.before.values()])
    if known:
        book.issue("known_already", holders, f"{one.place}: said as {known} is")
        book.again.setdefault(known, []).append(one)
        return
    here = [(f.secret, f.proposition, f.holders) for f in book.facts if isinstance(f, SecretFact)]
    if alike(words, holders, here):
        book.issue("known_already", holders, f"{one.place}: said twice in this chapter")
        return
    _enter(one, nature, words, holders, book)


def _words(one: Hidden, book: _Book) -> str:
    """Return what is hidden in words: the note, or the sentence where no note could be read; "" where nothing is hidden."""
    say = book.says.get((one.secret, "proposition"))
    return one.evidence[0].text if say is None else say.value


def _holders(one: Hidden, book: _Book) -> tuple[str, ...]:
    """Return who holds it as asked, or as noticed where that could not be read."""
    say = book.says.get((one.secret, "holders"))
    return tuple(h for h in book.beings(one.holders if say is None else say.handles) if h != READER)


def _door(one: Hidden, nature: str, words: str, holders: Sequence[str], unit: Unit) -> Shut | None:
    """Return the rule that turns something noticed away, or None."""
    if any(unit.chapter.sentence_text(e.place) != e.text for e in one.evidence):
        return "evidence_not_in_chapter", "the words cited are not those of the chapter"
    if not nature:
        return "undecided", "whether it is kept could not be read"
    if nature not in ("kept", "out"):
        return "not_kept", "nothing is hidden" if nature == NONE else nature
    if not holders:
        return "no_holder", "nobody keeps it"
    return None if words else ("no_words", "nothing could be said of it")


def _enter(one: Hidden, nature: str, words: str, holders: tuple[str, ...], book: _Book) -> None:
    """Store a new secret, and who gets to know it in its own chapter."""
    say = book.says.get((one.secret, "hidden_from"))
    named = book.beings(say.handles) if say is not None and nature == "kept" else ()
    told = book.beings(book.told.get(one.secret, ()))
    keepers = tuple(h for h in holders if h not in told) or holders  # who all learn it here hold it
    learnt = tuple(h for h in told if h not in keepers)
    for handle in named:
        if handle in holders:
            book.issue("kept_from_holder", (handle,), f"{one.place}: {handle} holds it")
    book.facts.append(
        SecretFact(
            secret=one.secret,
            chapter=book.unit.chapter.no,
            proposition=words,
            holders=keepers,
            hidden_from=tuple(h for h in named if h not in holders),
            evidence=one.evidence,
        )
    )
    if learnt or nature == "out":
        event: SecretEvent = "exposed" if nature == "out" else "shared"
        book.facts.append(_event(one.secret, event, learnt, one.evidence, book.unit))


def _event(secret: str, event: SecretEvent, to: tuple[str, ...], evidence: tuple[Evidence, ...], unit: Unit) -> Fact:
    return SecretEventFact(secret=secret, chapter=unit.chapter.no, event=event, to=to, evidence=evidence)


def _happens(secret: Secret, votes: Sequence[SecretTouchFact], book: _Book) -> None:
    """Store what happens to an open secret where enough looks say that something does, and words show it."""
    found = book.again.get(secret.id, [])
    looked: list[SecretEvent] = [event for vote in votes for event in EVENTS if event == vote.event]
    said = looked + ["touched"] * bool(found)
    if not said:
        return
    evidence = tuple(
        dict.fromkeys(e for e in (*(e for v in votes for e in v.evidence), *(e for h in found for e in h.evidence)))
    )
    if len(said) < VOTES_NEEDED:
        book.issue("undecided", secret.holders, f"{secret.id}: {' '.join(said)} by one look alone")
        return
    if not evidence:
        book.issue("no_evidence", secret.holders, f"{secret.id}: no words of the chapter show it")
        return
    asked = [book.told.get(of, ()) for of in (secret.id, *(one.secret for one in found))]
    to = tuple(dict.fromkeys(h for handles in asked for h in book.beings(handles) if h not in secret.holders))
    event: SecretEvent = min(looked or said, key=EVENTS.index)
    if to and event == "touched":
        event = "shared"
    if not to and event != "touched":
        book.issue("nobody_told", secret.holders, f"{secret.id}: {event}, and to nobody new")
        event = "touched"
    _restate(secret, found, to, evidence, book)
    book.facts.append(_event(secret.id, event, to, evidence, book.unit))


def _restate(
    secret: Secret, found: Sequence[Hidden], to: tuple[str, ...], evidence: tuple[Evidence, ...], book: _Book
) -> None:
    """Store who else turns out to hold an open secret that was noticed again, or from whom else it is kept."""
    concerned = {*secret.holders, *secret.kept_from, *to}
    holders = dict.fromkeys(h for one in found for h in _holders(one, book) if h not in {*secret.holders, *to})
    kept = [say.handles for one in found if (say := book.says.get((one.secret, "hidden_from"))) is not None]
    more = dict.fromkeys(h for handles in kept for h in book.beings(handles) if h not in {*concerned, *holders})
    if holders or more:
        fact = SecretFact(
            secret=secret.id,
            chapter=book.unit.chapter.no,
            proposition=secret.fact.proposition,
            holders=tuple(holders) or secret.holders,
            hidden_from=tuple(more),
            evidence=evidence,
        )
        book.facts.append(fact)


STEP = ComputeStep(
    name="secrets",
    part="secrets",
    reads=CAST | {"secret_notice", "secret_say", "secret_touch"},
    writes=frozenset({"secret", "secret_event"}),
    past=PAST,
    compute=compute,
)
