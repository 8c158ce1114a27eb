"""Small helpers: a chapter from marked text, one step run with scripted answers through the real parser, facts in short."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from analyzer.bible import Bible, fold
from analyzer.llm.formats import parse_reply
from analyzer.models.facts import (
    ClaimFact,
    DetailFact,
    EntityFact,
    Evidence,
    Fact,
    FormFact,
    NameFact,
    PresenceFact,
    ProposalFact,
    RelationFact,
    SameFact,
    VoteFact,
)
from analyzer.models.issue import Issue
from analyzer.models.question import Question
from analyzer.models.text import Block, Chapter, Manuscript, Place, Span
from analyzer.prompts import render_tail
from analyzer.scheduler.views import GuardedBible, check_written
from analyzer.steps._registry import load_steps
from analyzer.steps._step import Answered, AskStep, Effects, Step, Unit
from analyzer.text.candidates.book import BookStats
from analyzer.text.languages import language_table
from analyzer.text.sentences import split_sentences

STEPS: dict[str, Step] = {step.name: step for step in load_steps()}
_MARK = re.compile("⟦(.*?)⟧")

Say = Mapping[str, str] | Callable[[Question], str]
"""What stands behind the number of each line: a function of the question, or by a piece of its text (`-` where none fits)."""


def marked(text: str) -> tuple[str, tuple[Span, ...]]:
    """Return the text without its ⟦marks⟧, and what they held as spans."""
    plain, spans, at = "", [], 0
    for found in _MARK.finditer(text):
        plain += text[at : found.start()]
        spans.append(Span(len(plain), len(plain) + len(found.group(1))))
        plain += found.group(1)
        at = found.end()
    return plain + text[at:], tuple(spans)


def chapter_of(text: str, *, no: int = 1, language: str = "en", title: str = "") -> Chapter:
    """Return a chapter with a block for each line of `text`."""
    table = language_table(language)
    blocks, at = [], 0
    for line in text.split("\n"):
        words = line.strip()
        if words:
            sentences = split_sentences(words, table)
            blocks.append(Block(no=len(blocks) + 1, start=at, text=words, sentences=sentences))
        at += len(words) + 1
    return Chapter(no=no, title=title, start=0, body_start=0, end=at, language=language, blocks=tuple(blocks))


def book_of(*chapters: str, language: str = "en") -> Manuscript:
    """Return a manuscript whose text is its chapters' blocks, a line each."""
    made, text = [], ""
    for no, body in enumerate(chapters, 1):
        chapter = chapter_of(body, no=no, language=language)
        at = len(text)
        lines = "\n".join(line.strip() for line in body.split("\n"))
        moved = tuple(block.model_copy(update={"start": block.start + at}) for block in chapter.blocks)
        made.append(chapter.model_copy(update={"start": at, "body_start": at, "end": at + len(lines), "blocks": moved}))
        text += lines + "\n"
    return Manuscript(title="Tiny", language=language, text=text, sha256="0" * 64, chapters=tuple(made))


@dataclass(frozen=True)
class Ran:
    """What a step asked and did: `shown` are its questions as rendered, a tail for each group."""

    questions: tuple[Question, ...]
    shown: tuple[str, ...]
    effects: Effects

    @property
    def facts(self) -> list[str]:
        """The facts written, in short."""
        return [short(fact) for fact, _ in self.effects.facts]

    @property
    def codes(self) -> list[str]:
        """The codes of the issues."""
        return [issue.code for issue in self.effects.issues]

    @property
    def issues(self) -> tuple[Issue, ...]:
        """The issues."""
        return self.effects.issues


def unit_of(chapter: Chapter, start: Iterable[Fact] = (), handles: Mapping[str, str] | None = None) -> Unit:
    """Return the unit of a chapter after the facts of earlier ones; everybody known is in scope."""
    table = language_table(chapter.language)
    before = fold(start, through=chapter.no - 1, handles=dict(handles or {}))
    return Unit(chapter, table, BookStats.of_text(chapter.text, table), before, frozenset(before.cast))


def view_of(step: Step, unit: Unit, facts: Iterable[Fact] = ()) -> Bible:
    """Return the bible as a run shows it to `step`: only what it declared; anything else raises."""
    declared = step.reads | step.past | {"presence"}
    seen = (*unit.start.facts, *(fact for fact in facts if fact.fact in declared))
    given = {f.anchor: f.entity for f in seen if isinstance(f, EntityFact)} | unit.start.handles
    whole = fold(seen, through=unit.chapter.no, handles=given)
    return GuardedBible(
        unit.chapter.no,
        tuple(f for f in seen if f.fact in step.reads | step.past),
        given,
        step=step.name,
        declared=step.reads | step.past,
        cast_source=lambda: whole,
    )


def run_step(
    name: str,
    chapter: Chapter,
    *,
    start: Iterable[Fact] = (),
    facts: Iterable[Fact] = (),
    say: Say | None = None,
    handles: Mapping[str, str] | None = None,
) -> Ran:
    """Run one step over a chapter: `start` are facts of earlier chapters, `facts` those of this one, `say` the answers."""
    step = STEPS[name]
    unit = unit_of(chapter, start, handles)
    view = view_of(step, unit, facts)
    if not isinstance(step, AskStep):
        effects = step.compute(unit, view)
        check_written(name, step.writes, chapter.no, (fact for fact, _ in effects.facts))
        return Ran((), (), effects)
    groups: dict[str, list[tuple[Any, Question]]] = {}
    for candidate in step.candidates(unit, view):
        groups.setdefault(step.pack_by(candidate), []).append((candidate, step.question(candidate, unit, view)))
    answered: list[Answered] = []
    shown: list[str] = []
    for group, rows in groups.items():
        questions = [question for _, question in rows]
        shown.append(render_tail(step.prompt, step.slots(group, unit, view), questions))
        reply = "\n".join(f"{number} {_body(question, say)}" for number, question in enumerate(questions, 1))
        parsed = parse_reply(reply, questions, chapter)
        for (candidate, question), answer in zip(rows, parsed.answers, strict=True):
            answered.append(Answered(candidate, question, answer, f"answer:{len(answered) + 1}"))
    effects = step.effects(answered, unit, view)
    check_written(name, step.writes, chapter.no, (fact for fact, _ in effects.facts))
    return Ran(tuple(a.question for a in answered), tuple(shown), effects)


def _body(question: Question, say: Say | None) -> str:
    if say is None:
        return "-"
    if callable(say):
        return say(question)
    return next((body for piece, body in say.items() if piece in question.text), "-")


def mark(question: Question, key: str) -> str:
    """Return the mark of the option with this key."""
    option = question.option_by_key(key)
    assert option is not None, f"{key!r} is not offered: {[o.key for o in question.options]}"
    return option.mark


def picks(said: Mapping[str, str]) -> Callable[[Question], str]:
    """Return answers that pick the option with a key, by a piece of the question's text; `-` where none fits."""

    def answer(question: Question) -> str:
        wanted = next((key for piece, key in said.items() if piece in question.text), None)
        return "-" if wanted is None else mark(question, wanted)

    return answer


def lines_of(tail: str) -> list[str]:
    """Return the lines between QUESTIONS and ANSWERS of a rendered tail."""
    return tail.split("\n\nQUESTIONS\n")[1].removesuffix("\n\nANSWERS").split("\n")


# --- facts ---------------------------------------------------------------------------------------------------------


def person(handle: str, *names: str, chapter: int = 1, kind: str = "character") -> list[Fact]:
    """Return a named entity with its names, the first of which is its label."""
    entity = EntityFact(
        entity=handle,
        entity_kind=kind,
        label=names[0],
        anchor=f"name:{names[0]}",
        chapter=chapter,  # type: ignore[arg-type]
    )
    return [entity, *(NameFact(entity=handle, surface=n, name_kind="full", chapter=chapter) for n in names)]


def unnamed(
    handle: str,
    label: str,
    *places: tuple[int, int],
    chapter: int = 1,
    tie: str = "",
    tied_to: str = "",
    narrator: bool = False,
    kind: str = "character",
) -> list[Fact]:
    """Return an unnamed entity and the sentences its description stands in."""
    entity = EntityFact(
        entity=handle,
        entity_kind=kind,  # type: ignore[arg-type]
        label=label,
        anchor="narrator" if narrator else f"own:{label}:ch{chapter}",
        chapter=chapter,
        named=False,
        narrator=narrator,
        tie=tie,
        tied_to=tied_to,
    )
    names = [
        NameFact(entity=handle, surface=label, name_kind="descriptor", chapter=chapter, place=Place(*p)) for p in places
    ]
    return [entity, *names]


def evidence(chapter: Chapter, *places: tuple[int, int]) -> tuple[Evidence, ...]:
    """Return whole sentences of a chapter as evidence."""
    found = []
    for block_no, sentence in places:
        block = chapter.blocks[block_no - 1]
        span = block.sentences[sentence - 1]
        found.append(
            Evidence(
                chapter=chapter.no,
                block=block_no,
                sentence=sentence,
                start=span.start,
                end=span.end,
                text=block.text[span.start : span.end],
            )
        )
    return tuple(found)


def claim(
    chapter: Chapter,
    triple: str,
    *places: tuple[int, int],
    votes: Sequence[str] = (),
    voted: Sequence[tuple[int, int]] = (),
) -> list[Fact]:
    """Return a claim (`"@1 parent_of @2"`, its own id) and its votes; `voted` are the sentences each vote named."""
    subject, relation, target = triple.split()
    name = f"claim:{triple.replace(' ', '_')}"
    fact = ClaimFact(
        claim=name,
        chapter=chapter.no,
        subject=subject,
        relation=relation,
        object=target,
        evidence=evidence(chapter, *places),
    )
    cast = [
        VoteFact(
            claim=name,
            chapter=chapter.no,
            wording=wording,  # type: ignore[arg-type]
            vote=vote,  # type: ignore[arg-type]
            picked=vote,
            evidence=evidence(chapter, *voted),
        )
        for wording, vote in zip(("first", "second", "third"), votes, strict=False)
    ]
    return [fact, *cast]


def short(fact: Fact) -> str:
    """Return a fact in one short line, without ids."""
    match fact:
        case FormFact():
            return f"form {fact.surface} {fact.entity_kind} {fact.first} x{fact.n_mentions}"
        case EntityFact():
            tie = f" {fact.tie} of {fact.tied_to}" if fact.tied_to else ""
            flags = ("" if fact.named else " unnamed") + (" narrator" if fact.narrator else "")
            return f"entity {fact.entity} {fact.entity_kind} {fact.label}{tie}{flags}"
        case NameFact():
            return f"name {fact.entity} {fact.surface} {fact.name_kind}" + (f" {fact.place}" if fact.place else "")
        case SameFact():
            return f"same {fact.entity} {fact.same_as}"
        case PresenceFact():
            return f"presence {fact.entity} {fact.presence} x{fact.n_mentions}"
    return _short_relation(fact)


def _short_relation(fact: Fact) -> str:
    match fact:
        case ProposalFact():
            return f"proposal {fact.family} {fact.first} {fact.second} {fact.origin}"
        case DetailFact():
            return f"detail {fact.attribute} {fact.value}"
        case VoteFact():
            return f"vote {fact.wording} {fact.vote} {_cited(fact.evidence)}".rstrip()
        case ClaimFact() | RelationFact():
            return f"{fact.fact} {fact.subject} {fact.relation} {fact.object} {_cited(fact.evidence)}".rstrip()
    raise AssertionError(f"a fact without a short form: {fact!r}")


def _cited(found: Iterable[Evidence]) -> str:
    return " ".join(str(e.place) for e in found)


@dataclass(frozen=True)
class Case:
    """A row of a step's table: a text, the facts before, what is answered, the facts and issues after."""

    name: str
    text: str
    after: tuple[str, ...]
    say: Say | None = None
    language: str = "en"
    start: Sequence[Fact] = ()
    facts: Sequence[Fact] = ()
    codes: tuple[str, ...] = ()
    no: int = 1
    handles: Mapping[str, str] = field(default_factory=dict)

    def run(self, step: str) -> Ran:
        """Run `step` over the case."""
        chapter = chapter_of(self.text, no=self.no, language=self.language)
        return run_step(step, chapter, start=self.start, facts=self.facts, say=self.say, handles=self.handles)

    def check(self, step: str) -> None:
        """Run `step` and compare."""
        ran = self.run(step)
        assert ran.facts == list(self.after)
        assert ran.codes == list(self.codes)


def ids(case: Case) -> str:
    """Return a case's name, for pytest."""
    return case.name
