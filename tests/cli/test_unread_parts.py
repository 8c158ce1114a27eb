"""What views say of chapters that were not read, and of parts that were left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.coverage import WRITERS
from analyzer.models.question import Answer, Option, Question, QuestionKey
from analyzer.models.rows import AnswerRow
from analyzer.storage.store import Store
from tests.cli.commands import Command
from tests.cli.tale_book import tale_book
from tests.export.story_tale import LANGUAGES

VIEWS = {
    ("show", "changes"): "state",
    ("show", "looks"): "state",
    ("show", "secrets"): "secrets",
    ("show", "knowledge"): "knowledge",
    ("show", "threads"): "threads",
    ("show", "reveals"): "identities",
    ("show", "turns"): "relations",
    ("show", "relations"): "relations",
    ("show", "speech"): "speech",
    ("show", "cards"): "card",
    ("threads",): "threads",
}


def drop(book: Path, *steps: str, chapters: range = range(1, 6)) -> None:
    with Store.open(book) as store:
        store.drop_tasks([(t.step, t.chapter) for t in store.tasks() if t.step in steps and t.chapter in chapters])


def without(book: Path, part: str) -> None:
    """Leave a part out of the book as a run with --off does."""
    kinds = [kind for kind, writer in WRITERS.items() if writer.part == part]
    drop(book, *kinds, *(WRITERS[kind].step for kind in kinds), "thread_event", "secret_event")


def answered(book: Path, step: str) -> None:
    key = QuestionKey(step=step, ask="a", chapter=1, about=())
    question = Question(key=key, type="choice", text="?", options=(Option(mark="a", key="a"),))
    answer = Answer(status="answered", picked=("a",))
    with Store.open(book) as store:
        row = AnswerRow(
            answer_id="x", request_hash="h", call_id="c", step=step, chapter=1, key=key.text, question=question,
            answer=answer, model="m", answered_by="model",
        )  # fmt: skip
        store.add_answers([row])


@pytest.mark.parametrize("language", ["en", "ko", "zh", "ja"])
def test_a_view_of_a_book_read_in_part_is_as_of_the_last_chapter_read_and_names_the_others(
    analyzer: Command, tmp_path: Path, language: str
) -> None:
    book = tale_book(tmp_path / "b", LANGUAGES[language], through=2)
    for words in (("threads", book), ("timeline", book), ("show", "cast", book), ("knows", book, "@1")):
        shown, then = analyzer(*words, "--json"), analyzer(*words, "--json", "--as-of", 2)
        assert shown.out == then.out and json.loads(shown.out)
        assert shown.err.startswith("chapters 3-5 have not been read, this is as of chapter 2: analyzer run ")
        assert then.err == ""
    late = analyzer("threads", book, "--as-of", 5)
    assert "chapters 3-5 have not been read: analyzer run" in late.err and "dormant" not in late.out


def test_a_chapter_passed_over_is_named_and_what_comes_after_it_is_shown(analyzer: Command, own_tale: Path) -> None:
    with Store.open(own_tale) as store:
        steps = {task.step for task in store.tasks()}
    drop(own_tale, *steps, chapters=range(3, 4))
    said = analyzer("timeline", own_tale)
    assert "chapter 3 has not been read: analyzer run" in said.err and " 5:" in said.out
    said = analyzer("changes", own_tale, 3)
    assert "chapter 3 has not been read yet" in said.err and "nothing changes" not in said.err


@pytest.mark.parametrize("words", VIEWS, ids=" ".join)
def test_a_part_that_was_left_out_is_not_nothing(analyzer: Command, own_tale: Path, words: tuple[str, ...]) -> None:
    without(own_tale, VIEWS[words])
    said = analyzer(*words, own_tale)
    assert said.code == 0 and said.out == ""
    assert said.err.startswith(f"left out of the last run, so not shown: {VIEWS[words]}; nothing has been asked yet")
    assert "so far" not in said.err and "no relations" not in said.err
    assert json.loads(analyzer(*words, own_tale, "--json").out) == []


def test_answers_of_a_part_left_out_are_said_to_be_kept(analyzer: Command, own_tale: Path) -> None:
    without(own_tale, "threads")
    without(own_tale, "secrets")
    answered(own_tale, "thread_notice")
    assert "not shown: threads; answers given before are kept: analyzer run" in analyzer("threads", own_tale).err
    both = analyzer("timeline", own_tale)
    assert "not shown: threads; answers given" in both.err and "not shown: secrets; nothing has been asked" in both.err
    assert both.out.strip()
    assert "left out of the last run: secrets, threads" in analyzer("why", own_tale, "t00000001").err


def test_chapters_read_without_a_part_are_named(analyzer: Command, own_tale: Path) -> None:
    drop(own_tale, "threads", "thread", "thread_event", chapters=range(4, 6))
    assert "chapters 4-5 have been read without threads: analyzer run" in analyzer("threads", own_tale).err
    assert analyzer("show", "cards", own_tale).err == ""


@pytest.mark.parametrize("part", ["threads", "secrets"])
def test_a_plan_leaves_out_what_a_run_would(analyzer: Command, tale: Path, part: str) -> None:
    def steps(*words: str) -> set[str]:
        return {row["step"] for row in json.loads(analyzer("plan", tale, "--json", *words).out)["rows"]}

    assert not any(step.startswith(part[:-1]) for step in steps("--off", part))
    assert any(step.startswith(part[:-1]) for step in steps())
    tasks = json.loads(analyzer("plan", tale, "--json", "--off", part).out)["tasks"]
    assert tasks and part not in {task["step"] for task in tasks}


@pytest.mark.parametrize("name", ["cast", "nonsense", "THREADS", ""])
def test_a_plan_refuses_what_no_run_can_leave_out(analyzer: Command, tale: Path, name: str) -> None:
    said = analyzer("plan", tale, "--off", name)
    assert said.code == 2 and "cannot be switched off" in said.err and "Traceback" not in said.err
