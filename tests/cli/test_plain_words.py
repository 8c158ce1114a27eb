"""What a run and a book say about themselves: how it ended, whose answers they are, what is out of date or missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.storage.status import StatusRecord, write_status
from analyzer.storage.store import Store
from tests.cli.commands import ROOT, Command
from tests.tiny import write_book


def test_a_run_that_was_killed_is_told_from_one_that_ended(analyzer: Command, own: Path) -> None:
    assert "broken off" not in analyzer("status", own).out
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    write_status(
        own,
        StatusRecord(
            run_id="r", pid=child.pid, model="gold", phase="asking", n_calls_done=3, n_calls_planned=9, updated_at=1.0
        ),
    )
    said = analyzer("status", own).out
    assert "not running" in said and "broken off" in said and "asking" not in said
    assert "run the same command again" in said and "calls 3/9" in said


def test_a_finished_run_has_no_calls_to_come(own: Path) -> None:
    found = pipeline.status(own)
    assert found is not None and found.status.phase == "finished"
    assert found.status.n_calls_planned == found.status.n_calls_done > 0 and found.status.eta_s is None


STOPPING = """
import os, signal, sys
from analyzer import pipeline
from analyzer.cli import main
start = pipeline.start
def stopped(prepared, on_event):
    def listen(event):
        on_event(event)
        if event.kind == "chapter" and event.chapter == 1:
            os.kill(os.getpid(), getattr(signal, os.environ["STOPPED_BY"]))
    return start(prepared, listen)
pipeline.start = stopped
main()
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_run_that_is_stopped_says_so_and_goes_on_with_nothing_asked_twice(tmp_path: Path, name: str) -> None:
    (tmp_path / "whole").mkdir()
    (tmp_path / "stopped").mkdir()
    whole, manuscript = write_book(tmp_path / "whole"), write_book(tmp_path / "stopped")
    assert pipeline.run(whole, model="gold").exit_code == 0
    ended = subprocess.run(
        [sys.executable, "-c", STOPPING, "run", str(manuscript), "--model", "gold"],
        capture_output=True, encoding="utf-8", cwd=ROOT, env={**os.environ, "STOPPED_BY": name}, check=False, timeout=120,
    )  # fmt: skip
    assert ended.returncode == 130 and "Traceback" not in ended.stderr
    assert "stopped before the end: everything that arrived is saved" in ended.stderr
    assert "waiting for an answer" not in ended.stderr
    status = pipeline.status(manuscript)
    assert status is not None and status.status.phase == "interrupted"
    assert pipeline.run(manuscript, model="gold").exit_code == 0
    with Store.open(pipeline.book_folder(manuscript)) as one, Store.open(pipeline.book_folder(whole)) as other:
        for table, without in (("answers", ("call_id", "row_hash", "request_hash")), ("facts", ()), ("handles", ())):
            assert one.export_rows(table, without=without) == other.export_rows(table, without=without)
        assert sum(call.n_questions for call in one.calls()) == sum(call.n_questions for call in other.calls())


def test_ctrl_c_before_anything_was_asked_is_one_line(
    analyzer: Command, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_words: object, **_wishes: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "prepare", interrupted)
    said = analyzer("run", own, "--model", "rules")
    assert (said.code, said.out, said.err) == (130, "", "stopped; everything that arrived is saved\n")


def test_another_model_over_a_finished_book_is_announced_and_kept_in_the_outcome(analyzer: Command, own: Path) -> None:
    said = analyzer("run", own, "--model", "rules", "--chapters", "1,3")
    assert said.code in (0, 7)
    line = next(line for line in said.err.split("\n") if "rests on answers of gold" in line)
    assert "chapters 1, 3" in line and "rules" in line
    assert said.err.index(line) < said.err.index("answers from")
    again = pipeline.run(own, model="gold", chapters="1-3")
    assert again.replaced is not None and (again.replaced.models, again.replaced.chapters) == (("rules",), (1, 3))
    assert again.n_calls == 0, "what gold said before is still stored"
    assert pipeline.run(own, model="gold").replaced is None


def test_a_priced_run_over_another_models_bible_needs_yes(
    analyzer: Command, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    before = analyzer("show", "cast", own).out
    said = analyzer("run", own)
    assert said.code == 2 and "rests on answers of gold" in said.err and "--yes" in said.err
    assert analyzer("show", "cast", own).out == before


@pytest.mark.parametrize("words", [("show", "cast"), ("show", "relations"), ("show", "chapter")], ids=" ".join)
def test_a_bible_behind_its_manuscript_says_so_until_it_was_run_again(
    analyzer: Command, own: Path, words: tuple[str, str]
) -> None:
    assert analyzer(*words, own).err == ""
    manuscript = own.parent / "tiny.txt"
    manuscript.write_text(manuscript.read_text("utf-8").replace("lit the lantern", "lit a lantern"), "utf-8")
    said = analyzer(*words, own, "--json")
    assert said.code == 0 and "has changed since the last run (chapter 2)" in said.err
    assert json.loads(said.out)
    analyzer("run", own, "--model", "rules", "--chapters", "1")
    assert "(chapter 2)" in analyzer(*words, own).err, "a run over other chapters does not make it new"
    analyzer("run", own, "--model", "rules", "--chapters", "2")
    assert analyzer(*words, own).err == ""


def test_a_chapter_of_the_old_text_is_stale_in_json_and_only_that(analyzer: Command, own: Path) -> None:
    manuscript = own.parent / "tiny.txt"
    manuscript.write_text(manuscript.read_text("utf-8").replace("lit the lantern", "lit a lantern"), "utf-8")
    stale = [json.loads(analyzer("show", "chapter", own, n, "--json").out)["stale"] for n in (1, 2, 3)]
    assert stale == [False, True, False]


def test_a_manuscript_that_is_gone_does_not_hide_the_bible(analyzer: Command, own: Path) -> None:
    before = analyzer("show", "cast", own).out
    (own.parent / "tiny.txt").rename(own.parent / "elsewhere.txt")
    said = analyzer("show", "cast", own)
    assert (said.code, said.out) == (0, before) and "is gone" in said.err


def test_a_run_that_did_not_end_is_told_with_what_is_shown(analyzer: Command, own: Path) -> None:
    with Store.open(own) as store:
        last = store.runs()[-1]
        store.open_run(
            last.model_copy(
                update={"run_id": "later", "started_at": last.started_at + 1, "ended_at": None, "outcome": ""}
            )
        )
    assert "did not come to its end (broken off)" in analyzer("show", "cast", own).err


def test_a_model_without_a_price_is_named_with_known_names_like_it(analyzer: Command, finished: Path) -> None:
    misspelt: list[tuple[object, ...]] = [
        ("bill", finished, "--at", "gpt-6-lunna"),
        ("plan", finished, "--model", "gpt-6-lunna"),
    ]
    for words in misspelt:
        for more in ((), ("--json",)):
            said = analyzer(*words, *more)
            assert said.code == 0 and "no price is known for 'gpt-6-lunna'" in said.err and "gpt-6-luna" in said.err
    known: list[tuple[object, ...]] = [("bill", finished), ("plan", finished), ("plan", finished, "--model", "rules")]
    for words in known:
        assert "no price" not in analyzer(*words).err
    assert "names like it" not in analyzer("plan", finished, "--model", "zzzz/qqqq").err


def answer(inbox: Path, lines: str | bytes) -> Path:
    prompt = min(inbox.glob("*.prompt.md"))
    file = prompt.with_name(prompt.name.replace(".prompt.md", ".answer.txt"))
    file.write_bytes(lines if isinstance(lines, bytes) else lines.encode())
    return file


def test_an_answer_file_that_cannot_be_used_is_named_with_what_is_wrong_and_what_to_do(
    analyzer: Command, tmp_path: Path
) -> None:
    words = ("run", write_book(tmp_path), "--model", f"inbox:{tmp_path / 'in box'}")
    first = analyzer(*words)
    inbox = tmp_path / "in box"
    waited = answer(inbox, "")
    assert f"write '{waited}', and run again" in first.err
    file = answer(inbox, "1 zz\n2 qq\nbanana\n")
    said = analyzer(*words)
    assert said.code == 7 and str(file) in said.err
    assert (
        "1 is '1 zz'" in said.err and "have no usable line" in said.err and "mend the file, and run again" in said.err
    )
    answer(inbox, "1 a\n2 zz\n")
    said = analyzer(*words)
    assert "2 is '2 zz'" in said.err and "answer the prompt that asks for these again" in said.err
    assert len(pipeline.bill(tmp_path / "tiny.book").calls) == 2


def test_an_answer_file_that_is_no_text_is_named(analyzer: Command, tmp_path: Path) -> None:
    words = ("run", write_book(tmp_path), "--model", f"inbox:{tmp_path / 'inbox'}")
    analyzer(*words)
    file = answer(tmp_path / "inbox", b"\xff\xfe")
    said = analyzer(*words)
    assert said.code == 2 and file.name in said.err and "save it as UTF-8" in said.err
    assert "waiting for an answer" not in said.err


def test_a_folder_that_takes_no_book_says_how_to_keep_it_elsewhere(
    analyzer: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manuscript = write_book(tmp_path)

    def refused(*_words: object, **_wishes: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.mkdir", refused)
    said = analyzer("run", manuscript, "--model", "rules")
    assert said.code == 2 and f"analyzer init {manuscript} --book DIR" in said.err
