"""The shape of chat completions: a pack as messages, a completion (whole or in chunks) as a reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from analyzer.errors import TransientModelError
from analyzer.llm.formats import storable
from analyzer.llm.usage import normalise, worst_usage
from analyzer.models.question import Pack, Part
from analyzer.models.run import Reply

MAX_MARKS = 4
"""Most cache marks a request may carry, at OpenAI and at Anthropic."""
NO_USAGE = "no_usage"
"""A word of `Reply.finish` where the provider reported no usage: `usage` is then the worst case, not a measurement."""
REFUSED_BODY: dict[str, Any] = {
    "choices": [{"message": {"content": "", "refusal": "filtered"}, "finish_reason": "content_filter"}],
    "usage": {"prompt_tokens": 0, "completion_tokens": 0},
}
"""Stands for a request the provider's filter turned away with an error instead of a reply: refused, and not billed."""

Message = dict[str, Any]


def plain_messages(pack: Pack) -> list[Message]:
    """Return the pack as one system and one user message of plain strings, the parts joined byte for byte."""
    system = "".join(part.text for part in pack.parts if part.name == "system")
    user = "".join(part.text for part in pack.parts if part.name != "system") + pack.tail
    return [{"role": "system", "content": system}] * bool(system) + [{"role": "user", "content": user}]


def marked_messages(pack: Pack, mark: Mapping[str, Any], *, part_type: str = "text") -> list[Message]:
    """Return the pack with one text part for each prefix part, `mark` merged into the last `MAX_MARKS` of them, and the bare tail."""
    first = max(0, len(pack.parts) - MAX_MARKS)

    def content(number: int, part: Part) -> dict[str, Any]:
        text = {"type": part_type, "text": part.text}
        return {**text, **mark} if number >= first and part.text else text

    parts = [(part, content(number, part)) for number, part in enumerate(pack.parts)]
    system = [shown for part, shown in parts if part.name == "system"]
    user = [shown for part, shown in parts if part.name != "system"]
    user.append({"type": part_type, "text": pack.tail})
    return [{"role": "system", "content": system}] * bool(system) + [{"role": "user", "content": user}]


def reply_from(body: object, pack: Pack, *, model: str, max_output_tokens: int, writes_cache: bool) -> Reply:
    """Return the reply a chat completion (as a dict) holds.

    The first word of `finish` is the provider's reason; further words flag usage figures that were missing (`NO_USAGE`: the
    worst case stands in their place) or impossible and clamped. Raises TransientModelError where the body is no completion.
    """
    if not isinstance(body, Mapping):
        raise unreadable(model, f"{type(body).__name__} instead of a chat completion")
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
        raise unreadable(model, "a completion without a message")
    text = message.get("content")
    if text is not None and not isinstance(text, str):
        raise unreadable(model, f"a message whose content is {type(text).__name__}")
    finish = str(choice.get("finish_reason") or "stop")
    usage, flags = normalise(_mapping(body.get("usage")), timings=_mapping(body.get("timings")))
    flags = flags if usage else (NO_USAGE,)
    return Reply(
        text=storable(text or ""),
        usage=usage or worst_usage(pack, max_output_tokens=max_output_tokens, writes_cache=writes_cache),
        model=storable(str(body.get("model") or model))[:200],
        refused=bool(message.get("refusal")) or finish == "content_filter",
        finish=" ".join([storable(finish)[:40], *flags]),
    )


def unreadable(model: str, got: str) -> TransientModelError:
    """Return the error for a body that is no chat completion."""
    return TransientModelError(f"the server of {model!r} sent {got}", where=f"model {model}")


def _mapping(value: object) -> Mapping[str, Any] | None:
    return value if isinstance(value, Mapping) else None


@dataclass
class Joiner:
    """Chunks of a stream joined into the body a plain call would have had; calls `on_first_event` at the first chunk."""

    model: str
    on_first_event: Callable[[], None] | None = None
    text: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)
    finish: str = ""
    named: str = ""
    usage: object = None
    timings: object = None
    tier: object = None
    _begun: bool = False

    def add(self, chunk: object) -> None:
        """Take in one chunk, as a dict."""
        if not isinstance(chunk, Mapping):
            raise unreadable(self.model, f"a chunk that is {type(chunk).__name__}")
        if not self._begun:
            self._begun = True
            if self.on_first_event is not None:
                self.on_first_event()
        self.named = self.named or str(chunk.get("model") or "")
        self.usage = chunk.get("usage") or self.usage
        self.timings = chunk.get("timings") or self.timings
        self.tier = chunk.get("service_tier") or self.tier
        choices = chunk.get("choices")
        if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
            self._add_choice(choices[0])

    def _add_choice(self, choice: Mapping[str, Any]) -> None:
        delta = _mapping(choice.get("delta")) or {}
        for name, kept in (("content", self.text), ("refusal", self.refusal)):
            if isinstance(delta.get(name), str):
                kept.append(delta[name])
        self.finish = str(choice.get("finish_reason") or self.finish)

    def body(self) -> dict[str, Any]:
        """Return the whole; raises TransientModelError where the stream broke off before it said why it ended."""
        if not self.finish:
            raise unreadable(self.model, "a stream that broke off")
        message = {"content": "".join(self.text), "refusal": "".join(self.refusal) or None}
        return {
            "model": self.named,
            "choices": [{"message": message, "finish_reason": self.finish}],
            "usage": self.usage,
            "timings": self.timings,
            "service_tier": self.tier,
        }
