"""The JSON a provider sends: completions, chunks, responses, usage, errors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.simulator.cache import Charge
from tests.simulator.faults import Spoken
from tests.simulator.prompt import RefusedError
from tests.simulator.settings import UsageStyle

EPOCH = 1_764_500_000
"""What `created` says; the same in every run."""
STREAM_PIECE_CHARS = 64


@dataclass(frozen=True, slots=True)
class Said:
    """A finished answer: what is said, its tokens (`output` includes `reasoning`), and the names the reply carries."""

    spoken: Spoken
    output: int
    reasoning: int
    model: str
    index: int
    tier: str
    answers: Any = None


def encode(value: object) -> bytes:
    """Return compact JSON, UTF-8."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


def error_json(refused: RefusedError) -> bytes:
    """Return the error object as the API sends it."""
    error = {"message": refused.message, "type": refused.kind, "param": refused.param, "code": refused.code}
    return encode({"error": error})


def chat_usage(charge: Charge, said: Said, style: UsageStyle) -> dict[str, Any]:
    """Return the usage of a chat completion; `silent` servers tell nothing of their cache, only OpenAI tells writes."""
    usage: dict[str, Any] = {
        "prompt_tokens": charge.total,
        "completion_tokens": said.output,
        "total_tokens": charge.total + said.output,
    }
    if style == "silent":
        return usage
    details = {"cached_tokens": charge.read}
    usage["prompt_tokens_details"] = details
    if style == "openai":
        details |= {"cache_write_tokens": charge.write, "audio_tokens": 0}
    if style == "deepseek":
        usage |= {"prompt_cache_hit_tokens": charge.read, "prompt_cache_miss_tokens": charge.uncached}
    if style in {"openai", "deepseek"}:
        usage["completion_tokens_details"] = {"reasoning_tokens": said.reasoning}
    return usage


def responses_usage(charge: Charge, said: Said) -> dict[str, Any]:
    """Return the usage of a response, writes split by lifetime."""
    return {
        "input_tokens": charge.total,
        "input_tokens_details": {
            "cached_tokens": charge.read,
            "cache_write_tokens": charge.write,
            "cache_write_tokens_details": {
                "ttl_30m_tokens": charge.write - charge.write_long,
                "ttl_12h_tokens": charge.write_long,
            },
        },
        "output_tokens": said.output,
        "output_tokens_details": {"reasoning_tokens": said.reasoning},
        "total_tokens": charge.total + said.output,
    }


def chat_json(said: Said, usage: dict[str, Any] | None, *, null_usage: bool, timings: bool, charge: Charge) -> bytes:
    """Return a chat completion; without usage the field is null or left out."""
    message: dict[str, Any] = {
        "role": "assistant",
        "content": said.spoken.content,
        "refusal": said.spoken.refusal,
        "annotations": [],
    }
    reply: dict[str, Any] = {
        "id": f"chatcmpl-sim-{said.index}",
        "object": "chat.completion",
        "created": EPOCH + said.index,
        "model": said.model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": said.spoken.finish}],
        "service_tier": said.tier,
    }
    if usage is not None or null_usage:
        reply["usage"] = usage
    if timings:
        reply["timings"] = {"cache_n": charge.read, "prompt_n": charge.uncached, "predicted_n": said.output}
    return encode(reply)


def responses_json(said: Said, usage: dict[str, Any] | None, *, null_usage: bool, prewarm: bool) -> bytes:
    """Return a response; a prewarm has no output at all."""
    spoken = said.spoken
    content: dict[str, Any] = {"type": "output_text", "text": spoken.content or "", "annotations": []}
    if spoken.refusal is not None:
        content = {"type": "refusal", "refusal": spoken.refusal}
    message = {"type": "message", "id": f"msg_sim_{said.index}", "status": "completed", "role": "assistant"}
    cut = spoken.finish == "length"
    reply: dict[str, Any] = {
        "id": f"resp_sim_{said.index}",
        "object": "response",
        "created_at": EPOCH + said.index,
        "model": said.model,
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "error": None,
        "instructions": None,
        "output": [] if prewarm else [{**message, "content": [content]}],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "service_tier": said.tier,
    }
    if usage is not None or null_usage:
        reply["usage"] = usage
    return encode(reply)


def decisions_json(said: Said, usage: dict[str, Any] | None, *, null_usage: bool) -> bytes:
    """Return a decision: answers in question order (or what a fault made of them), model, usage."""
    reply: dict[str, Any] = {"answers": said.answers, "model": said.model}
    if usage is not None or null_usage:
        reply["usage"] = usage
    return encode(reply)


def _event(value: object) -> bytes:
    return b"data: " + encode(value) + b"\n\n"


DONE = b"data: [DONE]\n\n"
STREAM_ERROR = _event({"error": {"message": "The server had an error.", "type": "server_error", "code": None}})


def _chunk(said: Said, choices: list[dict[str, Any]], **more: Any) -> bytes:
    return _event(
        {
            "id": f"chatcmpl-sim-{said.index}",
            "object": "chat.completion.chunk",
            "created": EPOCH + said.index,
            "model": said.model,
            "service_tier": said.tier,
            "choices": choices,
            **more,
        }
    )


def first_event(said: Said) -> bytes:
    """Return the event that opens a stream: the role, no text."""
    delta = {"role": "assistant", "content": "", "refusal": None}
    return _chunk(said, [{"index": 0, "delta": delta, "finish_reason": None}])


def content_events(said: Said) -> Iterator[bytes]:
    """Yield the events that carry the text (or the refusal), in pieces."""
    name = "content" if said.spoken.refusal is None else "refusal"
    text = said.spoken.content if said.spoken.refusal is None else said.spoken.refusal
    for start in range(0, len(text or ""), STREAM_PIECE_CHARS):
        piece = (text or "")[start : start + STREAM_PIECE_CHARS]
        yield _chunk(said, [{"index": 0, "delta": {name: piece}, "finish_reason": None}])


def last_events(said: Said, usage: dict[str, Any] | None, *, include_usage: bool) -> bytes:
    """Return the events that end a stream: the reason to stop, and the usage where it was asked for."""
    events = _chunk(said, [{"index": 0, "delta": {}, "finish_reason": said.spoken.finish}])
    return events + (_chunk(said, [], usage=usage) if include_usage and usage is not None else b"")
