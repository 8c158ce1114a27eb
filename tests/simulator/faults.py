"""What can go wrong, by name, and plans that say when: per request number, or a seeded mix.

Four families: refused with a status; broken on the wire (the work is done and billed); odd content; odd usage figures.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.simulator.prompt import RefusedError

STATUS_FAULTS: Mapping[str, tuple[int, str, str | None, str]] = {
    "bad_request": (400, "invalid_request_error", None, "Invalid request."),
    "context": (400, "invalid_request_error", "context_length_exceeded", "Your input exceeds the context window."),
    "bad_key": (401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided."),
    "forbidden": (403, "invalid_request_error", "unsupported_country_region_territory", "Not allowed here."),
    "not_found": (404, "invalid_request_error", "model_not_found", "The model does not exist."),
    "timeout_status": (408, "server_error", None, "Request timed out."),
    "rate_limit": (429, "requests", "rate_limit_exceeded", "Rate limit reached."),
    "quota": (429, "insufficient_quota", "insufficient_quota", "You exceeded your current quota."),
    "server_error": (500, "server_error", None, "The server had an error."),
    "bad_gateway": (502, "server_error", None, "Bad gateway."),
    "unavailable": (503, "server_error", None, "The engine is currently overloaded."),
    "overloaded": (529, "overloaded_error", None, "Overloaded."),
}
"""Name to status, type, code, message; nothing is billed."""

WIRE_FAULTS = frozenset({"reset", "reset_mid", "hang", "truncated", "not_json", "half_json", "stream_error", "no_done"})
"""`reset` drops the connection before any work (not billed); the others come after it (billed)."""

CONTENT_FAULTS = frozenset(
    {"empty", "null", "refusal", "refusal_text", "prose", "fence", "half", "half_line", "loop", "duplicated", "strangers", "filter"}
)  # fmt: skip
DECISION_FAULTS = frozenset({"not_one", "nan", "nameless", "wrong_order", "one_refused"})
"""Odd content that only the decisions endpoint can send; it has its own reading of the others too."""
USAGE_FAULTS = frozenset({"usage_missing", "usage_null", "usage_zero", "usage_wrong", "usage_negative"})
KINDS = frozenset(STATUS_FAULTS) | WIRE_FAULTS | CONTENT_FAULTS | DECISION_FAULTS | USAGE_FAULTS


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `retry_after` is sent as it stands where a status is (e.g. "2"); `seconds` bounds a hang (real time)."""

    kind: str
    retry_after: str = ""
    seconds: float = 5.0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"unknown fault {self.kind!r}; known: {', '.join(sorted(KINDS))}")

    def refuse(self) -> None:
        """Raise RefusedError when the fault is a status."""
        if self.kind not in STATUS_FAULTS:
            return
        status, kind, code, message = STATUS_FAULTS[self.kind]
        headers = {"retry-after": self.retry_after} if self.retry_after else {}
        raise RefusedError(status, message, kind=kind, code=code, headers=headers)


@dataclass(slots=True)
class FaultPlan:
    """Which request gets which fault.

    `by_index` counts model calls from 0. `mix` gives a probability per kind; the draw depends on the seed and on the
    request's number, or (`by="body"`) on its bytes and how often they came, so that it does not depend on order.
    `at_most` bounds how many faults the mix deals; -1 is no bound. `always` is dealt to every other request.
    """

    by_index: Mapping[int, Fault] = field(default_factory=dict)
    mix: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    by: Literal["index", "body"] = "index"
    at_most: int = -1
    always: Fault | None = None
    _seen: Counter[bytes] = field(default_factory=Counter)
    _dealt: int = 0

    def __post_init__(self) -> None:
        for kind in self.mix:
            Fault(kind)
        if sum(self.mix.values()) > 1 or any(p < 0 for p in self.mix.values()):
            raise ValueError(f"probabilities must add up to 1 or less, got {dict(self.mix)!r}")

    def pick(self, index: int, body: bytes) -> Fault | None:
        """Return the fault of this request, or None."""
        if index in self.by_index:
            return self.by_index[index]
        return self._drawn(index, body) or self.always

    def _drawn(self, index: int, body: bytes) -> Fault | None:
        if not self.mix or self._dealt == self.at_most:
            return None
        key = str(index)
        if self.by == "body":
            digest = hashlib.blake2b(body, digest_size=12).digest()
            key = f"{digest.hex()}/{self._seen[digest]}"
            self._seen[digest] += 1
        point = random.Random(f"{self.seed}/{key}").random()
        for kind, probability in sorted(self.mix.items()):
            if point < probability:
                self._dealt += 1
                return Fault(kind)
            point -= probability
        return None


def plan_from_json(text: str) -> FaultPlan:
    """Return the plan written as `{"by_index": {"3": "quota", "5": {"kind": "hang", "seconds": 2}}, "mix": {…}, "seed": 1}`."""
    given: dict[str, Any] = json.loads(text)
    named = given.get("by_index", {})
    return FaultPlan(
        by_index={int(index): _fault(fault) for index, fault in named.items()},
        mix=given.get("mix", {}),
        seed=int(given.get("seed", 0)),
        by=given.get("by", "index"),
        at_most=int(given.get("at_most", -1)),
        always=_fault(given["always"]) if given.get("always") else None,
    )


def _fault(given: str | dict[str, Any]) -> Fault:
    return Fault(given) if isinstance(given, str) else Fault(**given)


@dataclass(frozen=True, slots=True)
class Spoken:
    """What the model says: `content` None and `refusal` as the API has them; `finish` is its reason to stop."""

    content: str | None
    refusal: str | None = None
    finish: str = "stop"


def spoil(fault: Fault | None, text: str) -> Spoken:
    """Return the answer as the fault leaves it."""
    kind = fault.kind if fault else ""
    lines = text.splitlines()
    whole: Mapping[str, Spoken] = {
        "empty": Spoken(""),
        "null": Spoken(None),
        "refusal": Spoken(None, refusal="I'm sorry, but I can't help with that."),
        "refusal_text": Spoken("I'm sorry, but I can't help with that."),
        "filter": Spoken("", finish="content_filter"),
    }
    if kind in whole:
        return whole[kind]
    changed: Mapping[str, list[str]] = {
        "prose": ["Sure! Here are my answers:", "", *lines, "", "Let me know if you need 2 or 3 more things."],
        "fence": ["```text", *lines, "```"],
        "half": lines[: len(lines) // 2],
        "half_line": [*lines[:-1], *(line[: len(line) // 2] for line in lines[-1:])],
        "loop": lines[:1] * max(400, len(lines)),
        "duplicated": [line for line in lines for _ in range(2)],
        "strangers": [f"{number + 5000} a" for number in range(len(lines))],
    }
    finish = "length" if kind in {"half", "half_line", "loop"} else "stop"
    return Spoken("\n".join(changed.get(kind, lines)) if kind in changed else text, finish=finish)


def spoil_usage(fault: Fault | None, usage: dict[str, Any]) -> dict[str, Any] | None:
    """Return the usage as the fault leaves it; None when the field is null or missing."""
    kind = fault.kind if fault else ""
    if kind in {"usage_missing", "usage_null"}:
        return None
    if kind == "usage_zero":
        return _scaled(usage, 0)
    if kind == "usage_negative":
        return _scaled(usage, -1)
    if kind == "usage_wrong":
        details = usage.get("prompt_tokens_details") or usage.get("input_tokens_details") or {}
        wrong = {**details, "cached_tokens": usage["total_tokens"] + 7}
        name = "prompt_tokens_details" if "prompt_tokens" in usage else "input_tokens_details"
        return {**usage, name: wrong}
    return usage


def _scaled(usage: dict[str, Any], factor: int) -> dict[str, Any]:
    return {k: _scaled(v, factor) if isinstance(v, dict) else v * factor for k, v in usage.items()}
