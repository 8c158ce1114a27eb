"""The closed words of gold, and what one entry of a draft may say. Source: the format of the public gold chapters.

Where the analyzer has a vocabulary of its own (kinds, statuses, sources), that one is used; the rest is written down here once.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from analyzer.models.base import Record
from analyzer.models.facts import RELATION_KINDS, Affinity, EntityKind, Modifier, Source, Status, Visibility
from analyzer.models.gold import Level
from analyzer.text.fold import fold_name
from analyzer.text.names import LONGEST_NAME

GoldPresence = Literal["on_page", "mentioned_only", "historical"]
ChangeAttribute = Literal[
    "life_status",
    "health",
    "location",
    "possession",
    "title_or_rank",
    "occupation",
    "affiliation",
    "legal_status",
    "ability",
    "goal",
    "mood",
]
ChangeOp = Literal["set", "add", "remove", "end"]
Feature = Literal[
    "hair", "eyes", "face", "build", "age", "mark", "hands", "voice", "clothing", "gait", "disguise", "other"
]
Stance = Literal["knows", "believes", "suspects", "unaware"]
Via = Literal["witnessed", "told", "overheard", "read", "inferred", "deceived"]
PlantKind = Literal[
    "object", "promise", "threat", "prophecy", "secret", "fear", "skill", "question", "deadline", "anomaly"
]
PlantEvent = Literal["plant", "reinforce", "trigger", "partial_payoff", "payoff", "abandon"]

SECTIONS = ("entities", "relations", "changes", "appearance", "identities", "secrets", "knowledge", "plants")
"""The sections of a chapter's gold, in the order they are written."""


LONGEST_WORDS = 600
"""Code points of one quotation, name or statement; nobody needs more to show one thing."""


def _words(value: object) -> object:
    if isinstance(value, str) and (not value.strip() or value.strip() != value or "\n" in value):
        raise ValueError(f"{value[:60]!r} is empty, begins or ends with a space, or goes over a line's end")
    return value


def _not_bare(value: object) -> object:
    if isinstance(value, str):
        raise ValueError("a list in square brackets was expected, not a single string")
    return value


def _some(value: object) -> object:
    if value in ([], ()):
        raise ValueError("at least one is needed")
    return _not_bare(value)


def _visible(name: str) -> str:
    n = len(fold_name(name))
    if not 0 < n <= LONGEST_NAME:
        raise ValueError(f"a name of {n} visible signs, 1 to {LONGEST_NAME} are allowed: {name[:60]!r}")
    return name


def _kind(value: object) -> object:
    if not isinstance(value, str) or value not in RELATION_KINDS:
        raise ValueError(f"{value!r} is no relation kind; known are {', '.join(RELATION_KINDS)}")
    return value


def _kind_or_turned(value: object) -> object:
    _kind(value[1:] if isinstance(value, str) and value.startswith("~") else value)
    return value


Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
Words = Annotated[str, Field(max_length=LONGEST_WORDS), BeforeValidator(_words)]
RelationKind = Annotated[str, BeforeValidator(_kind)]
OtherKind = Annotated[str, BeforeValidator(_kind_or_turned)]
Ids = Annotated[tuple[Id, ...], BeforeValidator(_not_bare)]
Forms = Annotated[tuple[Words, ...], BeforeValidator(_not_bare)]
Names = Annotated[tuple[Annotated[Words, AfterValidator(_visible)], ...], BeforeValidator(_not_bare)]
OtherChange = Annotated[str, Field(pattern=rf"^(?:[a-z][a-z0-9_]*\.)?(?:{'|'.join(get_args(ChangeAttribute))})$")]


class Quote(Record):
    """Exact words of the chapter; `block` (1-based) is given where they stand in more than one place."""

    quote: Words
    block: int | None = Field(default=None, ge=1)

    @model_validator(mode="before")
    @classmethod
    def _bare_words(cls, value: object) -> object:
        return {"quote": value} if isinstance(value, str) else value


class DraftEntry(Record):
    """What all entries have. `note` is the reader's remark and is not kept; `annotators` says who noted it (A, B, AB, J)."""

    level: Level = "core"
    note: str = ""
    annotators: Annotated[str, Field(pattern=r"^[A-Z]{0,3}$")] = ""


class Shown(DraftEntry):
    """An entry with evidence: its `quotes` are words of the chapter, each within one block."""

    quotes: Annotated[tuple[Quote, ...], BeforeValidator(_some)]


class DraftEntity(DraftEntry):
    """Somebody or something: printed `names`, or only `descriptors`. `blocks_also`, `blocks_not` mend what the search of names finds."""

    id: Id
    kind: EntityKind
    names: Names = ()
    descriptors: Forms = ()
    presence: GoldPresence = "on_page"
    alternates: tuple[EntityKind, ...] = ()
    persona_of: Id | None = None
    revealed_in: int | None = Field(default=None, ge=1)
    blocks_also: tuple[int, ...] = ()
    blocks_not: tuple[int, ...] = ()

    @model_validator(mode="after")
    def _has_words(self) -> DraftEntity:
        if not self.names and not self.descriptors:
            raise ValueError("neither a name nor a descriptor: give at least one")
        if (self.persona_of is None) != (self.revealed_in is None):
            raise ValueError("persona_of and revealed_in go together")
        return self


class DraftRelation(Shown):
    """A relation in one direction; `again` may be left out where all earlier chapters have drafts: it is worked out."""

    subject: Id
    kind: RelationKind
    object: Id
    modifier: Modifier | None = None
    status: Status = "current"
    affinity: Affinity = "0"
    visibility: Visibility = "public"
    source: Source = "narration"
    again: bool | None = None
    alternates: tuple[OtherKind, ...] = ()
    alternate_triples: tuple[tuple[Id, RelationKind, Id], ...] = ()
    status_alternates: tuple[Status, ...] = ()


class DraftChange(Shown):
    """A change of state of an entity in this chapter."""

    entity: Id
    attribute: ChangeAttribute
    op: ChangeOp = "set"
    to: Words
    alternates: tuple[OtherChange, ...] = ()


class DraftLook(Shown):
    """How somebody looks."""

    entity: Id
    feature: Feature
    value: Words
    alternates: tuple[Feature, ...] = ()


class DraftIdentity(Shown):
    """A description, disguise or title that is somebody known."""

    persona: Words
    is_: Id = Field(alias="is")
    revealed_here: bool


class DraftSecret(Shown):
    """Something kept from somebody: `hidden_from` still at the chapter's end, `exposed_to` learn it in this chapter.

    `secret` is the same word in all chapters that tell of one secret; "" for one that stands in one chapter alone.
    """

    proposition: Words
    holders: Annotated[tuple[Id, ...], BeforeValidator(_some)]
    hidden_from: Ids = ()
    exposed_to: Ids = ()
    holders_alternates: Ids = ()
    hidden_from_alternates: Ids = ()
    exposed_to_alternates: Ids = ()
    secret: Id | Literal[""] = ""


class DraftKnowledge(Shown):
    """Who knows, believes, suspects or does not know something."""

    knower: Id
    proposition: Words
    stance: Stance
    via: Via | None = None
    stance_alternates: tuple[Stance, ...] = ()
    via_alternates: tuple[Via, ...] = ()

    @model_validator(mode="after")
    def _via_fits(self) -> DraftKnowledge:
        if (self.stance == "unaware") != (self.via is None):
            raise ValueError("via says how somebody knows: left out for unaware, given for every other stance")
        return self


class DraftPlant(Shown):
    """Something that promises a later turn of the story, or keeps such a promise."""

    kind: PlantKind
    what: Words
    event: PlantEvent
    alternates: tuple[PlantKind, ...] = ()
    event_alternates: tuple[PlantEvent, ...] = ()


class Draft(Record):
    """One chapter's draft; `chapter` is its position in the serial as `blocks` lists it, from 1."""

    book: Annotated[str, Field(pattern=r"^[a-z0-9]+(?:-[a-z0-9]+)*$")]
    chapter: int = Field(ge=1)
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$")]
    note: str = ""
    entities: tuple[DraftEntity, ...]
    relations: tuple[DraftRelation, ...] = ()
    changes: tuple[DraftChange, ...] = ()
    appearance: tuple[DraftLook, ...] = ()
    identities: tuple[DraftIdentity, ...] = ()
    secrets: tuple[DraftSecret, ...] = ()
    knowledge: tuple[DraftKnowledge, ...] = ()
    plants: tuple[DraftPlant, ...] = ()

    def shown(self) -> list[tuple[str, Shown]]:
        """Return every entry with evidence and its section, in order."""
        return [(section, entry) for section in SECTIONS[1:] for entry in getattr(self, section)]


_TITLED_BY = ("id", "subject", "kind", "object", "entity", "attribute", "feature", "persona", "knower")


def title_of(section: str, number: int, entry: dict[str, Any]) -> str:
    """Return how a fault names an entry: "relations 3 (mina employs jun)"; `number` is 1-based, `entry` as in the file."""
    fields = {"entities": ("id",), "plants": ("what",)}.get(section, _TITLED_BY)
    words = [entry[field] for field in fields if isinstance(entry.get(field), str)] or [entry.get("proposition", "")]
    said = " ".join(map(str, words))[:80].strip()
    return f"{section} {number} ({said})" if said else f"{section} {number}"
