"""Offsets follow their words through edits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.rename._edits import Edit, Moved


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    text = draw(st.text("abc ", min_size=1, max_size=40))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=10)))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    return text, [Edit(a, b, draw(st.text("XYZ", max_size=5))) for a, b in pairs]


@given(edited(), st.data())
def test_a_span_goes_to_what_its_words_became(made: tuple[str, list[Edit]], data: st.DataObject) -> None:
    text, edits = made
    moved = Moved(text, edits)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    low = min([start, *(e.start for e in edits if e.start < start < e.end)])
    high = max([end, *(e.end for e in edits if e.start < end < e.end)])
    inside = [Edit(e.start - low, e.end - low, e.new) for e in edits if low <= e.start and e.end <= high]
    wanted = Moved(text[low:high], inside).text
    span = moved.span(start, end)
    assert moved.text[span.start : span.end] == wanted or start == end


def test_edits_that_overlap_or_are_empty_are_refused() -> None:
    for edits in ([Edit(0, 2, "x"), Edit(1, 3, "y")], [Edit(1, 1, "x")]):
        with pytest.raises(ValueError, match="overlap or are empty"):
            Moved("abcd", edits)
