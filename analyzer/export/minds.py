"""What one character knows: which facts of the book as of a chapter are left on the plane `character:@7`.

Nobody knows a fact because a reader does. A character knows the chapters in which they are on the page (their *scenes*), what
they are told or hold, and who they are; names of others as the book had given them by the last scene both are in. Where the
facts do not say whether somebody knows, they do not (docs/planes.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from analyzer.bible import Bible
from analyzer.errors import ConfigError
from analyzer.models.base import Record
from analyzer.models.evidence import Evidence
from analyzer.models.facts import (
    RELATION_KINDS,
    EntityFact,
    Fact,
    NameFact,
    PresenceFact,
    RelationFact,
    SameFact,
    StoredFact,
)
from analyzer.models.story import (
    CardFact,
    ChangeFact,
    KnowledgeFact,
    RevealFact,
    SecretEventFact,
    SecretFact,
    SpeechFact,
    TurnFact,
)
from analyzer.settling import Ruling

OUTWARD = frozenset({"asserted", "reported", "planned"})
"""Modalities of what others can see or hear of somebody; beliefs, dreams, conjectures and lies are the teller's and readers'."""
_Kind = TypeVar("_Kind", bound=Record)


@dataclass(frozen=True)
class Mind:
    """A character as a filter over facts: `handles` are all of theirs, `scenes` the chapters where they are on the page.

    `met` is the last chapter that showed them each other entity, by handle; `told_of` the first event by which they were told
    of a secret; `seen_turns` the relations revealed before them.
    """

    root: Callable[[str], str]
    handles: frozenset[str]
    scenes: frozenset[int]
    met: dict[str, int]
    told_of: dict[str, SecretEventFact]
    seen_turns: dict[tuple[str, str, str], TurnFact]

    def is_me(self, *handles: str) -> bool:
        """Whether one of these is the character."""
        return any(handle in self.handles for handle in handles)

    def is_told(self, ruling: Ruling) -> bool:
        """Whether a decision that joins two was told in a scene of theirs, or is about themselves."""
        return _is_told(ruling, self.handles, self.scenes)

    def as_named(self, ruling: Ruling) -> Ruling:
        """Return a new name as they know it: of others, without its words where no scene since then showed them whose it is."""
        own = self.is_me(*ruling.ends)
        is_known = own or ruling.chapter <= max((self.met.get(end, 0) for end in ruling.ends), default=0)
        return ruling if is_known else ruling._replace(chapter=0)

    def left(self, stored: Sequence[StoredFact], confirmed: frozenset[str]) -> tuple[StoredFact, ...]:
        """Return the facts the character knows, some of them without what they do not know, in order."""
        values: set[tuple[str, str]] = set()
        found: list[StoredFact] = []
        for one in stored:
            fact = self._known(one.fact, confirmed)
            if isinstance(fact, ChangeFact):
                before = fact.before if (fact.entity, fact.attribute) in values else ""
                values.add((fact.entity, fact.attribute))
                fact = fact if before == fact.before else fact.model_copy(update={"before": before})
            if fact is not None:
                found.append(one if fact is one.fact else one.model_copy(update={"fact": fact}))
        return tuple(found)

    def _known(self, fact: Fact, confirmed: frozenset[str]) -> Fact | None:
        """Return what the character knows of a fact, None for nothing."""
        match fact:
            case EntityFact() | NameFact():
                return fact if self.is_me(fact.entity) or fact.chapter <= self.met.get(fact.entity, 0) else None
            case SameFact():
                return fact if fact.chapter in self.scenes or self.is_me(fact.entity, fact.same_as) else None
            case PresenceFact() | CardFact():
                return fact if fact.chapter in self.scenes else None
            case RelationFact():
                return self._relation(fact)
            case RevealFact():
                told = self.is_me(fact.persona, fact.behind, *fact.to)
                return fact if told and (fact.reveal in confirmed or not fact.is_mask) else None
            case SpeechFact():
                return fact if fact.speaker and self.is_me(fact.speaker, *fact.hearers) else None
            case _:
                return self._known_of_story(fact)

    def _known_of_story(self, fact: Fact) -> Fact | None:
        match fact:
            case TurnFact():
                return fact if fact.turn != "pretended" and self._witnessed(fact.chapter, fact.evidence) else None
            case ChangeFact():
                if self.is_me(fact.entity):
                    return fact if fact.chapter in self.scenes else None
                seen = fact.modality in OUTWARD and self._witnessed(fact.chapter, fact.evidence)
                return fact if seen else None
            case SecretFact():
                return self._secret(fact)
            case SecretEventFact():
                known = fact.secret in self.told_of
                return fact if known and (fact.chapter in self.scenes or self.is_me(*fact.to)) else None
            case KnowledgeFact():
                return self._knowledge(fact)
            case _:
                return None

    def _witnessed(self, chapter: int, evidence: Iterable[Evidence]) -> bool:
        """Say whether words of a scene show it, and not somebody's thoughts alone."""
        sources = {e.source for e in evidence}
        return chapter in self.scenes and sources != {"thought"}

    def _relation(self, fact: RelationFact) -> RelationFact | None:
        """Return a relation that is theirs, or that a scene shows publicly; no pretence, and no secret of its subject's.

        One that was kept from them and is revealed in a scene is known from there on, by the words of its reveal.
        """
        if fact.status == "pretended":
            return None
        is_open = fact.visibility == "public"
        symmetric = RELATION_KINDS[fact.relation].symmetric
        mine = self.is_me(fact.subject) or (self.is_me(fact.object) and (symmetric or is_open))
        if mine or (is_open and self._witnessed(fact.chapter, fact.evidence)):
            return fact
        turn = self.seen_turns.get(_triple(fact, self.root))
        if turn is None or turn.chapter < fact.chapter:
            return None
        return fact.model_copy(update={"chapter": turn.chapter, "evidence": turn.evidence})

    def _secret(self, fact: SecretFact) -> SecretFact | None:
        """Return a secret they hold as it stands; of one they were told of only that, by the words of the telling."""
        if self.is_me(*fact.holders):
            return fact
        told = self.told_of.get(fact.secret)
        if told is None:
            return None
        me = next((handle for handle in told.to if self.is_me(handle)), "")
        update = {"chapter": told.chapter, "evidence": told.evidence, "holders": (me,), "hidden_from": ()}
        return fact.model_copy(update=update)

    def _knowledge(self, fact: KnowledgeFact) -> KnowledgeFact | None:
        """Return what they know, and what others know by them; nobody knows what they are unaware of, or deceived in."""
        if fact.stance == "unaware" or not self.is_me(fact.knower, fact.told_by):
            return None
        return fact.model_copy(update={"via": "told"}) if fact.via == "deceived" and self.is_me(fact.knower) else fact


def mind_of(bible: Bible, handle: str) -> Mind:
    """Return the mind of `handle` in a bible with everything in it; raises ConfigError for one who is nobody of its cast."""
    me = bible.root(handle)
    entry = bible.cast.get(me)
    if entry is None:
        raise ConfigError(f"{handle} is not in the cast as of chapter {bible.through}")
    if entry.entity.entity_kind not in ("character", "group"):
        raise ConfigError(f"{handle} is nobody who can know anything: {entry.entity.entity_kind}")
    handles = frozenset((me, *entry.merged))
    scenes = frozenset(p.chapter for p in entry.presences if p.presence == "on_page")
    told: dict[str, SecretEventFact] = {}
    for event in sorted(_of(bible, SecretEventFact), key=lambda e: e.chapter):
        if event.event != "touched" and handles & set(event.to):
            told.setdefault(event.secret, event)
    turns: dict[tuple[str, str, str], TurnFact] = {}
    for turn in sorted(_of(bible, TurnFact), key=lambda t: t.chapter):
        if turn.turn == "revealed" and turn.chapter in scenes:
            turns.setdefault(_triple(turn, bible.root), turn)
    return Mind(bible.root, handles, scenes, _met(bible, handles, scenes), _with_own(bible, told, handles), turns)


def _with_own(bible: Bible, told: dict[str, SecretEventFact], handles: frozenset[str]) -> dict[str, SecretEventFact]:
    """Return the secrets somebody knows of: those told of, and those held, whose events need no telling."""
    held = {
        fact.secret: SecretEventFact(
            secret=fact.secret, chapter=fact.chapter, event="shared", to=fact.holders, evidence=fact.evidence
        )
        for fact in _of(bible, SecretFact)
        if handles & set(fact.holders)
    }
    return told | held


def _met(bible: Bible, me: frozenset[str], scenes: frozenset[int]) -> dict[str, int]:
    """Return by handle the last chapter that showed somebody to the character.

    That is the last scene the other is in or spoken of, or the last relation between them; merges told in other chapters join
    nobody here, so that a stranger once met has no name found out elsewhere.
    """
    known = [f for f in _of(bible, SameFact) if f.chapter in scenes or me & {f.entity, f.same_as}]
    told = tuple(r for r in bible.ruled.known_rulings if not r.joins() or _is_told(r, me, scenes))
    root = Bible(bible.through, tuple(known), bible.handles, replace(bible.ruled, known_rulings=told)).root
    last: dict[str, int] = {}

    def meets(handle: str, chapter: int) -> None:
        last[root(handle)] = max(last.get(root(handle), 0), chapter)

    for fact in bible.facts:
        if isinstance(fact, PresenceFact) and fact.chapter in scenes and fact.presence != "historical":
            meets(fact.entity, fact.chapter)
        elif isinstance(fact, RelationFact) and (
            fact.subject in me or (fact.object in me and fact.visibility == "public")
        ):
            meets(fact.subject, fact.chapter)
            meets(fact.object, fact.chapter)
    return {f.entity: last[root(f.entity)] for f in _of(bible, EntityFact) if root(f.entity) in last}


def _is_told(ruling: Ruling, me: frozenset[str], scenes: frozenset[int]) -> bool:
    return ruling.chapter in scenes or bool(me & set(ruling.ends))


def _of(bible: Bible, kind: type[_Kind]) -> list[_Kind]:
    return [fact for fact in bible.of(kind) if isinstance(fact, kind)]


def _triple(fact: RelationFact | TurnFact, root: Callable[[str], str]) -> tuple[str, str, str]:
    subject, target = root(fact.subject), root(fact.object)
    if RELATION_KINDS[fact.relation].symmetric:
        subject, target = sorted((subject, target))
    return subject, fact.relation, target
