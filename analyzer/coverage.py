"""Which chapters were read, and what of the story was left out of it: told beside every view, a sentence each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from analyzer.errors import TellsAheadError
from analyzer.outdated import ENDED, Tell
from analyzer.wording import in_rows, typed

if TYPE_CHECKING:
    from analyzer.storage.store import Store


class Writer(NamedTuple):
    """The step that writes a class of facts, and the part of the story it belongs to."""

    step: str
    part: str


WRITERS: Mapping[str, Writer] = {
    "relation": Writer("relations", "relations"),
    "turn": Writer("relation_turns", "relations"),
    "speech": Writer("speech_cues", "speech"),
    "reveal": Writer("reveals", "identities"),
    "change": Writer("states", "state"),
    "secret": Writer("secrets", "secrets"),
    "knowledge": Writer("knowledges", "knowledge"),
    "thread": Writer("threads", "threads"),
    "card": Writer("cards", "card"),
}
"""Classes of facts that views show, with who writes them; held against the steps themselves by a test."""


@dataclass(frozen=True)
class Coverage:
    """The chapters of a book, and in which of them each step was done; `ended` says whether the last run came to every task."""

    chapters: tuple[int, ...]
    done: Mapping[str, frozenset[int]]
    ended: bool = True

    @property
    def read(self) -> frozenset[int]:
        """The chapters of which anything was done."""
        return frozenset[int]().union(*self.done.values())

    @property
    def last(self) -> int:
        """The last chapter read; the last there is where none was, 0 in a book without chapters."""
        return max(self.read or self.chapters, default=0)

    def unread(self, through: int) -> tuple[int, ...]:
        """Return the chapters up to `through` of which nothing was done, in order."""
        read = self.read
        return tuple(no for no in self.chapters if no <= through and no not in read)

    def is_left_out(self, kind: str) -> bool:
        """Tell whether a class of facts was left out of every chapter that was read."""
        return self.ended and bool(self.read) and not self.done.get(WRITERS[kind].step)

    def without(self, kind: str, through: int) -> tuple[int, ...]:
        """Return the chapters up to `through` in which a class of facts was not looked for, in order; () if in none it was."""
        there = self.done.get(WRITERS[kind].step)
        return tuple(no for no in self.chapters if no <= through and no not in there) if there else ()


def coverage_of(store: Store) -> Coverage:
    """Return what was done in which chapter of an open book."""
    done: dict[str, set[int]] = {}
    for task in store.tasks():
        done.setdefault(task.step, set()).add(task.chapter)
    runs = store.runs()
    return Coverage(
        tuple(sorted(row.no for row in store.chapters())),
        {step: frozenset(chapters) for step, chapters in done.items()},
        bool(runs) and runs[-1].outcome in ENDED,
    )


def tell_coverage(
    covered: Coverage, store: Store, kinds: Collection[str], as_of: int | None, book: Path, tell: Tell
) -> None:
    """Tell which chapters were not read, and which of the classes `kinds` were left out; says nothing of a book never run."""
    if not covered.read:
        return
    whole = max(covered.chapters, default=0) if as_of is None else as_of
    unread = covered.unread(whole)
    if unread:
        shown = "" if as_of is not None or covered.last > unread[0] else f", this is as of chapter {covered.last}"
        tell(f"{_chapters(unread)} not been read{shown}: {typed('run', book)}")
    off = tuple(dict.fromkeys(WRITERS[kind].part for kind in kinds if covered.is_left_out(kind)))
    if off:
        _tell_left_out(off, store, book, tell)
    for part in dict.fromkeys(WRITERS[kind].part for kind in kinds):
        missing = sorted({no for kind in kinds if WRITERS[kind].part == part for no in covered.without(kind, whole)})
        read = tuple(no for no in missing if no not in unread)
        if read and covered.ended:
            tell(f"{_chapters(read)} been read without {part}: {typed('run', book)}")


def tells_ahead(store: Store, first: int, through: int) -> tuple[int, ...]:
    """Return the chapters, in order, of which readers are shown what rests on later ones; () where the book is clean.

    Readers see the book as of chapters `first` to `through`. Rules say what a name is, and whose, by all its places in the text they
    were given. Where a model, a person or a gold file said so, a chapter rests on itself and those before it; and so does, whoever
    answers, what is decided of a chapter beside that.
    """
    from analyzer.llm.transports.rules import WEIGHING

    last = max((row.no for row in store.chapters()), default=0)
    weighed = {task.chapter for task in store.tasks() if task.model == "rules" and task.step in WEIGHING}
    return tuple(sorted(no for no in weighed if no <= through and max(no, first) < last))


def refuse_ahead(
    store: Store, book: Path, *, first: int, through: int, allowed: Callable[[], bool], tell: Tell
) -> bool:
    """Refuse to publish for readers what may tell ahead; return whether it does where its author allows it, and tell so.

    Readers see the book as of chapters `first` to `through`; `allowed` is asked only where it matters. Raises TellsAheadError.
    """
    ahead = tells_ahead(store, first, through)
    if not ahead:
        return False
    why = (
        f"the names of {_of(ahead)} were read by rules, which weigh names over the whole book: early chapters may show what only "
        "later ones tell"
    )
    if not allowed():
        raise TellsAheadError(
            why,
            where=str(book),
            hint=f"for readers, read it with a model: {typed('run', book)}; to publish it all the same, add --may-tell-ahead",
        )
    tell(f"{why}; it is written all the same, and says so")
    return True


def parts_left_out(covered: Coverage) -> tuple[str, ...]:
    """Return the parts of which some class of facts was left out of every chapter."""
    return tuple(dict.fromkeys(writer.part for kind, writer in WRITERS.items() if covered.is_left_out(kind)))


def _of(numbers: tuple[int, ...]) -> str:
    return f"chapter {numbers[0]}" if len(numbers) == 1 else f"chapters {in_rows(numbers)}"


def _chapters(numbers: tuple[int, ...]) -> str:
    return f"{_of(numbers)} {'has' if len(numbers) == 1 else 'have'}"


def _tell_left_out(parts: tuple[str, ...], store: Store, book: Path, tell: Tell) -> None:
    from analyzer.steps._registry import load_steps

    asked = {step for step, _ in store.answered_by_task()}
    kept = {step.part for step in load_steps() if step.name in asked}
    for there, answers in ((True, "answers given before are kept"), (False, "nothing has been asked yet")):
        some = ", ".join(part for part in parts if (part in kept) is there)
        if some:
            tell(f"left out of the last run, so not shown: {some}; {answers}: {typed('run', book)}")
