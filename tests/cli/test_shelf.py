"""`analyzer shelf`: what is said of many books."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.cli._shelf_screen import ShelfScreen
from analyzer.shelf.register import ShelfEvent
from analyzer.shelf.state import BookState, ShelfState, held, write_state
from tests.cli.commands import Command, command
from tests.tiny import write_book


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    return command(monkeypatch, capfd)


def test_a_shelf_is_planned_run_and_looked_at(tmp_path: Path, run: Command) -> None:
    shelf = tmp_path / "shelf"
    write_book(shelf, title="aske")
    (shelf / "broken.docx").write_bytes(b"PK\x03\x04")
    assert "no run of this shelf" in run("shelf", "status", shelf).err
    refused = run("shelf", "run", shelf, "--base-url", "http://127.0.0.1:9/v1", "--profile", "openai")
    assert refused.code == 2 and "nobody to agree" in refused.err, "a priced model is asked for nothing unseen"
    assert not (shelf / "shelf.json").exists(), "nothing was begun"
    done = run("shelf", "run", shelf, "--model", "gold", "--workers", "1", "--json")
    assert done.code == 2, "the worst of both"
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert {"started", "progress", "ended", "outcome"} <= {row["event"] for row in rows}
    assert {book["name"]: book["exit_code"] for book in rows[-1]["books"]} == {"aske.book": 0, "broken.book": 2}
    found = run("shelf", "status", shelf)
    assert found.code == 0 and "ended" in found.out and "aske.book" in found.out and "exit 2" in found.out
    assert json.loads(run("shelf", "status", shelf, "--json").out)["state"]["exit_code"] == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rate", "fast"), "is no rate"),
        (("--workers", "0"), "--workers"),
        (("--cap-usd", "-1"), "--cap-usd"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_read(
    tmp_path: Path, run: Command, words: tuple[str, ...], said: str
) -> None:
    done = run("shelf", "run", tmp_path, *words)
    assert done.code == 2 and said in done.err and list(tmp_path.iterdir()) == []


def test_an_empty_folder_and_a_held_one_say_so(tmp_path: Path, run: Command) -> None:
    done = run("shelf", "plan", tmp_path)
    assert done.code == 2 and "no book and no manuscript" in done.err
    with held(tmp_path):
        busy = run("shelf", "run", tmp_path)
    assert busy.code == 6 and "shelf status" in busy.err


def test_a_run_whose_process_is_gone_is_said_to_be_broken_off_and_names_steer_no_terminal(
    tmp_path: Path, run: Command
) -> None:
    books = (BookState(name="\x1b[31mred", phase="running", n_calls_done=3, n_calls_expected=9),)
    write_state(tmp_path, ShelfState(pid=2**22 + 1, cap_usd=1.0, books=books))
    found = run("shelf", "status", tmp_path)
    assert "broken off" in found.out and "run the same command again" in found.out and "\x1b" not in found.out


def test_the_screen_of_a_terminal_shows_a_row_for_each_running_book(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    many = tuple(BookState(name=f"b{n:02}", phase="running", n_calls_done=n) for n in range(15))
    ended = BookState(name="done", phase="ended", exit_code=0)
    with ShelfScreen() as screen:
        screen.event(ShelfEvent("progress", "", "", ShelfState(pid=1, books=(*many, ended), rate_share=0.7)))
        screen.event(ShelfEvent("warning", "b01", "b01: slow\x1b[2J", ShelfState(pid=1, books=(ended,))))
    said = capfd.readouterr().err
    assert "b00" in said and "b11" in said and "b12" not in said and "and 3 more" in said
    assert "books 1/16 ended" in said and "at 70% of the rate" in said
    assert "\x1b[2J" not in said and "books 1/1 ended" in said
