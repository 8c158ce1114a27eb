"""Usage, prices, calls, reservations: what a run spends, in tokens and US dollars."""

from __future__ import annotations

from typing import Literal

from analyzer.models.base import Record

CallStatus = Literal["ok", "transient", "permanent", "lost"]
CacheFault = Literal["nothing_read", "part_read", "double_write", "too_short", "expired", "overflow"]
CachePolicy = Literal["go-on", "warn", "stop"]
"""What a run does where its provider's cache is not read: count it, say so too, or end in order."""
AnsweredBy = Literal["model", "gold", "rules", "hand", "scripted", "replay"]


class Usage(Record):
    """Disjoint token counts of one call: `input` is what was neither read from nor written to the cache.

    `output` includes `reasoning`. Unknown counts are None at the transport and never reach here: a call whose usage is
    missing settles at its worst case.
    """

    input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    reasoning: int = 0

    @property
    def total_input(self) -> int:
        """All input tokens, however priced."""
        return self.input + self.cache_read + self.cache_write

    def __add__(self, other: Usage) -> Usage:
        """Return the sum, class by class."""
        return Usage(
            input=self.input + other.input,
            cache_read=self.cache_read + other.cache_read,
            cache_write=self.cache_write + other.cache_write,
            output=self.output + other.output,
            reasoning=self.reasoning + other.reasoning,
        )


class Price(Record):
    """US dollars per million tokens, with `source` and `date` of the row; an unknown model has no Price (unpriced)."""

    model: str
    input: float
    cache_read: float
    cache_write: float
    output: float
    source: str
    date: str
    context_tokens: int | None = None

    def cost_usd(self, usage: Usage) -> float:
        """Return what `usage` costs, in US dollars; our own arithmetic."""
        return (
            usage.input * self.input
            + usage.cache_read * self.cache_read
            + usage.cache_write * self.cache_write
            + usage.output * self.output
        ) / 1_000_000


class Reply(Record):
    """What a transport returns for one pack: the text, its usage, the model as the provider named it, who answered.

    `source` names the file a person wrote the text into, "" for all others. `probabilities`, one row a question or none at all,
    are those of its options by key; `refusals` are the indexes of questions refused alone.
    """

    text: str
    usage: Usage
    model: str
    answered_by: AnsweredBy = "model"
    refused: bool = False
    finish: str = "stop"
    notes_filled: int = 0
    confidences: tuple[float | None, ...] = ()
    source: str = ""
    probabilities: tuple[tuple[tuple[str, float], ...], ...] = ()
    refusals: tuple[int, ...] = ()

    @property
    def is_cut(self) -> bool:
        """Whether the text ends where a limit of tokens did; `finish` begins with the provider's word for it."""
        return self.finish.split(" ", 1)[0] in ("length", "max_tokens", "max_output_tokens")


CACHE_REMARK = "cache: "
"""Begins the `detail` of a call that read too little from the provider's cache."""


class CallRecord(Record):
    """One attempt in the bill. `cost_usd` None means unpriced; `reserved_usd` is the worst case booked before sending.

    Unsettled rows (`settled` false) count as spent in full. `started_at` and `ended_at` are epoch seconds.
    """

    call_id: str
    run_id: str
    step: str
    chapter: int
    model: str
    answered_by: AnsweredBy
    n_questions: int
    attempt: int
    status: CallStatus
    settled: bool
    usage: Usage | None
    cost_usd: float | None
    reserved_usd: float
    started_at: float
    ended_at: float | None
    detail: str = ""


class CacheLoss(Record):
    """Calls that read less from the provider's cache than they should have, by what is likely to be at fault.

    `nothing_read`: neither read nor written; `part_read`: a part of the prefix is missing; `double_write`: written although it was
    there; `too_short`: below what the provider caches at all (costs nothing that could be saved); `expired`: not used for longer than an
    entry is kept; `overflow`: too many calls a minute on one prefix. `n_tokens` were not read, which cost `lost_nano` nano-dollars
    more than reading them (0 without a price). `cause` are the words of the last of these calls.
    """

    fault: CacheFault
    n_calls: int
    n_tokens: int
    lost_nano: int
    cause: str

    def __add__(self, other: CacheLoss) -> CacheLoss:
        """Return both together, with the later cause."""
        return CacheLoss(
            fault=self.fault,
            n_calls=self.n_calls + other.n_calls,
            n_tokens=self.n_tokens + other.n_tokens,
            lost_nano=self.lost_nano + other.lost_nano,
            cause=other.cause,
        )
