"""What a simulated provider does: prices, cache rule, speed, limits. Frozen data, plain defaults, presets by name.

Rates are US dollars per million tokens at the edge and whole nano-dollars per token inside, so every bill is exact.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from typing import Any, Literal

CacheKind = Literal["breakpoints", "cache_control", "automatic", "off"]
Readable = Literal["first_event", "end", "prewarm"]
UsageStyle = Literal["openai", "deepseek", "vllm", "llama", "silent"]
RetryAfter = Literal["seconds", "ms", "date", "none"]

MESSAGE_TOKENS = 4
"""Billed tokens that open and close one chat message (start, role, separator, end); they precede its first part."""
REPLY_TOKENS = 3
"""Billed tokens that prime the answer after the last message; never cached."""
TTL_SECONDS: Mapping[str, float] = {"5m": 300.0, "30m": 1800.0, "1h": 3600.0, "12h": 43200.0}
LONG_TTLS = frozenset({"1h", "12h"})
"""Lifetimes billed at the long write rate."""


def nano_per_token(usd_per_million: str) -> int:
    """Return whole nano-dollars per token; raises ValueError when the rate is finer than that (never rounds)."""
    nano = Decimal(usd_per_million) * 1000
    if nano != nano.to_integral_value() or nano < 0:
        raise ValueError(f"{usd_per_million!r} dollars per million is not a whole number of nano-dollars per token")
    return int(nano)


@dataclass(frozen=True, slots=True)
class Price:
    """Nano-dollars per token; `write_long` is the rate of the long lifetimes."""

    fresh: int = 100
    read: int = 10
    write: int = 125
    output: int = 500
    write_long: int = 250

    @classmethod
    def usd_per_million(cls, fresh: str, read: str, write: str, output: str, write_long: str = "0") -> Price:
        """Return the price row of rates written in US dollars per million tokens."""
        return cls(
            fresh=nano_per_token(fresh),
            read=nano_per_token(read),
            write=nano_per_token(write),
            output=nano_per_token(output),
            write_long=nano_per_token(write_long),
        )


@dataclass(frozen=True, slots=True)
class CacheRule:
    """How prompts are cached.

    `kind`: explicit and implicit breakpoints (OpenAI), `cache_control` marks (Anthropic), whole units of the prompt
    (DeepSeek, vLLM, older OpenAI models), or nothing. `min_tokens` counts text only, not framing. `readable`: an entry
    can be read once its writer's prefill is over, once its writer has ended, or only when a prewarm wrote it.
    `lookback` is how many unmarked parts before a mark are searched for an older entry. Every `drops_every`-th request (0: none)
    finds the longest prefix it could have read dropped, as where a provider needs the room.
    """

    kind: CacheKind = "breakpoints"
    min_tokens: int = 1024
    readable: Readable = "first_event"
    unit: int = 64
    max_writes: int = 4
    match_window: int = 80
    lookback: int = 0
    default_ttl: str = "30m"
    drops_every: int = 0


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds before anything, prefill tokens per second of what is not cached, output tokens per second; 0 is instant."""

    base_s: float = 0.0
    prefill_tps: float = 0.0
    output_tps: float = 0.0

    def prefill_s(self, tokens: int) -> float:
        """Return the seconds from arrival to the first event."""
        return self.base_s + (tokens / self.prefill_tps if self.prefill_tps else 0.0)

    def output_s(self, tokens: int) -> float:
        """Return the seconds from the first event to the end."""
        return tokens / self.output_tps if self.output_tps else 0.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Per-minute bounds, 0 is none.

    `overflow_per_minute`: each further so many requests a minute on one routing key go to the next machine, which has
    none of the entries. The routing key is the prompt up to its `first_part` or its `last_breakpoint`.
    """

    requests_per_minute: int = 0
    tokens_per_minute: int = 0
    retry_after: RetryAfter = "seconds"
    overflow_per_minute: int = 0
    overflow_key: Literal["first_part", "last_breakpoint"] = "first_part"


@dataclass(frozen=True, slots=True)
class DecisionsRule:
    """The bounds of the decisions endpoint: most questions of a request, choices and levels of a question; which models (none: all)."""

    questions: int = 400
    choices: int = 255
    levels: int = 10
    models: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model on sale; `old` models refuse every prompt_cache field but the key and the retention."""

    name: str
    price: Price = Price()
    cache: CacheRule = CacheRule()
    old: bool = False
    context_tokens: int = 922_000
    refused_efforts: tuple[str, ...] = ("minimal",)


@dataclass(frozen=True, slots=True)
class Patterns:
    """Regular expressions (multi-line) by which answerers read a request; `mark` runs over the options' text.

    `question` has the groups number and text; `shared` the group options; `mark` the group mark. `split` parts a
    question's line from its options, `places` finds sentence handles, `example` the example lines of a system text.
    """

    question: str = r"^[ \t]*(?P<number>\d{1,4})[.)][ \t]+(?P<text>\S.*)$"
    shared: str = r"^Options for every question(?: without its own)?:[ \t]*(?P<options>.*)$"
    split: str = r"[ \t]\|[ \t]"
    mark: str = r"(?:^|[;|\n])[ \t]*\(?(?P<mark>@\d+|[A-Za-z]{1,2})(?=[).:=]*(?:[ \t]|[;|\n]|$))"
    place: str = r"(?<![\d.@])\d{1,5}\.\d{1,4}(?![\d.])"
    block: str = r"^\[(\d+)\]"
    example: str = r"^[ \t]*\d{1,4}(?:[ \t]+(?:-|@\d+|[A-Za-z]{1,2}\b).*|[ \t]*=[ \t]*\S.*)$"
    yes: str = r"(?i)^(?:yes|true|oui|ja|si|예|네|맞|是|对|はい)"


DEFAULT_PATTERNS = Patterns()

DEFAULT_EFFORT = "medium"
"""Reasoning effort when a request names none (GPT-6)."""
REASONING_TOKENS: Mapping[str, int] = {
    "none": 0, "minimal": 16, "low": 64, "medium": 256, "high": 1024, "xhigh": 2048, "max": 4096,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settings:
    """The whole provider. No `keys`: any key, or none, is good. `any_model`: an unknown name gets the first row. Without `serves_flex`
    a request for that tier is served, and billed, at the default one.
    """

    models: tuple[ModelRow, ...] = (ModelRow("gpt-6-luna"),)
    any_model: bool = False
    keys: tuple[str, ...] = ()
    latency: Latency = Latency()
    limits: Limits = Limits()
    usage_style: UsageStyle = "openai"
    strict: bool = True
    apis_share_cache: bool = True
    serves_flex: bool = True
    decisions: DecisionsRule | None = None
    reasoning_tokens: Mapping[str, int] = field(default_factory=lambda: dict(REASONING_TOKENS))
    patterns: Patterns = DEFAULT_PATTERNS
    max_hang_s: float = 30.0

    def model(self, name: str) -> ModelRow | None:
        """Return the row of this model, or None when it is not on sale."""
        for row in self.models:
            if row.name == name:
                return row
        return replace(self.models[0], name=name) if self.any_model else None


_OLD = ModelRow(
    "sim-old",
    price=Price.usd_per_million("0.20", "0.02", "0", "1.25"),
    cache=CacheRule(kind="automatic", unit=128, min_tokens=1024),
    old=True,
    context_tokens=272_000,
)
_FREE = Price(fresh=0, read=0, write=0, output=0, write_long=0)


def _openai() -> Settings:
    twice = Price.usd_per_million("1", "0.05", "1.25", "5", "2.50")
    models = (ModelRow("gpt-6-luna"), ModelRow("gpt-6.1-terra", price=twice), _OLD)
    return Settings(models=models, decisions=DecisionsRule(models=("gpt-6-luna",)))


def _anthropic() -> Settings:
    rule = CacheRule(kind="cache_control", min_tokens=512, lookback=20, default_ttl="5m")
    price = Price.usd_per_million("0.10", "0.01", "0.125", "0.50", "0.20")
    return Settings(models=(ModelRow("claude-haiku-5-5", price=price, cache=rule, refused_efforts=()),), strict=False)


def _deepseek() -> Settings:
    rule = CacheRule(kind="automatic", unit=64, min_tokens=64, readable="end")
    price = Price.usd_per_million("0.30", "0.006", "0", "1.20")
    row = ModelRow("deepseek-flash", price=price, cache=rule, refused_efforts=())
    return Settings(models=(row,), usage_style="deepseek", strict=False)


def _vllm() -> Settings:
    rule = CacheRule(kind="automatic", unit=16, min_tokens=16)
    row = ModelRow("local", price=_FREE, cache=rule, context_tokens=32_768, refused_efforts=())
    return Settings(
        models=(row,),
        any_model=True,
        strict=False,
        usage_style="vllm",
        reasoning_tokens={},
        decisions=DecisionsRule(200, 26),
    )


def _llama() -> Settings:
    settings = _vllm()
    rule = CacheRule(kind="automatic", unit=1, min_tokens=1, readable="end")
    return replace(settings, models=(replace(settings.models[0], cache=rule),), usage_style="llama", decisions=None)


PRESETS = {"openai": _openai, "anthropic": _anthropic, "deepseek": _deepseek, "vllm": _vllm, "llama": _llama}


def preset(name: str = "openai", options: Mapping[str, Any] | None = None) -> Settings:
    """Return a preset with dotted options laid over it.

    `cache.*` and `price.*` change every model; others name a field, as `latency.base_s` or `keys`. Prices are
    nano-dollars per token. Raises KeyError for an unknown preset or option.
    """
    settings = PRESETS[name]()
    for path, value in (options or {}).items():
        settings = _with_option(settings, path, value)
    return settings


def _with_option(settings: Settings, path: str, value: Any) -> Settings:
    head, _, rest = path.partition(".")
    if head in {"cache", "price", "model"}:
        inner = rest if head == "model" else path
        return replace(settings, models=tuple(_changed(row, inner, value) for row in settings.models))
    changed: Settings = _changed(settings, path, value)
    return changed


def _changed(record: Any, path: str, value: Any) -> Any:
    head, _, rest = path.partition(".")
    if not dataclasses.is_dataclass(record) or isinstance(record, type) or head not in {f.name for f in fields(record)}:
        raise KeyError(f"{type(record).__name__} has no setting {head!r}")
    old = getattr(record, head)
    if rest:
        value = {**old, rest: value} if isinstance(old, Mapping) else _changed(old, rest, value)
    elif isinstance(value, list):
        value = tuple(value)
    return replace(record, **{head: value})
