"""Options: letters as marks, orders seeded from the question's own key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from analyzer.hashing import content_hash
from analyzer.models.question import Option, Ref


def letters(index: int) -> str:
    """Return the mark of option `index` (0-based): a to z, then aa, ab and so on."""
    return (chr(96 + index // 26) if index >= 26 else "") + chr(97 + index % 26)


def lettered(choices: Iterable[tuple[str, str, Ref | None]], *, seed: str = "", turn: int = 0) -> tuple[Option, ...]:
    """Return options from (key, text, ref) with letters as marks; with a seed their order is drawn from it.

    `turn` moves every option up by so many places, the first ones round to the end: under two turns that differ by less
    than the number of options, no option has the same mark.
    """
    rows: Sequence[tuple[str, str, Ref | None]] = list(choices)
    if seed:
        rows = sorted(rows, key=lambda row: content_hash("order", [seed, row[0]]))
    turn %= max(1, len(rows))
    rows = [*rows[turn:], *rows[:turn]]
    return tuple(Option(mark=letters(i), key=key, text=text, ref=ref) for i, (key, text, ref) in enumerate(rows))
