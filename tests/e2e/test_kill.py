"""SIGKILL at any moment: resumed, the book is that of an uninterrupted run, and nothing stored was asked again."""

from __future__ import annotations

import functools
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from analyzer.storage.store import Store
from tests.e2e.tiny import STORY, contents, forgetful, make_book, request_hash, simulated
from tests.simulator import Simulator

CHAINS = 12
KILLS = 5
"""Kills of one book, one after the other: 12 chains of 5."""
WHOLE_CHAINS = 2
"""Chains over all parts of the story, whose steps wait for earlier chapters; the others are over cast and relations."""
IN_FLIGHT = 6
Uninterrupted = Callable[[tuple[str, ...]], dict[str, list[tuple[object, ...]]]]
DEATHS: list[bool] = []
"""Of every kill of this session, whether it met a run; those at a run that had ended did not."""


@dataclass
class Desk:
    """Answers, and keeps which requests arrived, in order."""

    arrived: list[str] = field(default_factory=list)

    def __call__(self, body: dict[str, Any]) -> str:
        self.arrived.append(request_hash(body))
        return forgetful(body)


class Forker:
    """Starts runs as processes of their own."""

    def __init__(self, child: subprocess.Popen[str]) -> None:
        self._child = child

    def _said(self, word: str) -> int:
        assert self._child.stdout is not None
        found, _, number = self._child.stdout.readline().partition(" ")
        assert found == word
        return int(number)

    def start(self, book: Path, sim: Simulator) -> int:
        """Start a run and return its process id."""
        assert self._child.stdin is not None
        print(f"{book} {sim.base_url}", file=self._child.stdin, flush=True)
        return self._said("start")

    def end(self) -> int:
        """Return the run's exit code, once it has ended."""
        return self._said("end")


@pytest.fixture(scope="module")
def forker() -> Iterator[Forker]:
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.e2e.kill_child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    with child:
        yield Forker(child)
        assert child.stdin is not None
        child.stdin.close()


@dataclass(frozen=True)
class Moment:
    """When to kill: after so many more requests have arrived, and so many seconds later; no requests: after the start."""

    n_requests: int
    delay_s: float


def moments(seed: int) -> list[Moment]:
    rng = random.Random(f"kill {seed}")
    return [
        Moment(rng.choice([0, 1, 2, *range(1, 14)]), rng.choice([0.0, rng.uniform(0, 0.03), rng.uniform(0, 0.12)]))
        for _ in range(KILLS)
    ]


def kill_at(moment: Moment, pid: int, sim: Simulator, n_before: int, forker: Forker) -> int:
    """Kill the run at its moment and return its exit code; a run that ends before has another code than SIGKILL's."""
    ended = threading.Event()

    def kill() -> None:
        while moment.n_requests and not ended.is_set():
            try:
                sim.wait_arrived(n_before + moment.n_requests, timeout_s=0.1)
                break
            except TimeoutError:
                continue
        if not ended.wait(moment.delay_s):
            os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    code = forker.end()
    ended.set()
    killer.join()
    return code


@dataclass(frozen=True)
class Kept:
    """What a killed run left: requests that brought an answer, and how many calls are settled with their bill."""

    answered: frozenset[str]
    n_settled: int


def kept(book: Path) -> Kept:
    """Return what the store has, and check that it is sound."""
    with Store.open(book) as store:
        assert [line for line in store.verify() if not line.startswith("call_has_a_run")] == []
        answered = frozenset(row.request_hash for row in store.all_answers())
        return Kept(answered, sum(call.settled for call in store.calls()))


@pytest.mark.parametrize("seed", range(CHAINS))
def test_a_run_killed_again_and_again_ends_as_one_that_was_not(
    tmp_path: Path, forker: Forker, seed: int, uninterrupted: Uninterrupted
) -> None:
    off = () if seed < WHOLE_CHAINS else STORY
    book = make_book(tmp_path / "tiny", off=off)
    desk = Desk()
    with simulated(desk, latency__base_s=0.01, cache__readable="end") as sim:
        for moment in moments(seed):
            before, n_before = kept(book), len(sim.rows())
            code = kill_at(moment, forker.start(book, sim), sim, n_before, forker)
            after, life = kept(book), desk.arrived[n_before:]
            assert not before.answered & set(life), "what was stored was asked again"
            n_lost = len(life) - (after.n_settled - before.n_settled)
            assert n_lost <= IN_FLIGHT, "a call holds its place until its answers are stored"
            DEATHS.append(code == -signal.SIGKILL)
        before, n_before = kept(book), len(sim.rows())
        assert forker.start(book, sim)
        assert forker.end() == 0
        assert not before.answered & set(desk.arrived[n_before:])
        _counts_every_call(book, sim)
    assert contents(book) == uninterrupted(off)


def _counts_every_call(book: Path, sim: Simulator) -> None:
    """What the store counts as spent covers what the provider charged: calls that were lost count in full."""
    with Store.open(book) as store:
        assert round(store.spent_usd() * 1e9) >= sim.totals()["cost_nano"]


def test_the_runs_were_killed_at_fifty_moments_or_more() -> None:
    assert not DEATHS or len(DEATHS) < CHAINS * KILLS or sum(DEATHS) >= 50


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory, forker: Forker) -> Uninterrupted:
    """The books of uninterrupted runs, by the parts they leave out."""

    @functools.cache
    def made(off: tuple[str, ...]) -> dict[str, list[tuple[object, ...]]]:
        book = make_book(tmp_path_factory.mktemp("whole") / "tiny", off=off)
        started = time.monotonic()
        with simulated(Desk(), latency__base_s=0.01, cache__readable="end") as sim:
            assert forker.start(book, sim)
            assert forker.end() == 0
            assert len(sim.rows()) > 60
        assert time.monotonic() - started < 60
        return contents(book)

    return made
