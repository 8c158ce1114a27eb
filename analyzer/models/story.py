"""Facts of the story beside cast and relations: speech, reveals, changes, secrets, knowledge, threads, turns, cards.

Each part has *notices* (what a first look found, with its sentences; intermediate), *says* (notes and choices about a
notice; intermediate) and the facts that passed the rules at the door. Ids (`change`, `secret`, `fact_of`, `thread`) are made
from words, never from numbers of chapters, so that they outlive edits: see `steps/_story.py`.
"""

from __future__ import annotations

from typing import Literal

from analyzer.models.base import Record
from analyzer.models.evidence import Evidence
from analyzer.models.text import Place

Look = Literal["first", "second", "third", "code"]
"""Who noticed: the first wording, the second, the third (of what was split), or code alone."""

StateAttribute = Literal[
    "life_status", "health", "location", "possession", "title_or_rank", "occupation", "affiliation", "legal_status",
    "ability", "goal", "mood",
]  # fmt: skip
Feature = Literal[
    "hair", "eyes", "face", "build", "age", "mark", "clothing", "disguise", "voice", "hands", "gait", "other"
]
Op = Literal["set", "add", "remove", "end"]
Modality = Literal["asserted", "reported", "believed", "planned", "hypothetical", "dreamt", "lied"]
Stance = Literal["knows", "believes", "suspects", "unaware"]
Via = Literal["witnessed", "told", "overheard", "read", "inferred", "deceived"]
ThreadKind = Literal[
    "object", "promise", "threat", "prophecy", "secret", "fear", "skill", "question", "deadline", "anomaly"
]
ThreadEvent = Literal["plant", "reinforce", "trigger", "partial_payoff", "payoff", "subvert", "abandon"]
SecretEvent = Literal["touched", "shared", "exposed"]
MaskVote = Literal["same", "hinted", "apart", "unparsed"]
Turn = Literal["ends", "turns", "revealed", "pretended"]
READER = "reader"
"""Stands among handles for the reader, wherever a fact says to whom something is shown."""


class SpeechFact(Record):
    """A quotation of the chapter and who says it: `speaker` is a handle, "" where nobody knows.

    `[start, end)` are code points of block `block`; `place` is its first sentence; `conversation` numbers the chapter's
    conversations from 1, `turn` its turns (quotations of one turn are one person's); `hearers` are the others in the
    conversation, nobody where the speaker is not known. `by` says how the speaker is known.
    """

    fact: Literal["speech"] = "speech"
    chapter: int
    block: int
    start: int
    end: int
    place: Place
    conversation: int
    turn: int = 0
    speaker: str = ""
    hearers: tuple[str, ...] = ()
    by: Literal["tag", "turn", "single", "asked", "unknown"] = "unknown"


class SpeakerFact(Record):
    """Intermediate: whom a model named as the speaker of a quotation code could not decide."""

    fact: Literal["speaker"] = "speaker"
    chapter: int
    place: Place
    block: int
    start: int
    speaker: str


class MaskFact(Record):
    """Intermediate: code sees a chapter where `persona` may turn out to be `behind`; `cues` say why, `vote` what was answered."""

    fact: Literal["mask"] = "mask"
    chapter: int
    persona: str
    behind: str
    cues: tuple[str, ...] = ()
    look: Look = "first"
    vote: MaskVote = "unparsed"
    to: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()


class MaskSayFact(Record):
    """Intermediate: what was answered about a noticed mask; `value` is the option picked, "" for an unparsed line.

    `again`: whether two are one; `called`: whether words mean somebody; `to`: who in the story learns it (`handles`).
    """

    fact: Literal["mask_say"] = "mask_say"
    chapter: int
    persona: str
    behind: str
    what: Literal["again", "called", "to"]
    value: str = ""
    handles: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()


class RevealFact(Record):
    """A proposed reveal: `persona` is `behind`, told in this chapter to `to` (READER and handles).

    Until the author confirms it both views exist; sameness holds for readers never before `evidence`. Where somebody is told to
    be the one whom words without an entity of their own mean (a stranger of this chapter, the unknown doer of a deed, another
    name) `persona` is `behind`, and `called` are these words as the text has them, "" where it has none.
    """

    fact: Literal["reveal"] = "reveal"
    reveal: str
    chapter: int
    persona: str
    behind: str
    called: str = ""
    to: tuple[str, ...] = (READER,)
    evidence: tuple[Evidence, ...]
    votes: tuple[str, ...] = ()

    @property
    def is_mask(self) -> bool:
        """Whether two entities of the cast are one by it."""
        return self.persona != self.behind


class StateNoticeFact(Record):
    """Intermediate: something may be told of an entity's `attribute` (a StateAttribute, or `appearance.` and a Feature)."""

    fact: Literal["state_notice"] = "state_notice"
    chapter: int
    entity: str
    attribute: str
    look: Look
    evidence: tuple[Evidence, ...] = ()


class StateSayFact(Record):
    """Intermediate: what was answered about a noticed change; `what` is value, nature or doubt."""

    fact: Literal["state_say"] = "state_say"
    chapter: int
    change: str
    what: Literal["value", "nature", "doubt"]
    value: str
    value_of: str = ""


class ChangeFact(Record):
    """A state or look of an entity from `evidence` on: `to` in words, `to_entity` a handle where it is one of the cast.

    `before` is the value it had ("" unknown). Only `asserted` changes are states; the other modalities are kept as said.
    """

    fact: Literal["change"] = "change"
    change: str
    chapter: int
    entity: str
    attribute: str
    op: Op
    to: str
    to_entity: str = ""
    before: str = ""
    modality: Modality = "asserted"
    looks: tuple[Look, ...] = ()
    evidence: tuple[Evidence, ...]

    @property
    def is_look(self) -> bool:
        """Whether it is about appearance."""
        return self.attribute.startswith("appearance.")


class SecretNoticeFact(Record):
    """Intermediate: `holder` may keep something from others here."""

    fact: Literal["secret_notice"] = "secret_notice"
    chapter: int
    secret: str
    holder: str
    look: Look
    evidence: tuple[Evidence, ...] = ()


class SecretSayFact(Record):
    """Intermediate: what was answered about a noticed secret; handles where it is about people, words where it is a note."""

    fact: Literal["secret_say"] = "secret_say"
    chapter: int
    secret: str
    what: Literal["proposition", "holders", "hidden_from", "check"]
    value: str = ""
    handles: tuple[str, ...] = ()


class SecretFact(Record):
    """A secret that enters the book: who holds it, from whom it is kept at the chapter's end (READER too)."""

    fact: Literal["secret"] = "secret"
    secret: str
    chapter: int
    proposition: str
    holders: tuple[str, ...]
    hidden_from: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...]


class SecretTouchFact(Record):
    """Intermediate: one answer on whether a secret is touched in this chapter."""

    fact: Literal["secret_touch"] = "secret_touch"
    chapter: int
    secret: str
    look: Look
    event: str
    to: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()


class SecretEventFact(Record):
    """What happens to a secret in a chapter: touched, shared with or exposed `to` (READER and handles)."""

    fact: Literal["secret_event"] = "secret_event"
    secret: str
    chapter: int
    event: SecretEvent
    to: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...]


class KnowledgeNoticeFact(Record):
    """Intermediate: `knower` may learn, or plainly not know, something in these sentences. `piece` names the words learnt."""

    fact: Literal["knowledge_notice"] = "knowledge_notice"
    chapter: int
    piece: str
    knower: str
    via: str
    look: Look
    evidence: tuple[Evidence, ...] = ()


class KnowledgeSayFact(Record):
    """Intermediate: what was answered about a noticed piece (`knower` "" for what holds of the piece whoever knows it)."""

    fact: Literal["knowledge_say"] = "knowledge_say"
    chapter: int
    piece: str
    knower: str = ""
    what: Literal["proposition", "stance", "way", "unaware", "check"]
    value: str = ""
    handles: tuple[str, ...] = ()


class KnowledgeFact(Record):
    """`knower` stands so to a proposition from this chapter on; `piece` is shared by all who know the same, `secret` links it."""

    fact: Literal["knowledge"] = "knowledge"
    chapter: int
    piece: str
    knower: str
    proposition: str
    stance: Stance
    via: Via | None = None
    told_by: str = ""
    secret: str = ""
    evidence: tuple[Evidence, ...]


class ThreadNoticeFact(Record):
    """Intermediate: a sentence may set up, or answer, something of this kind."""

    fact: Literal["thread_notice"] = "thread_notice"
    chapter: int
    thread: str
    kind: ThreadKind
    look: Look
    evidence: tuple[Evidence, ...] = ()


class ThreadSayFact(Record):
    """Intermediate: what was answered about a noticed set-up: its wording, and whether it is new, part of `thread`'s or nothing."""

    fact: Literal["thread_say"] = "thread_say"
    chapter: int
    thread: str
    what: Literal["statement", "check"]
    value: str = ""


class ThreadFact(Record):
    """A thread that enters the book; its status is folded from its events, never stored."""

    fact: Literal["thread"] = "thread"
    thread: str
    chapter: int
    kind: ThreadKind
    statement: str
    about: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...]


class ThreadTouchFact(Record):
    """Intermediate: one answer on what happens to an open thread in this chapter."""

    fact: Literal["thread_touch"] = "thread_touch"
    chapter: int
    thread: str
    look: Look
    event: str
    evidence: tuple[Evidence, ...] = ()


class ThreadEventFact(Record):
    """What happens to a thread in a chapter, its plant included."""

    fact: Literal["thread_event"] = "thread_event"
    thread: str
    chapter: int
    event: ThreadEvent
    evidence: tuple[Evidence, ...]
    votes: tuple[str, ...] = ()


class TurnVoteFact(Record):
    """Intermediate: one answer on whether a relation that stood before turns in this chapter."""

    fact: Literal["turn_vote"] = "turn_vote"
    chapter: int
    subject: str
    relation: str
    object: str
    look: Look
    turn: str
    evidence: tuple[Evidence, ...] = ()


class TurnFact(Record):
    """A relation of an earlier chapter ends, turns (to another affinity), is revealed to others, or was only pretended."""

    fact: Literal["turn"] = "turn"
    chapter: int
    subject: str
    relation: str
    object: str
    turn: Turn
    affinity: Literal["+", "0", "-"] | None = None
    evidence: tuple[Evidence, ...]


class CardSayFact(Record):
    """Intermediate: one note or choice of a chapter's card."""

    fact: Literal["card_say"] = "card_say"
    chapter: int
    what: Literal["summary", "time", "point_of_view", "place"]
    value: str
    handles: tuple[str, ...] = ()


class CardFact(Record):
    """A chapter on a card: two to five sentences, who is there and where, when it is, whose eyes; handles throughout."""

    fact: Literal["card"] = "card"
    chapter: int
    summary: str
    people: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    time: str = ""
    point_of_view: str = ""
