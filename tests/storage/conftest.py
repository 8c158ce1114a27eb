from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.storage import db
from analyzer.storage.store import Store
from tests.conftest import Making


@pytest.fixture(autouse=True)
def _stores_are_really_made(making: Making, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here rests on the copies that other tests begin with."""
    monkeypatch.setattr(db, "_create", making.really)


@pytest.fixture
def store(making: Making, tmp_path: Path) -> Iterator[Store]:
    """An empty store, of which how it was made is not the matter."""
    making.copied(tmp_path / "book" / db.FILE_NAME)
    with Store.open(tmp_path / "book") as opened:
        yield opened
