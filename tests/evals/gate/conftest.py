from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from evals import __main__ as command
from evals import gate
from evals.gate import Sources
from tests.evals.gate.mill import sources


@pytest.fixture(scope="package")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    """The gate over the mill with baselines as it is undamaged; not to be written to."""
    made = sources(tmp_path_factory.mktemp("mill"))
    gate.accept(gate.go(made), reason="", root=made.baselines)
    return made


@pytest.fixture
def mine(accepted: Sources, tmp_path: Path) -> Sources:
    """The same with baselines of the test's own."""
    shutil.copytree(accepted.baselines, tmp_path / "baselines")
    return replace(accepted, baselines=tmp_path / "baselines", recordings=tmp_path / "recordings")


@pytest.fixture(autouse=True)
def one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of the gate's command stay in this process, where a test's own cases and answers are."""
    monkeypatch.setattr(command, "JOBS", 1)
