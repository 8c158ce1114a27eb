"""The library's verbs that look at the story: each opens a book, takes a plane as of a chapter, and returns plain rows.

Every verb takes `as_of` (None: the last chapter read), `plane` (`author`, `reader`, `character:@7`) and `tell`, which hears what
makes the bible out of date, what of it was not read or left out, and that there is nothing to show, a sentence each. Raises
ConfigError for a chapter, plane or handle that is not there. None can spend.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from analyzer.coverage import WRITERS, Coverage, coverage_of, tell_coverage
from analyzer.errors import ConfigError
from analyzer.export.card_rows import CardRow, card_rows
from analyzer.export.change_rows import ChangeRow, change_rows
from analyzer.export.event_rows import EventRow, chapter_change_rows, timeline_rows
from analyzer.export.identity_rows import RevealRow, TurnRow, reveal_rows, turn_rows
from analyzer.export.planes import AUTHOR, Plane, Seen, plane_of, seen
from analyzer.export.secret_rows import KnowledgeRow, KnownRow, SecretRow, knowledge_rows, known_rows, secret_rows
from analyzer.export.show import CastRow, ChapterView, RelationRow, cast_rows, chapter_view, entity_ids, relation_rows
from analyzer.export.speech_rows import SpeechRow, speech_rows
from analyzer.export.thread_rows import ThreadRow, thread_rows
from analyzer.models.facts import StoredFact
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
_TIMED = ("turn", "reveal", "change", "secret", "thread")
"""What a timeline shows beside the cast."""
_CHANGED = tuple(kind for kind in WRITERS if kind not in ("speech", "card"))
"""What the changes of a chapter show beside the cast."""


def seen_in(store: Store, covered: Coverage, as_of: int | None, plane: str, book: Path | str) -> Seen:
    """Return an open book, of which `covered` was read, as of a chapter (None: the last one read) on a plane."""
    wanted = plane_of(plane)
    last = max(covered.chapters, default=0)
    through = covered.last if as_of is None else as_of
    if through < 0 or (as_of is not None and as_of > last):
        raise ConfigError(f"chapter {as_of} is outside 1-{last}", hint=f"see: {typed('chapters', Path(book))}")
    try:
        return views_of(store, covered, store.facts(through), wanted)(through)
    except ConfigError as error:
        error.hint = error.hint or f"see: {typed('show', 'cast', Path(book))}"
        raise


def views_of(
    store: Store, covered: Coverage, facts: Sequence[StoredFact], plane: Plane, *, proposals: bool = False
) -> Callable[[int], Seen]:
    """Return how an open book, of which `covered` was read, is seen as of any chapter that `facts` reach to.

    `proposals` is that of `seen`. Whoever looks as of many chapters reads the facts once.
    """
    handles, decided, was_read = store.handles(), store.decided(), bool(store.runs())
    rulings = rulings_of(decided, handles, Standing.of_rows(store.chapters()).chapter_of) if decided else NO_RULINGS

    def view_of(through: int) -> Seen:
        view = seen(facts, through=through, plane=plane, handles=handles, decisions=rulings, proposals=proposals)
        return replace(view, was_read=was_read, threads_unread=frozenset(covered.without("thread", through)))

    return view_of


def seen_of(book: Path | str, kinds: Collection[str], *, as_of: int | None, plane: str, tell: Tell) -> Seen:
    """Return a book as of a chapter (None: the last one read) on a plane.

    `tell` hears what makes it out of date, which chapters were not read and which of the classes of facts `kinds`, those to be
    shown, were left out; where all were, `was_read` is false.
    """
    folder = folder_of(book)
    with open_store(folder) as store:
        covered = coverage_of(store)
        view = seen_in(store, covered, as_of, plane, book)
        out_of_date(folder, store, tell)
        tell_coverage(covered, store, kinds, as_of, folder, tell)
    is_off = bool(kinds) and all(covered.is_left_out(kind) for kind in kinds)
    return replace(view, was_read=False) if is_off else view


_Row = TypeVar("_Row")


def _or_told(rows: tuple[_Row, ...], view: Seen, what: str, as_of: int | None, tell: Tell) -> tuple[_Row, ...]:
    """Return `rows`; where there are none in a book that was read, tell so, as of when and for whom."""
    if view.was_read and not rows:
        when = "so far" if as_of is None else f"as of chapter {as_of}"
        kind, handle = view.plane
        whose = f" for the {kind}" if kind == "reader" else f" for {handle}" if handle else ""
        tell(f"{what} {when}{whose}")
    return rows


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


def _up_to(view: Seen) -> str:
    return f"as of chapter {view.through}" if view.through else "before chapter 1"


def show_cast(
    book: Path | str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[CastRow, ...]:
    """Return the cast as of a chapter (None: the last one read); `tell` hears what makes it out of date, a sentence each.

    `plane` is who looks: `author`, who sees all he decided at once, `reader`, who sees none of it before the chapter whose
    words carry it, or `character:@7` (docs/planes.md).
    """
    view = seen_of(book, (), as_of=as_of, plane=plane, tell=tell)
    rows = cast_rows(view.bible, entity_ids(view.stored))
    if view.was_read and not rows:
        tell(f"nobody and nothing is known {_up_to(view)}")
    return rows


def show_relations(
    book: Path | str, *, as_of: int | None = None, hidden: bool = False, plane: str = "author", tell: Tell = unheard
) -> tuple[RelationRow, ...]:
    """Return the relations as of a chapter (None: the last one read); `hidden` adds the low-confidence kinds.

    `plane` is who looks, as in `show_cast`; `tell` hears what makes them out of date, a sentence each.
    """
    view = seen_of(book, ("relation",), as_of=as_of, plane=plane, tell=tell)
    rows = relation_rows(view.bible, view.stored, hidden=hidden)
    if view.was_read and not rows:
        more = " but such as are hidden by default: --all shows them" if view.bible.relations and not hidden else ""
        tell(f"no relations are known {_up_to(view)}{more}")
    return rows


def show_chapter(
    book: Path | str, number: int, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> ChapterView:
    """Return one chapter: who is there, what relations it shows, which issues it has (the author sees these alone).

    People are called as the plane knows them after chapter `as_of` (None: the chapter itself). Raises ConfigError where
    there is no such chapter or `as_of` lies before it. `tell` hears what makes it out of date, a sentence each.
    """
    folder = folder_of(book)
    with open_store(folder) as store:
        row = chapter_row(store, number, as_of, book)
        covered = coverage_of(store)
        view = seen_in(store, covered, number if as_of is None else as_of, plane, book)
        changed = out_of_date(folder, store, tell)
        _tell_of_chapter(store, covered, number, ("relation",), folder, tell)
        issues = [issue for _, issue in store.issues() if issue.chapter == number and view.plane == AUTHOR]
    return chapter_view(row, view.bible, view.stored, issues, stale=number in changed)


def show_changes(
    book: Path | str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[ChangeRow, ...]:
    """Return changes of state, in the order of the book, with whether they hold as of then."""
    view = seen_of(book, ("change",), as_of=as_of, plane=plane, tell=tell)
    return _or_told(change_rows(view), view, "no changes", as_of, tell)


def show_looks(
    book: Path | str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[ChangeRow, ...]:
    """Return how everybody looks: the same of appearance."""
    view = seen_of(book, ("change",), as_of=as_of, plane=plane, tell=tell)
    return _or_told(change_rows(view, looks=True), view, "no looks", as_of, tell)


def show_secrets(
    book: Path | str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[SecretRow, ...]:
    """Return secrets with who holds them and from whom they are kept as of then."""
    view = seen_of(book, ("secret",), as_of=as_of, plane=plane, tell=tell)
    return _or_told(secret_rows(view), view, "no secrets", as_of, tell)


def show_knowledge(
    book: Path | str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[KnowledgeRow, ...]:
    """Return who came to know, believe or suspect what, in the order of the book."""
    view = seen_of(book, ("knowledge",), as_of=as_of, plane=plane, tell=tell)
    return _or_told(knowledge_rows(view), view, "no knowledge", as_of, tell)


def show_threads(
    book: Path | str, *, is_open: bool = False, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[ThreadRow, ...]:
    """Return threads with status and health as of then; `is_open` leaves out those that are closed."""
    view = seen_of(book, ("thread",), as_of=as_of, plane=plane, tell=tell)
    what = "no open threads" if is_open else "no threads"
    return _or_told(thread_rows(view, is_open=is_open), view, what, as_of, tell)


def show_reveals(
    book: Path | str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[RevealRow, ...]:
    """Return who turns out to be whom, in the order of the book; the author alone sees what is only proposed."""
    view = seen_of(book, ("reveal",), as_of=as_of, plane=plane, tell=tell)
    return _or_told(reveal_rows(view), view, "no reveals", as_of, tell)


def show_turns(
    book: Path | str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[TurnRow, ...]:
    """Return how relations of earlier chapters turn, in the order of the book."""
    view = seen_of(book, ("turn",), as_of=as_of, plane=plane, tell=tell)
    return _or_told(turn_rows(view), view, "no turns", as_of, tell)


def show_speech(
    book: Path | str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[SpeechRow, ...]:
    """Return who says each quotation to whom, in the order of the book."""
    view = seen_of(book, ("speech",), as_of=as_of, plane=plane, tell=tell)
    return _or_told(speech_rows(view), view, "no speech", as_of, tell)


def show_cards(
    book: Path | str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[CardRow, ...]:
    """Return the chapters' cards, with everybody called as known then."""
    view = seen_of(book, ("card",), as_of=as_of, plane=plane, tell=tell)
    return _or_told(card_rows(view), view, "no cards", as_of, tell)


def timeline(
    book: Path | str, *, of: str = "", as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[EventRow, ...]:
    """Return what happens, chapter by chapter; `of` (a handle) leaves what is about one."""
    view = seen_of(book, _TIMED, as_of=as_of, plane=plane, tell=tell)
    if of:
        _check_handle(view, of, book)
    what = f"nothing happens{' to ' + of if of else ''}"
    return _or_told(timeline_rows(view, of=of), view, what, as_of, tell)


def known_to(
    book: Path | str, handle: str, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[KnownRow, ...]:
    """Return how somebody (a handle, or `reader`) stands to everything: knows, believes, suspects, does not know."""
    view = seen_of(book, ("secret", "knowledge"), as_of=as_of, plane=plane, tell=tell)
    if handle != READER:
        _check_handle(view, handle, book)
    return _or_told(known_rows(view, handle), view, f"nothing is told of what {handle} knows", as_of, tell)


def what_changes(
    book: Path | str, chapter: int, *, as_of: int | None = None, plane: str = "author", tell: Tell = unheard
) -> tuple[EventRow, ...]:
    """Return everything one chapter changes, all classes; people are called as known after `as_of` (None: the chapter)."""
    folder = folder_of(book)
    with open_store(folder) as store:
        chapter_row(store, chapter, as_of, book)
        covered = coverage_of(store)
        view = seen_in(store, covered, chapter if as_of is None else as_of, plane, book)
        out_of_date(folder, store, tell)
        is_read = _tell_of_chapter(store, covered, chapter, _CHANGED, folder, tell)
    return _or_told(
        chapter_change_rows(view, chapter),
        view if is_read else replace(view, was_read=False),
        f"nothing changes in chapter {chapter}",
        as_of,
        tell,
    )


def _tell_of_chapter(
    store: Store, covered: Coverage, chapter: int, kinds: Collection[str], folder: Path, tell: Tell
) -> bool:
    """Tell that a chapter was not read, or what was left out where it was; return whether it was read."""
    if not store.runs():
        return False
    if chapter not in covered.read:
        tell(f"chapter {chapter} has not been read yet: {typed('run', folder, '--chapters', str(chapter))}")
        return False
    tell_coverage(replace(covered, chapters=(chapter,)), store, kinds, chapter, folder, tell)
    return True


def _check_handle(view: Seen, handle: str, book: Path | str) -> None:
    hint = f"see: {typed('show', 'cast', Path(book))}"
    if not _HANDLE.fullmatch(handle):
        raise ConfigError(f"{handle!r} is no handle", hint=f"a handle is @ and a number; {hint}")
    if view.bible.root(handle) not in view.bible.cast:
        raise ConfigError(f"{handle} is not in the cast as of chapter {view.through}", hint=hint)
