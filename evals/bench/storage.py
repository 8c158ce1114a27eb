"""How many answers a second the store takes: grouped by the writer, and committed one by one."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from analyzer.models.question import Answer, Option, Question, QuestionKey, Ref
from analyzer.models.rows import AnswerRow
from analyzer.models.text import Place
from analyzer.storage.store import Store
from analyzer.storage.writer import Writer
from evals.bench import Row

N_GROUPED = 12_000
N_SINGLE = 600
N_PER_CALL = 12
"""Answers a call brings: a middling pack."""


def answer_rows(n: int) -> list[AnswerRow]:
    """Return `n` different answers of ordinary size: eight options, two sentences."""
    options = tuple(
        Option(mark=chr(97 + at), key=f"@{at + 1}", text=f"person {at + 1} of the house") for at in range(8)
    )
    rows = []
    for at in range(n):
        about = Ref(handle=f"@{at % 60 + 1}", names=("Ilse Varga", "Ilse"), kind="character", places=(Place(3, 1),))
        key = QuestionKey(step="relation_kind", ask="relation.kind", chapter=at % 117 + 1, about=(about,), detail="kin")
        question = Question(key=key, type="choice", text="@7 stands to @9 as", options=options, evidence="must")
        rows.append(
            AnswerRow(
                answer_id=f"reuse:{at:032x}",
                request_hash=f"request:{at // N_PER_CALL:032x}",
                call_id=f"call-{at // N_PER_CALL}",
                step=key.step,
                chapter=key.chapter,
                key=key.text,
                question=question,
                answer=Answer(status="answered", picked=("@3",), sentences=(Place(3, 1),), raw="1 c 3.1"),
                model="bench",
                answered_by="scripted",
            )
        )
    return rows


async def _grouped(store: Store, rows: list[AnswerRow]) -> float:
    packs = [rows[at : at + N_PER_CALL] for at in range(0, len(rows), N_PER_CALL)]
    started = time.perf_counter()
    async with Writer(store) as writer:
        await asyncio.gather(*(writer.do(lambda s, pack=pack: s.add_answers(pack)) for pack in packs))  # type: ignore[misc]
    return len(rows) / (time.perf_counter() - started)


def _one_by_one(store: Store, rows: list[AnswerRow]) -> float:
    started = time.perf_counter()
    for row in rows:
        store.add_answers([row])
    return len(rows) / (time.perf_counter() - started)


def bench_storage(data: Path | None) -> list[Row]:
    """Return rows a second; `data` is not used, the rows are made here. The ratio is to committing one by one."""
    rows = answer_rows(N_GROUPED + N_SINGLE)
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder), create=True) as store:
        single = _one_by_one(store, rows[:N_SINGLE])
        grouped = asyncio.run(_grouped(store, rows[N_SINGLE:]))
        started = time.perf_counter()
        store.all_answers()
        read = len(rows) / (time.perf_counter() - started)
    return [
        Row("storage: answers committed one by one", single, "rows/s"),
        Row("storage: answers committed in groups", grouped, "rows/s", grouped / single),
        Row("storage: answers read", read, "rows/s"),
    ]
