from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path

import pytest

from analyzer.scheduler.run import MACHINE, run_book
from tests.e2e.tiny import analyse, contents, make_book, simulated


@pytest.fixture(autouse=True)
def _retries_wait_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits between tries would make the suite sleep; how long they are is tested with the scheduler."""

    async def no_wait(_seconds: float) -> None:
        await asyncio.sleep(0)

    quick = dataclasses.replace(MACHINE, sleep=no_wait, jitter=lambda: 0.0)
    assert run_book.__kwdefaults__ is not None
    monkeypatch.setitem(run_book.__kwdefaults__, "machine", quick)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return make_book(tmp_path / "tiny")


@pytest.fixture(scope="session")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny book after a run in which nothing went wrong; only to be read."""
    folder = make_book(tmp_path_factory.mktemp("calm") / "tiny")
    with simulated() as sim:
        assert analyse(folder, sim).exit_code == 0
    return folder


@pytest.fixture(scope="session")
def whole_calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny book with all parts of the story, after a run in which nothing went wrong; only to be read."""
    folder = make_book(tmp_path_factory.mktemp("whole") / "tiny", off=())
    with simulated() as sim:
        assert analyse(folder, sim).exit_code == 0
    return folder


@pytest.fixture(scope="session")
def undisturbed(calm: Path) -> dict[str, list[tuple[object, ...]]]:
    """What the tiny book comes to where nothing goes wrong."""
    return contents(calm)
