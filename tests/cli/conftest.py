from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from analyzer import pipeline
from tests.cli.commands import Command, command
from tests.tiny import write_book


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book of the tiny serial after its run with gold; not to be changed."""
    manuscript = write_book(tmp_path_factory.mktemp("finished"))
    assert pipeline.run(manuscript, model="gold").exit_code == 0
    return pipeline.book_folder(manuscript)


@pytest.fixture
def own(finished: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(finished.parent, tmp_path / "own")
    return tmp_path / "own" / finished.name


@pytest.fixture
def analyzer(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """`analyzer WORDS` in this process."""
    return command(monkeypatch, capfd)
