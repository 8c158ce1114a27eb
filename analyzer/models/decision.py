"""Decisions of the author: what is kept of each, in words that outlive numbers, edits and analyses.

An entity is meant by its *anchor* (what its handle was given for), any other fact by a key over its content. Whatever shows
readers something also keeps the sentence that shows it: its chapter by the id a chapter keeps wherever it stands.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from analyzer.models.base import Record
from analyzer.models.facts import Fact
from analyzer.models.text import Place

Plane = Literal["author", "reader"]
"""Who looks: the author sees every decision at once, readers none before its words."""


class Words(Record):
    """A sentence that carries a decision: `chapter` is the chapter's id, `no` its number when it was decided."""

    chapter: int
    no: int
    place: Place
    text: str


class About(Record):
    """A fact by its content: `ends` are anchors of the entities it is about, `words` what else tells it from others."""

    fact: str
    ends: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


class Kept(Record):
    """A fact as it was when the author confirmed it, the step that wrote it and the sentences it stands on."""

    step: str
    fact: Fact
    words: tuple[Words, ...] = ()


class Confirm(Record):
    """These facts are true: they stay while their words are there, even where a run is unsure of them."""

    kind: Literal["confirm"] = "confirm"
    about: tuple[About, ...]
    kept: tuple[Kept, ...] = ()


class Reject(Record):
    """These facts are not true: they are hidden, with what hangs on them."""

    kind: Literal["reject"] = "reject"
    about: tuple[About, ...]


class Rename(Record):
    """An entity is shown as `label`; by which names it is found in the text stays. Without `words` the author alone sees it."""

    kind: Literal["rename"] = "rename"
    entity: str
    label: str = Field(min_length=1)
    words: Words | None = None


class Merge(Record):
    """Two entities are one, for readers from the chapter of `words` on; without words for the author alone."""

    kind: Literal["merge"] = "merge"
    entity: str
    into: str
    words: Words | None = None


class Split(Record):
    """`other` is somebody else than `entity`; these names of `entity` are those of `other`."""

    kind: Literal["split"] = "split"
    entity: str
    other: str
    surfaces: tuple[str, ...] = ()


class NeverMerge(Record):
    """Two entities are two, whatever an analysis says."""

    kind: Literal["never_merge"] = "never_merge"
    entity: str
    other: str


class Reveal(Record):
    """`persona` is `behind`, for readers from the chapter of `words` on; or is not (`rejected`)."""

    kind: Literal["reveal"] = "reveal"
    persona: str
    behind: str
    status: Literal["confirmed", "rejected"] = "confirmed"
    words: Words | None = None


class Undo(Record):
    """An earlier decision holds no longer; its row stays."""

    kind: Literal["undo"] = "undo"
    decision: str


Decision = Annotated[
    Confirm | Reject | Rename | Merge | Split | NeverMerge | Reveal | Undo, Field(discriminator="kind")
]
DECISION: TypeAdapter[Decision] = TypeAdapter(Decision)


def anchors_of(decision: Decision) -> tuple[str, ...]:
    """Return the anchors of the entities a decision names, in order."""
    if isinstance(decision, Rename):
        return (decision.entity,)
    if isinstance(decision, Merge):
        return decision.entity, decision.into
    if isinstance(decision, Split | NeverMerge):
        return decision.entity, decision.other
    return (decision.persona, decision.behind) if isinstance(decision, Reveal) else ()


class Decided(Record):
    """A decision with its id (`d7`) and date (epoch seconds); rows are in the order of their dates, no two alike."""

    id: str
    at: float
    decision: Decision
