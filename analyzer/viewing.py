"""The library's verbs that look at the story: each opens a book, takes a plane as of a chapter, and returns plain rows.

Every verb takes `as_of` (None: the last chapter), `plane` (`author`, `reader`, `character:@7`) and `tell`, which hears what makes
the bible out of date, a sentence each. Raises ConfigError for a chapter, plane or handle that is not there. None can spend.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.errors import ConfigError
from analyzer.export.card_rows import CardRow, card_rows
from analyzer.export.change_rows import ChangeRow, change_rows
from analyzer.export.event_rows import EventRow, chapter_change_rows, timeline_rows
from analyzer.export.identity_rows import RevealRow, TurnRow, reveal_rows, turn_rows
from analyzer.export.planes import Seen, plane_of, seen
from analyzer.export.secret_rows import KnowledgeRow, KnownRow, SecretRow, knowledge_rows, known_rows, secret_rows
from analyzer.export.speech_rows import SpeechRow, speech_rows
from analyzer.export.thread_rows import ThreadRow, thread_rows
from analyzer.models.rows import ChapterRow
from analyzer.models.story import READER
from analyzer.outdated import Tell, out_of_date, unheard
from analyzer.rulings import NO_RULINGS, rulings_of
from analyzer.running import open_store
from analyzer.sources import folder_of
from analyzer.text.standing import Standing
from analyzer.wording import typed

if TYPE_CHECKING:
    from analyzer.storage.store import Store

_HANDLE = re.compile(r"@[1-9][0-9]*")


def seen_in(store: Store, as_of: int | None, plane: str, book: Path | str) -> Seen:
    """Return an open book as of a chapter (None: the last) on a plane."""
    wanted = plane_of(plane)
    last = max((row.no for row in store.chapters()), default=0)
    through = last if as_of is None else as_of
    if through < 0 or (as_of is not None and as_of > last):
        raise ConfigError(f"chapter {as_of} is outside 1-{last}", hint=f"see: {typed('chapters', Path(book))}")
    handles, decided = store.handles(), store.decided()
    rulings = rulings_of(decided, handles, Standing.of_rows(store.chapters()).chapter_of) if decided else NO_RULINGS
    try:
        view = seen(store.facts(through), through=through, plane=wanted, handles=handles, decisions=rulings)
        return replace(view, was_read=bool(store.runs()))
    except ConfigError as error:
        error.hint = error.hint or f"see: {typed('show', 'cast', Path(book))}"
        raise


def seen_of(book: Path | str, *, as_of: int | None, plane: str, tell: Tell) -> Seen:
    """Return a book as of a chapter (None: the last) on a plane; `tell` hears what makes it out of date."""
    folder = folder_of(book)
    with open_store(folder) as store:
        view = seen_in(store, as_of, plane, book)
        out_of_date(folder, store, tell)
    return view


def chapter_row(store: Store, number: int, as_of: int | None, book: Path | str) -> ChapterRow:
    """Return a chapter's row; raises ConfigError where there is none, or `as_of` lies before it."""
    row = next((r for r in store.chapters() if r.no == number), None)
    if row is None:
        raise ConfigError(f"chapter {number} is not in the book", hint=f"see: {typed('chapters', Path(book))}")
    if as_of is not None and as_of < number:
        raise ConfigError(
            f"--as-of {as_of} is before chapter {number}", hint="a chapter is shown as of itself or later"
        )
    return row


def show_changes(
    book: Path | str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[ChangeRow, ...]:
    """Return changes of state, in the order of the book, with whether they hold as of then."""
    return change_rows(seen_of(book, as_of=as_of, plane=plane, tell=tell))


def show_looks(
    book: Path | str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[ChangeRow, ...]:
    """Return how everybody looks: the same of appearance."""
    return change_rows(seen_of(book, as_of=as_of, plane=plane, tell=tell), looks=True)


def show_secrets(
    book: Path | str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[SecretRow, ...]:
    """Return secrets with who holds them and from whom they are kept as of then."""
    return secret_rows(seen_of(book, as_of=as_of, plane=plane, tell=tell))


def show_knowledge(
    book: Path | str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[KnowledgeRow, ...]:
    """Return who came to know, believe or suspect what, in the order of the book."""
    return knowledge_rows(seen_of(book, as_of=as_of, plane=plane, tell=tell))


def show_threads(
    book: Path | str, *, is_open: bool = False, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[ThreadRow, ...]:
    """Return threads with status and health as of then; `is_open` leaves out those that are closed."""
    return thread_rows(seen_of(book, as_of=as_of, plane=plane, tell=tell), is_open=is_open)


def show_reveals(
    book: Path | str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[RevealRow, ...]:
    """Return who turns out to be whom, in the order of the book; the author alone sees what is only proposed."""
    return reveal_rows(seen_of(book, as_of=as_of, plane=plane, tell=tell))


def show_turns(
    book: Path | str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[TurnRow, ...]:
    """Return how relations of earlier chapters turn, in the order of the book."""
    return turn_rows(seen_of(book, as_of=as_of, plane=plane, tell=tell))


def show_speech(
    book: Path | str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[SpeechRow, ...]:
    """Return who says each quotation to whom, in the order of the book."""
    return speech_rows(seen_of(book, as_of=as_of, plane=plane, tell=tell))


def show_cards(
    book: Path | str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[CardRow, ...]:
    """Return the chapters' cards, with everybody called as known then."""
    return card_rows(seen_of(book, as_of=as_of, plane=plane, tell=tell))


def timeline(
    book: Path | str, *, of: str = "", as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[EventRow, ...]:
    """Return what happens, chapter by chapter; `of` (a handle) leaves what is about one."""
    view = seen_of(book, as_of=as_of, plane=plane, tell=tell)
    if of:
        _check_handle(view, of, book)
    return timeline_rows(view, of=of)


def known_to(
    book: Path | str, handle: str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[KnownRow, ...]:
    """Return how somebody (a handle, or `reader`) stands to everything: knows, believes, suspects, does not know."""
    view = seen_of(book, as_of=as_of, plane=plane, tell=tell)
    if handle != READER:
        _check_handle(view, handle, book)
    return known_rows(view, handle)


def what_changes(
    book: Path | str, chapter: int, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[EventRow, ...]:
    """Return everything one chapter changes, all classes; people are called as known after `as_of` (None: the chapter)."""
    folder = folder_of(book)
    with open_store(folder) as store:
        chapter_row(store, chapter, as_of, book)
        view = seen_in(store, chapter if as_of is None else as_of, plane, book)
        out_of_date(folder, store, tell)
    return chapter_change_rows(view, chapter)


def _check_handle(view: Seen, handle: str, book: Path | str) -> None:
    hint = f"see: {typed('show', 'cast', Path(book))}"
    if not _HANDLE.fullmatch(handle):
        raise ConfigError(f"{handle!r} is no handle", hint=f"a handle is @ and a number; {hint}")
    if view.bible.root(handle) not in view.bible.cast:
        raise ConfigError(f"{handle} is not in the cast as of chapter {view.through}", hint=hint)
