"""What a real model would have been sent: tokens of a pack, counted as a caching provider bills them.

Used by transports that ask no model, so that the bill a model would have sent can stand beside the run.
"""

from __future__ import annotations

from functools import lru_cache

from analyzer.hashing import bytes_sha256
from analyzer.llm.usage import count_tokens
from analyzer.models.question import Pack
from analyzer.models.run import Usage


class Meter:
    """Counts packs in the order they come: each prefix part is written once, later packs read it."""

    def __init__(self, min_prefix_tokens: int = 1024) -> None:
        self._min = min_prefix_tokens
        self._written: set[tuple[str, ...]] = set()

    def usage(self, pack: Pack, reply: str) -> Usage:
        """Return the usage a provider with an explicit cache would report for this pack and reply."""
        read = written = so_far = 0
        key: tuple[str, ...] = ()
        for part in pack.parts:
            so_far += count_tokens(part.text)
            key = (*key, _digest(part.text))
            if so_far < self._min:
                continue
            if key in self._written:
                read = so_far
            else:
                self._written.add(key)
                written = so_far - read
        tail = count_tokens(pack.tail) + so_far - read - written
        return Usage(input=tail, cache_read=read, cache_write=written, output=count_tokens(reply))


@lru_cache(maxsize=64)
def _digest(text: str) -> str:
    """Return a digest of a part; remembered, since every pack of a chapter sends the same parts."""
    return bytes_sha256(text.encode())
