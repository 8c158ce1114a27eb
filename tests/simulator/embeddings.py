"""The embeddings endpoint: vectors drawn from the words of each text, billed by its tokens."""

from __future__ import annotations

import base64
import hashlib
import random
import struct
from collections.abc import Mapping
from typing import Any

from tests.simulator.ledger import Row
from tests.simulator.prompt import RefusedError
from tests.simulator.tokens import TextMemory, encoding

NANO_PER_TOKEN = 20
"""Price of text-embedding-3-small: $0.02 a million tokens."""
DIMENSIONS = 1536
"""Its length, where a request wants no other."""
MAX_TEXTS = 2048


def embedded(body: Mapping[str, Any], row: Row, memory: TextMemory) -> dict[str, Any]:
    """Return the reply to a request and enter its tokens in `row`; raises RefusedError 400 for a body that is none."""
    given = body.get("input")
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not texts or len(texts) > MAX_TEXTS:
        raise RefusedError(400, f"input must be 1 to {MAX_TEXTS} texts", param="input")
    if all(isinstance(one, int) for one in texts):
        texts = [texts]
    words = [one if isinstance(one, str) else encoding().decode(one) for one in texts]
    length = body.get("dimensions", DIMENSIONS)
    if not isinstance(length, int) or not 1 <= length <= DIMENSIONS:
        raise RefusedError(400, f"dimensions must be 1 to {DIMENSIONS}", param="dimensions")
    row.model, row.billed = str(body.get("model")), True
    row.input = sum(memory.info(text).tokens for text in words)
    row.cost_nano = row.input * NANO_PER_TOKEN
    as_text = body.get("encoding_format") == "base64"
    data = [
        {"object": "embedding", "index": n, "embedding": _shown(vector_of(text, length), as_text=as_text)}
        for n, text in enumerate(words)
    ]
    usage = {"prompt_tokens": row.input, "total_tokens": row.input}
    return {"object": "list", "data": data, "model": row.model, "usage": usage}


def vector_of(text: str, length: int) -> list[float]:
    """Return a vector of length 1: the sum of one drawn for each word, so that texts that share words are near."""
    sums = [0.0] * length
    for word in sorted(set(text.casefold().split()))[:64] or [""]:
        rng = random.Random(hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest())
        for at in range(0, length, 8):
            sums[(at + rng.randrange(8)) % length] += rng.uniform(-1.0, 1.0)
    size = sum(x * x for x in sums) ** 0.5 or 1.0
    return [x / size for x in sums]


def _shown(vector: list[float], *, as_text: bool) -> list[float] | str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode("ascii") if as_text else vector
