"""Half a run is never scored, and a result replaces nothing but a file."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

from analyzer import pipeline
from evals.__main__ import main

RUN = pipeline.run


def test_ctrl_c_in_a_run_writes_no_result_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped_early(*args: Any, **wishes: Any) -> Any:
        told = []

        def stop(event: Any) -> None:
            if event.progress.n_calls_done > 3 and not told:
                told.append(event)
                signal.raise_signal(signal.SIGINT)

        return RUN(*args, **wishes, on_event=stop)

    monkeypatch.setattr(pipeline, "run", stopped_early)
    out = tmp_path / "result.json"
    assert main(["run", "--answers", "rules", "--cases", "goose", "--out", str(out)]) == 130
    assert not out.exists()
    assert "interrupted" in capsys.readouterr().err


def test_a_result_replaces_no_folder_and_no_device(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--answers", "rules", "--cases", "goose", "--out", str(tmp_path)]) == 2
    assert "no ordinary file" in capsys.readouterr().err
    assert tmp_path.is_dir()
