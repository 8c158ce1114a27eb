"""The shape of a step: frozen data and plain functions.

A step decides one thing. It has no clock, randomness, I/O or model: `candidates` and `question` make what is asked,
`check` and `effects` judge what came back. `effects` sees all answers of its unit at once, because sameness is decided
over clusters, not over single answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.issue import Issue
from analyzer.models.question import Answer, Question
from analyzer.models.text import Chapter
from analyzer.text.candidates.book import BookStats
from analyzer.text.languages import LanguageTable

Stage = Literal["chapter", "cast"]
"""Which prefix a step's packs share: up to the chapter, or also the cast this chapter added."""


class Unit(NamedTuple):
    """What a task works on: a chapter of a book in a language, and statistics over the whole manuscript.

    `start` is the bible before the chapter, `scope` the handles the prefix shows (cast in scope, and what was added).
    """

    chapter: Chapter
    table: LanguageTable
    book: BookStats
    start: Bible
    scope: frozenset[str]


class Answered(NamedTuple):
    """A candidate with its question, the answer and the answer's id (its reuse key)."""

    candidate: Any
    question: Question
    answer: Answer
    answer_id: str


class Effects(NamedTuple):
    """What a step's answers did: facts to store (each with the answer ids it rests on) and issues."""

    facts: tuple[tuple[Fact, tuple[str, ...]], ...] = ()
    issues: tuple[Issue, ...] = ()


Candidates = Callable[[Unit, Bible], Sequence[Any]]
Ask = Callable[[Any, Unit, Bible], Question]
Apply = Callable[[Sequence[Answered], Unit, Bible], Effects]
Compute = Callable[[Unit, Bible], Effects]
FromBook = Callable[[Chapter, LanguageTable, BookStats], object]
"""What a step takes of the statistics over the book in a chapter, as JSON: all that `unit.book` may decide there."""


@dataclass(frozen=True)
class AskStep:
    """A step a model answers.

    `reads` and `writes` are fact classes of this chapter (`unit.start` shows earlier ones and needs no declaration);
    `carries` says that chapter N waits for this step at N-1. `stage` picks the
    prefix. `prompt` names the file in prompts/. `pack_size` bounds the questions of a call; `pack_by` groups them (one
    group never shares a call with another), `n_groups` says how many there usually are, `slots` gives the values of the
    prompt's placeholders for a group. `suspicious_none` asks an
    all-none pack once more in the other wording (`<prompt>.again.md`). Only a step with `from_book` may look at `unit.book`.
    """

    name: str
    reads: frozenset[str]
    writes: frozenset[str]
    candidates: Candidates
    question: Ask
    effects: Apply
    prompt: str
    carries: bool = False
    stage: Stage = "cast"
    pack_size: int = 30
    pack_by: Callable[[Any], str] = field(default=lambda _candidate: "")
    slots: Callable[[str, Unit, Bible], dict[str, str]] = field(default=lambda _group, _unit, _bible: {})
    n_groups: int = 1
    suspicious_none: bool = False
    confirms: bool = False
    from_book: FromBook | None = None


@dataclass(frozen=True)
class ComputeStep:
    """A step code decides; preferred wherever it can."""

    name: str
    reads: frozenset[str]
    writes: frozenset[str]
    compute: Compute
    carries: bool = False
    from_book: FromBook | None = None


Step = AskStep | ComputeStep
