"""Sites made in memory for the tests, and pieces read back as the page reads them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from analyzer.export.planes import AUTHOR, Plane, Seen, seen
from analyzer.export.site.pieces import CALLED, Piece, pieces
from analyzer.export.site.snapshot import Rows, Shown, Snapshots
from analyzer.models.facts import StoredFact
from analyzer.models.rows import ChapterRow

READERS = Plane("reader")
ALL = Shown()


def chapters(n: int, title: str = "Of {}") -> tuple[ChapterRow, ...]:
    return tuple(
        ChapterRow(
            no=no, kind="chapter", label=str(no), title=title.format(no), text_sha256="0" * 64, n_blocks=9, id=no
        )
        for no in range(1, n + 1)
    )


def views(
    book: Sequence[StoredFact], *, confirmed: frozenset[str] = frozenset(), ending: bool = False, plane: Plane = READERS
) -> Callable[[int], Seen]:
    """Return how a book is seen as of a chapter; `ending`: as if it ended there, so that nothing later is at hand at all."""

    def view_of(number: int) -> Seen:
        known = [one for one in book if one.chapter <= number] if ending else book
        return seen(known, through=number, plane=plane, confirmed=confirmed)

    return view_of


def site(view_of: Callable[[int], Seen], rows: Sequence[ChapterRow], shown: Shown = ALL) -> list[Piece]:
    return list(pieces("first", Snapshots(view_of, rows, shown).each(len(rows))))


def snapshots(view_of: Callable[[int], Seen], rows: Sequence[ChapterRow], shown: Shown = ALL) -> list[Rows]:
    return [copy.deepcopy(now) for _, now in Snapshots(view_of, rows, shown).each(len(rows))]


def value_of(piece: Piece) -> dict[str, Any]:
    """Return what a piece's script hands over."""
    script = piece.script
    assert script.startswith(f"{CALLED}(") and script.endswith(");\n")
    found: dict[str, Any] = json.loads(script[len(CALLED) + 1 : -3])
    return found


def applied(values: Iterable[dict[str, Any]]) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the rows that pieces come to, applied in order."""
    rows: dict[str, dict[str, dict[str, Any]]] = {}
    for value in values:
        for kind, changed in value["rows"].items():
            for key, fields in changed.items():
                if fields is None:
                    rows[kind].pop(key)
                else:
                    whole = {**rows.setdefault(kind, {}).get(key, {}), **fields}
                    rows[kind][key] = {name: one for name, one in whole.items() if one is not None}
    return {kind: found for kind, found in rows.items() if found}


__all__ = ["AUTHOR", "READERS", "applied", "chapters", "site", "snapshots", "value_of", "views"]
