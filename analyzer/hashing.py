"""Canonical JSON and tagged sha256; the only maker of content hashes."""

from __future__ import annotations

import hashlib
import json

_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
"""Made once: `json.dumps` makes one a call, and a chapter takes a thousand."""


def canonical_json(value: object) -> str:
    """Return the one JSON text of `value`: sorted keys, no spaces, no NaN; raises ValueError on NaN."""
    return _CANONICAL.encode(value)


def content_hash(tag: str, value: object) -> str:
    """Return `tag:` and the first 32 hex digits of sha256 over the tag and the canonical JSON of `value`."""
    return json_hash(tag, canonical_json(value))


def json_hash(tag: str, text: str) -> str:
    """Return what `content_hash` returns for the value whose canonical JSON is `text`."""
    digest = hashlib.sha256(f"{tag}\n{text}".encode()).hexdigest()
    return f"{tag}:{digest[:32]}"


def bytes_sha256(data: bytes) -> str:
    """Return the plain hex sha256 of `data`, as printed beside editions."""
    return hashlib.sha256(data).hexdigest()
