"""What a terminal shows: narrow ones, dumb ones, pipes; and commands in hints that can be typed as they stand."""

from __future__ import annotations

import fcntl
import os
import pty
import shlex
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.cli._screen import print_table
from analyzer.wording import typed
from tests.cli.commands import ROOT, Command
from tests.tiny import write_book


def on_a_terminal(columns: int, *words: object, term: str = "xterm-256color") -> str:
    """Return what `analyzer WORDS` writes to a terminal of this width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")}
    child = subprocess.Popen(
        [sys.executable, "-m", "analyzer", *map(str, words)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=ROOT,
        env={**environment, "TERM": term},
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux tells the end of a terminal so
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    assert child.wait(60) == 0
    return shown.decode("utf-8")


@pytest.mark.parametrize("columns", [40, 60])
def test_a_narrow_terminal_shows_every_cell_whole_and_no_line_is_longer(finished: Path, columns: int) -> None:
    shown = on_a_terminal(columns, "show", "relations", finished, term="dumb")
    lines = [line.rstrip("\r") for line in shown.split("\n")]
    assert max(map(len, lines)) <= columns
    together = " ".join(shown.split())
    for row in pipeline.show_relations(finished):
        for cell in (
            f"{row.subject} {row.subject_name}",
            f"relation {row.relation}",
            f"whom {row.object} {row.object_name}",
        ):
            assert cell in together


def test_a_wide_terminal_shows_a_table_with_one_line_a_relation(finished: Path) -> None:
    shown = on_a_terminal(220, "show", "relations", finished, term="dumb")
    rows = [line for line in shown.split("\n") if line.startswith(" @")]
    assert len(rows) == len(pipeline.show_relations(finished))


@pytest.mark.parametrize(
    "text", ["리안의 아버지 " * 6, "王二小在河边" * 8, "x" * 70], ids=["korean", "chinese", "no spaces"]
)
def test_no_cell_of_a_narrow_table_loses_a_character(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    monkeypatch.setattr("analyzer.cli._screen.WIDTH", 18)
    print_table(("who", "what", "n"), [("@1 Anna", text, 3), ("@2 Bo", "", 4)], right=(2,), title="a title")
    shown = capsys.readouterr().out
    assert "".join(text.split()) in "".join(shown.split())
    assert shown.startswith("a title") and "@2 Bo" in shown and "n 4" in shown


def test_the_first_line_of_a_table_is_never_empty(analyzer: Command, finished: Path) -> None:
    for words in (("show", "cast"), ("show", "relations"), ("bill",), ("bill", "--calls"), ("chapters",), ("plan",)):
        assert analyzer(*words, finished).out.split("\n")[0].strip(), words


def test_progress_stays_on_one_line_of_a_narrow_terminal(tmp_path: Path) -> None:
    shown = on_a_terminal(40, "run", write_book(tmp_path), "--model", "gold")
    rewritten = [piece.split("\r")[0].split("\n")[0] for piece in shown.split("\r\x1b[K")[1:]]
    assert any(piece.startswith("calls ") for piece in rewritten)
    assert all(len(piece) < 40 for piece in rewritten if piece.startswith("calls "))


def test_a_terminal_that_cannot_go_back_gets_no_control_characters(tmp_path: Path) -> None:
    shown = on_a_terminal(80, "run", write_book(tmp_path), "--model", "gold", term="dumb")
    assert "\x1b" not in shown and "calls " in shown


FOLDERS = ["with space", "한글 책", 'it\'s "quoted"', "$HOME; true"]


@pytest.mark.parametrize("name", FOLDERS)
def test_commands_in_hints_can_be_typed_whatever_the_path(analyzer: Command, tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    manuscript = write_book(tmp_path / name)
    said = analyzer("run", manuscript, "--model", "rules").err
    book = pipeline.book_folder(manuscript)
    for line in (f"see: {typed('show', 'cast', book)}   ", f"stands in: {typed('bill', book)}"):
        assert line in said
    hint = analyzer("show", "chapter", book, 99).err.partition("see: ")[2].strip()
    words = shlex.split(hint)
    assert words == ["analyzer", "chapters", str(book)]
    assert analyzer(*words[1:]).code == 0


def test_a_book_reached_by_a_link_is_the_same_book(analyzer: Command, own: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(own)
    assert analyzer("show", "cast", link).out == analyzer("show", "cast", own).out
    assert " 0 calls" in analyzer("run", link, "--model", "gold").err
