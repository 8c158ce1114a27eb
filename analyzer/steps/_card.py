"""What the steps of the chapter's card share."""

from __future__ import annotations

OUTSIDE = "outside"
"""The point of view of a teller who is nobody in the chapter, or who follows several."""
