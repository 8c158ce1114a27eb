"""Foreign errors mapped to ours, with every secret scrubbed: used by the transports that speak to a server.

The original is not chained (`from None`): its text, request or traceback may hold a key.
"""

from __future__ import annotations

import email.utils
import json
import os
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from analyzer.errors import ModelError, PermanentModelError, TransientModelError
from analyzer.llm.formats import storable

DETAIL_CHARS = 300
"""Longest stretch of a provider's own words in a message."""
RETRY_AFTER_CAP_S = 3600.0
"""A longer wish counts as this: a run does not sleep for hours on a header."""
SECRET_CHARS = 6
"""Shorter strings are not scrubbed: they would blank out ordinary words."""

_KEY_LIKE = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|AIza)[-_A-Za-z0-9*.]{8,}|(?i:bearer)\s+\S+"
    r"|(?i:(?:api[-_]?key|key|token|authorization|password)[\"']?\s*[=:]\s*[\"']?)[^\s\"'&,;}]+"
)
_SAID_NO = re.compile(r"\(429\)|answered [45][0-9][0-9]\b")
_SECRET_NAME = re.compile(r"(?i)key|token|secret|password|credential")
_QUOTA = frozenset(
    {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "access_terminated", "credit_exhausted"}
)
_TRANSIENT_STATUS = frozenset({408, 409, 425, 429, 529})
_TRANSIENT_NAMES = frozenset(
    {
        "APIConnectionError",
        "APITimeoutError",
        "APIResponseValidationError",
        "JSONSchemaValidationError",
        "LengthFinishReasonError",
        "MidStreamFallbackError",
        "ServiceUnavailableError",
        "BadGatewayError",
        "Timeout",
        "WebSocketConnectionClosedError",
        "WebSocketQueueFullError",
        "RouterRateLimitError",
        "RouterRateLimitErrorBasic",
    }
)
_REFUSALS = frozenset({"ContentPolicyViolationError", "ContentFilterFinishReasonError"})
_REFUSAL_CODES = frozenset({"content_filter", "content_policy_violation"})


def scrub(text: str, secrets: Iterable[str] = ()) -> str:
    """Return `text` as one line of at most `DETAIL_CHARS` characters, secrets blanked.

    Secrets are those given, whatever the environment holds under a name like `…_KEY`, and everything that looks like a key.
    """
    clean = " ".join(storable(text).split())
    held = (value.strip() for name, value in os.environ.items() if _SECRET_NAME.search(name))
    for secret in sorted({*secrets, *held}, key=len, reverse=True):
        if len(secret) >= SECRET_CHARS:
            clean = clean.replace(secret, "***")
    return _KEY_LIKE.sub("***", clean)[:DETAIL_CHARS]


def is_refusal(error: BaseException) -> bool:
    """Say whether the provider's safety filter, not its service, turned the request away."""
    return type(error).__name__ in _REFUSALS or _code(error) in _REFUSAL_CODES


def to_model_error(error: BaseException, *, model: str, key_env: str, secrets: Iterable[str] = ()) -> ModelError:
    """Return the error of ours that stands for `error`; the caller raises it `from None`.

    429 keeps the server's Retry-After; an exhausted quota, a refused key or request is permanent; timeouts, resets, 5xx and
    unreadable bodies are transient.
    """
    status = _status(error)
    secrets = tuple(secrets)
    detail = scrub(_words(error), secrets)
    where = f"model {model}"
    said = f": {detail}" if detail else ""
    if _code(error) in _QUOTA or _kind(error) in _QUOTA or status == 402:
        message = f"the provider of {model!r} says the quota or credit is used up{said}"
        return PermanentModelError(message, where=where, hint="add credit or raise the limit there, then run again")
    if status == 429 or type(error).__name__.endswith("RateLimitError"):
        wait = retry_after_s(_headers(error))
        return TransientModelError(f"{model!r} is rate limited (429){said}", where=where, retry_after_s=wait)
    if _is_transient(error, status):
        shown = f"answered {status}" if status else f"could not be reached or read ({type(error).__name__})"
        wait = retry_after_s(_headers(error))
        return TransientModelError(f"the server of {model!r} {shown}{said}", where=where, retry_after_s=wait)
    problem, hint = _permanent(status, model, key_env)
    return PermanentModelError(f"{problem}{said}", where=where, hint=hint)


def said_no(error: ModelError) -> bool:
    """Say whether the server itself turned the request away, so that no work was done and nothing is billed.

    Known from a Retry-After or from the status that stands in the messages made here.
    """
    waits = isinstance(error, TransientModelError) and error.retry_after_s is not None
    return isinstance(error, PermanentModelError) or waits or bool(_SAID_NO.search(str(error)))


def _permanent(status: int | None, model: str, key_env: str) -> tuple[str, str]:
    """Return what happened and what to do, for a failure that trying again cannot mend."""
    if status == 401:
        return f"the key for {model!r} was refused (401)", f"check {key_env or 'the key of this server'}"
    if status == 403:
        return f"this key may not use {model!r} (403)", f"ask for access, or use another model or {key_env or 'key'}"
    if status == 404:
        return f"there is no model {model!r} at this address (404)", "check --model and --base-url"
    if status == 413:
        return f"the request was too long for {model!r} (413)", "use a model with a longer context"
    if status is not None:
        hint = "see the provider's words; a context that is too long wants another model"
        return f"the request to {model!r} was refused ({status})", hint
    return f"the request to {model!r} could not be made", "see the provider's words; check --model and its settings"


def _is_transient(error: BaseException, status: int | None) -> bool:
    names = {base.__name__ for base in type(error).__mro__}
    if isinstance(error, json.JSONDecodeError | TimeoutError | ConnectionError | OSError):
        return True
    if names & {"HTTPError", "TransportError"} and status is None:
        return True
    if names & _TRANSIENT_NAMES:
        return True
    if status is not None:
        return status in _TRANSIENT_STATUS or status >= 500
    # an error event inside a stream has no status: the provider broke off
    return type(error).__name__ == "APIError"


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Return the server's wish in seconds from `retry-after-ms` or `Retry-After` (seconds or a date), None without one."""
    millis = _number(headers.get("retry-after-ms"))
    if millis is not None:
        return min(millis / 1000, RETRY_AFTER_CAP_S)
    raw = headers.get("retry-after")
    seconds = _number(raw)
    if seconds is None and raw:
        try:
            when = email.utils.parsedate_to_datetime(raw)
        except ValueError:
            return None
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        seconds = max(0.0, (when - datetime.now(UTC)).total_seconds())
    return None if seconds is None else min(seconds, RETRY_AFTER_CAP_S)


def _number(raw: str | None) -> float | None:
    if raw is None or not re.fullmatch(r"\s*[0-9]{1,9}(?:\.[0-9]+)?\s*", raw):
        return None
    return float(raw)


def _status(error: BaseException) -> int | None:
    status = getattr(error, "status_code", None)
    if isinstance(status, str) and status.isdigit():
        status = int(status)
    return status if isinstance(status, int) and not isinstance(status, bool) else None


def _headers(error: BaseException) -> Mapping[str, str]:
    headers = getattr(getattr(error, "response", None), "headers", None) or getattr(
        error, "litellm_response_headers", None
    )
    if not isinstance(headers, Mapping):
        return {}
    return {str(name).lower(): str(value) for name, value in headers.items()}


def _code(error: BaseException) -> str:
    return str(getattr(error, "code", None) or _body(error).get("code") or "")


def _kind(error: BaseException) -> str:
    found = str(getattr(error, "type", None) or _body(error).get("type") or "")
    if not found and "insufficient_quota" in str(error):
        # litellm keeps the provider's body only inside its message
        return "insufficient_quota"
    return found


def _body(error: BaseException) -> Mapping[str, Any]:
    body = getattr(error, "body", None)
    if isinstance(body, Mapping):
        inner = body.get("error")
        return inner if isinstance(inner, Mapping) else body
    return {}


def _words(error: BaseException) -> str:
    message = _body(error).get("message")
    return message if isinstance(message, str) and message else str(error)
