"""Killed anywhere and run again, a book ends as if nothing had happened; only what was in flight is asked twice."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from analyzer.errors import StoreError
from analyzer.llm.asker import Profile
from analyzer.models.question import Pack
from analyzer.scheduler.events import RunOptions, RunOutcome
from analyzer.scheduler.run import run_book
from analyzer.storage.store import Store
from analyzer.storage.writer import Link, Writer
from analyzer.text.candidates.book import BookStats
from tests.scheduler.tiny import FREE, INSTANT, QUICK, STEPS, TINY, Teller, analyse, contents, honest_line

T = TypeVar("T")


def stubborn(pack: Pack) -> str:
    """Say true lines, but the last of a long pack only when asked again, and none where the second wording is wanted."""
    lines = [honest_line(n, q) for n, q in enumerate(pack.questions, 1)]
    if pack.step == "presence" and not pack.wording:
        return "\n".join(f"{n} -" for n in range(1, len(lines) + 1))
    return "\n".join(lines[:-1] if len(lines) > 2 else lines)


class Falling(Writer):
    """A writer that gives up at its k-th operation, before (`done` false) or after it was stored."""

    def __init__(self, store: Store, k: int, *, done: bool) -> None:
        super().__init__(store)
        self.k = k
        self.done = done

    async def do(self, operation: Callable[[Store], T]) -> T:
        self.k -= 1
        if self.k >= 0:
            return await super().do(operation)
        if self.k == -1 and self.done:
            await super().do(operation)
        raise asyncio.CancelledError


async def run_tiny(store: Store, writer: Writer, asker: Teller, options: RunOptions | None = None) -> RunOutcome:
    """Run the tiny book's two chapters with a writer of one's own."""
    return await run_book(
        store=store,
        manuscript=TINY,
        steps=STEPS,
        asker=asker,
        chapters=[1, 2],
        book=BookStats(),
        machine=QUICK,
        writer=writer,
        options=options,
    )


async def interrupted(folder: Path, asker: Teller, k: int, *, done: bool) -> bool:
    """Run until the writer falls; return whether it did. What was not stored by then is lost, as in a crash."""
    with Store.open(folder, create=True) as store:
        writer = Falling(store, k, done=done)
        try:
            await run_tiny(store, writer, asker, options=RunOptions(concurrency=2))
        except asyncio.CancelledError:
            return True
        finally:
            await writer.close()
    return False


@pytest.mark.parametrize("profile", [FREE, INSTANT])
async def test_interrupted_at_any_write_and_resumed_the_store_is_the_same(profile: Profile, tmp_path: Path) -> None:
    await analyse(tmp_path / "whole", Teller(stubborn), chapters=[1, 2])
    wanted = contents(tmp_path / "whole")
    k, fell = 0, True
    while fell:
        folder = tmp_path / f"{k}"
        fell = await interrupted(folder, Teller(stubborn, profile=profile), k, done=k % 2 == 0)
        outcome = await analyse(folder, Teller(stubborn), chapters=[1, 2])
        assert outcome.exit_code == 0
        assert contents(folder) == wanted, f"interrupted at write {k}"
        k += 1
    assert k > 15


class Full(Writer):
    """A writer whose k-th operation finds no room left; those queued after it are done as if nothing were amiss."""

    def __init__(self, store: Store, k: int) -> None:
        super().__init__(store)
        self.k = k

    async def do(self, operation: Callable[[Store], T]) -> T:
        self.k -= 1
        if self.k != -1:
            return await super().do(operation)
        no_room: Any = replace(operation, operation=_no_room) if isinstance(operation, Link) else _no_room
        found: T = await super().do(no_room)
        return found


def _no_room(store: Store) -> Any:
    raise StoreError("no room left")


@pytest.mark.parametrize("profile", [FREE, INSTANT])
async def test_nothing_is_stored_that_rests_on_an_answer_which_could_not_be(profile: Profile, tmp_path: Path) -> None:
    await analyse(tmp_path / "whole", Teller(stubborn), chapters=[1, 2])
    wanted = contents(tmp_path / "whole")
    n_failed = 0
    for k in range(6 + profile.instant, 60, 2):  # the first six open the run; each profile takes every second write
        folder = tmp_path / f"{k}"
        with Store.open(folder, create=True) as store:
            async with Full(store, k) as writer:
                asker = Teller(stubborn, profile=profile)
                try:
                    outcome = await run_tiny(store, writer, asker)
                except StoreError:
                    continue  # the very last write, of how the run ended
        n_failed += outcome.exit_code != 0
        contents(folder)  # verifies
        await analyse(folder, Teller(stubborn), chapters=[1, 2])
        assert contents(folder) == wanted, f"no room at write {k}"
    assert n_failed > 10


async def test_a_resumed_run_sends_only_what_was_not_stored(tmp_path: Path) -> None:
    first, second = Teller(stubborn), Teller(stubborn)
    assert await interrupted(tmp_path / "book", first, 14, done=True)
    with Store.open(tmp_path / "book") as store:
        stored = {row.key for row in store.all_answers()}
    await analyse(tmp_path / "book", second, chapters=[1, 2])
    asked_again = {q.key.text for pack in second.asked for q in pack.questions if not pack.wording}
    assert stored
    assert not asked_again & {key for key in stored if "presence" not in key}


@pytest.mark.parametrize(("seed", "concurrency"), [(1, 1), (2, 3), (3, 8)])
async def test_the_store_does_not_depend_on_the_order_in_which_answers_arrive(
    seed: int, concurrency: int, tmp_path: Path
) -> None:
    dice = random.Random(seed)

    async def late(_pack: Pack) -> None:
        for _ in range(dice.randrange(40)):
            await asyncio.sleep(0)

    await analyse(tmp_path / "a", Teller(stubborn))
    await analyse(tmp_path / "b", Teller(stubborn, wait=late), options=RunOptions(concurrency=concurrency))
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


async def test_chapters_run_one_by_one_leave_what_a_run_over_all_leaves(tmp_path: Path) -> None:
    await analyse(tmp_path / "all", Teller())
    for no in (1, 2, 3):
        await analyse(tmp_path / "each", Teller(), chapters=[no])
    assert contents(tmp_path / "all") == contents(tmp_path / "each")
    again = Teller()
    outcome = await analyse(tmp_path / "each", again)
    assert (again.asked, outcome.n_tasks) == ([], 0)


CHILD = """
import asyncio, random, sys
from pathlib import Path
from tests.scheduler.test_kill import stubborn
from tests.scheduler.tiny import Teller, analyse

dice = random.Random(int(sys.argv[2]))

async def late(_pack):
    await asyncio.sleep(dice.random() / 60)

print("ready", flush=True)
asyncio.run(analyse(Path(sys.argv[1]), Teller(stubborn, wait=late)))
print("whole", flush=True)
"""


def test_killed_at_random_moments_and_resumed_the_store_is_the_same(tmp_path: Path) -> None:
    asyncio.run(analyse(tmp_path / "whole", Teller(stubborn)))
    wanted = contents(tmp_path / "whole")
    dice, began = random.Random(11), time.monotonic()
    n_killed = 0
    for n in range(10):
        if time.monotonic() - began > 30:
            break
        folder = tmp_path / f"book{n}"
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(folder), str(n)],
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
            text=True,
        )
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(dice.random() * 0.5)
        os.kill(child.pid, signal.SIGKILL)
        n_killed += "whole" not in child.stdout.read()
        child.wait()
        child.stdout.close()
        asyncio.run(analyse(folder, Teller(stubborn)))
        assert contents(folder) == wanted
    assert n_killed >= 1
