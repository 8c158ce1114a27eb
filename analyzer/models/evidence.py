"""Evidence: the words that show a fact."""

from __future__ import annotations

from typing import Literal

from analyzer.models.base import Record
from analyzer.models.text import Place

Source = Literal["narration", "speech", "document", "thought"]


class Evidence(Record):
    """Words that show a fact: `[start, end)` are code points into the block's text, `text` is exactly that slice."""

    chapter: int
    block: int
    sentence: int
    start: int
    end: int
    text: str
    state: Literal["exact", "folded", "stitched"] = "exact"
    source: Source = "narration"

    @property
    def place(self) -> Place:
        """The sentence handle."""
        return Place(self.block, self.sentence)
