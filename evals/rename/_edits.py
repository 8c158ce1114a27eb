"""Replacing stretches of a text, and where every offset goes."""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from typing import NamedTuple

from analyzer.models.text import Span


class Edit(NamedTuple):
    """`[start, end)` of the old text becomes `new`; never empty."""

    start: int
    end: int
    new: str


class Moved:
    """A text after edits that do not overlap: the new `text`, and the new place of every old span. Immutable."""

    def __init__(self, text: str, edits: Iterable[Edit]) -> None:
        self.edits = tuple(sorted(edits))
        pieces: list[str] = []
        self._ends: list[int] = []
        self._shifts = [0]
        at = 0
        for edit in self.edits:
            if edit.start < at or edit.start >= edit.end:
                raise ValueError(f"edits overlap or are empty at {edit.start}")
            pieces += (text[at : edit.start], edit.new)
            at = edit.end
            self._ends.append(edit.end)
            self._shifts.append(self._shifts[-1] + len(edit.new) - (edit.end - edit.start))
        pieces.append(text[at:])
        self.text = "".join(pieces)

    def at(self, place: int, *, end: bool = False) -> int:
        """Return where an offset went; one inside a replaced stretch goes to its start, or with `end` to its end."""
        done = bisect.bisect_right(self._ends, place)
        if done < len(self.edits):
            edit = self.edits[done]
            if edit.start < place < edit.end:
                base = edit.start + self._shifts[done]
                return base + len(edit.new) if end else base
        return place + self._shifts[done]

    def span(self, start: int, end: int) -> Span:
        """Return where an old span went: it covers what its words became."""
        return Span(self.at(start), self.at(end, end=True))
