"""What makes a stored bible out of date: a manuscript that changed, a run that did not end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from analyzer.errors import AnalyzerError
from analyzer.hashing import bytes_sha256
from analyzer.rereading import reread
from analyzer.running import manuscript_of
from analyzer.settings import load_settings
from analyzer.wording import numbered, typed

if TYPE_CHECKING:
    from analyzer.storage.store import Store

Tell = Callable[[str], None]
ENDED = frozenset({"finished", "unanswered"})
"""Outcomes of runs that came to every task."""


def unheard(_words: str) -> None:
    """Tell nobody."""


def nothing_read(book: Path) -> str:
    """Return the sentence said of a book that was never run."""
    return f"nothing of this book has been read yet: {typed('run', book)}"


def out_of_date(book: Path, store: Store, tell: Tell) -> frozenset[int]:
    """Tell, a sentence each, in what the bible of `book` is behind; return the chapters whose text is no longer the stored one.

    A manuscript that is as it was is not cut into chapters again. Asks nothing, spends nothing.
    """
    runs = store.runs()
    if not runs:
        tell(nothing_read(book))
        return frozenset()
    if runs[-1].outcome not in ENDED:
        how = runs[-1].outcome or "broken off"
        tell(f"the last run did not come to its end ({how}): what it had not come to is missing here or is as it was")
    try:
        changed = _changed(book, store)
    except AnalyzerError as error:
        tell(f"{error}: what is shown is the bible of the text as it was last read")
        return frozenset()
    if changed:
        again = typed("run", book)
        tell(
            f"the manuscript has changed since the last run ({changed.words}): this is the bible of the old text; {again}"
        )
    return frozenset(changed.numbers) if changed else frozenset()


class _Changed(NamedTuple):
    """What an edit did: `numbers` of stored chapters whose text changed or is gone, and all of it in words."""

    numbers: tuple[int, ...]
    words: str


def _changed(book: Path, store: Store) -> _Changed | None:
    """Return what is not as the store has it, by the numbers chapters have there; None where all is."""
    known = store.book()
    settings = load_settings(book)
    path = book / settings.manuscript
    if known is not None and path.exists() and _text_sha256(path, settings.encoding) == known.sha256:
        return None
    reading = reread(store, manuscript_of(book))
    then = {row.no: row.text_sha256 for row in store.chapters()}
    numbers, hashes = reading.numbers, reading.hashes
    gone = tuple(no for no in then if no not in numbers)
    changed = tuple(no for no in then if no in numbers and hashes[numbers[no]] != then[no])
    new = tuple(sorted(hashes.keys() - set(numbers.values())))
    moved = tuple(no for no in then if no in numbers and numbers[no] != no)
    titled = tuple(no for no in then if no in numbers and numbers[no] in reading.retitled)
    said = (
        (changed, "chapter"),
        (gone, "no longer there: chapter"),
        (titled, "title of chapter"),
        (new, "new chapter"),
        (moved, "other numbers for chapter"),
    )
    words = "; ".join(numbered(noun, some) for some, noun in said if some)
    return _Changed((*changed, *gone), words) if words else None


def _text_sha256(path: Path, encoding: str | None) -> str:
    """Return the hash of a manuscript's text, read but not cut."""
    from analyzer.text.manuscript import read_source

    return bytes_sha256(read_source(path, encoding=encoding).text.encode())
