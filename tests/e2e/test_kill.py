"""SIGKILL at any moment: resumed, the book is that of an uninterrupted run, and nothing stored was asked again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from analyzer.storage.store import Store
from tests.e2e.tiny import contents, forgetful, make_book, request_hash, simulated
from tests.simulator import Simulator

CHAINS = 12
KILLS = 5
"""Kills of one book, one after the other: 12 chains of 5."""
IN_FLIGHT = 6


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


def stored_requests(book: Path) -> tuple[set[str], int]:
    """Return the requests of which every useful line is stored, and how many calls were left open; the store is sound."""
    with Store.open(book) as store:
        assert [line for line in store.verify() if not line.startswith("call_has_a_run")] == []
        answered = {row.request_hash for row in store.all_answers()}
        n_open = sum(not call.settled for call in store.calls())
        assert store.spent_usd() >= 0
    return answered, n_open


@pytest.mark.parametrize("seed", range(CHAINS))
def test_a_run_killed_again_and_again_ends_as_one_that_was_not(
    tmp_path: Path, forker: Forker, whole: dict[str, list[tuple[object, ...]]], seed: int
) -> None:
    book = make_book(tmp_path / "tiny")
    desk = Desk()
    n_killed = 0
    with simulated(desk, latency__base_s=0.01, cache__readable="end") as sim:
        for moment in moments(seed):
            n_before = len(sim.rows())
            seen = set(desk.arrived)
            answered_before, _ = stored_requests(book)
            code = kill_at(moment, forker.start(book, sim), sim, n_before, forker)
            n_killed += code == -signal.SIGKILL
            answered, _ = stored_requests(book)
            life = desk.arrived[n_before:]
            assert answered_before & set(life) == set(), "what was stored was asked again"
            lost = set(life) - answered
            assert len(lost - seen) <= 2 * IN_FLIGHT, "more was lost than was in flight or in the last group"
            if code != -signal.SIGKILL:
                break
        n_before = len(sim.rows())
        answered_before, _ = stored_requests(book)
        pid = forker.start(book, sim)
        assert pid
        assert forker.end() in (0, 7)
        assert answered_before & set(desk.arrived[n_before:]) == set()
        with Store.open(book) as store:
            counted = sum(
                c.cost_usd if c.settled else c.reserved_usd
                for c in store.calls()
                if c.cost_usd is not None or not c.settled
            )
            assert round(counted * 1e9) >= sim.totals()["cost_nano"]
    assert n_killed >= 1
    assert contents(book) == whole


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, forker: Forker) -> dict[str, list[tuple[object, ...]]]:
    """The book of an uninterrupted run."""
    book = make_book(tmp_path_factory.mktemp("whole") / "tiny")
    started = time.monotonic()
    with simulated(Desk(), latency__base_s=0.01, cache__readable="end") as sim:
        assert forker.start(book, sim)
        assert forker.end() in (0, 7)
        assert len(sim.rows()) > 60
    assert time.monotonic() - started < 60
    return contents(book)
