"""A request body as the cache sees it: parts in order, what each costs, where the marks are, what the cache key holds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tests.simulator.settings import DEFAULT_EFFORT, MESSAGE_TOKENS, REPLY_TOKENS, CacheKind, Settings
from tests.simulator.tokens import TextMemory

Api = Literal["chat", "responses", "decisions"]
Body = Mapping[str, Any]

TEXT_TYPES = frozenset({"text", "input_text", "output_text", "refusal"})


class RefusedError(Exception):
    """The provider answers with an error: status, type, code, the offending parameter and extra headers."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        kind: str = "invalid_request_error",
        code: str | None = None,
        param: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.kind = kind
        self.code = code
        self.param = param
        self.headers = dict(headers or {})


@dataclass(frozen=True, slots=True)
class PromptPart:
    """One content part. `end` counts all billed tokens to its end, `visible` the text alone; `chain` names the prefix.

    `mark` is the lifetime of the breakpoint at its end, "" without one.
    """

    role: str
    text: str
    digest: bytes
    tokens: int
    end: int
    visible: int
    chain: bytes
    mark: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request as the cache sees it. `total` includes the reply's priming tokens;"""

    api: Api
    model: str
    namespace: str
    mode: Literal["implicit", "explicit"]
    prewarm: bool
    ttl: str
    parts: tuple[PromptPart, ...]
    total: int
    effort: str
    max_output: int | None


def read_prompt(
    body: Body, api: Api, settings: Settings, kind: CacheKind, memory: TextMemory, extra: int = 0
) -> Prompt:
    """Return the prompt of a body that was checked already; `extra` tokens follow it, never cached.

    Raises RefusedError for content that is not text.
    """
    options = body.get("prompt_cache_options") or {}
    ttl = str(options.get("ttl") or "")
    effort, verbosity, output_format = _manner(body, api)
    tools = body.get("tools") or []
    namespace = _canonical(
        {
            "model": body["model"],
            "format": output_format,
            "effort": effort,
            "verbosity": verbosity,
            "tools": tools,
            "tier": _tier(body),
            "key": body.get("prompt_cache_key"),
            "api": "" if settings.apis_share_cache else api,
        }
    )
    preamble = sum(memory.info(_canonical(item)).tokens for item in (tools, output_format) if item)
    parts = tuple(_parts(body, api, kind, ttl, preamble, memory))
    if not parts:
        raise RefusedError(400, "the request holds no text", param="messages" if api == "chat" else "input")
    return Prompt(
        api=api,
        model=str(body["model"]),
        namespace=namespace,
        mode="explicit" if options.get("mode") == "explicit" else "implicit",
        prewarm=bool(options.get("prewarm")),
        ttl=ttl,
        parts=parts,
        total=parts[-1].end + REPLY_TOKENS + extra,
        effort=effort,
        max_output=_max_output(body),
    )


def messages_of(body: Body, api: Api) -> Iterator[tuple[str, Any]]:
    """Yield role and content of every message, the instructions of a Responses call first."""
    if api == "chat":
        for message in body["messages"]:
            yield str(message["role"]), message.get("content")
        return
    if body.get("instructions"):
        yield "system", body["instructions"]
    given = body["input"]
    if isinstance(given, str):
        yield "user", given
        return
    for item in given:
        if item.get("type", "message") != "message":
            raise RefusedError(400, f"input items of type {item.get('type')!r} are not served here", param="input")
        yield str(item["role"]), item.get("content")


def _parts(body: Body, api: Api, kind: CacheKind, ttl: str, preamble: int, memory: TextMemory) -> Iterator[PromptPart]:
    end, visible, chain = preamble, 0, b""
    for role, content in messages_of(body, api):
        end += MESSAGE_TOKENS
        opening = f"\x00{role}".encode()
        for part in [{"type": "text", "text": content}] if isinstance(content, str) else content or []:
            if part.get("type") not in TEXT_TYPES:
                raise RefusedError(400, f"content parts of type {part.get('type')!r} are not served here")
            text = str(part.get("text") or part.get("refusal") or "")
            info = memory.info(text)
            end += info.tokens
            visible += info.tokens
            chain = hashlib.blake2b(chain + opening + info.digest, digest_size=12).digest()
            opening = b""
            yield PromptPart(role, text, info.digest, info.tokens, end, visible, chain, _mark(part, kind, ttl))


def _mark(part: Body, kind: CacheKind, ttl: str) -> str:
    if kind == "breakpoints" and (mark := part.get("prompt_cache_breakpoint")):
        return str(mark.get("ttl") or ttl or "30m")
    if kind == "cache_control" and (mark := part.get("cache_control")):
        return str(mark.get("ttl") or "5m")
    return ""


def _manner(body: Body, api: Api) -> tuple[str, str, Any]:
    """Return effort, verbosity and answer format, defaults filled in and both APIs alike."""
    if api == "chat":
        effort, verbosity, shape = body.get("reasoning_effort"), body.get("verbosity"), body.get("response_format")
        if shape and shape.get("type") == "json_schema":
            shape = {"type": "json_schema", **shape.get("json_schema", {})}
    else:
        text = body.get("text") or {}
        effort, verbosity, shape = (
            (body.get("reasoning") or {}).get("effort"),
            text.get("verbosity"),
            text.get("format"),
        )
    if shape == {"type": "text"}:
        shape = None
    return str(effort or DEFAULT_EFFORT), str(verbosity or "medium"), shape


def _tier(body: Body) -> str:
    tier = body.get("service_tier")
    return "default" if tier in (None, "auto") else str(tier)


def _max_output(body: Body) -> int | None:
    for name in ("max_completion_tokens", "max_output_tokens", "max_tokens"):
        if isinstance(body.get(name), int):
            return int(body[name])
    return None


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
