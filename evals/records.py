"""What evaluation speaks of: a reading of a chapter, one outcome for every item compared, figures, and a run's result.

A *reading* is what somebody (a reader's gold, a bible) says of one chapter in one shape, so that a system is held against gold
and a reader against a reader by the same code. An *outcome* is one item on one side of that comparison. A *figure* is a
share with its n and interval. All frozen; all positions are code points of the edition's text as the gold counts them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from analyzer.models.base import Record
from analyzer.models.text import Span

ItemClass = Literal["entity", "relation", "change", "appearance", "identity", "secret", "knowledge", "plant"]
Side = Literal["gold", "said"]
Label = Literal["truthful", "simulated", "rules", "adversary", "by hand", "local model", "provider"]
"""Where answers came from; stands beside every figure. Replayed answers keep the label they were recorded under."""


@dataclass(frozen=True)
class SaidEntity:
    """Somebody or something a reading knows: `names` as printed, `descriptors` without a name; `id` is the reading's own.

    `level` and `alternates` are gold's; a system's entity is core. `tied_to` is the id of the named one an unnamed one hangs on.
    """

    id: str
    kind: str
    names: tuple[str, ...] = ()
    descriptors: tuple[str, ...] = ()
    presence: str = "on_page"
    narrator: bool = False
    tied_to: str = ""
    level: str = "core"
    blocks: tuple[int, ...] = ()


@dataclass(frozen=True)
class SaidRelation:
    """A relation between two entities of the same reading; `key` is stable over runs (ids, kind), `chapter` is where it is stated."""

    key: str
    subject: str
    kind: str
    object: str
    status: str = "current"
    affinity: str = "0"
    source: str = ""
    visibility: str = "public"
    chapter: int = 0
    spans: tuple[Span, ...] = ()
    level: str = "core"
    again: bool = False
    alternates: tuple[str, ...] = ()
    alternate_triples: tuple[tuple[str, str, str], ...] = ()
    status_alternates: tuple[str, ...] = ()


@dataclass(frozen=True)
class SaidItem:
    """A change, look, identity, secret, piece of knowledge or plant; `fields` are the class's own (entity, attribute, …)."""

    key: str
    cls: ItemClass
    fields: Mapping[str, object] = field(default_factory=dict)
    spans: tuple[Span, ...] = ()
    level: str = "core"


@dataclass(frozen=True)
class Reading:
    """What is said of one chapter. `block_chars` is the median length of a block: short blocks widen what counts as near."""

    book: str
    chapter: int
    language: str
    entities: tuple[SaidEntity, ...] = ()
    relations: tuple[SaidRelation, ...] = ()
    items: tuple[SaidItem, ...] = ()
    block_chars: int = 200


class Outcome(Record):
    """One item of one side. On the gold side `hits` says, measure by measure, whether it was found; on the said side whether right.

    Measures: entity: `named`; relation: `pair`, `family`, `kind`, `status`, `affinity`, `evidence`; other classes: `found`, and what
    is reported apart (`kind`, `event`, `via`, `op`, …). A measure that does not apply is absent. `group` is a relation's family or an
    entity's kind. `judged` is a verdict on a said item that no gold item matches: right, wrong, debatable, or "" for none.
    """

    cls: ItemClass
    side: Side
    chapter: int
    key: str
    text: str
    level: str = "core"
    group: str = ""
    hits: dict[str, bool] = Field(default_factory=dict)
    match: str = ""
    judged: Literal["", "right", "wrong", "debatable"] = ""


class Figure(Record):
    """`hit` of `n`: `share`, with a bootstrap interval (95 %, chapters drawn with replacement) where n > 0."""

    hit: float
    n: float
    share: float | None = None
    low: float | None = None
    high: float | None = None


class ChapterResult(Record):
    """One chapter of one case as scored. `unscored` says why there is no score ("text not here"), else "".

    `trouble` counts questions left: unparsed, refused, missing, rejected. Money in US dollars at `RunResult.price_model`'s price.
    """

    case: str
    chapter: int
    language: str
    label: Label
    unscored: str = ""
    outcomes: tuple[Outcome, ...] = ()
    n_calls: int = 0
    n_questions: int = 0
    words: int = 0
    usd: float = 0.0
    estimate_usd: float = 0.0
    cached_share: float | None = None
    trouble: dict[str, int] = Field(default_factory=dict)


class Asked(Record):
    """One question as it was asked: what `compare` needs to know whether an answer still stands.

    `wording` is the hash of the rendered question with its options; `picked` the option keys; `tokens` (input not cached, output).
    """

    case: str
    chapter: int
    step: str
    key: str
    wording: str
    picked: tuple[str, ...] = ()
    status: str = "answered"
    tokens: tuple[int, int] = (0, 0)


class RunResult(Record):
    """A whole evaluation run, written as JSON: no clock in it, so that equal runs are equal files."""

    name: str
    label: Label
    answers: str
    seed: int = 0
    price_model: str = ""
    chapters: tuple[ChapterResult, ...] = ()
    asked: tuple[Asked, ...] = ()
