"""What the provider refuses before it does any work: keys, unknown models and fields, cache fields where they may not be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.simulator.prompt import Api, Body, Prompt, RefusedError
from tests.simulator.settings import DEFAULT_EFFORT, ModelRow, Settings

CHAT_FIELDS = frozenset(
    {
        "messages", "model", "audio", "frequency_penalty",
        "function_call", "functions", "logit_bias", "logprobs",
        "max_completion_tokens", "max_tokens", "metadata", "modalities",
        "moderation", "n", "parallel_tool_calls", "prediction",
        "presence_penalty", "prompt_cache_key", "prompt_cache_options", "prompt_cache_retention",
        "reasoning_effort", "response_format", "safety_identifier", "seed",
        "service_tier", "stop", "store", "stream",
        "stream_options", "temperature", "tool_choice", "tools",
        "top_logprobs", "top_p", "user", "verbosity",
        "web_search_options",
    }
)  # fmt: skip
RESPONSES_FIELDS = frozenset(
    {
        "access_programs", "background", "background_options", "context_management",
        "conversation", "image", "include", "input",
        "instructions", "max_output_tokens", "max_tool_calls", "metadata",
        "model", "moderation", "parallel_tool_calls", "previous_response_id",
        "prompt", "prompt_cache_key", "prompt_cache_options", "prompt_cache_retention",
        "reasoning", "safety_identifier", "service_tier", "store",
        "stream", "stream_options", "temperature", "text",
        "tool_choice", "tools", "top_logprobs", "top_p",
        "truncation", "user",
    }
)  # fmt: skip
DECISIONS_FIELDS = frozenset(
    {"input", "model", "questions", "prompt_cache_key", "prompt_cache_options", "safety_identifier"}
)
"""Source: the parameter types of the openai package, 3.57.0."""
KNOWN_FIELDS: Mapping[Api, frozenset[str]] = {
    "chat": CHAT_FIELDS,
    "responses": RESPONSES_FIELDS,
    "decisions": DECISIONS_FIELDS,
}
CHAT_CACHE_OPTIONS = {"mode": {"implicit", "explicit"}, "ttl": {"30m"}}
RESPONSES_CACHE_OPTIONS = {
    "mode": {"implicit", "explicit"},
    "ttl": {"30m", "12h"},
    "prewarm": {True, False},
    "comparison_response_id": None,
}
MARK_TTLS: Mapping[Api, frozenset[str]] = {
    "chat": frozenset({"30m", "12h"}),
    "responses": frozenset({"30m", "12h"}),
    "decisions": frozenset({"30m"}),
}
MAX_CACHE_CONTROL_MARKS = 4


def check_key(headers: Mapping[str, str], settings: Settings) -> None:
    """Raise RefusedError 401 when the key is not one of those that are good."""
    scheme, _, key = headers.get("authorization", "").partition(" ")
    if settings.keys and (scheme.lower() != "bearer" or key not in settings.keys):
        raise RefusedError(401, "Incorrect API key provided.", code="invalid_api_key")


def check_body(body: Any, api: Api, settings: Settings) -> ModelRow:
    """Return the model's row; raises RefusedError 400 or 404, naming the field at fault."""
    if not isinstance(body, dict):
        raise RefusedError(400, "We could not parse the JSON body of your request.")
    given = body.get("messages" if api == "chat" else "input")
    if not given or not isinstance(given, list if api == "chat" else (list, str)):
        raise RefusedError(400, "Missing required parameter.", param="messages" if api == "chat" else "input")
    name = body.get("model")
    if not isinstance(name, str) or not name:
        raise RefusedError(400, "you must provide a model parameter", param="model")
    row = settings.model(name)
    if row is None:
        raise RefusedError(404, f"The model `{name}` does not exist", code="model_not_found", param="model")
    if settings.strict:
        _check_fields(body, api)
    _check_cache_fields(body, api, row)
    _check_effort(body, api, row)
    return row


def check_length(prompt: Prompt, row: ModelRow) -> None:
    """Raise RefusedError 400 when the prompt does not fit the model's context."""
    if prompt.total > row.context_tokens:
        message = f"Your input of {prompt.total} tokens exceeds the context window of {row.context_tokens} tokens."
        raise RefusedError(400, message, code="context_length_exceeded", param="messages")


def _check_fields(body: Body, api: Api) -> None:
    unknown = sorted(set(body) - KNOWN_FIELDS[api])
    if unknown:
        raise RefusedError(400, f"Unknown parameter: {unknown[0]!r}.", code="unknown_parameter", param=unknown[0])


def _check_cache_fields(body: Body, api: Api, row: ModelRow) -> None:
    parts = list(_content_parts(body, api))
    breakpoints = [part["prompt_cache_breakpoint"] for part in parts if part.get("prompt_cache_breakpoint")]
    options = body.get("prompt_cache_options")
    if row.old and (breakpoints or options):
        field = "prompt_cache_options" if options else "prompt_cache_breakpoint"
        raise RefusedError(400, f"Unsupported parameter for this model: {field!r}.", param=field)
    for mark in breakpoints:
        if mark.get("mode") != "explicit" or mark.get("ttl", "30m") not in MARK_TTLS[api]:
            raise RefusedError(400, "Invalid cache breakpoint.", param="prompt_cache_breakpoint")
    allowed: Mapping[str, Any] = RESPONSES_CACHE_OPTIONS if api == "responses" else CHAT_CACHE_OPTIONS
    for name, value in (options or {}).items():
        if name not in allowed or (allowed[name] is not None and value not in allowed[name]):
            raise RefusedError(400, f"Invalid value for {name!r}.", param=f"prompt_cache_options.{name}")
    if row.cache.kind == "cache_control" and sum(bool(p.get("cache_control")) for p in parts) > MAX_CACHE_CONTROL_MARKS:
        raise RefusedError(400, "A maximum of 4 blocks with cache_control may be provided.", param="cache_control")


def _check_effort(body: Body, api: Api, row: ModelRow) -> None:
    effort = body.get("reasoning_effort") if api == "chat" else (body.get("reasoning") or {}).get("effort")
    if effort in row.refused_efforts:
        raise RefusedError(400, f"Unsupported value: {effort!r}.", code="unsupported_value", param="reasoning_effort")
    if body.get("temperature") is not None and (effort or DEFAULT_EFFORT) != "none" and row.cache.kind == "breakpoints":
        raise RefusedError(400, "temperature needs reasoning effort 'none'.", param="temperature")


def _content_parts(body: Body, api: Api) -> Iterator[Body]:
    given = body["messages"] if api == "chat" else body["input"]
    if isinstance(given, str):
        return
    for message in given:
        if not isinstance(message, dict) or "role" not in message:
            raise RefusedError(400, "A message needs a role.", param="messages" if api == "chat" else "input")
        content = message.get("content")
        if isinstance(content, list):
            yield from (part for part in content if isinstance(part, dict))
