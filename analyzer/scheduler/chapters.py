"""A chapter while its tasks run: its prefix for each asker, and the units its steps work on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from analyzer.bible import Bible
from analyzer.errors import DefinitionError
from analyzer.hashing import content_hash
from analyzer.models.text import Chapter, Manuscript
from analyzer.prefix import added_part, in_scope, prefix_parts
from analyzer.scheduler.facts import Start
from analyzer.scheduler.keys import Shown, shown
from analyzer.scheduler.taken import Taken
from analyzer.steps._step import Stage, Unit
from analyzer.text.candidates.book import BookStats
from analyzer.text.languages import LanguageTable
from analyzer.text.names import NameMatcher
from analyzer.text.possible import possible_in

AnswerFormat = Literal["lines", "letter_json"]
Named = Callable[[Chapter, Bible], frozenset[str]]
"""Which handles have a name in a chapter."""


def named_in(chapter: Chapter, bible: Bible, table: LanguageTable) -> frozenset[str]:
    """Return the handles whose names stand in `chapter`; of a name several bear, all of them."""
    names: dict[str, list[str]] = defaultdict(list)
    for handle, entry in bible.cast.items():
        for surface in entry.surfaces:
            names[surface].append(handle)
    possible = {surface: names[surface] for surface in possible_in(chapter.text, names)}
    if not possible:
        return frozenset()
    found = NameMatcher.build(possible, table, text=chapter.text).find(chapter.text)
    return frozenset(handle for mention in found for handle in mention.handles)


def text_hash(chapter: Chapter) -> str:
    """Return a hash of all a step or prompt can see of a chapter's own text; its place, label and kind are not in it."""
    blocks = [[block.text, [[s.start, s.end] for s in block.sentences]] for block in chapter.blocks]
    return content_hash("chapter", [chapter.title, chapter.language, blocks])


def copies(manuscript: Manuscript) -> dict[int, int]:
    """Return, for each chapter whose words an earlier one has too, how many earlier ones do; usually for none."""
    seen: Counter[tuple[str, tuple[str, ...]]] = Counter()
    found: dict[int, int] = {}
    for chapter in manuscript.chapters:
        words = chapter.title, tuple(block.text for block in chapter.blocks)
        if seen[words]:
            found[chapter.no] = seen[words]
        seen[words] += 1
    return found


class _Undeclared(BookStats):
    """The statistics over the book as a step without `from_book` sees them."""

    def __getattribute__(self, name: str) -> Any:
        raise DefinitionError(
            "a step looks at statistics over the book, which it did not declare",
            where=name,
            hint="say with from_book what it takes of them in a chapter: that is part of what its tasks depend on",
        )


UNDECLARED = _Undeclared()


@dataclass
class OpenChapter:
    """A chapter of the run whose start is known. Prefixes and units are made once, when first needed.

    `waiting` counts for each step what it still waits for; `n_left` the tasks not settled; `copy` counts earlier
    chapters of the very same words; `full` is the bible with the added cast, once it is known.
    """

    chapter: Chapter
    table: LanguageTable
    taken: Taken
    start: Start
    named: Named
    added_cast: Callable[[], Bible]
    waiting: dict[str, int]
    n_left: int
    text_hash: str
    copy: int = 0
    _named_here: frozenset[str] | None = None
    _full: Bible | None = None
    _prefixes: dict[tuple[str, Stage], Shown] = field(default_factory=dict)
    _units: dict[tuple[Stage, bool], Unit] = field(default_factory=dict)

    def prefix(self, answer_format: AnswerFormat, stage: Stage) -> Shown:
        """Return the prefix all calls of this stage share; for stage "cast" with what the chapter added."""
        key = (answer_format, stage)
        if key not in self._prefixes:
            self._prefixes[key] = self._make_prefix(answer_format, stage)
        return self._prefixes[key]

    def _make_prefix(self, answer_format: AnswerFormat, stage: Stage) -> Shown:
        start = self.start.bible
        if stage == "chapter":
            return shown(prefix_parts(self.chapter, start, self._named(), answer_format=answer_format), copy=self.copy)
        if self._full is None:
            self._full = self.added_cast()
        before = self.prefix(answer_format, "chapter").parts
        return shown(
            (*before, added_part(start, self._full, in_scope(start, self.chapter, self._named()))), copy=self.copy
        )

    def _named(self) -> frozenset[str]:
        if self._named_here is None:
            self._named_here = self.named(self.chapter, self.start.bible)
        return self._named_here

    def unit(self, stage: Stage, answer_format: AnswerFormat, *, has_book: bool) -> Unit:
        """Return the unit of this stage; its scope is what the prefix shows. `has_book`: the step declared what it takes of it."""
        key = stage, has_book
        if key not in self._units:
            scope = self.prefix(answer_format, stage).scope
            book = self.taken.stats if has_book else UNDECLARED
            self._units[key] = Unit(self.chapter, self.table, book, self.start.bible, scope)
        return self._units[key]
