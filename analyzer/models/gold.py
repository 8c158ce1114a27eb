"""Gold chapters: what careful readers found in one chapter, with offsets instead of quotes.

The one format of `--model gold`, of the bundled serial and of evaluation. `block_starts[block - 1] + start` is a code
point position in the edition's text; ids are the same in all chapters of a book. Unknown fields are kept out of the way
(`extra="ignore"`) because editions carry bookkeeping of their own.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from pydantic import ConfigDict

from analyzer.models.base import Record
from analyzer.models.text import Span

Level = Literal["core", "optional"]


class _Gold(Record):
    model_config = ConfigDict(frozen=True, extra="ignore")


class GoldEvidence(_Gold):
    """Half-open code points into block `block` (1-based)."""

    block: int
    start: int
    end: int


class GoldEntity(_Gold):
    """An entity: `names` as printed (empty for an unnamed one), `descriptors` are descriptions without a name.

    `persona_of` is the id of who stands behind a disguise, once some chapter reveals it (None: not a persona);
    `revealed_in` is that chapter's number.
    """

    id: str
    kind: str
    names: tuple[str, ...] = ()
    descriptors: tuple[str, ...] = ()
    presence: Literal["on_page", "mentioned_only", "historical"] = "on_page"
    blocks: tuple[int, ...] = ()
    alternates: tuple[str, ...] = ()
    level: Level = "core"
    persona_of: str | None = None
    revealed_in: int | None = None


class GoldRelation(_Gold):
    """A relation in one direction; `~kind` in `alternates` means that kind with the ends swapped."""

    subject: str
    kind: str
    object: str
    modifier: str | None = None
    status: str = "current"
    affinity: str = "0"
    visibility: str = "public"
    source: str | None = None
    alternates: tuple[str, ...] = ()
    alternate_triples: tuple[tuple[str, str, str], ...] = ()
    status_alternates: tuple[str, ...] = ()
    again: bool = False
    level: Level = "core"
    evidence: tuple[GoldEvidence, ...] = ()


class GoldItem(_Gold):
    """A change, appearance, identity, secret, knowledge or plant; kept whole for the steps to come."""

    model_config = ConfigDict(frozen=True, extra="allow")

    level: Level = "core"
    evidence: tuple[GoldEvidence, ...] = ()


class GoldChapter(_Gold):
    """One chapter's gold. `body_sha256` is over the UTF-8 of `text[body_start:body_end]` of the edition."""

    book: str
    chapter: int
    edition: str = ""
    edition_chapter: int | None = None
    language: str = "en"
    body_sha256: str = ""
    body_start: int
    body_end: int
    block_starts: tuple[int, ...]
    entities: tuple[GoldEntity, ...]
    relations: tuple[GoldRelation, ...]
    changes: tuple[GoldItem, ...] = ()
    appearance: tuple[GoldItem, ...] = ()
    identities: tuple[GoldItem, ...] = ()
    secrets: tuple[GoldItem, ...] = ()
    knowledge: tuple[GoldItem, ...] = ()
    plants: tuple[GoldItem, ...] = ()

    @cached_property
    def by_id(self) -> dict[str, GoldEntity]:
        """Entities by id."""
        return {entity.id: entity for entity in self.entities}

    @property
    def number(self) -> int:
        """The chapter's 1-based position in the edition."""
        return self.edition_chapter or self.chapter

    def span(self, evidence: GoldEvidence) -> Span:
        """Return the evidence as code points of the edition's text."""
        base = self.block_starts[evidence.block - 1]
        return Span(base + evidence.start, base + evidence.end)
