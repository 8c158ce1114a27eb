"""A shelf on Ray: what actors and a task do, without Ray; and the whole on several nodes, where it is installed."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from analyzer.errors import BudgetReachedError, ConfigError
from analyzer.running import RunRequest
from analyzer.shelf import verbs
from analyzer.shelf.ledger import Account
from analyzer.shelf.on_ray import load_ray
from analyzer.shelf.ray_actors import Cluster, LedgerActor, LimiterActor, RayLedger, RayLimiter, run_book
from analyzer.shelf.wire import ParentGoneError
from analyzer.shelf.worker import request_as_message
from analyzer.storage.store import Store
from tests.e2e.tiny import MODEL, STORY, make_book, simulated
from tests.shelf.test_shelf_runs import CHAPTER, ROOT

NANO = 1_000_000_000


class Gone(Exception):
    """What the engine raises where an actor is lost."""


class Method:
    def __init__(self, handle: Handle, name: str) -> None:
        self._handle, self._name = handle, name

    def remote(self, *words: Any) -> Any:
        """Start the method, as an engine does: in the order called, and whoever waits for it may stop waiting."""
        if self._handle.is_lost:
            lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            lost.set_exception(Gone())
            return lost
        return asyncio.shield(asyncio.ensure_future(getattr(self._handle.actor, self._name)(*words)))


class Handle:
    """An actor as others reach it."""

    def __init__(self, actor: Any) -> None:
        self.actor, self.is_lost = actor, False

    def __getattr__(self, name: str) -> Method:
        return Method(self, name)


def cluster(cap: int | None, **accounts: Account) -> Cluster:
    ledger: Any = Handle(LedgerActor(cap, {name: asdict(account) for name, account in accounts.items()}))
    limiter: Any = Handle(LimiterActor(None, None))
    return Cluster(ledger, limiter, lambda asked: asked.cancel(), Gone)


async def counted(made: Cluster) -> int:
    accounts, _ = await made.ledger.actor.news()
    return sum(account["spent_nano"] + account["open_nano"] for account in accounts.values())


async def test_a_task_reserves_at_the_actor_and_settles_before_its_lease_ends() -> None:
    made = cluster(10, a=Account(ever_nano=5, before_nano=2, spent_nano=2))
    lease = await made.ledger.actor.lend("a")
    ledger = RayLedger(made, "a", lease)
    await ledger.opened(6)
    assert await counted(made) == 3, "what is in the store beyond what was there at the start is spent"
    await ledger.reserve(4)
    await ledger.reserve(3)
    with_three_more = asyncio.create_task(ledger.reserve(3))
    ledger.settle(4, 1)
    ledger.settle(3, 3)
    await with_three_more
    ledger.settle(3, 0)
    await ledger.close()
    await made.ledger.actor.died("a", lease)
    assert await counted(made) == 7
    with pytest.raises(BudgetReachedError, match="the shelf's cap"):
        lease = await made.ledger.actor.lend("a")
        await RayLedger(made, "a", lease).reserve(4)


async def test_a_reservation_given_up_is_taken_back_however_far_it_has_come() -> None:
    made = cluster(10, a=Account())
    lease = await made.ledger.actor.lend("a")
    ledger = RayLedger(made, "a", lease)
    for n_turns in range(6):
        asked = asyncio.create_task(ledger.reserve(9))
        for _ in range(n_turns):
            await asyncio.sleep(0)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        if not asked.cancelled():
            ledger.settle(9, 0)
        for _ in range(8):
            await asyncio.sleep(0)
        assert await counted(made) == 0, n_turns
    await made.ledger.actor.drop("a", lease, 99)
    assert await made.ledger.actor.reserve("a", lease, 99, 5) is None, "the words overtook each other"
    assert await counted(made) == 0


async def test_a_task_whose_actors_are_lost_asks_nobody_any_more() -> None:
    made = cluster(10, a=Account())
    made.ledger.is_lost = made.limiter.is_lost = True
    with pytest.raises(ParentGoneError):
        await RayLedger(made, "a", 1).reserve(1)
    with pytest.raises(ParentGoneError):
        await RayLimiter(made).enter(1)


async def test_the_limiter_is_told_of_a_429_and_says_so() -> None:
    made = cluster(None)
    limiter = RayLimiter(made)
    await limiter.enter(5)
    limiter.turned_away(0.0)
    await asyncio.sleep(0)
    share, n_turned_away = await made.limiter.actor.news()
    assert share < 1.0 and n_turned_away == 1


def test_a_task_runs_a_book_and_leaves_the_signals_as_they_were(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    book = make_book(tmp_path / "tiny", CHAPTER)
    with simulated() as sim:
        request = RunRequest(model=MODEL, base_url=sim.base_url, profile="openai", off=STORY)
        made = cluster(NANO, a=Account())
        made.ledger.actor._ledger.lend("a")
        result = run_book({"path": str(book), "request": request_as_message(request)}, "a", 1, made)
        cost = sim.totals()["cost_nano"]
    assert result["exit_code"] == 0 and result["error"] is None
    assert made.ledger.actor._ledger.counted_nano == cost
    with Store.open(book) as store:
        assert round(store.spent_usd() * NANO) == cost
    assert signal.getsignal(signal.SIGINT) == before
    lost = run_book({"path": str(tmp_path / "gone"), "request": request_as_message(request)}, "a", 1, made)
    assert lost["exit_code"] == 2 and lost["error"]["class"] == "InputError"


def test_without_ray_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ConfigError, match="not installed") as refused:
        load_ray()
    assert "analyzer[ray]" in refused.value.hint


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed (extra: analyzer[ray])")
def test_a_shelf_on_several_nodes_loses_nothing_where_one_is_killed() -> None:
    words = [sys.executable, "-m", "evals.shelf_ray", "--books", "3", "--nodes", "2", "--timeout-s", "200"]
    done = subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, timeout=260, check=False, env=dict(os.environ)
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="Ray is installed")
def test_a_shelf_run_on_a_cluster_is_refused_before_anything_is_sent_where_ray_is_missing(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(CHAPTER, "utf-8")
    with pytest.raises(ConfigError, match="not installed"):
        verbs.run(tmp_path, verbs.ShelfRequest(RunRequest(model="rules"), workers=1, ray="auto"))
