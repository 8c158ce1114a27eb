"""The command line as a user meets it: in this process for speed, as a process of its own where that matters."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
import typer.main

from analyzer.cli import main

ROOT = Path(__file__).parent.parent.parent


class Said(NamedTuple):
    """What a command left: exit code, stdout, stderr."""

    code: int
    out: str
    err: str


Command = Callable[..., Said]
_tree = cache(typer.main.get_command)
"""The commands as typer makes them of our functions: the same for every call, and half of what a short one takes."""


def command(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Return a function that runs `analyzer WORDS` in this process."""

    def run(*words: object) -> Said:
        capfd.readouterr()
        monkeypatch.setattr(sys, "argv", ["analyzer", *map(str, words)])
        monkeypatch.setattr(typer.main, "get_command", _tree)
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
        left = capfd.readouterr()
        return Said(code, left.out, left.err)

    return run


def spawn(*words: object, input: str | None = None, **environment: str) -> Said:
    """Run `python -m analyzer WORDS` as a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "analyzer", *map(str, words)],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        cwd=ROOT,
        stdin=subprocess.DEVNULL if input is None else None,
        input=input,
        env={**os.environ, **environment},
        check=False,
    )
    return Said(done.returncode, done.stdout, done.stderr)
