"""Why a run would do each task, or would not: told from what the store keeps beside the text as it is now, without asking."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal, NamedTuple

from analyzer.models.base import Record
from analyzer.models.text import Chapter
from analyzer.rereading import Reading
from analyzer.running import AskedBefore, decided_since, weighed_before
from analyzer.scheduler.keys import code_hash
from analyzer.scheduler.taken import SETTING, Taken, marks_of
from analyzer.scheduler.tasks import PARTIAL
from analyzer.steps._registry import load_steps, switched
from analyzer.steps._step import AskStep, Step
from analyzer.text.alignment import Aligned
from analyzer.wording import counted, listed

if TYPE_CHECKING:
    from analyzer.models.rows import TaskRow
    from analyzer.storage.store import Store

Reason = Literal[
    "never_run",
    "new_chapter",
    "split",
    "repeated",
    "unanswered",
    "text",
    "model",
    "program",
    "decided",
    "names",
    "earlier",
    "moved",
    "done",
]
Asks = Literal["yes", "maybe", "no"]
"""Whether somebody is asked: yes (where the step finds something to ask), only where what is shown has changed, or nobody."""


class DueTask(Record):
    """A task and why it would run; `done` alone would not. `was` is its chapter's number so far (0: none), `detail` the reason in words."""

    step: str
    chapter: int
    was: int
    reason: Reason
    detail: str
    asks: Asks


class _Why(NamedTuple):
    reason: Reason
    detail: str
    asks: Asks


class _Weighed(NamedTuple):
    """What rules weigh: a hash of the whole book, for which steps, and whether they did it in an earlier run."""

    book: str
    steps: frozenset[str]
    known: bool


RULES = "rules"
_DONE = _Why("done", "nothing changed", "no")
_DECIDED = _Why("decided", "the author decided since the last run: asked anew only where its cast changes", "maybe")
_NAMES = _Why("names", "names elsewhere in the book changed: asked anew only where what is asked changes", "maybe")
_WEIGHED = _Why("names", "the book changed, and rules weigh names over all of it: answered anew, for nothing", "yes")
_WEIGHED_BEFORE = _Why(
    "names", "rules weighed the book as it is now in an earlier run: its answers serve again", "maybe"
)


def due_tasks(
    store: Store,
    reading: Reading,
    chapters: Collection[int],
    *,
    model: str,
    confirm_model: str,
    off: Collection[str] = (),
) -> tuple[DueTask, ...]:
    """Return every task of these chapters with its reason, by chapter, then in the order of steps; reads only.

    After a chapter that changed the later ones run again over the stored answers: they ask anew only where the cast that their
    prefix shows has changed, which nobody knows before the earlier ones are answered. A chapter whose possible names an edit
    elsewhere changed (one that stands alone here is told from an ordinary word by the whole book) is looked at again as well.
    """
    tasks = {(task.step, task.chapter): task for task in store.tasks()}
    texts = {row.no: row.text_sha256 for row in store.chapters()}
    book = store.book()
    language = book.language if book else reading.manuscript.language
    models = {False: model, True: confirm_model}
    taken = Taken(reading.manuscript, store.setting(SETTING))
    weighed = _weighed(reading, store) if RULES in models.values() else None
    answered = store.answered_by_task()
    judge = _Judge(tasks, texts, reading, models, answered, language, taken, weighed, off, decided_since(store))
    wanted = set(chapters)
    found: list[DueTask] = []
    for chapter, what in judge.chapters():
        rows = judge.chapter(chapter, what)
        if chapter.no in wanted:
            found += rows
    return tuple(found)


def asked_before(
    store: Store, reading: Reading, model: str, confirm_model: str, off: Collection[str] = ()
) -> AskedBefore:
    """Return the tasks that a run over the whole book need not ask, and which of them it may have to ask all the same.

    Parts that are `off` are no reason to look at others again.
    """
    from analyzer.llm.connect import answering_name

    every = [chapter.no for chapter in reading.manuscript.chapters]
    asked, confirms = answering_name(model), answering_name(confirm_model)
    tasks = due_tasks(store, reading, every, model=asked, confirm_model=confirms, off=off)
    return AskedBefore(
        frozenset((task.step, task.chapter) for task in tasks if task.asks != "yes"),
        frozenset((task.step, task.chapter) for task in tasks if task.asks == "maybe"),
    )


@dataclass
class _Judge:
    """Goes through the chapters in order; `_changed` are those so far that change what later ones are shown.

    `_renamed` says that other names are looked at in one so far, `weighed` is what rules weigh now, None where they are not asked.
    """

    tasks: Mapping[tuple[str, int], TaskRow]
    texts: Mapping[int, str]
    reading: Reading
    models: Mapping[bool, str]
    answered: Mapping[tuple[str, int], Collection[str]]
    language: str
    taken: Taken
    weighed: _Weighed | None
    off: Collection[str] = ()
    decided: bool = False

    def __post_init__(self) -> None:
        self._steps = switched(load_steps(), self.off)
        self._changed: list[int] = []
        self._renamed = False
        self._gone = _gone(self.reading)
        self._hashes = self.reading.hashes

    def chapters(self) -> Iterator[tuple[Chapter, Aligned]]:
        """Yield every chapter with what became of it."""
        alignment = self.reading.alignment
        for at, chapter in enumerate(self.reading.manuscript.chapters):
            yield chapter, alignment.chapters[at] if alignment else Aligned(chapter.no, chapter.id, 0, "new")

    def chapter(self, chapter: Chapter, what: Aligned) -> list[DueTask]:
        """Return the tasks of a chapter."""
        whys: dict[str, _Why] = {}
        for step in self._steps:
            why = self._why(step, chapter, what)
            first = next((name for name, other in whys.items() if other.asks == "yes"), "")
            if why.asks == "no" and first:
                why = _Why("earlier", f"{first} of this chapter is asked first", "maybe")
            self._renamed = self._renamed or why.reason == "names"
            whys[step.name] = why if isinstance(step, AskStep) else why._replace(asks="no")
        again = any(why.asks == "yes" and why.reason not in ("never_run", "model", "names") for why in whys.values())
        if what.moved or again:
            self._changed.append(chapter.no)
        return [DueTask(step=name, chapter=chapter.no, was=what.old_no, **why._asdict()) for name, why in whys.items()]

    def _why(self, step: Step, chapter: Chapter, what: Aligned) -> _Why:
        task = self.tasks.get((step.name, what.old_no))
        if task is None:
            return self._unknown(what)
        if task.input_hash.startswith(PARTIAL):
            return _Why("unanswered", "some questions have no answer yet", "yes")
        if self.language != self.reading.manuscript.language:
            return _Why("text", "it is read as another language", "yes")
        if what.change == "title" or self.texts.get(what.old_no) != self._hashes[chapter.no]:
            return _Why("text", _text_words(what, len(chapter.blocks)), "yes")
        return self._other_hands(step, task) or self._other_names(step, task, chapter) or self._other_place(what)

    def _unknown(self, what: Aligned) -> _Why:
        if what.old_no or not self.tasks:
            return _Why("never_run", "never run", "yes")
        if what.change == "split":
            return _Why("split", f"it was cut off another chapter ({self._where(what)})", "yes")
        if what.change == "repeated":
            return _Why("repeated", f"it repeats words that another chapter has too ({self._where(what)})", "yes")
        return _Why("new_chapter", "the chapter is new", "yes")

    def _where(self, what: Aligned) -> str:
        """Return the numbers of the chapters a chapter has text of; those that are gone as numbered before."""
        alignment = self.reading.alignment
        now = {found.id: found.no for found in alignment.chapters} if alignment else {}
        return listed(sorted({now[origin] for origin in what.origins if origin in now})) or "gone now"

    def _other_hands(self, step: Step, task: TaskRow) -> _Why | None:
        if isinstance(step, AskStep) and task.n_answers:
            asked = self.models[step.confirms]
            names = {task.model} if task.model else set(self.answered.get((task.step, task.chapter), ()))
            if asked not in names:
                return _Why("model", f"answered by {', '.join(sorted(names)) or 'nobody known'} so far", "yes")
        if task.code and task.code != code_hash():
            return _Why("program", "the program changed: stored answers serve wherever the same is shown", "maybe")
        return None

    def _other_names(self, step: Step, task: TaskRow, chapter: Chapter) -> _Why | None:
        marks = marks_of(task.input_hash)
        weighed = self.weighed
        if (
            weighed
            and step.name in weighed.steps
            and self.models[_confirms(step)] == RULES
            and weighed.book not in marks
        ):
            return _WEIGHED_BEFORE if weighed.known else _WEIGHED
        took = self.taken.of(step, chapter)
        return _NAMES if took and took not in marks else None

    def _other_place(self, what: Aligned) -> _Why:
        gone = [old for old, after in self._gone if what.no > after]
        one, many = "a chapter before it", "chapters before it"
        said = (
            [f"{one if len(self._changed) == 1 else many} changed ({listed(self._changed)})"] if self._changed else []
        )
        are = f"{one} is" if len(gone) == 1 else f"{many} are"
        said += [f"{are} gone (as numbered before: {listed(gone)})"] if gone else []
        if said:
            return _Why("earlier", f"{', '.join(said)}: asked anew only where its cast changes", "maybe")
        if self._renamed:
            return _NAMES
        if what.no != what.old_no:
            return _Why("moved", f"was chapter {what.old_no}", "no")
        return _DECIDED if self.decided else _DONE


def _confirms(step: Step) -> bool:
    return isinstance(step, AskStep) and step.confirms


def _weighed(reading: Reading, store: Store) -> _Weighed:
    from analyzer.llm.transports.rules import WEIGHING, whole_book

    book = whole_book(reading.manuscript)
    return _Weighed(book, WEIGHING, book in weighed_before(store))


def _gone(reading: Reading) -> list[tuple[int, int]]:
    """Return (old number of a chapter that is gone, new number of the last chapter left before it)."""
    if reading.alignment is None:
        return []
    numbers = reading.numbers
    return [(old, max((no for was, no in numbers.items() if was < old), default=0)) for old in reading.alignment.gone]


def _text_words(what: Aligned, n_blocks: int) -> str:
    words = {
        "title": "its title changed",
        "punctuation": "signs, spaces or the cuts between sentences changed",
        "rewritten": "it was rewritten",
        "split": "a part of it is a chapter of its own now",
        "merged": "another chapter was merged into it",
    }
    return words.get(what.change, f"{max(1, what.n_changed)} of {counted(n_blocks, 'block')} changed")


class DueRow(NamedTuple):
    """Chapters in a row all of whose due tasks have one reason: `n_tasks` of `n_steps` a chapter."""

    chapters: str
    n_tasks: int
    reason: Reason
    detail: str
    asks: Asks


def due_rows(tasks: Sequence[DueTask]) -> list[DueRow]:
    """Return the tasks in short: one row for chapters in a row with the same reasons, what is done left out where something is due."""
    rows: list[tuple[int, Reason, str, Asks, int]] = []
    for chapter, some in groupby(tasks, key=lambda task: task.chapter):
        whys: dict[tuple[Reason, str], list[DueTask]] = {}
        for task in some:
            whys.setdefault((task.reason, task.detail), []).append(task)
        for (reason, detail), alike in whys.items():
            asks = max((task.asks for task in alike), key=("no", "maybe", "yes").index)
            rows.append((chapter, reason, detail, asks, len(alike)))
    if any(reason != "done" for _, reason, *_ in rows):
        rows = [row for row in rows if row[1] != "done"]
    found: list[DueRow] = []
    open_rows: dict[tuple[Reason, str, Asks, int], tuple[int, int, int]] = {}
    for chapter, reason, detail, asks, n in rows:
        words = "has another number" if reason == "moved" else detail
        key = (reason, words, asks, n)
        first, last, at = open_rows.get(key, (chapter, chapter, -1))
        if at >= 0 and chapter == last + 1:
            found[at] = DueRow(f"{first}-{chapter}", found[at].n_tasks + n, reason, words, asks)
            open_rows[key] = first, chapter, at
        else:
            found.append(DueRow(str(chapter), n, reason, words, asks))
            open_rows[key] = chapter, chapter, len(found) - 1
    return found
