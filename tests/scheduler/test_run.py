"""A whole run over a tiny book."""

from __future__ import annotations

from pathlib import Path

from analyzer.storage.store import Store
from tests.scheduler.tiny import STEPS, TINY, Teller, analyse, contents


async def test_a_run_settles_every_task_and_gives_handles_in_order_of_appearance(tmp_path: Path) -> None:
    outcome = await analyse(tmp_path, Teller())
    assert (outcome.exit_code, outcome.n_tasks, outcome.unanswered) == (0, len(STEPS) * 3, ())
    with Store.open(tmp_path) as store:
        handles = store.handles()
        assert list(handles.values()) == [f"@{n}" for n in range(1, len(handles) + 1)]
        assert {f.fact.fact for f in store.facts()} == {"form", "entity", "name", "presence", "claim", "vote"}


async def test_a_second_identical_run_sends_nothing_and_changes_nothing(tmp_path: Path) -> None:
    await analyse(tmp_path, Teller())
    before = contents(tmp_path)
    again = Teller()
    outcome = await analyse(tmp_path, again)
    assert (again.asked, outcome.n_calls, outcome.n_unchanged) == ([], 0, len(STEPS) * len(TINY.chapters))
    assert contents(tmp_path) == before
