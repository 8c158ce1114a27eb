"""Commands that can be pasted whatever a path is called, and numbers with their noun."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.wording import as_typed, counted, listed, numbered, typed

BASH = shutil.which("bash")
NAMES = [
    "-rf.txt",
    "--book",
    "a b",
    'it\'s "so"',
    "line\nbreak",
    "tab\there",
    "$HOME; true",
    "책 한 권",
    "e\x1b[31m",
    "\\n",
    "-\n'",
]


def read_by_a_shell(line: str) -> list[bytes]:
    assert BASH is not None
    told = subprocess.run(
        [BASH, "--norc", "-c", f"analyzer() {{ printf '%s\\0' \"$@\"; }}; {line}"],
        capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    return told.stdout.split(b"\0")[:-1]


@pytest.mark.skipif(BASH is None, reason="no bash")
@pytest.mark.parametrize("name", [*NAMES, os.fsdecode(b"b\xff")])
def test_a_path_is_read_back_by_a_shell_on_one_line_and_is_no_option(name: str) -> None:
    line = typed("show", "cast", Path(name), "--json")
    assert line.isprintable()
    show, cast, path, json = read_by_a_shell(line)
    assert (show, cast, json) == (b"show", b"cast", b"--json") and not path.startswith(b"-")
    assert Path(os.fsdecode(path)) == Path(name)


@pytest.mark.skipif(BASH is None, reason="no bash")
@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12))
def test_any_word_is_read_back_as_it_was(word: str) -> None:
    assert read_by_a_shell(f"analyzer {as_typed(word)}") == [word.encode()]


def test_numbers_stand_with_their_noun() -> None:
    assert [counted(n, "call") for n in (0, 1, 2, 12_000)] == ["0 calls", "1 call", "2 calls", "12,000 calls"]
    assert [counted(n, "entry", "entries") for n in (1, 2)] == ["1 entry", "2 entries"]
    assert (numbered("chapter", [1]), numbered("chapter", [1, 4])) == ("chapter 1", "chapters 1, 4")
    assert listed(range(1, 10)) == "1, 2, 3, 4, 5, 6, 7, 8, …"
