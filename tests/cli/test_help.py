from __future__ import annotations

import subprocess
import sys

import pytest

from analyzer.cli._story import SHOWN
from tests.cli.commands import ROOT, Command

COMMANDS = (
    "init", "chapters", "plan", "run", "status", "bill", "show", "timeline", "changes", "threads", "knows", "why", "review",
    "decide", "export", "verify",
)  # fmt: skip
HEAVY = ("pydantic", "duckdb", "openai", "litellm", "rich.console", "networkx", "tiktoken", "analyzer.pipeline")


def test_help_lists_every_command_with_a_sentence(analyzer: Command) -> None:
    said = analyzer("--help")
    assert said.code == 0 and said.err == ""
    for name in COMMANDS:
        [line] = [line for line in said.out.splitlines() if line.strip().startswith(f"{name} ")]
        assert len(line.split()) > 3


@pytest.mark.parametrize(
    "words",
    [(name,) for name in COMMANDS]
    + [("show", n) for n in ("cast", "relations", "chapter", *(one.name for one in SHOWN))],
)
def test_every_command_has_help_for_each_of_its_options(analyzer: Command, words: tuple[str, ...]) -> None:
    said = analyzer(*words, "--help")
    assert said.code == 0
    options = [line for line in said.out.splitlines() if line.strip().startswith("--")]
    assert all(len(line.split()) > 1 for line in options)


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['analyzer', '--help']\n"
        "from analyzer.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        f"print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True, timeout=60
    )
    assert done.stderr.strip() == "[]"


def test_no_words_show_the_help(analyzer: Command) -> None:
    said = analyzer()
    assert "Usage" in said.out + said.err


@pytest.mark.parametrize(
    "words", [("frob",), ("run",), ("show", "plot", "x"), ("run", "x", "--capusd", "1"), ("plan", "x", "y")]
)
def test_words_that_are_no_command_are_a_usage_error(analyzer: Command, words: tuple[str, ...]) -> None:
    said = analyzer(*words)
    assert said.code == 2 and said.out == "" and said.err
