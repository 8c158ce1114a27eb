from __future__ import annotations

import pytest

from tests.cli.commands import Command, command


@pytest.fixture
def analyzer(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """`analyzer WORDS` in this process."""
    return command(monkeypatch, capfd)
