"""What a book says before its first run, of a plan that has nothing to do, and of the end of a run."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.cli._progress import Screen
from analyzer.cli.run import in_front
from analyzer.llm.connect import left_out
from analyzer.scheduler.events import Event, Progress
from analyzer.steps._registry import load_steps, switched
from analyzer.wording import typed
from tests.cli.commands import Command
from tests.tiny import CHAPTERS, write_book

SHOWN = [("show", "cast"), ("show", "relations"), ("show", "chapter")]


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A book that was never run."""
    return pipeline.init(write_book(tmp_path))


@pytest.mark.parametrize("words", SHOWN, ids=" ".join)
def test_a_book_never_run_says_so_in_one_sentence_and_with_the_command(
    analyzer: Command, fresh: Path, words: tuple[str, str]
) -> None:
    sentence = f"nothing of this book has been read yet: {typed('run', fresh)}\n"
    said = analyzer(*words, fresh)
    assert (said.code, said.err) == (0, sentence)
    said = analyzer(*words, fresh, "--json")
    assert (said.code, said.err) == (0, sentence) and isinstance(json.loads(said.out), list | dict)


def test_no_fact_of_a_book_never_run_is_no_riddle(analyzer: Command, fresh: Path) -> None:
    said = analyzer("why", fresh, "@1 parent_of @2")
    assert said.code == 2 and typed("run", fresh) in said.err
    assert "no call has been made yet" in analyzer("bill", fresh).err


def test_a_book_that_was_read_says_where_nothing_is_known(analyzer: Command, own: Path) -> None:
    assert analyzer("show", "relations", own).err == ""
    for words, sentence in ((SHOWN[0], "nobody and nothing is known"), (SHOWN[1], "no relations are known")):
        said = analyzer(*words, own, "--as-of", "0", "--json")
        assert (said.code, said.err, json.loads(said.out)) == (0, f"{sentence} before chapter 1\n", [])


def test_a_chapter_not_read_yet_is_told_from_one_in_which_nothing_happens(analyzer: Command, fresh: Path) -> None:
    pipeline.run(fresh, model="gold", chapters="1")
    assert analyzer("show", "chapter", fresh, 1).err == ""
    said = analyzer("show", "chapter", fresh, 2)
    assert said.err == f"chapter 2 has not been read yet: {typed('run', fresh, '--chapters', '2')}\n"


def test_a_plan_says_that_all_is_new_and_that_nothing_is_left_to_do(analyzer: Command, fresh: Path) -> None:
    other = write_book(fresh.parent / "other")
    for book in (fresh, other):
        assert "every task would run because it is new" in analyzer("plan", book).out
    assert not pipeline.book_folder(other).exists()
    pipeline.run(fresh, model="gold")
    said = analyzer("plan", fresh, "--model", "gold")
    assert "nothing would run, and nothing be spent" in said.out and "why tasks would run" not in said.out
    assert "new" not in said.out.rpartition("nothing would run")[2]


@pytest.mark.parametrize(
    "model", ["gold:/nope", "gold:", "local:nope.gguf", "local", "inbox", "zzzz/qqqq", "nonsense", ""]
)
def test_a_plan_refuses_a_model_as_its_run_does(analyzer: Command, tmp_path: Path, model: str) -> None:
    manuscript = write_book(tmp_path)
    planned = analyzer("plan", manuscript, f"--model={model}")
    run = analyzer("run", manuscript, f"--model={model}", "--yes")
    if not model:  # as if none were named
        assert planned.code == 0
        return
    assert (planned.code, planned.err) == (2, run.err) and run.code == 2


def test_a_plan_needs_no_key_and_makes_no_folder(
    analyzer: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    manuscript = write_book(tmp_path)
    for model in (
        "gpt-6-luna",
        "openai/gpt-6-luna",
        "anthropic/claude-sonnet-4-5",
        "rules",
        "gold",
        f"inbox:{tmp_path}/in",
    ):
        assert analyzer("plan", manuscript, "--model", model).code == 0, model
    assert analyzer("plan", manuscript, "--model", "any", "--base-url", "http://127.0.0.1:1/v1").code == 0
    assert not (tmp_path / "in").exists()


@pytest.mark.parametrize("model", ["gold", "rules"])
def test_the_last_line_of_progress_is_the_whole_count(analyzer: Command, fresh: Path, model: str) -> None:
    said = analyzer("run", fresh, "--model", model)
    last = [line for line in said.err.split("\n") if line.startswith("calls ")][-1]
    n = len(pipeline.bill(fresh).calls)
    n_tasks = len(switched(load_steps(), left_out(model))) * len(CHAPTERS)
    assert last.startswith(f"calls {n}/{n}  tasks {n_tasks}/{n_tasks}") and "left" not in last


def test_a_run_that_breaks_leaves_no_last_word(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress(1, 9, 0, 3, None, 0.0, None, None)
    with pytest.raises(ValueError, match="broken"), Screen("m") as screen:
        screen.event(Event("progress", "", progress))
        screen.event(Event("progress", "", progress._replace(n_calls_done=2)))
        raise ValueError("broken")
    assert "calls 2/9" not in capsys.readouterr().err


def test_one_of_a_thing_is_one(analyzer: Command, tmp_path: Path) -> None:
    manuscript = tmp_path / "one.txt"
    manuscript.write_text("Chapter 1\n\nAnna met Bob by the river. She rowed him home. He sang all the way.\n", "utf-8")
    said = analyzer("init", manuscript)
    assert "one: 1 chapter, " in said.err
    assert "estimate for 1 chapter at" in analyzer("plan", manuscript).out
    pipeline.run(manuscript, model="rules")
    manuscript.write_text(
        "Chapter 1\n\nAnna met Bob by the river. She rowed him home. He slept all the way.\n", "utf-8"
    )
    assert "(chapter 1)" in analyzer("show", "cast", manuscript).err
    assert "1 of 1 block changed" in analyzer("plan", manuscript, "--model", "rules").out


@pytest.mark.parametrize("name", ["-x", "--json", "a\nb", "it's", "$(true)"])
def test_every_command_a_book_suggests_runs_as_it_stands(
    analyzer: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    write_book(tmp_path, title=name)
    monkeypatch.chdir(tmp_path)
    manuscript = f"./{name}.txt"
    said = analyzer("init", manuscript).err + analyzer("show", "cast", manuscript).err
    said += analyzer("run", manuscript, "--model", "gold").err + analyzer("show", "chapter", manuscript, 99).err
    found = [piece.split("   ")[0] for line in said.split("\n") for piece in line.split("analyzer ")[1:]]
    assert len(found) == 6
    for words in found:
        plain = words.strip().replace("$'a\\012b.", "'a\nb.")
        command = shlex.split(plain)
        more = ["--model", "rules"] if command[0] == "run" else []
        assert analyzer(*command, *more).code in (0, 7), command


def test_a_remark_names_the_book_it_is_about(
    analyzer: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-plain.txt").write_text("Anna met Bob by the river.\n", "utf-8")
    assert (
        "list them: analyzer init ./-plain.txt and then analyzer chapters ./-plain.txt --write"
        in analyzer("chapters", "./-plain.txt").err
    )
    assert "list them: analyzer chapters ./-plain.book --write" in analyzer("init", "./-plain.txt").err


def test_a_run_in_the_background_takes_no_name_for_an_option() -> None:
    assert in_front(["run", "b.txt", "--background"]) == ["run", "b.txt", "--yes"]
    assert in_front(["run", "--background", "-y", "b.txt"]) == ["run", "-y", "b.txt"]
    assert in_front(["run", "--background", "--", "--background"]) == ["run", "--yes", "--", "--background"]
