"""Records for the storage tests, and texts that try to be something else."""

from __future__ import annotations

from hypothesis import strategies as st

from analyzer.models.facts import (
    EntityFact,
    Evidence,
    Fact,
    FormFact,
    NameFact,
    PresenceFact,
    RelationFact,
    StoredFact,
    VoteFact,
)
from analyzer.models.question import Answer, Option, Question, QuestionKey, Ref
from analyzer.models.rows import AnswerRow, TaskRow
from analyzer.models.run import CallRecord, Usage
from analyzer.models.text import Place

HOSTILE = (
    "",
    " ",
    "'",
    '"',
    "''; drop table answers; --",
    "$1",
    "?",
    "%s {0} {name}",
    "\x00",
    "a\x00b",
    "\\u0000",
    "line\nbreak\r\n\ttab",
    "null",
    "NULL",
    "[]",
    '{"fact":"entity"}',
    "👩‍👩‍👧‍👦 🏴‍☠️",
    "\u202egnirts",
    "שלום «مرحبا»",
    "에드몽이는",
    "基督山伯爵の「君」",
    "e\u0301 é ﬁ \u00ad \ufeff \uffff \U0010ffff",
    "x" * 70_000,
)

TEXTS = st.one_of(st.sampled_from(HOSTILE[:-1]), st.text(max_size=30))


def question(text: str = "who", *, name: str = "Ilse", chapter: int = 1) -> Question:
    key = QuestionKey(step="form", ask="cast.kind", chapter=chapter, about=(Ref(names=(name,), places=(Place(1, 2),)),))
    options = (Option(mark="a", key="character", text=text), Option(mark="-", key="none"))
    return Question(key=key, type="choice", text=text, options=options, sentences=(Place(1, 2), Place(3, 4)))


def answer_row(answer_id: str, text: str = "1 a 1.2", *, chapter: int = 1, call_id: str = "call-1") -> AnswerRow:
    asked = question(text, name=text or "Ilse", chapter=chapter)
    return AnswerRow(
        answer_id=answer_id,
        request_hash="request:0",
        call_id=call_id,
        step="form",
        chapter=chapter,
        key=asked.key.text,
        question=asked,
        answer=Answer(status="answered", picked=("character",), sentences=(Place(1, 2),), raw=text, confidence=0.25),
        model=text,
        answered_by="scripted",
        wording=1,
    )


def call(call_id: str = "call-1", *, run_id: str = "run-1", reserved_usd: float = 0.5, at: float = 10.0) -> CallRecord:
    return CallRecord(
        call_id=call_id,
        run_id=run_id,
        step="form",
        chapter=1,
        model="m",
        answered_by="model",
        n_questions=3,
        attempt=0,
        status="ok",
        settled=False,
        usage=None,
        cost_usd=None,
        reserved_usd=reserved_usd,
        started_at=at,
        ended_at=None,
    )


def ended(open_call: CallRecord, cost_usd: float | None, usage: Usage | None = None) -> CallRecord:
    return open_call.model_copy(update={"settled": True, "cost_usd": cost_usd, "usage": usage, "ended_at": 99.0})


def stored(step: str, chapter: int, facts: list[Fact], because: tuple[str, ...] = ()) -> list[StoredFact]:
    return [
        StoredFact(fact_id=f"{step}/{chapter}/{at}", step=step, chapter=chapter, fact=fact, because=because)
        for at, fact in enumerate(facts)
    ]


def task(step: str, chapter: int, n_facts: int, n_issues: int = 0, *, input_hash: str = "input:0") -> TaskRow:
    return TaskRow(step=step, chapter=chapter, input_hash=input_hash, n_answers=0, n_facts=n_facts, n_issues=n_issues)


def entity(handle: str = "@1", label: str = "Ilse", chapter: int = 1) -> EntityFact:
    return EntityFact(entity=handle, entity_kind="character", label=label, anchor=label, chapter=chapter)


_places = st.builds(Place, st.integers(1, 900), st.integers(1, 90))
_evidence = st.builds(
    Evidence,
    chapter=st.integers(1, 9),
    block=st.integers(1, 900),
    sentence=st.integers(1, 90),
    start=st.integers(0, 10**6),
    end=st.integers(0, 10**6),
    text=TEXTS,
)


def facts(chapter: int) -> st.SearchStrategy[Fact]:
    at = st.just(chapter)
    proofs = st.lists(_evidence, max_size=2).map(tuple)
    return st.one_of(
        st.builds(EntityFact, entity=TEXTS, label=TEXTS, anchor=TEXTS, tie=TEXTS, chapter=at, evidence=proofs),
        st.builds(NameFact, entity=TEXTS, surface=TEXTS, chapter=at, place=st.none() | _places),
        st.builds(FormFact, surface=TEXTS, chapter=at, first=_places, n_mentions=st.integers(0, 10**6)),
        st.builds(PresenceFact, entity=TEXTS, chapter=at, n_mentions=st.integers(0, 9), first=st.none() | _places),
        st.builds(RelationFact, claim=TEXTS, subject=TEXTS, relation=TEXTS, object=TEXTS, chapter=at, evidence=proofs),
        st.builds(VoteFact, claim=TEXTS, chapter=at, picked=TEXTS, evidence=proofs),
    )
