"""Who knows what as of a chapter: a pure fold over secrets, what happened to them, and pieces of knowledge.

Everything here is read off stored facts and nothing is asked. Stop the bible at chapter N and you have what somebody knew,
believed, suspected or plainly did not know then, since when and how, and which secrets were still kept from whom.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from analyzer.bible import Bible
from analyzer.models.evidence import Evidence
from analyzer.models.story import (
    READER,
    KnowledgeFact,
    SecretEventFact,
    SecretFact,
    SpeechFact,
    Stance,
    Via,
)

_Kind = TypeVar("_Kind", SecretFact, SecretEventFact, KnowledgeFact, SpeechFact)
_Spot = tuple[int, int, int]
"""Chapter, block and sentence."""
_Speakers = Mapping[_Spot, frozenset[str]]
STANCES: tuple[Stance, ...] = ("unaware", "suspects", "believes", "knows")
"""From the weakest to the strongest: of two of one chapter the stronger counts, since a chapter is read as it stands at its end."""


SAID: frozenset[Via] = frozenset({"told", "overheard", "deceived"})
"""Ways that come from somebody's mouth."""


class Step(NamedTuple):
    """How somebody stood to something from a chapter on."""

    chapter: int
    stance: Stance
    via: Via | None
    told_by: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True)
class Known:
    """One thing as somebody stands to it; `steps` are in order, the last one holds.

    `of` is the secret's id, or else the piece's. `secret` is "" for what no secret is known to be.
    """

    knower: str
    of: str
    proposition: str
    secret: str
    steps: tuple[Step, ...]

    @property
    def stance(self) -> Stance:
        """How the knower stands to it now."""
        return self.steps[-1].stance

    @property
    def since(self) -> int:
        """The chapter from which the knower has stood so without a break."""
        since = self.steps[-1].chapter
        for step in reversed(self.steps):
            if step.stance != self.stance:
                break
            since = step.chapter
        return since

    @property
    def how(self) -> Step:
        """The step by which the knower first came to stand so, with its way, its teller and its words."""
        return next(step for step in self.steps if step.chapter == self.since and step.stance == self.stance)


@dataclass(frozen=True)
class Secret:
    """A secret as it stands: who holds it, from whom it is still kept, what happened to it.

    `fact` is the one that brought it, `restated` are later ones that add to those it concerns. It is open until nobody is left
    from whom it is kept. READER may stand in `kept_from`.
    """

    fact: SecretFact
    restated: tuple[SecretFact, ...]
    holders: tuple[str, ...]
    kept_from: tuple[str, ...]
    events: tuple[SecretEventFact, ...]

    @property
    def id(self) -> str:
        """The secret's id."""
        return self.fact.secret

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All words that show it or what happens to it."""
        told = (e for fact in (self.fact, *self.restated) for e in fact.evidence)
        return (*told, *(e for event in self.events for e in event.evidence))

    @property
    def is_open(self) -> bool:
        """Whether it is kept from somebody still; where it never was told from whom, whether it has not come out."""
        if any(fact.hidden_from for fact in (self.fact, *self.restated)):
            return bool(self.kept_from)
        return self.out_in is None

    @property
    def out_in(self) -> int | None:
        """The first chapter in which it comes out, to some of those it was kept from at least; None before that."""
        return next((event.chapter for event in self.events if event.event == "exposed"), None)

    @property
    def last_chapter(self) -> int:
        """The last chapter that touches it."""
        return max([*(f.chapter for f in (self.fact, *self.restated)), *(e.chapter for e in self.events)])


def secrets(bible: Bible, *, through: int | None = None) -> tuple[Secret, ...]:
    """Return every secret as of chapter `through` (the bible's own end by default), in order of arrival; handles are roots.

    A secret told again in a later chapter (or by an inserted one) counts from its first fact; later ones add people to it.
    """
    last = bible.through if through is None else through
    facts: dict[str, list[SecretFact]] = {}
    for fact in sorted(_of(bible, SecretFact, last), key=lambda f: f.chapter):
        facts.setdefault(fact.secret, []).append(fact)
    events: dict[str, list[SecretEventFact]] = {}
    for event in sorted(_of(bible, SecretEventFact, last), key=lambda e: e.chapter):
        if event.secret in facts and event.chapter >= facts[event.secret][0].chapter:
            events.setdefault(event.secret, []).append(event)
    return tuple(_secret(found, events.get(of, ()), bible) for of, found in facts.items())


def open_secrets(bible: Bible, *, through: int | None = None) -> tuple[Secret, ...]:
    """Return the secrets that are still kept as of chapter `through`, in order of arrival."""
    return tuple(secret for secret in secrets(bible, through=through) if secret.is_open)


def _secret(facts: Sequence[SecretFact], events: Iterable[SecretEventFact], bible: Bible) -> Secret:
    found = tuple(events)
    told = [handle for event in found if event.event != "touched" for handle in _roots(event.to, bible)]
    held = [handle for fact in facts for handle in _roots(fact.holders, bible)]
    holders = tuple(dict.fromkeys((*held, *(h for h in told if h != READER))))
    kept = dict.fromkeys(handle for fact in facts for handle in _roots(fact.hidden_from, bible))
    left = tuple(h for h in kept if h not in holders and h not in told)
    return Secret(facts[0], tuple(facts[1:]), holders, left, found)


def knows(bible: Bible, handle: str) -> tuple[Known, ...]:
    """Return all that is told of how `handle` (or READER) stands to anything, as of the bible's chapter; the oldest first.

    A secret and the pieces that tell of it are one entry. Whoever holds a secret knows it from its chapter on, whoever is
    told it from that event on, and whoever it is kept from is unaware of it until a piece or an event says otherwise.
    """
    knower = handle if handle == READER else bible.root(handle)
    kept = secrets(bible)
    links = linked(bible, kept)
    steps: dict[str, list[Step]] = {}
    words: dict[str, str] = {}
    for secret in kept:
        for step in _of_secret(secret, knower, bible):
            steps.setdefault(secret.id, []).append(step)
            words[secret.id] = secret.fact.proposition
    alike: dict[str, str] = {}
    speakers = _speakers(bible)
    for fact in _of(bible, KnowledgeFact, bible.through):
        if bible.root(fact.knower) == knower:
            of = links.get(fact.piece) or alike.setdefault(folded(fact.proposition), fact.piece)
            steps.setdefault(of, []).append(_step(fact, bible, speakers))
            words.setdefault(of, fact.proposition)
    ids = {secret.id for secret in kept}
    found = [Known(knower, of, words[of], of if of in ids else "", _in_order(row)) for of, row in steps.items()]
    return tuple(sorted(found, key=lambda known: known.steps[0].chapter))


def standing(bible: Bible, secret: Secret) -> Mapping[str, Stance]:
    """Return how everybody a secret concerns stands to it as of the bible's chapter, holders first."""
    links, speakers = linked(bible, [secret]), _speakers(bible)
    found: dict[str, list[Step]] = {
        handle: _of_secret(secret, handle, bible) for handle in (*secret.holders, *secret.kept_from)
    }
    for fact in _of(bible, KnowledgeFact, bible.through):
        if links.get(fact.piece) == secret.id:
            found.setdefault(bible.root(fact.knower), []).append(_step(fact, bible, speakers))
    return {handle: _in_order(steps)[-1].stance for handle, steps in found.items() if steps}


def linked(bible: Bible, kept: Iterable[Secret]) -> dict[str, str]:
    """Return for each piece of knowledge that is a secret the secret's id.

    A piece is a secret where its fact says so, where its words are the secret's, and where its knower is one whom the
    secret concerns and it stands on a sentence that shows the secret, or what happens to it, in the same chapter.
    """
    shown: dict[_Spot, list[Secret]] = {}
    by_words: dict[str, str] = {}
    for secret in kept:
        by_words.setdefault(folded(secret.fact.proposition), secret.id)
        for evidence in secret.evidence:
            shown.setdefault(_spot(evidence), []).append(secret)
    found: dict[str, str] = {}
    for fact in _of(bible, KnowledgeFact, bible.through):
        there = [s for e in fact.evidence for s in shown.get(_spot(e), ())]
        about = [s.id for s in there if bible.root(fact.knower) in (*s.holders, *s.kept_from)]
        link = fact.secret or by_words.get(folded(fact.proposition)) or next(iter(about), "")
        if link and (fact.secret or fact.piece not in found):
            found[fact.piece] = link
    return found


def folded(words: str) -> str:
    """Return words as two propositions are compared: letters and digits alone, compatibility forms and case folded."""
    return "".join(ch for ch in unicodedata.normalize("NFKC", words).casefold() if ch.isalnum())


def _of_secret(secret: Secret, knower: str, bible: Bible) -> list[Step]:
    """Return how somebody comes to stand to a secret by the secret's own facts."""
    found: list[Step] = []
    for fact in (secret.fact, *secret.restated):
        if knower in _roots(fact.holders, bible):
            found.append(Step(fact.chapter, "knows", None, "", fact.evidence))
        elif knower in _roots(fact.hidden_from, bible):
            found.append(Step(fact.chapter, "unaware", None, "", fact.evidence))
        elif knower == READER and fact is secret.fact:
            found.append(Step(fact.chapter, "knows", "read", "", fact.evidence))
    for event in secret.events:
        if event.event != "touched" and knower in _roots(event.to, bible):
            found.append(Step(event.chapter, "knows", None, "", event.evidence))
    learnt = min((step.chapter for step in found if step.stance == "knows"), default=bible.through)
    return [step for step in found if step.stance == "knows" or step.chapter <= learnt]


def _step(fact: KnowledgeFact, bible: Bible, speakers: _Speakers) -> Step:
    teller = fact.told_by or (_teller(fact, bible, speakers) if fact.via in SAID else "")
    return Step(fact.chapter, fact.stance, fact.via, bible.root(teller), fact.evidence)


def _teller(fact: KnowledgeFact, bible: Bible, speakers: _Speakers) -> str:
    """Return who says the words a piece was learnt from, where speech tells of exactly one other than the knower."""
    said = frozenset().union(*(speakers.get(_spot(e), frozenset()) for e in fact.evidence)) - {bible.root(fact.knower)}
    return next(iter(said)) if len(said) == 1 else ""


def _speakers(bible: Bible) -> _Speakers:
    """Return who speaks in each sentence a quotation begins in."""
    found: dict[_Spot, frozenset[str]] = {}
    for speech in _of(bible, SpeechFact, bible.through):
        if speech.speaker:
            spot = speech.chapter, speech.place.block, speech.place.sentence
            found[spot] = found.get(spot, frozenset()) | {bible.root(speech.speaker)}
    return found


def _spot(evidence: Evidence) -> _Spot:
    return evidence.chapter, evidence.block, evidence.sentence


def _in_order(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Return one step a chapter, the strongest of it, in order; of equal ones that which tells the way."""
    best: dict[int, Step] = {}
    for step in steps:
        known = best.get(step.chapter)
        if known is None or _rank(step) > _rank(known):
            best[step.chapter] = step
    return tuple(best[chapter] for chapter in sorted(best))


def _rank(step: Step) -> tuple[int, bool, bool]:
    return STANCES.index(step.stance), step.via is not None, bool(step.told_by)


def _roots(handles: Iterable[str], bible: Bible) -> tuple[str, ...]:
    return tuple(dict.fromkeys(bible.root(handle) for handle in handles))


def _of(bible: Bible, kind: type[_Kind], through: int) -> list[_Kind]:
    return [fact for fact in bible.of(kind) if isinstance(fact, kind) and fact.chapter <= through]
