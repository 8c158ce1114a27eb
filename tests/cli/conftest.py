from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.cli.commands import Command, command
from tests.cli.tale_book import tale_book
from tests.export.story_tale import LANGUAGES


@pytest.fixture
def analyzer(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """`analyzer WORDS` in this process."""
    return command(monkeypatch, capfd)


@pytest.fixture(scope="session")
def tales(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The book of the tale in each language; not to be changed."""
    folder = tmp_path_factory.mktemp("tales")
    return {language: tale_book(folder / language, words) for language, words in LANGUAGES.items()}


@pytest.fixture(scope="session")
def tale(tales: dict[str, Path]) -> Path:
    return tales["en"]


@pytest.fixture
def own_tale(tale: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(tale.parent, tmp_path / "own")
    return tmp_path / "own" / tale.name


@pytest.fixture(scope="session")
def ended_tale(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Path]:
    """The book of the tale that ends with a chapter; not to be changed."""
    folder = tmp_path_factory.mktemp("ended")
    return cache(lambda through: tale_book(folder / str(through), LANGUAGES["en"], through=through))
