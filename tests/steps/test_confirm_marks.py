"""A mark that is copied whatever it stands for confirms nothing."""

from __future__ import annotations

import itertools

import pytest

from analyzer.steps._confirm import TURNS
from analyzer.steps._options import lettered

WORDINGS = tuple(TURNS.values())


@pytest.mark.parametrize("n", [3, 4])
def test_in_no_two_wordings_does_an_option_have_the_same_mark(n: int) -> None:
    rows = [(f"key {i}", f"text {i}", None) for i in range(n)]
    orders = [[o.key for o in lettered(rows, seed="x", turn=turn)] for turn in WORDINGS]
    for a, b in itertools.combinations(orders, 2):
        assert sorted(a) == sorted(b)
        assert all(one != other for one, other in zip(a, b, strict=True))


def test_of_two_options_each_has_either_mark_in_the_two_confirmations() -> None:
    rows = [("for", "it is so", None), ("deny", "it is not", None)]
    first, second = (lettered(rows, seed="x", turn=TURNS[w]) for w in ("first", "second"))  # type: ignore[index]
    assert [o.key for o in first] == [o.key for o in second][::-1]
