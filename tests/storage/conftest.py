from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.storage.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "book", create=True) as opened:
        yield opened
