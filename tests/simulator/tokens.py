"""Token counts, exact and offline: tiktoken's o200k_base read from the files that litellm ships, without importing it.

Parts are large and sent again and again, so what is known of a text is kept (up to `MEMORY_CHARS` characters).
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

MEMORY_CHARS = 64_000_000


class Encoding(Protocol):
    """The part of a tokenizer that is used here."""

    def encode_ordinary(self, text: str) -> list[int]:
        """Return the tokens of a text in which nothing is special."""
        ...

    def decode(self, tokens: Sequence[int]) -> str:
        """Return the text of tokens."""
        ...


@dataclass(frozen=True, slots=True)
class TextInfo:
    """What is known of one text: a digest and its token count."""

    digest: bytes
    tokens: int


@lru_cache(maxsize=1)
def encoding() -> Encoding:
    """Return o200k_base; raises RuntimeError when litellm's tokenizer folder is not there. Opens no socket."""
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        raise RuntimeError("litellm is not installed: its tokenizer files are needed to count tokens offline")
    folder = Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"
    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    try:
        import tiktoken

        found: Encoding = tiktoken.get_encoding("o200k_base")
    finally:
        if before is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = before
    return found


class TextMemory:
    """Digest and token count per text, least recently used dropped first."""

    def __init__(self, max_chars: int = MEMORY_CHARS) -> None:
        self._known: OrderedDict[str, TextInfo] = OrderedDict()
        self._chars = 0
        self._max_chars = max_chars
        self.counted = 0
        """How many texts were really tokenised."""

    def info(self, text: str) -> TextInfo:
        """Return what is known of `text`, counting it only the first time."""
        known = self._known.get(text)
        if known is not None:
            self._known.move_to_end(text)
            return known
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()
        fresh = TextInfo(digest, len(tokens_of(text)))
        self.counted += 1
        self._known[text] = fresh
        self._chars += len(text)
        while self._chars > self._max_chars and len(self._known) > 1:
            dropped, _ = self._known.popitem(last=False)
            self._chars -= len(dropped)
        return fresh


def tokens_of(text: str) -> list[int]:
    """Return the tokens of a text; lone surrogates count as the replacement character."""
    return encoding().encode_ordinary(text.encode("utf-8", "replace").decode("utf-8"))


def cut_to_tokens(text: str, max_tokens: int) -> str:
    """Return the longest beginning of `text` within `max_tokens` tokens (half a character at the end is dropped)."""
    tokens = tokens_of(text)
    if len(tokens) <= max_tokens:
        return text
    return encoding().decode(tokens[:max_tokens]).rstrip("�")
