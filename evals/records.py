"""What evaluation speaks of: a reading of a chapter, one outcome for every item compared, figures, and a run's result.

A *reading* is what somebody (a reader's gold, a bible) says of one chapter in one shape, so that a system is held against gold
and a reader against a reader by the same code. An *outcome* is one item on one side of that comparison. A *figure* is a
share with its n and interval. All frozen; all positions are code points of the edition's text as the gold counts them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field, model_validator

from analyzer.models.base import Record
from analyzer.models.run import Usage
from analyzer.models.text import Span

ItemClass = Literal["entity", "relation", "change", "appearance", "identity", "secret", "knowledge", "plant"]
Side = Literal["gold", "said"]
Count = Annotated[int, Field(ge=0, le=10**12)]
"""How many of something; the largest novels have ten million words, which a run reads in a billion tokens."""
Number = Annotated[int, Field(ge=0, le=10**6)]
"""A chapter's; no novel has a million."""
Dollars = Annotated[float, Field(ge=0, le=10**6, allow_inf_nan=False)]
"""What a chapter cost or may cost; more is no bill but a fault."""
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Total = Annotated[float, Field(ge=0, le=10**12, allow_inf_nan=False)]
_ROUNDING = 1e-6
"""By how much a sum of shares may exceed their number."""
Label = Literal["truthful", "simulated", "rules", "adversary", "by hand", "local model", "provider"]
"""Where answers came from; stands beside every figure. Replayed answers keep the label they were recorded under."""


@dataclass(frozen=True)
class SaidEntity:
    """Somebody or something a reading knows: `names` as printed, `descriptors` without a name; `id` is the reading's own.

    `level` and `alternates` (other kinds that are also right) are gold's; a system's entity is core. `tied_to` is the id of the
    one an unnamed one hangs on. `former_names` were printed in earlier chapters: they match, and are not asked for. `persona_of`
    is the id of who stands behind, once a chapter has told. `presence` is on_page, mentioned, historical, or absent (known from
    earlier chapters only).
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
    alternates: tuple[str, ...] = ()
    former_names: tuple[str, ...] = ()
    persona_of: str = ""


@dataclass(frozen=True)
class SaidRelation:
    """A relation between two entities of the same reading; `key` names it in the reading, `chapter` is where it is stated.

    Keys of outcomes are made when two readings are compared, from names and kinds alone: those are stable over runs.
    """

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
    """What is said of one chapter.

    `block_chars` is the median length of a block in code points: short blocks widen what counts as near. `block_starts` are the
    positions of the chapter's blocks in the edition (empty: unknown, nearness goes by characters alone).
    """

    book: str
    chapter: int
    language: str
    entities: tuple[SaidEntity, ...] = ()
    relations: tuple[SaidRelation, ...] = ()
    items: tuple[SaidItem, ...] = ()
    block_chars: int = 200
    block_starts: tuple[int, ...] = ()


class Outcome(Record):
    """One item of one side. On the gold side `hits` says, measure by measure, whether it was found; on the said side whether right.

    Measures: entity: `named` (`described` for the unnamed), `kind`, `presence`, `single` (no duplicate); relation: `pair`, `family`,
    `kind`, `direction`, `status`, `affinity`, `source`, `visibility`, `evidence`, `near`; other classes: `found`, `evidence`, and what
    is reported apart (`kind`, `event`, `via`, `op`, …). A measure that does not apply is absent. `group` is a relation's family or an
    entity's kind. `match` is how near it came (relation: kind, family, pair; entity: exact, stem, particle, …; else found, repeat),
    `partner` the key of what it matched on the other side. `again`: holds since an earlier chapter. `evidence` is a hash of the
    spans ("" for none): a verdict is on an item with its evidence. `judged` is a verdict: on a said item right, wrong, debatable;
    on a gold item right (a judge found it said in other words) or wrong (what matched it was judged wrong); "" for none.
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
    partner: str = ""
    again: bool = False
    evidence: str = ""
    judged: Literal["", "right", "wrong", "debatable"] = ""


class Figure(Record):
    """`hit` of `n`: `share`, with a 95 % interval where n > 0: `interval` says which (chapters drawn with replacement, or Wilson's)."""

    hit: float
    n: float
    share: float | None = None
    low: float | None = None
    high: float | None = None
    interval: Literal["", "bootstrap", "wilson"] = ""


class Traced(Record):
    """How an item came to stand, or where it was lost: `reason` is one of `evals.tracing.REASONS` or `evals.traces.CAME`.

    `code` is a rule's issue code, or for a missing end why that end is missing. `votes` has a line for every claim about
    the two in that family: "Agnes sibling_of Piers: relation_confirm for, relation_confirm_again deny".
    """

    step: str
    reason: str
    code: str = ""
    detail: str = ""
    votes: tuple[str, ...] = ()


class BCubed(Record):
    """Names as clusters: sums over names of B-cubed precision (`said` names that gold prints too) and recall (`gold` names)."""

    precision_sum: Total = 0.0
    n_said: Count = 0
    recall_sum: Total = 0.0
    n_gold: Count = 0

    @model_validator(mode="after")
    def _are_shares(self) -> BCubed:
        for name, total, n in (
            ("precision_sum", self.precision_sum, self.n_said),
            ("recall_sum", self.recall_sum, self.n_gold),
        ):
            if total > n * (1 + _ROUNDING):
                raise ValueError(f"{name} is {total:g}, a sum of {n} shares was expected")
        return self


class ChapterResult(Record):
    """One chapter of one case as scored. `unscored` says why there is no score ("text not here"), else "".

    `partial` says why not all of the chapter was read ("stopped by its time limit"): what was not asked counts as missed, so that
    recall is a lower bound. "" where it was read to its end.
    `trouble` counts questions left: unparsed, refused, missing, and what each `rule:` turned away; of a replay `unrecorded` and
    `stale` (see `evals.recordings`). Money in US dollars at `RunResult.price_model`'s price; `usage` are the tokens behind it.
    `handles` says under which name somebody of the bible (by handle) stands in the keys of outcomes. `traced` is by side and key
    of an outcome ("gold entity | Agnes"); it is empty where nothing was recorded of how items came about.
    """

    case: str
    chapter: Number
    language: str
    label: Label
    unscored: str = ""
    partial: str = ""
    outcomes: tuple[Outcome, ...] = ()
    b_cubed: BCubed | None = None
    n_calls: Count = 0
    n_questions: Count = 0
    words: Count = 0
    usd: Dollars = 0.0
    usage: Usage = Usage()
    estimate_usd: Dollars = 0.0
    cached_share: Share | None = None
    trouble: dict[str, Count] = Field(default_factory=dict)
    handles: dict[str, str] = Field(default_factory=dict)
    traced: dict[str, Traced] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _holds_together(self) -> ChapterResult:
        for name, n in self.usage:
            if not 0 <= n <= 10**12:
                raise ValueError(
                    f"usage.{name} is {n if abs(n) < 10**20 else 'too large'}, a number of tokens from 0 was expected"
                )
        twice = next((key for key, n in Counter((o.side, o.key) for o in self.outcomes).items() if n > 1), None)
        if twice:
            raise ValueError(f"outcomes hold {twice[1][:80]!r} of {twice[0]} twice, each once was expected")
        return self


class Asked(Record):
    """One question as it was asked: what `compare` needs to know whether an answer still stands.

    `wording` is the hash of the rendered question with its options and its step's prompt; `picked` the option keys, `at` their
    places among the `n_options` shown, from 0; `tokens` (input not cached, output). `status` is that of the answer, or
    `unrecorded` where a replay had none.
    `about` are the handles and names of whom it is about, `cited` the sentences named in the answer ("12.3"), `line` and `options`
    (by key, some at most) what was shown: words of a public edition stand in neither, there keys and sentence numbers must do.
    """

    case: str
    chapter: Number
    step: str
    key: str
    wording: str
    picked: tuple[str, ...] = ()
    at: tuple[Count, ...] = ()
    n_options: Count = 0
    status: str = "answered"
    tokens: tuple[Count, Count] = (0, 0)
    about: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    line: str = ""
    options: dict[str, str] = Field(default_factory=dict)


class RunResult(Record):
    """A whole evaluation run, written as JSON: no clock in it, so that equal runs are equal files.

    `version` is the program's, `prompts` the hashes of its prompt files by name, `command` what makes the run again ("" unknown).
    """

    name: str
    label: Label
    answers: str
    seed: Annotated[int, Field(ge=-(2**63), lt=2**63)] = 0
    price_model: str = ""
    chapters: tuple[ChapterResult, ...] = ()
    asked: tuple[Asked, ...] = ()
    version: str = ""
    prompts: dict[str, str] = Field(default_factory=dict)
    command: str = ""

    @model_validator(mode="after")
    def _each_chapter_once(self) -> RunResult:
        twice = next((at for at, n in Counter((c.case, c.chapter) for c in self.chapters).items() if n > 1), None)
        if twice:
            raise ValueError(f"chapters hold {twice[0][:80]!r} {twice[1]} twice, each once was expected")
        return self
