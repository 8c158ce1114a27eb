"""A tiny book, tiny steps and askers that do as they are told."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from analyzer.bible import Bible
from analyzer.llm.asker import Profile
from analyzer.llm.formats import write_line
from analyzer.models.facts import (
    ClaimFact,
    EntityFact,
    Evidence,
    FormFact,
    NameFact,
    PresenceFact,
    VoteFact,
)
from analyzer.models.question import NONE, NONE_MARK, Answer, Option, Pack, Question, QuestionKey, Ref
from analyzer.models.run import AnsweredBy, Price, Reply, Usage
from analyzer.models.text import Block, Chapter, Manuscript, Place, Span
from analyzer.scheduler.events import Machine, RunOptions, RunOutcome
from analyzer.scheduler.run import MACHINE, run_book
from analyzer.steps._step import Answered, AskStep, ComputeStep, Effects, Step, Unit
from analyzer.storage.store import Store
from analyzer.text.candidates.book import BookStats

PROMPT = "format.lines"
"""Any prompt file without placeholders."""
WORD = re.compile(r"[A-Z][a-z]+|[가-힣]{2,}|[一-鿿]{2,}|[ァ-ヴ]{2,}")
TEXTS = (
    ("Anna met Bela at Corvin.", "Bela laughed; Anna did not."),
    ("안나 met 벨라 and 시몬.", "Anna wrote to 벨라."),
    ("林黛 saw 王武.", "Anna and 林黛 spoke of Bela."),
)


def book_of(texts: Sequence[Sequence[str]], *, language: str = "en") -> Manuscript:
    """Return a manuscript: a chapter per row, a block per string, a sentence per block."""
    chapters, at, whole = [], 0, ""
    for no, rows in enumerate(texts, 1):
        start, blocks = at, []
        for i, row in enumerate(rows, 1):
            blocks.append(Block(no=i, start=at, text=row, sentences=(Span(0, len(row)),)))
            whole += row + "\n"
            at += len(row) + 1
        chapters.append(Chapter(no=no, start=start, body_start=start, end=at, language=language, blocks=tuple(blocks)))
    return Manuscript(title="Tiny", language=language, text=whole, sha256="0" * 64, chapters=tuple(chapters))


TINY = book_of(TEXTS)


# --- steps ---------------------------------------------------------------------------------------------------------


def form_candidates(unit: Unit, _view: Bible) -> list[str]:
    known = {s for entry in unit.start.cast.values() for s in entry.surfaces}
    return [w for w in dict.fromkeys(WORD.findall(unit.chapter.text)) if w not in known]


def form_question(form: str, unit: Unit, _view: Bible) -> Question:
    options = (
        Option(mark="a", key="character", text="a person"),
        Option(mark="b", key="place", text="a place"),
        Option(mark=NONE_MARK, key=NONE),
    )
    key = QuestionKey(step="forms", ask="cast.kind", chapter=unit.chapter.no, about=(Ref(names=(form,)),))
    return Question(key=key, type="choice", text=f"“{form}” is", options=options)


def form_effects(answers: Sequence[Answered], unit: Unit, _view: Bible) -> Effects:
    facts = [
        (
            FormFact(
                surface=a.candidate, entity_kind=a.answer.pick, chapter=unit.chapter.no, first=Place(1, 1), n_mentions=1
            ),
            (a.answer_id,),
        )
        for a in answers
        if a.answer.status == "answered"
    ]
    return Effects(tuple(facts))


FORMS = AskStep(
    name="forms",
    reads=frozenset(),
    writes=frozenset({"form"}),
    candidates=form_candidates,
    question=form_question,
    effects=form_effects,
    prompt=PROMPT,
    carries=True,
    stage="chapter",
)


def make_entities(unit: Unit, view: Bible) -> Effects:
    facts = []
    given = {int(h[1:]) for h in view.handles.values()}
    for form in view.forms(unit.chapter.no):
        anchor = f"form:{form.surface}"
        handle = view.handle_for(anchor)
        if not handle:
            handle = f"@{max(given, default=0) + 1}"
            given.add(int(handle[1:]))
        entity = EntityFact(
            entity=handle, entity_kind=form.entity_kind, label=form.surface, anchor=anchor, chapter=unit.chapter.no
        )
        name = NameFact(entity=handle, surface=form.surface, name_kind="given", chapter=unit.chapter.no)
        facts += [(entity, ()), (name, ())]
    return Effects(tuple(facts))


ENTITIES = ComputeStep(
    name="entities",
    reads=frozenset({"form"}),
    writes=frozenset({"entity", "name"}),
    compute=make_entities,
    carries=True,
)


def people(unit: Unit, view: Bible) -> list[str]:
    return [h for h, e in view.cast.items() if any(s in unit.chapter.text for s in e.surfaces)]


def presence_question(handle: str, unit: Unit, view: Bible) -> Question:
    options = (
        Option(mark="a", key="on_page", text="on the page"),
        Option(mark="b", key="mentioned", text="mentioned"),
        Option(mark=NONE_MARK, key=NONE),
    )
    ref = Ref(handle=handle, names=view.cast[handle].surfaces)
    key = QuestionKey(step="presence", ask="cast.presence", chapter=unit.chapter.no, about=(ref,))
    return Question(key=key, type="choice", text=f"{handle} is", options=options)


def presence_effects(answers: Sequence[Answered], unit: Unit, _view: Bible) -> Effects:
    return Effects(
        tuple(
            (
                PresenceFact(entity=a.candidate, chapter=unit.chapter.no, presence=a.answer.pick, n_mentions=1),
                (a.answer_id,),
            )
            for a in answers
            if a.answer.status == "answered"
        )
    )


PRESENCE = AskStep(
    name="presence",
    reads=frozenset({"entity", "name"}),
    writes=frozenset({"presence"}),
    candidates=people,
    question=presence_question,
    effects=presence_effects,
    prompt=PROMPT,
    suspicious_none=True,
)


def pairs(unit: Unit, view: Bible) -> list[tuple[str, str]]:
    here = people(unit, view)
    return [(a, b) for i, a in enumerate(here) for b in here[i + 1 :]]


def kind_question(pair: tuple[str, str], unit: Unit, _view: Bible) -> Question:
    options = (
        Option(mark="a", key="friend_of", text="friends"),
        Option(mark="b", key="enemy_of", text="enemies"),
        Option(mark=NONE_MARK, key=NONE),
    )
    about = (Ref(handle=pair[0]), Ref(handle=pair[1]))
    key = QuestionKey(step="kind", ask="relation.kind", chapter=unit.chapter.no, about=about)
    return Question(key=key, type="choice", text=f"{pair[0]} and {pair[1]} are", options=options, evidence="may")


def kind_effects(answers: Sequence[Answered], unit: Unit, _view: Bible) -> Effects:
    text = unit.chapter.blocks[0].text
    evidence = (Evidence(chapter=unit.chapter.no, block=1, sentence=1, start=0, end=len(text), text=text),)
    return Effects(
        tuple(
            (
                ClaimFact(
                    claim=f"{unit.chapter.no}:{a.candidate[0]}:{a.candidate[1]}",
                    chapter=unit.chapter.no,
                    subject=a.candidate[0],
                    relation=a.answer.pick,
                    object=a.candidate[1],
                    evidence=evidence,
                ),
                (a.answer_id,),
            )
            for a in answers
            if a.answer.status == "answered"
        )
    )


KIND = AskStep(
    name="kind",
    reads=frozenset({"entity", "name"}),
    writes=frozenset({"claim"}),
    candidates=pairs,
    question=kind_question,
    effects=kind_effects,
    prompt=PROMPT,
    pack_size=3,
)


def confirm_question(claim: ClaimFact, unit: Unit, _view: Bible) -> Question:
    options = (
        Option(mark="a", key=claim.relation, text="that"),
        Option(mark="b", key="deny", text="denied"),
        Option(mark=NONE_MARK, key=NONE),
    )
    about = (Ref(handle=claim.subject), Ref(handle=claim.object))
    key = QuestionKey(step="confirm", ask="relation.confirm", chapter=unit.chapter.no, about=about)
    return Question(key=key, type="choice", text=f"{claim.subject} {claim.relation} {claim.object}?", options=options)


def confirm_effects(answers: Sequence[Answered], unit: Unit, _view: Bible) -> Effects:
    return Effects(
        tuple(
            (
                VoteFact(
                    claim=a.candidate.claim,
                    chapter=unit.chapter.no,
                    wording="first",
                    vote="deny" if a.answer.pick == "deny" else "for",
                    picked=a.answer.pick,
                ),
                (a.answer_id,),
            )
            for a in answers
            if a.answer.status == "answered"
        )
    )


CONFIRM = AskStep(
    name="confirm",
    reads=frozenset({"claim"}),
    writes=frozenset({"vote"}),
    candidates=lambda unit, view: view.claims(unit.chapter.no),
    question=confirm_question,
    effects=confirm_effects,
    prompt=PROMPT,
    confirms=True,
)

STEPS: tuple[Step, ...] = (CONFIRM, KIND, PRESENCE, ENTITIES, FORMS)


def numbered_step(n: int, **changes: object) -> AskStep:
    """Return a step that asks `n` independent questions a chapter and stores nothing."""

    def question(i: int, unit: Unit, _view: Bible) -> Question:
        options = (
            Option(mark="a", key="yes", text="yes"),
            Option(mark="b", key="no", text="no"),
            Option(mark="c", key="maybe", text="maybe"),
            Option(mark=NONE_MARK, key=NONE),
        )
        key = QuestionKey(step="numbers", ask="number", chapter=unit.chapter.no, about=(), detail=str(i))
        return Question(key=key, type="choice", text=f"number {i}", options=options)

    step = AskStep(
        name="numbers",
        reads=frozenset(),
        writes=frozenset(),
        candidates=lambda _unit, _view: range(n),
        question=question,
        effects=lambda _answers, _unit, _view: Effects(),
        prompt=PROMPT,
    )
    return replace(step, **changes)  # type: ignore[arg-type]


# --- askers --------------------------------------------------------------------------------------------------------


def pick_for(question: Question) -> str:
    """Return a key that depends on the question's key alone."""
    keys = sorted(o.key for o in question.options if o.key != NONE)
    return keys[sum(map(ord, question.key.text)) % len(keys)]


def honest_line(number: int, question: Question) -> str:
    return write_line(number, question, Answer(status="answered", picked=(pick_for(question),)))


def honest(pack: Pack) -> str:
    """Return the true lines of a pack."""
    return "\n".join(honest_line(n, q) for n, q in enumerate(pack.questions, 1))


FREE = Profile(name="tiny", release="at_once", min_prefix_tokens=0, priced=False, concurrency=8)
INSTANT = FREE.model_copy(update={"instant": True})
PRICED = Profile(name="tiny-priced", release="first_end", min_prefix_tokens=1_000_000, concurrency=32)
PRICE = Price(model="tiny", input=1.0, cache_read=0.1, cache_write=1.25, output=5.0, source="test", date="2026-11-29")


@dataclass
class Teller:
    """An asker that says what `tell` says; a string is the text of a reply, an exception is raised."""

    tell: Callable[[Pack], str | Reply | Exception] = honest
    model: str = "tiny"
    profile: Profile = FREE
    answered_by: AnsweredBy = "scripted"
    params: dict[str, object] = field(default_factory=dict)
    wait: Callable[[Pack], Awaitable[None]] | None = None
    asked: list[Pack] = field(default_factory=list)
    usage: Callable[[Pack], Usage] = lambda _pack: Usage()
    n_open: int = 0
    most_open: int = 0

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        self.asked.append(pack)
        self.n_open += 1
        self.most_open = max(self.most_open, self.n_open)
        try:
            await (self.wait(pack) if self.wait else asyncio.sleep(0))
            if on_first_event is not None:
                on_first_event()
            said = self.tell(pack)
        finally:
            self.n_open -= 1
        if isinstance(said, Exception):
            raise said
        if isinstance(said, Reply):
            return said
        return Reply(text=said, usage=self.usage(pack), model=self.model, answered_by=self.answered_by)

    async def close(self) -> None:
        """Nothing to release."""

    @property
    def n_questions(self) -> int:
        return sum(len(pack.questions) for pack in self.asked)


# --- runs ----------------------------------------------------------------------------------------------------------


async def no_wait(_seconds: float) -> None:
    await asyncio.sleep(0)


QUICK: Machine = replace(MACHINE, sleep=no_wait, jitter=lambda: 0.0)
"""The machine, without waits."""


async def analyse(
    folder: Path, asker: Teller, *, steps: Sequence[Step] = STEPS, manuscript: Manuscript = TINY, **more: object
) -> RunOutcome:
    """Run once over the store in `folder` and close it."""
    more.setdefault("machine", QUICK)
    more.setdefault("options", RunOptions())
    with Store.open(folder, create=True) as store:
        return await run_book(
            store=store,
            manuscript=manuscript,
            steps=steps,
            asker=asker,
            book=BookStats(),
            **more,  # type: ignore[arg-type]
        )


ANSWERED = (
    ("answers", ("call_id", "request_hash", "row_hash")),
    ("facts", ()),
    ("issues", ()),
    ("handles", ()),
    ("tasks", ()),
    ("steps", ()),
    ("decisions", ()),
)
"""What two runs over the same book must agree in."""


def contents(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return all that must not depend on how a run went."""
    with Store.open(folder) as store:
        assert store.verify() == []
        return {table: store.export_rows(table, without=without) for table, without in ANSWERED}


def calls(folder: Path) -> list[tuple[object, ...]]:
    with Store.open(folder) as store:
        return [tuple(call.model_dump().values()) for call in store.calls()]
