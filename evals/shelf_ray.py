"""`python -m evals.shelf_ray`: a shelf on several Ray nodes of this machine, one killed mid-run, against the provider simulator.

Shows that nothing is lost (the bible of the killed node's book is that of a run nobody disturbed), that nothing is paid
twice beyond what was in flight, and that the cap holds over all nodes, by the simulator's own books. Loopback only, bounded in
time, ends what it started. Needs the extra `analyzer[ray]`. Exit code 1 where a bound fails. Run it from the repository's root.
"""

from __future__ import annotations

import argparse
import faulthandler
import importlib
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from analyzer.errors import AnalyzerError
from analyzer.running import RunRequest
from analyzer.shelf import verbs
from analyzer.shelf.on_ray import load_ray
from analyzer.shelf.register import ShelfEvent, ShelfOutcome
from analyzer.storage.store import Store
from evals.command import command, show
from tests.e2e.tiny import MODEL, SERIAL, STORY, analyse, contents, forgetful, make_book, request_hash, simulated
from tests.simulator import Simulator

NANO = 1_000_000_000
IN_FLIGHT = 6
HOST = "127.0.0.1"
ROOT = Path(__file__).parents[1]
PLACES = ("Aske", "Brill", "Corran", "Dunmore", "Eddering", "Fallow", "Garth", "Holm")
CHAPTER = SERIAL[: SERIAL.index("Chapter 2")]
GRACE_S = 20
"""Seconds after the alarm in which the cluster may end in order; Ray's reaper ends what is left."""
CAP_SHARE = 0.4
"""Share of what the whole shelf costs that the first run may spend."""


class Check(NamedTuple):
    """One bound: what is held against what."""

    what: str
    found: str
    holds: bool


@dataclass
class Node:
    """One Ray node of this machine: its raylet's process id."""

    raylet: int

    def workers(self) -> list[int]:
        """Return the processes of the node: the children of its raylet."""
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                if int(stat.read_text("utf-8", "replace").rpartition(")")[2].split()[1]) == self.raylet:
                    found.append(int(stat.parent.name))
        return found

    def kill(self) -> None:
        """End the node as a power cut does: raylet and workers at once."""
        for pid in (*self.workers(), self.raylet):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@contextmanager
def cluster(n_nodes: int) -> Iterator[list[Node]]:
    """Start a head that runs no books and so many nodes that run one at a time; all end with the context."""
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = (
        "0"  # Ray then takes the loopback for every address of this machine
    )
    ray = load_ray()
    utils: Any = importlib.import_module("ray.cluster_utils")
    head = {"num_cpus": 0, "node_ip_address": HOST, "include_dashboard": False}
    made = utils.Cluster(initialize_head=True, head_node_args=head)
    try:
        nodes = [made.add_node(num_cpus=1, node_ip_address=HOST, include_dashboard=False) for _ in range(n_nodes)]
        made.wait_for_nodes()
        ray.init(address=made.address, namespace="analyzer", log_to_driver=False, logging_level="ERROR")
        yield [Node(node.all_processes["raylet"][0].process.pid) for node in nodes]
    finally:
        ray.shutdown()
        made.shutdown()


@dataclass
class Murder:
    """Kills the node of the first book that is well under way, once."""

    nodes: Sequence[Node]
    victim: str = ""
    told: list[ShelfEvent] = field(default_factory=list)

    def event(self, event: ShelfEvent) -> None:
        """Look at an event and kill where it is time."""
        self.told.append(event)
        for book in event.state.books:
            if not self.victim and book.phase == "running" and book.n_calls_done >= 5:
                node = next((node for node in self.nodes if book.pid in node.workers()), None)
                if node is not None:
                    self.victim = book.name
                    node.kill()


@dataclass
class Arrived:
    """The simulator's answerer, which keeps what arrived."""

    hashes: list[str] = field(default_factory=list)

    def __call__(self, body: dict[str, Any]) -> str:
        """Answer by the words of a question alone."""
        self.hashes.append(request_hash(body))
        return forgetful(body)


def make_shelf(folder: Path, n_books: int) -> Path:
    """Write so many manuscripts, no two of the same words."""
    folder.mkdir()
    for place in PLACES[:n_books]:
        (folder / f"{place.lower()}.txt").write_text(manuscript(place), "utf-8")
    return folder


def manuscript(place: str) -> str:
    """Return the small serial as it plays at a place."""
    return CHAPTER.replace("Harrow Point", f"{place} Point")


def spent_nano(shelf: Path) -> int:
    """Return what the stores of a shelf count as spent; every one of them is sound."""
    total = 0
    for book in shelf.glob("*.book"):
        with Store.open(book) as store:
            faults = [line for line in store.verify() if not line.startswith("call_has_a_run")]
            if faults:
                raise AnalyzerError(f"{book.name}: {faults[0]}")
            total += round(store.spent_usd() * NANO)
    return total


def asked(sim: Simulator, n_workers: int, cap_usd: float) -> verbs.ShelfRequest:
    """Return the request of a shelf run on the cluster."""
    run = RunRequest(model=MODEL, base_url=sim.base_url, profile="openai", off=STORY, concurrency=IN_FLIGHT)
    return verbs.ShelfRequest(run, workers=n_workers, cap_usd=cap_usd, ray="auto")


def whole_cost(folder: Path, n_books: int) -> int:
    """Return about what the shelf costs, in nano-dollars: one book's cost times their number."""
    book = make_book(folder / "one", manuscript(PLACES[0]))
    with simulated(Arrived(), cache__readable="end") as sim:
        analyse(book, sim, concurrency=IN_FLIGHT)
        cost: int = sim.totals()["cost_nano"]
    return cost * n_books


def capped(folder: Path, n_books: int, n_workers: int, cost: int) -> list[Check]:
    """Run a shelf under a cap that is too small, and hold it against the provider's books."""
    shelf = make_shelf(folder / "capped", n_books)
    cap = round(cost * CAP_SHARE)
    with simulated(Arrived(), latency__base_s=0.05, cache__readable="end") as sim:
        outcome = verbs.run(shelf, asked(sim, n_workers, cap / NANO))
        billed: int = sim.totals()["cost_nano"]
    counted = spent_nano(shelf)
    return [
        Check("the cap stops the shelf", f"exit code {outcome.exit_code}", outcome.exit_code == 5),
        Check(
            "billed <= stores <= cap, in nano-dollars",
            f"{billed:,} <= {counted:,} <= {cap:,}",
            billed <= counted <= cap,
        ),
        Check("the ledger is what the stores say", f"{_nano(outcome):,}", _nano(outcome) == counted),
    ]


def killed(folder: Path, n_books: int, nodes: Sequence[Node], cost: int) -> list[Check]:
    """Run a shelf, kill a node mid-run, and look at what became of its book."""
    shelf = make_shelf(folder / "killed", n_books)
    murder, desk = Murder(nodes), Arrived()
    started = time.monotonic()
    with simulated(desk, latency__base_s=0.3, cache__readable="end") as sim:
        outcome = verbs.run(shelf, asked(sim, len(nodes), 3 * cost / NANO), on_event=murder.event)
        billed: int = sim.totals()["cost_nano"]
    wall_s = time.monotonic() - started
    counted = spent_nano(shelf)
    twice = sum(n - 1 for n in Counter(desk.hashes).values())
    over = [event.book for event in murder.told if event.kind == "taken_over"]
    return [
        Check("every book is done", f"exit codes {[b.exit_code for b in outcome.books]}", outcome.exit_code == 0),
        Check("a node was killed and its book taken over", f"{murder.victim or 'none'}", murder.victim in over),
        Check(
            "calls asked twice", f"{twice} of {len(desk.hashes)} (in flight at most {IN_FLIGHT})", twice <= IN_FLIGHT
        ),
        Check("billed <= stores, in nano-dollars", f"{billed:,} <= {counted:,}", billed <= counted),
        Check("the ledger is what the stores say", f"{_nano(outcome):,}", _nano(outcome) == counted),
        Check("its bible is that of an undisturbed run", murder.victim, _is_whole(folder, shelf, murder.victim)),
        Check("time, with the node's death", f"{wall_s:.1f} s", True),
    ]


def stopped(folder: Path, n_books: int, n_workers: int, cost: int) -> list[Check]:
    """Run a shelf and stop it as Ctrl-C does once calls are answered."""
    shelf = make_shelf(folder / "stopped", n_books)
    told: list[bool] = []

    def listen(event: ShelfEvent) -> None:
        if not told and any(book.n_calls_done for book in event.state.books):
            told.append(True)
            signal.raise_signal(signal.SIGINT)

    with simulated(Arrived(), latency__base_s=0.3, cache__readable="end") as sim:
        outcome = verbs.run(shelf, asked(sim, n_workers, 3 * cost / NANO), on_event=listen)
        billed: int = sim.totals()["cost_nano"]
    counted = spent_nano(shelf)
    return [
        Check("Ctrl-C stops all books in order", f"exit code {outcome.exit_code}", outcome.exit_code == 130),
        Check(
            "no call was given up: billed = stores", f"{billed:,} = {counted:,}", billed == counted == _nano(outcome)
        ),
    ]


def _nano(outcome: ShelfOutcome) -> int:
    return round(outcome.spent_usd * NANO)


def _is_whole(folder: Path, shelf: Path, victim: str) -> bool:
    if not victim:
        return False
    place = next(place for place in PLACES if f"{place.lower()}.book" == victim)
    book = make_book(folder / "whole", manuscript(place))
    with simulated(Arrived(), cache__readable="end") as sim:
        analyse(book, sim, concurrency=IN_FLIGHT)
    return contents(book) == contents(shelf / victim)


def _late(_number: int, _frame: object) -> None:
    raise AnalyzerError("the time for this is over", hint="give more with --timeout-s")


@command
def main(argv: Sequence[str] | None = None) -> int:
    """Start the cluster, run both shelves, print the bounds; returns 0 where all hold."""
    parser = argparse.ArgumentParser(prog="python -m evals.shelf_ray", description=__doc__)
    parser.add_argument("--books", type=int, default=5, choices=range(2, len(PLACES) + 1), metavar="N")
    parser.add_argument("--nodes", type=int, default=3, choices=range(2, 9), metavar="N")
    parser.add_argument("--timeout-s", type=int, default=300, metavar="S")
    given = parser.parse_args(argv)
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(given.timeout_s)
    faulthandler.dump_traceback_later(given.timeout_s + GRACE_S, exit=True)  # where Ray's own code hears no alarm
    try:
        with tempfile.TemporaryDirectory() as made, cluster(given.nodes) as nodes:
            folder = Path(made)
            cost = whole_cost(folder, given.books)
            checks = capped(folder, given.books, given.nodes, cost)
            checks += stopped(folder, given.books, given.nodes, cost)
            checks += killed(folder, given.books, nodes, cost)
    finally:
        signal.alarm(0)
        faulthandler.cancel_dump_traceback_later()
    show(f"{given.books} books on {given.nodes} Ray nodes of one machine, simulated provider")
    for check in checks:
        show(f"{'ok  ' if check.holds else 'FAIL'}  {check.what}: {check.found}")
    return 0 if all(check.holds for check in checks) else 1


if __name__ == "__main__":
    sys.exit(main())
