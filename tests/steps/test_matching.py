"""Who keeps which handle where several could: as many as possible, by what speaks most for it, no handle twice."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.steps._matching import best_matching

HANDLES = st.sampled_from(["@1", "@2", "@3", "@10"])
WANTS = st.lists(st.dictionaries(HANDLES, st.integers(-9, 9), max_size=4), max_size=4)


def worth(weights: list[dict[str, int]], pick: tuple[str, ...] | list[str]) -> tuple[int, int]:
    """Return how many keep a handle and what speaks for it, both."""
    return sum(map(bool, pick)), sum(weights[at][handle] for at, handle in enumerate(pick) if handle)


@settings(max_examples=150)
@given(WANTS)
def test_no_other_way_keeps_more_handles_or_better_ones(weights: list[dict[str, int]]) -> None:
    found = best_matching(weights)
    kept = [handle for handle in found if handle]
    assert len(set(kept)) == len(kept)
    ways = product(*[["", *wanted] for wanted in weights])
    fair = [way for way in ways if len(set(filter(None, way))) == sum(map(bool, way))]
    assert worth(weights, found) == max(worth(weights, way) for way in fair)


def test_who_could_have_another_handle_leaves_the_one_the_other_needs() -> None:
    assert best_matching([{"@1": 5, "@2": 4}, {"@1": 4}]) == ["@2", "@1"]
    assert best_matching([{"@1": 7}, {"@1": 18}]) == ["", "@1"]
    assert best_matching([]) == []
