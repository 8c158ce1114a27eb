from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.errors import StoreError
from analyzer.storage.db import FILE_NAME
from analyzer.storage.store import Store

ROUNDS = 60
"""At least 50 random moments; some 150 ms each."""
FOLDERS = 12


@pytest.fixture
def forker() -> Iterator[subprocess.Popen[str]]:
    here = Path(__file__).parent
    child = subprocess.Popen(
        [sys.executable, str(here / "kill_child.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    with child:
        yield child
        assert child.stdin is not None
        child.stdin.close()


def killed_at(
    forker: subprocess.Popen[str], order: str, *, after_lines: int, delay_s: float
) -> dict[str, dict[str, str]]:
    """Return what a writer reported, by kind, before SIGKILL met it after so many lines and a moment more."""
    assert forker.stdin is not None
    assert forker.stdout is not None
    print(order, file=forker.stdin, flush=True)
    started = forker.stdout.readline().split()
    while started[0] != "start":  # a line of the child may come before that of its parent
        started = forker.stdout.readline().split()
    said: dict[str, dict[str, str]] = {"reserved": {}, "answer": {}, "task": {}}
    killer = threading.Timer(delay_s, os.kill, (int(started[1]), signal.SIGKILL))
    if not after_lines:
        killer.start()
    for n_lines, line in enumerate(forker.stdout, 1):
        kind, _, rest = line.strip().partition(" ")
        if kind == "end":
            assert rest == f"{-signal.SIGKILL}", "the writer ended by itself"
            break
        name, _, more = rest.partition(" ")
        said[kind][name] = more
        if n_lines == after_lines:
            killer.start()
    killer.join()
    return said


def test_nothing_that_was_reported_stored_is_lost_to_a_kill(tmp_path: Path, forker: subprocess.Popen[str]) -> None:
    rng = random.Random(20)
    told: list[dict[str, set[str]]] = [{"reserved": set(), "answer": set()} for _ in range(FOLDERS)]
    tasks: list[dict[str, int]] = [{} for _ in range(FOLDERS)]
    for number in range(ROUNDS):
        at = number % FOLDERS
        folder = tmp_path / f"book-{at}"
        said = killed_at(
            forker,
            f"{folder} {number} {rng.choice(['16MB', '20KB'])}",
            after_lines=rng.choice([0, 0, 1, rng.randint(2, 40), rng.randint(40, 400)]),
            delay_s=rng.uniform(0, 0.05),
        )
        for kind in told[at]:
            told[at][kind] |= set(said[kind])
        tasks[at].update({name: int(n_facts) for name, n_facts in said["task"].items()})
        if not (folder / FILE_NAME).exists():
            assert not any(said.values())
            continue
        with Store.open(folder) as store:
            answers = {row[0] for row in store.export_rows("answers")}
            assert told[at]["answer"] <= answers
            assert told[at]["reserved"] <= {row[0] for row in store.export_rows("call_starts")}
            assert set(tasks[at]) <= {str(row.chapter) for row in store.tasks()}
            _whole(store)
    assert sum(len(kinds["answer"]) for kinds in told) > 1000
    assert sum(len(found) for found in tasks) > 100


def _whole(store: Store) -> None:
    """Every task has all of its facts, every settled call all it brought; nothing else is wrong but runs never opened."""
    assert [line for line in store.verify() if not line.startswith("call_has_a_run: ")] == []
    settled = {row[0] for row in store.export_rows("call_ends")}
    answered = {row[0].removeprefix("reuse:").rpartition("-")[0] for row in store.export_rows("answers")}
    assert {call_id.removeprefix("call-") for call_id in settled} == answered


def test_a_store_of_a_killed_run_counts_its_open_calls_in_full(tmp_path: Path, forker: subprocess.Popen[str]) -> None:
    killed_at(forker, f"{tmp_path} 1 16MB", after_lines=100, delay_s=0.0)
    with Store.open(tmp_path) as store:
        n_open = sum(not call.settled for call in store.calls("run-1"))
        n_settled = sum(call.settled for call in store.calls("run-1"))
        before = store.spent_usd()
        assert before == 0.5 * n_open + 0.125 * n_settled
        assert store.close_open_calls("run-1") == n_open
        assert store.spent_usd() == before


def test_a_book_whose_log_was_cut_short_opens_with_what_came_before(
    tmp_path: Path, forker: subprocess.Popen[str]
) -> None:
    """A power cut may leave part of the last record of the log; what was whole before it stands."""
    killed_at(forker, f"{tmp_path} 1 16MB", after_lines=200, delay_s=0.0)
    log = tmp_path / f"{FILE_NAME}.wal"
    log.write_bytes(log.read_bytes()[:-7])
    try:
        with Store.open(tmp_path) as store:
            assert len(store.all_answers()) > 10
            _whole(store)
    except StoreError as error:  # refusing it plainly would do too
        pytest.fail(f"a torn log stops the book: {error}")
