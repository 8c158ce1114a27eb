"""Pieces of a site: what a chapter adds to the book as of the one before, as a script of one call with one value.

The name of the piece after one is a hash of that one, so that no list of them exists anywhere, and a name tells nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from analyzer.export.site.ids import Fields, ordered_json, short_hash
from analyzer.export.site.snapshot import Rows

CALLED = "analyzerPiece"
_ESCAPED = {ord(ch): f"\\u{ord(ch):04x}" for ch in "<>&\u2028\u2029\u007f"}
"""What could end a script element or a line in one; inside JSON they can only stand in strings."""


class Piece(NamedTuple):
    """One piece: `name` of its file, `after` the name the next one would have, `value` as JSON that fits into a script."""

    chapter: int
    name: str
    after: str
    value: str

    @property
    def script(self) -> str:
        """The piece's file."""
        return f"{CALLED}({self.value});\n"


def script_json(value: Any) -> str:
    """Return a value as JSON that may stand in a script or a script element: nothing in it ends either."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPED)


def patch(before: Rows, now: Rows) -> Rows:
    """Return what makes `now` of `before`: rows and fields that are new or differ, null for those that are gone."""
    found: dict[str, dict[str, Any]] = {}
    for name in dict.fromkeys((*now, *before)):
        old, new = before.get(name, {}), now.get(name, {})
        changed: dict[str, Any] = {key: None for key in old if key not in new}
        for key, fields in new.items():
            if key not in old:
                changed[key] = fields
            elif fields is not old[key] and fields != old[key]:
                changed[key] = _changed(old[key], fields)
        if changed:
            found[name] = changed
    return found


def _changed(old: Fields, new: Fields) -> Fields:
    gone = {name: None for name in old if name not in new}
    return gone | {name: value for name, value in new.items() if name not in old or old[name] != value}


def pieces(first: str, snapshots: Iterable[tuple[int, Rows]]) -> Iterator[Piece]:
    """Yield a piece for each snapshot; `first` is the name of the first one."""
    name, before = first, Rows()
    for chapter, now in snapshots:
        rows = patch(before, now)
        after = short_hash("piece", name, ordered_json(rows))
        value = script_json({"chapter": chapter, "name": name, "next": after, "rows": rows})
        yield Piece(chapter, name, after, value)
        name, before = after, now
