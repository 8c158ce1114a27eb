"""Keys stay where they are used: out of what a server says back, and out of what the libraries on the way log."""

from __future__ import annotations

import logging

from analyzer.llm.transports.failures import SECRET_CHARS
from analyzer.models.run import Reply

HIDDEN = "***"
WIRE_LOGGERS = (
    "openai", "openai._base_client", "httpx2", "httpx", "httpcore2.connection", "httpcore2.http11", "httpcore2.http2",
    "httpcore2.proxy", "httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy", "LiteLLM",
)  # fmt: skip
"""Loggers of what sends our requests, each by its full name: a filter holds for no logger below. Some of them log headers."""


class _Keyless(logging.Filter):
    """Takes keys out of every record."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record through, without keys."""
        words = record.getMessage()
        if any(key in words for key in self.keys):
            record.msg, record.args = without(words, self.keys), ()
        return True


_FILTER = _Keyless()


def keep_out_of_logs(key: str) -> None:
    """Keep `key` out of what the libraries on the wire log from now on, whatever their level; too short a word is none."""
    if len(key) < SECRET_CHARS:
        return
    _FILTER.keys.add(key)
    for name in WIRE_LOGGERS:
        logging.getLogger(name).addFilter(_FILTER)


def without(text: str, keys: set[str]) -> str:
    """Return text with every key blanked, the longest first."""
    for key in sorted(keys, key=len, reverse=True):
        text = text.replace(key, HIDDEN)
    return text


def keyless(reply: Reply, key: str) -> Reply:
    """Return a reply whose words and model do not repeat the key it was asked with."""
    if len(key) < SECRET_CHARS or not (key in reply.text or key in reply.model):
        return reply
    return reply.model_copy(update={"text": without(reply.text, {key}), "model": without(reply.model, {key})})
