"""Decides of which kind each new surface form is, or that it is no name; must not decide who it is."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.models.facts import EntityKind, Fact, FormFact
from analyzer.models.issue import Issue, IssueCode
from analyzer.models.question import Question, QuestionKey, Ref
from analyzer.models.text import Chapter
from analyzer.prefix import quoted
from analyzer.steps._options import lettered
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.text.candidates.book import BookStats
from analyzer.text.candidates.candidate import LONGEST_FORM, may_be_form
from analyzer.text.candidates.forms import FormCandidate, new_forms
from analyzer.text.languages import LanguageTable

KINDS: tuple[tuple[EntityKind, str], ...] = (
    ("character", "a person or being"),
    ("group", "a family, crew, people, party or organisation"),
    ("place", "a place"),
    ("object", "a thing with a name or of weight, a ship"),
    ("event", "an event"),
    ("lore", "a rule of this world, an art, a species, a title of a work"),
    ("text", "a letter, will, book or other writing in the story"),
)
OPTIONS = lettered((kind, text, None) for kind, text in KINDS)


def candidates(unit: Unit, bible: Bible) -> Sequence[FormCandidate]:
    """Return the new surface forms of the chapter, those of the known cast left out."""
    known = {surface for entry in unit.start.cast.values() for surface in entry.surfaces}
    return new_forms(unit.chapter, unit.table, known, unit.book)


def from_book(chapter: Chapter, table: LanguageTable, book: BookStats) -> object:
    """Return all forms the chapter may have, in order: the known cast leaves some of them out, and adds none."""
    return [[f.surface, f.hint, f.n, [str(place) for place in f.places]] for f in new_forms(chapter, table, (), book)]


def question(candidate: FormCandidate, unit: Unit, bible: Bible) -> Question:
    """Return one short line: the form and where it first stands."""
    where = " ".join(str(place) for place in candidate.places[:2])
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="cast.kind",
            chapter=unit.chapter.no,
            about=(Ref(names=(candidate.surface,), kind=candidate.hint, places=candidate.places[:3]),),
        ),
        type="choice",
        text=f"{quoted(candidate.surface)} ({where})",
        options=OPTIONS,
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return the forms that were judged names; one too long or not in the chapter is an issue, never a name."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    issues: list[Issue] = []
    text = _close(unit.chapter.text)
    for item in answered:
        kind = next((k for k, _ in KINDS if k == item.answer.pick), None)
        if item.answer.status == "answered" and kind is not None:
            form: FormCandidate = item.candidate
            odd = _odd(form, text)
            if odd is not None:
                issues.append(_refused(form, *odd, unit, item.answer_id))
                continue
            fact = FormFact(
                surface=form.surface, entity_kind=kind, chapter=unit.chapter.no, first=form.places[0], n_mentions=form.n
            )
            facts.append((fact, (item.answer_id,)))
    return Effects(tuple(facts), tuple(issues))


def _close(text: str) -> str:
    """Return text without white space: a name may be printed over the end of a line."""
    return "".join(text.split())


def _odd(form: FormCandidate, text: str) -> tuple[IssueCode, str] | None:
    """Return why a form cannot become a name of the chapter whose text is `text` without white space."""
    if not may_be_form(form.surface):
        return "odd_length", f"{len(form.surface)} characters are too many for a name"
    return None if _close(form.surface) in text else ("name_not_in_text", "the chapter does not print it")


def _refused(form: FormCandidate, code: IssueCode, detail: str, unit: Unit, answer_id: str) -> Issue:
    about = form.surface[:LONGEST_FORM]
    return Issue(
        code=code, step=STEP.name, chapter=unit.chapter.no, about=(about,), detail=detail, because=(answer_id,)
    )


STEP = AskStep(
    name="cast_forms",
    reads=frozenset(),
    writes=frozenset({"form"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="cast_forms",
    part="cast",
    carries=True,
    stage="chapter",
    pack_size=70,
    suspicious_none=True,
    from_book=from_book,
)
