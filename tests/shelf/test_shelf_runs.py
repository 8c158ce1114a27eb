"""A shelf run with real worker processes against the simulated provider: killed, capped, stopped, broken."""

from __future__ import annotations

import dataclasses
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from analyzer.errors import InputError, StoreBusyError
from analyzer.running import RunRequest
from analyzer.scheduler.run import MACHINE
from analyzer.shelf import house, verbs
from analyzer.shelf.register import ShelfEvent, ShelfOutcome
from analyzer.shelf.state import STATE_NAME, BookState, ShelfState, held, write_state
from analyzer.storage.store import Store
from tests.e2e.test_kill import Desk
from tests.e2e.tiny import MODEL, SERIAL, STORY, analyse, contents, make_book, simulated
from tests.shelf.forker import Forker, forking
from tests.simulator import Clock, Simulator

NANO = 1_000_000_000
IN_FLIGHT = 6
CHAPTER = SERIAL[: SERIAL.index("Chapter 2")]
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def forker() -> Iterator[Forker]:
    with forking() as made:
        yield made


@pytest.fixture
def forked(forker: Forker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are forked from a process that has everything imported."""
    monkeypatch.setattr(house, "hire", forker.hire)


def texts(n: int, text: str = CHAPTER) -> dict[str, str]:
    """Return as many manuscripts by name, no two of the same words."""
    names = ("Aske", "Brill", "Corran", "Dunmore")[:n]
    return {name.lower(): text.replace("Harrow Point", f"{name} Point") for name in names}


def make_shelf(folder: Path, manuscripts: dict[str, str]) -> Path:
    folder.mkdir()
    for name, text in manuscripts.items():
        (folder / f"{name}.txt").write_text(text, "utf-8")
    return folder


def asked_of(sim: Simulator, *, workers: int = 2, **more: Any) -> verbs.ShelfRequest:
    run = RunRequest(model=MODEL, base_url=sim.base_url, profile="openai", off=STORY, concurrency=IN_FLIGHT)
    return verbs.ShelfRequest(run, workers=workers, **more)


def spent_nano(shelf: Path) -> int:
    """Return what the stores of a shelf count as spent; every one of them is sound."""
    total = 0
    for book in shelf.glob("*.book"):
        with Store.open(book) as store:
            assert [line for line in store.verify() if not line.startswith("call_has_a_run")] == []
            total += round(store.spent_usd() * NANO)
    return total


def ends(pid: int, *, timeout_s: float) -> bool:
    """Say whether a process that is no child of this one ends in time."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([process], [], [], timeout_s)[0])
    finally:
        os.close(process)


def nano(outcome: ShelfOutcome) -> int:
    return round(outcome.spent_usd * NANO)


def codes(outcome: ShelfOutcome) -> dict[str, int]:
    return {book.name: book.exit_code for book in outcome.books}


@pytest.mark.usefixtures("forked")
def test_the_book_of_a_killed_worker_is_taken_over_and_nothing_is_lost_or_asked_twice(tmp_path: Path) -> None:
    manuscripts = texts(3)
    shelf = make_shelf(tmp_path / "shelf", manuscripts)
    told: list[ShelfEvent] = []
    killed: list[str] = []

    def listen(event: ShelfEvent) -> None:
        told.append(event)
        for book in event.state.books:
            if not killed and book.phase == "running" and book.n_calls_done >= 3:
                killed.append(book.name)
                os.kill(book.pid, signal.SIGKILL)

    desk = Desk()
    with simulated(desk, latency__base_s=0.02, cache__readable="end") as sim:
        outcome = verbs.run(shelf, asked_of(sim), on_event=listen)
        cost = sim.totals()["cost_nano"]
    assert (outcome.exit_code, len(outcome.books)) == (0, 3), outcome
    assert {book.name: book.n_deaths for book in outcome.books if book.n_deaths} == {killed[0]: 1}
    assert [event.book for event in told if event.kind == "taken_over"] == killed
    twice = sum(n - 1 for n in Counter(desk.arrived).values())
    assert twice <= IN_FLIGHT, "what was stored was asked again"
    assert cost <= spent_nano(shelf) == nano(outcome), "the ledger is what the stores say"
    whole = make_book(tmp_path / "whole", manuscripts[killed[0].removesuffix(".book")])
    with simulated(Desk(), cache__readable="end") as sim:
        assert analyse(whole, sim, concurrency=IN_FLIGHT).exit_code == 0
    assert contents(shelf / killed[0]) == contents(whole)


@pytest.mark.usefixtures("forked")
def test_the_cap_of_all_holds_over_workers_and_resumes_and_a_rate_over_all_calls(tmp_path: Path) -> None:
    shelf = make_shelf(tmp_path / "shelf", texts(3))
    speed, rate = 12.0, 60
    with simulated(latency__base_s=0.05, clock=Clock(speed=speed)) as sim:
        cap = 2_000_001
        first = verbs.run(shelf, asked_of(sim, workers=3, cap_usd=cap / NANO))
        assert sim.totals()["cost_nano"] <= spent_nano(shelf) == nano(first) <= cap
        assert first.exit_code == 5 and set(codes(first).values()) == {5}
        assert all("the shelf's cap" in book.said for book in first.books)
        again = verbs.run(shelf, asked_of(sim, workers=2))
        assert again.cap_usd == cap / NANO and sim.totals()["cost_nano"] <= spent_nano(shelf) <= cap
        n_before = len(sim.rows())
        sped = dataclasses.replace(
            MACHINE,
            monotonic=lambda: time.monotonic() * speed,
            sleep=lambda seconds: MACHINE.sleep(seconds / speed),
        )
        last = verbs.run(shelf, asked_of(sim, workers=3, cap_usd=0.5, rate=f"{rate}/"), machine=sped)
        assert last.exit_code == 0
        arrivals = [row.arrival for row in sim.rows()[n_before:]]
    assert len(arrivals) > 8
    most = max(sum(start <= at < start + 60 for at in arrivals) for start in arrivals)
    assert most <= rate * 1.05, "a call may be some tenths of a second longer on its way than another"


@pytest.mark.usefixtures("forked")
def test_a_book_that_cannot_be_read_is_named_at_the_end_and_breaks_no_other(tmp_path: Path) -> None:
    shelf = make_shelf(tmp_path / "shelf", texts(1))
    (shelf / "broken.epub").write_bytes(b"PK\x03\x04 and then nothing")
    (shelf / "empty.book").mkdir()
    (shelf / "damaged.book").mkdir()
    (shelf / "damaged.book" / "analyzer.toml").write_text('manuscript = "../aske.txt"', "utf-8")
    (shelf / "damaged.book" / "book.duckdb").write_bytes(b"no database" * 1000)
    (shelf / "other.txt").write_text(CHAPTER, "utf-8")
    (shelf / os.fsdecode(b"name\xff.txt")).write_text(CHAPTER, "utf-8")
    expected = {"broken.book": 2, "damaged.book": 6, "empty.book": 2, "name\\udcff.book": 2, "other.book": 0}
    request = verbs.ShelfRequest(RunRequest(model="rules"), workers=2)
    before = sorted(shelf.iterdir())
    plan = verbs.plan(shelf, request)
    assert {book.name: book.exit_code for book in plan.books} == expected
    assert sorted(shelf.iterdir()) == before, "a plan makes no book and leaves nothing"
    known = BookState(name="damaged.book", spent_usd=0.25)
    write_state(shelf, ShelfState(pid=1, cap_usd=1.0, cap_set_at=5.0, has_ended=True, books=(known,)))
    outcome = verbs.run(shelf, request)
    assert outcome.exit_code == 6
    assert codes(outcome) == expected
    assert outcome.spent_usd == 0.25, "what a store that cannot be read was last known to have spent counts"
    broken = next(book for book in outcome.books if book.name == "broken.book")
    assert "broken.epub" in broken.said and broken.hint
    state = verbs.status(shelf)
    assert state is not None and not state.is_running
    assert {book.name: book.exit_code for book in state.state.books} == codes(outcome)


@pytest.mark.usefixtures("forked")
def test_ctrl_c_lets_what_is_in_flight_end_and_is_saved(tmp_path: Path) -> None:
    shelf = make_shelf(tmp_path / "shelf", texts(3))
    stopped: list[bool] = []

    def listen(event: ShelfEvent) -> None:
        if not stopped and any(book.n_calls_done for book in event.state.books):
            stopped.append(True)
            signal.raise_signal(signal.SIGINT)

    with simulated(latency__base_s=0.05) as sim:
        outcome = verbs.run(shelf, asked_of(sim), on_event=listen)
        cost = sim.totals()["cost_nano"]
    assert outcome.exit_code == 130 and set(codes(outcome).values()) == {130}
    assert outcome.books[2].said == "not begun"
    assert cost == spent_nano(shelf) == nano(outcome), "no call was given up"


def test_workers_whose_parent_was_killed_end_by_themselves_and_the_next_run_goes_on(tmp_path: Path) -> None:
    shelf = make_shelf(tmp_path / "shelf", texts(1))
    with simulated(latency__base_s=0.1) as sim:
        words = [sys.executable, "-m", "analyzer", "shelf", "run", str(shelf), "--model", MODEL, "--json", "--yes"]
        words += ["--base-url", sim.base_url, "--profile", "openai", "--workers", "1", *(f"--off={p}" for p in STORY)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, cwd=ROOT, text=True) as parent:
            assert parent.stdout is not None
            begun = next(row for row in map(json.loads, parent.stdout) if row["event"] == "started")
            worker = int(begun["text"].rpartition(" ")[2])
            sim.wait_arrived(3)
            os.kill(parent.pid, signal.SIGKILL)
        assert ends(worker, timeout_s=30)
        status = verbs.status(shelf)
        assert status is not None and not status.is_running and not status.state.has_ended
        assert sim.totals()["cost_nano"] <= spent_nano(shelf)


def test_a_second_run_of_a_shelf_is_refused(tmp_path: Path) -> None:
    shelf = make_shelf(tmp_path / "shelf", texts(1))
    with held(shelf), pytest.raises(StoreBusyError, match=f"process {os.getpid()}"):
        verbs.run(shelf)
    assert not (shelf / STATE_NAME).exists()


def test_a_folder_without_books_or_none_at_all_is_said_to_be_so(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("about", "utf-8")
    (tmp_path / ".hidden.txt").write_text(CHAPTER, "utf-8")
    (tmp_path / "notes").mkdir()
    for verb in (verbs.run, verbs.plan):
        with pytest.raises(InputError, match="no book and no manuscript"):
            verb(tmp_path)
        with pytest.raises(InputError, match="is no folder"):
            verb(tmp_path / "gone")
    assert verbs.status(tmp_path) is None
