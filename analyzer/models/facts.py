"""Facts: the closed vocabulary of the story bible (cast and relations here, the rest in `story`), and the intermediate facts.

Kinds are few, closed and written once, here. One canonical direction of a relation is stored, the inverse is derived.
"""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple, get_args

from pydantic import Field

from analyzer.models.base import Record
from analyzer.models.evidence import Evidence as Evidence
from analyzer.models.evidence import Source as Source
from analyzer.models.story import (
    CardFact,
    CardSayFact,
    ChangeFact,
    KnowledgeFact,
    KnowledgeNoticeFact,
    KnowledgeSayFact,
    MaskFact,
    MaskSayFact,
    RevealFact,
    SecretEventFact,
    SecretFact,
    SecretNoticeFact,
    SecretSayFact,
    SecretTouchFact,
    SpeakerFact,
    SpeechFact,
    StateNoticeFact,
    StateSayFact,
    ThreadEventFact,
    ThreadFact,
    ThreadNoticeFact,
    ThreadSayFact,
    ThreadTouchFact,
    TurnFact,
    TurnVoteFact,
)
from analyzer.models.text import Place

EntityKind = Literal["character", "group", "place", "object", "event", "lore", "text"]
NameKind = Literal[
    "full",
    "given",
    "family",
    "nickname",
    "title",
    "honorific",
    "epithet",
    "patronymic",
    "kin_term",
    "misspelling",
    "descriptor",
]
Presence = Literal["on_page", "mentioned", "historical"]
Family = Literal["kin", "romance", "bond", "conflict", "work", "place"]
Status = Literal["current", "former", "intended", "alleged", "pretended"]
Affinity = Literal["+", "0", "-"]
Visibility = Literal["public", "secret"]
Modifier = Literal["birth", "adoptive", "step", "foster", "half", "god"]
VoteValue = Literal["for", "reverse", "nearest", "deny", "unparsed"]


class KindRule(NamedTuple):
    """One relation kind: family, symmetry, the derived inverse, and which entity kinds may stand at each end."""

    family: Family
    symmetric: bool
    inverse: str
    subjects: frozenset[str]
    objects: frozenset[str]


_BEING = frozenset({"character", "group"})
_PERSON = frozenset({"character"})
_GROUP = frozenset({"group"})
_PLACE = frozenset({"place"})
_THING = frozenset({"object", "place", "text", "group"})
_LED = frozenset({"group", "place", "object"})
_BODY = frozenset({"group", "place", "object"})


def _rule(
    family: Family, inverse: str = "", subjects: frozenset[str] = _BEING, objects: frozenset[str] = _BEING
) -> KindRule:
    return KindRule(family, not inverse, inverse, subjects, objects)


RELATION_KINDS: dict[str, KindRule] = {
    "parent_of": _rule("kin", "child_of"),
    "sibling_of": _rule("kin"),
    "spouse_of": _rule("kin", subjects=_PERSON, objects=_PERSON),
    "betrothed_to": _rule("kin", subjects=_PERSON, objects=_PERSON),
    "grandparent_of": _rule("kin", "grandchild_of"),
    "aunt_uncle_of": _rule("kin", "niece_nephew_of"),
    "cousin_of": _rule("kin"),
    "in_law_of": _rule("kin"),
    "guardian_of": _rule("kin", "ward_of"),
    "lover_of": _rule("romance", subjects=_PERSON, objects=_PERSON),
    "loves": _rule("romance", "loved_by", subjects=_PERSON, objects=_PERSON),
    "rival_in_love": _rule("romance", subjects=_PERSON, objects=_PERSON),
    "friend_of": _rule("bond"),
    "ally_of": _rule("bond"),
    "confidant_of": _rule("bond", "confides_in"),
    "companion_of": _rule("bond"),
    "acquaintance_of": _rule("bond"),
    "neighbour_of": _rule("bond"),
    "enemy_of": _rule("conflict"),
    "rival_of": _rule("conflict"),
    "betrays": _rule("conflict", "betrayed_by"),
    "harms": _rule("conflict", "harmed_by"),
    "deceives": _rule("conflict", "deceived_by"),
    "suspects": _rule("conflict", "suspected_by"),
    "blackmails": _rule("conflict", "blackmailed_by"),
    "employs": _rule("work", "employed_by"),
    "commands": _rule("work", "commanded_by", objects=_BEING | frozenset({"object", "place"})),
    "serves": _rule("work", "served_by"),
    "mentors": _rule("work", "mentored_by"),
    "colleague_of": _rule("work"),
    "client_of": _rule("work", "has_client"),
    "owes": _rule("work", "owed_by"),
    "protects": _rule("work", "protected_by"),
    "rescues": _rule("work", "rescued_by"),
    "member_of": _rule("place", "has_member", objects=_BODY),
    "leads": _rule("place", "led_by", objects=_LED),
    "lives_in": _rule("place", "home_of", objects=_PLACE),
    "owns": _rule("place", "owned_by", objects=_THING),
    "from": _rule("place", "origin_of", objects=_PLACE),
}
"""Every relation kind; source: the vocabulary table of the story bible. Confidant is directed: the one confided in is the subject.

Ends are what a careful reader would accept there: people alone marry and love, nobody lives in or comes from a family, a family is
an end of kin (parents, in-laws), a firm may be owned. Source: the 600 relations with other ends than two people in the gold chapters.
"""

FAMILIES: tuple[Family, ...] = ("kin", "romance", "bond", "conflict", "work", "place")


class EntityFact(Record):
    """An entity enters the cast. `label` is how it is shown; `anchor` is what its handle was given for (stable over re-runs).

    `tie` and `tied_to` describe an unnamed one ("father", "@3"), so that it is never shown by a bare "my father".
    """

    fact: Literal["entity"] = "entity"
    entity: str
    entity_kind: EntityKind
    label: str
    anchor: str
    chapter: int
    named: bool = True
    narrator: bool = False
    persona: bool = False
    tie: str = ""
    tied_to: str = ""
    evidence: tuple[Evidence, ...] = ()


class NameFact(Record):
    """A surface form stands for an entity from `chapter` on; `place` restricts a descriptor to one sentence (None: everywhere)."""

    fact: Literal["name"] = "name"
    entity: str
    surface: str
    name_kind: NameKind
    chapter: int
    place: Place | None = None


class SameFact(Record):
    """`entity` turned out to be `same_as` (the older handle stays): a merge, from `chapter` on."""

    fact: Literal["same"] = "same"
    entity: str
    same_as: str
    chapter: int
    evidence: tuple[Evidence, ...] = ()


class PresenceFact(Record):
    """How an entity is there in a chapter; `n_mentions` counts its names as code found them."""

    fact: Literal["presence"] = "presence"
    entity: str
    chapter: int
    presence: Presence
    n_mentions: int
    first: Place | None = None


class FormFact(Record):
    """Intermediate: a new surface form was judged to be of an entity kind (before sameness is decided)."""

    fact: Literal["form"] = "form"
    surface: str
    entity_kind: EntityKind
    chapter: int
    first: Place
    n_mentions: int


class ProposalFact(Record):
    """Intermediate: these two may be related within `family`; `origin` says who proposed (select, cue)."""

    fact: Literal["proposal"] = "proposal"
    chapter: int
    family: Family
    first: str
    second: str
    origin: Literal["select", "cue"]
    hints: tuple[Place, ...] = ()


class ClaimFact(Record):
    """Intermediate: a kind and direction were picked for a proposal, with evidence; not yet confirmed."""

    fact: Literal["claim"] = "claim"
    claim: str
    chapter: int
    subject: str
    relation: str
    object: str
    evidence: tuple[Evidence, ...]


class DetailFact(Record):
    """Intermediate: status, affinity or visibility of a claim as picked."""

    fact: Literal["detail"] = "detail"
    claim: str
    chapter: int
    attribute: Literal["status", "affinity", "visibility", "modifier"]
    value: str


class VoteFact(Record):
    """One confirmation of a claim: `wording` is first, second or third; `picked` the option's key."""

    fact: Literal["vote"] = "vote"
    claim: str
    chapter: int
    wording: Literal["first", "second", "third"]
    vote: VoteValue
    picked: str
    evidence: tuple[Evidence, ...] = ()


class RelationFact(Record):
    """A relation that passed every rule at the door, in canonical direction."""

    fact: Literal["relation"] = "relation"
    claim: str
    chapter: int
    subject: str
    relation: str
    object: str
    modifier: Modifier | None = None
    status: Status = "current"
    affinity: Affinity = "0"
    visibility: Visibility = "public"
    evidence: tuple[Evidence, ...]
    votes: tuple[VoteValue, ...] = ()


CastOrRelation = (
    EntityFact
    | NameFact
    | SameFact
    | PresenceFact
    | FormFact
    | ProposalFact
    | ClaimFact
    | DetailFact
    | VoteFact
    | RelationFact
)
Story = (
    SpeechFact
    | SpeakerFact
    | MaskFact
    | MaskSayFact
    | RevealFact
    | StateNoticeFact
    | StateSayFact
    | ChangeFact
    | SecretNoticeFact
    | SecretSayFact
    | SecretFact
    | SecretTouchFact
    | SecretEventFact
    | KnowledgeNoticeFact
    | KnowledgeSayFact
    | KnowledgeFact
    | ThreadNoticeFact
    | ThreadSayFact
    | ThreadFact
    | ThreadTouchFact
    | ThreadEventFact
    | TurnVoteFact
    | TurnFact
    | CardSayFact
    | CardFact
)
Fact = Annotated[CastOrRelation | Story, Field(discriminator="fact")]
CLASS_OF: dict[type, str] = {one: one.model_fields["fact"].default for one in get_args(CastOrRelation | Story)}
"""Fact class of each record type, in order of declaration."""
FACT_CLASSES = tuple(CLASS_OF.values())


class StoredFact(Record):
    """A fact with where it came from: `fact_id` is derived from task and content, `because` lists the answer ids it rests on."""

    fact_id: str
    step: str
    chapter: int
    fact: Fact
    because: tuple[str, ...] = ()
