"""What makes a stored bible out of date: a manuscript that changed, a run that did not end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.errors import AnalyzerError, typed
from analyzer.hashing import bytes_sha256
from analyzer.running import manuscript_of
from analyzer.settings import load_settings

if TYPE_CHECKING:
    from analyzer.storage.store import Store

Tell = Callable[[str], None]
ENDED = frozenset({"finished", "unanswered"})
"""Outcomes of runs that came to every task."""


def unheard(_words: str) -> None:
    """Tell nobody."""


def out_of_date(book: Path, store: Store, tell: Tell) -> frozenset[int]:
    """Tell, a sentence each, in what the bible of `book` is behind; return the chapters whose text is no longer the stored one.

    A manuscript that is as it was is not cut into chapters again. Asks nothing, spends nothing.
    """
    runs = store.runs()
    if not runs:
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
        numbers = ", ".join(map(str, changed[:SHOWN_CHAPTERS])) + (", …" if len(changed) > SHOWN_CHAPTERS else "")
        again = typed("run", book)
        tell(
            f"the manuscript has changed since the last run (chapters {numbers}): this is the bible of the old text; {again}"
        )
    return frozenset(changed)


SHOWN_CHAPTERS = 8
"""Numbers named in one sentence."""


def _changed(book: Path, store: Store) -> Sequence[int]:
    """Return the chapters whose text is not what the store has, those that are new or gone among them."""
    known = store.book()
    path = book / load_settings(book).manuscript
    if known is not None and path.exists() and _text_sha256(path) == known.sha256:
        return ()
    now = {chapter.no: bytes_sha256(chapter.text.encode()) for chapter in manuscript_of(book).chapters}
    then = {row.no: row.text_sha256 for row in store.chapters()}
    return sorted(no for no in now.keys() | then.keys() if now.get(no) != then.get(no))


def _text_sha256(path: Path) -> str:
    """Return the hash of a manuscript's text, read but not cut."""
    from analyzer.text.manuscript import read_source

    return bytes_sha256(read_source(path).text.encode())
