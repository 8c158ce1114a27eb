"""The embeddings endpoint: vectors by words, tokens billed at its own price."""

from __future__ import annotations

import base64
import json
import struct
import urllib.error
import urllib.request
from typing import Any

import pytest

from tests.simulator import Simulator, preset
from tests.simulator.embeddings import NANO_PER_TOKEN, vector_of


def post(sim: Simulator, **body: Any) -> dict[str, Any]:
    """The reply to a request."""
    request = urllib.request.Request(f"{sim.base_url}/embeddings", json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=10) as reply:
        found: dict[str, Any] = json.loads(reply.read())
        return found


def test_texts_that_share_words_are_nearer_than_those_that_do_not() -> None:
    def near(a: str, b: str) -> float:
        return sum(x * y for x, y in zip(vector_of(a, 256), vector_of(b, 256), strict=True))

    assert near("the old mill", "the old mill") == pytest.approx(1.0)
    assert near("the old mill by the river", "an old mill") > near("the old mill by the river", "김철수 王老五")


def test_a_request_is_billed_by_its_tokens_and_answered_in_either_shape() -> None:
    with Simulator(preset("openai"), "none") as sim:
        plain = post(sim, model="text-embedding-3-small", input=["one two", "三"], dimensions=16)
        packed = post(sim, model="text-embedding-3-small", input="one two", dimensions=16, encoding_format="base64")
        [first, second] = sim.rows()
    vector = plain["data"][0]["embedding"]
    unpacked = struct.unpack("<16f", base64.b64decode(packed["data"][0]["embedding"]))
    assert unpacked == pytest.approx(vector, rel=1e-6)
    assert first.api == "embeddings" and first.billed and first.cost_nano == first.input * NANO_PER_TOKEN > 0
    assert plain["usage"]["prompt_tokens"] == first.input > second.input


@pytest.mark.parametrize("given", [{"input": []}, {"input": 3}, {"input": "x", "dimensions": 0}])
def test_a_body_that_asks_for_nothing_is_refused_and_not_billed(given: dict[str, Any]) -> None:
    with Simulator(preset("openai"), "none") as sim:
        with pytest.raises(urllib.error.HTTPError, match="400"):
            post(sim, model="text-embedding-3-small", **given)
        assert sim.rows() == []
