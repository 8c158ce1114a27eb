"""What a task costs the scheduler beside the work of its step: 60 chapters by 100 steps that do nothing."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from analyzer.llm.asker import Profile
from analyzer.llm.transports.scripted import Scripted
from analyzer.models.text import Block, Chapter, Manuscript, Span
from analyzer.scheduler.run import run_book
from analyzer.steps._step import ComputeStep, Effects
from analyzer.storage.store import Store
from analyzer.storage.writer import Writer
from analyzer.text.candidates.book import BookStats
from evals.bench import Row

N_CHAPTERS = 60
N_STEPS = 100
LAYERS = ("form", "entity", "name", "same", "presence", "proposal", "claim", "detail", "vote", "relation")
"""Each tenth of the steps reads the class before its own; the second carries from chapter to chapter."""
TARGET_US = 50.0
"""The reference of the first figure: what a task may cost."""

T = TypeVar("T")


class _Unstored(Writer):
    """A writer that only remembers how the book began: what is measured is the scheduler alone."""

    async def do(self, operation: Callable[[Store], T]) -> T:
        """Do the operations before the first task, drop the commits."""
        if getattr(operation, "__name__", "") == "store_all":
            return None  # type: ignore[return-value]
        return await super().do(operation)


def noop_steps(n: int = N_STEPS) -> tuple[ComputeStep, ...]:
    """Return `n` steps that write nothing, in ten layers of reads and writes."""
    per_layer = n // len(LAYERS)
    return tuple(
        ComputeStep(
            name=f"noop_{at:03}",
            reads=frozenset(LAYERS[at // per_layer - 1 : at // per_layer]),
            writes=frozenset(LAYERS[at // per_layer : at // per_layer + 1]),
            compute=lambda _unit, _view: Effects(),
            carries=at // per_layer == 1,
        )
        for at in range(n)
    )


def short_book(n: int = N_CHAPTERS) -> Manuscript:
    """Return a book of `n` chapters of one sentence."""
    text = "".join(f"Night {no:03} fell.\n" for no in range(1, n + 1))
    size = len(text) // n
    chapters = tuple(
        Chapter(
            no=no,
            start=(no - 1) * size,
            body_start=(no - 1) * size,
            end=no * size,
            language="en",
            blocks=(Block(no=1, start=(no - 1) * size, text=f"Night {no:03} fell.", sentences=(Span(0, size - 1),)),),
        )
        for no in range(1, n + 1)
    )
    return Manuscript(title="Nights", language="en", text=text, sha256="0" * 64, chapters=chapters)


async def _once(store: Store, kind: type[Writer]) -> float:
    """Return microseconds a task."""
    book, steps = short_book(), noop_steps()
    asker = Scripted({}, profile=Profile(name="bench", release="at_once", priced=False))
    writer = kind(store)
    started = time.process_time()
    outcome = await run_book(store=store, manuscript=book, steps=steps, asker=asker, book=BookStats(), writer=writer)
    await writer.close()
    assert outcome.n_tasks + outcome.n_unchanged == N_CHAPTERS * N_STEPS
    return (time.process_time() - started) / (N_CHAPTERS * N_STEPS) * 1e6


def bench_scheduler(data: Path | None) -> list[Row]:
    """Return processor microseconds a task: the scheduler alone (best of three), with the store, and when nothing changed.

    `data` is not used, the book is made here. On an idle core processor time is the wall's.
    """
    del data
    alone = []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder), create=True) as store:
            alone.append(asyncio.run(_once(store, _Unstored)))
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder), create=True) as store:
        stored = asyncio.run(_once(store, Writer))
        unchanged = asyncio.run(_once(store, Writer))
    return [
        Row("scheduler: a task that does nothing", min(alone), "us", min(alone) / TARGET_US),
        Row("scheduler: the same, stored", stored, "us"),
        Row("scheduler: an unchanged task", unchanged, "us"),
    ]
