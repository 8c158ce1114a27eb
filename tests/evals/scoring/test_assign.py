from __future__ import annotations

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from evals.scoring.assign import assign

_WEIGHTS = st.dictionaries(st.tuples(st.integers(0, 3), st.integers(0, 3)), st.integers(1, 9), max_size=10)


def best_sum(weights: dict[tuple[int, int], int]) -> int:
    return max(sum(weights.get((a, b), 0) for a, b in enumerate(order)) for order in permutations(range(4)))


@settings(max_examples=150)
@given(_WEIGHTS)
def test_no_other_assignment_weighs_more(weights: dict[tuple[int, int], int]) -> None:
    found = assign(weights)
    assert len(set(found.values())) == len(found)
    assert sum(weights[pair] for pair in found.items()) == best_sum(weights)


def test_nothing_is_assigned_to_nothing() -> None:
    assert assign({}) == {}


def test_a_first_choice_moves_on_so_that_both_are_served() -> None:
    assert assign({(0, 0): 5, (0, 1): 5, (1, 0): 5}) == {0: 1, 1: 0}
