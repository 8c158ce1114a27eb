"""The views of the story on the command line: tables, JSON, planes, chapters, ids, what is empty or wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.cli._story import SHOWN
from analyzer.models.issue import Issue
from analyzer.models.story import ChangeFact
from analyzer.storage.store import Store
from evals.made_book import put_facts
from tests.cli.commands import ROOT, Command
from tests.cli.test_terminals import on_a_terminal
from tests.export.story_tale import LANGUAGES, LAST, said, stored

SHOW = tuple(("show", one.name) for one in SHOWN)
MORE = (("show", "cast"), ("show", "relations"), ("timeline",), ("threads",), ("threads", "--open"))
VIEWS = (*SHOW, *MORE)
PLANES = {
    "author": (1, 3, 4),
    "reader": (2, 4, LAST),
    "character:@1": (3,),
    "character:@3": (4,),
}
"""Planes with the chapters up to which each is compared; tests of the views themselves compare all of all."""


def rows(analyzer: Command, *words: object) -> list[dict[str, object]]:
    said_ = analyzer(*words, "--json")
    assert said_.code == 0 and said_.err == "", said_
    found = json.loads(said_.out)
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("plane", PLANES)
def test_every_view_of_the_whole_book_as_of_a_chapter_is_that_of_a_book_that_ends_there_byte_for_byte(
    analyzer: Command, tale: Path, ended_tale: Callable[[int], Path], plane: str
) -> None:
    for through in PLANES[plane]:
        short = ended_tale(through)
        options = ("--as-of", through, "--plane", plane, "--json")
        for words in VIEWS:
            whole, ended = (analyzer(*words, book, *options) for book in (tale, short))
            assert whole.code == 0 and whole.out == ended.out, (words, through)
        for chapter in range(1, through + 1):
            for name in (("changes",), ("show", "chapter")):
                said_ = [analyzer(*name, book, chapter, *options).out for book in (tale, short)]
                assert said_[0] == said_[1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("words", [*VIEWS, ("changes", "{}", 1), ("knows", "{}", "@1")], ids=str)
def test_every_view_is_a_table_and_a_list(
    analyzer: Command, tales: dict[str, Path], language: str, words: tuple[object, ...]
) -> None:
    book = tales[language]
    given = [book if word == "{}" else word for word in words] if "{}" in words else [*words, book]
    as_of = ("--as-of", 3) if words == ("threads", "--open") else ()
    table = analyzer(*given, *as_of)
    assert table.code == 0 and table.out.strip() and table.err == "" and "\x1b" not in table.out
    found = rows(analyzer, *given, *as_of)
    assert found and all(isinstance(row, dict) for row in found)


@pytest.mark.parametrize("words", [*SHOW, ("timeline",), ("threads",)], ids=" ".join)
def test_the_id_in_every_row_is_one_that_why_takes(analyzer: Command, tale: Path, words: tuple[str, ...]) -> None:
    lines = [line for line in analyzer(*words, tale).out.splitlines() if line.strip() and line[1:2] != "─"]
    if words[-1] in ("cards", "secrets"):
        printed = [line.rpartition("[")[2].rstrip("]") for line in lines if line.endswith("]")]
    else:
        printed = [line.split()[0] for line in lines[1:]]
    assert printed
    for one in printed:
        said_ = analyzer("why", tale, one)
        assert said_.code == 0 and "kept: " in said_.out and one in said_.out
    for row in rows(analyzer, *words, tale):
        assert analyzer("why", tale, row["fact_id"]).code == 0


def test_why_shows_looks_notes_and_doubts_of_a_change_and_what_fell(analyzer: Command, own_tale: Path) -> None:
    said_ = analyzer("why", own_tale, "c11app000")
    for words in (
        "kept: change",
        "rule: passed every rule",
        "first look",
        "second look",
        "state value: red",
        "nature: begins",
    ):
        assert words in said_.out
    change = ChangeFact(
        change="c99",
        chapter=2,
        entity="@2",
        attribute="mood",
        op="set",
        to="glad",
        evidence=said(LANGUAGES["en"], 2, 99),
    )
    with Store.open(own_tale) as store:
        before = [s for s in store.facts() if s.step == "change" and s.chapter == 2]
    issue = Issue(code="no_evidence", step="change", chapter=2, about=("@2", "mood"), detail="no words show it")
    put_facts(own_tale, [*before, *stored([change])], [issue])
    said_ = analyzer("why", own_tale, "@2 mood")
    assert said_.code == 0 and "dropped: @2 mood" in said_.out and "rule: no_evidence: no words show it" in said_.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("show", "secrets", "{}", "--as-of", 0), "no secrets as of chapter 0"),
        (("show", "reveals", "{}", "--plane", "reader"), "no reveals so far for the reader"),
        (("show", "cast", "{}", "--as-of", 0), "nobody and nothing is known before chapter 1"),
        (("show", "relations", "{}", "--as-of", 0), "no relations are known before chapter 1"),
        (("threads", "{}", "--open"), "no open threads so far"),
        (("threads", "{}", "--plane", "character:@1"), "no threads so far for @1"),
        (("timeline", "{}", "--of", "@4", "--as-of", 2, "--plane", "character:@2"), None),
        (("knows", "{}", "@2", "--as-of", 1), "nothing is told of what @2 knows as of chapter 1"),
        (("changes", "{}", 5, "--plane", "character:@3"), "nothing changes in chapter 5 so far for @3"),
    ],
)
def test_nothing_to_show_is_a_sentence_and_no_table(
    analyzer: Command, tale: Path, words: tuple[object, ...], sentence: str | None
) -> None:
    given = [tale if word == "{}" else word for word in words]
    said_ = analyzer(*given)
    assert said_.code == 0
    if sentence is None:
        assert said_.out.strip()
    else:
        assert said_.out == "" and said_.err.strip() == sentence
        assert json.loads(analyzer(*given, "--json").out) == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("show", "secrets", "{}", "--plane", "everybody"), "is no plane"),
        (("show", "cast", "{}", "--plane", "character:@99"), "@99 is not in the cast as of chapter 5"),
        (("show", "cast", "{}", "--plane", "character:@4", "--as-of", 1), "@4 is not in the cast as of chapter 1"),
        (("show", "cast", "{}", "--plane", "character:@4"), "nobody who can know anything: place"),
        (("show", "threads", "{}", "--as-of", 6), "chapter 6 is outside 1-5"),
        (("show", "cards", "{}", "--as-of", -1), "chapter -1 is outside"),
        (("knows", "{}", "@99"), "@99 is not in the cast"),
        (("knows", "{}", "Oda"), "'Oda' is no handle"),
        (("knows", "{}", "@5", "--plane", "character:@2"), "@5 is not in the cast"),
        (("timeline", "{}", "--of", "7"), "'7' is no handle"),
        (("changes", "{}", 9), "chapter 9 is not in the book"),
        (("changes", "{}", 3, "--as-of", 2), "--as-of 2 is before chapter 3"),
    ],
)
def test_what_is_not_there_is_told_with_exit_code_two(
    analyzer: Command, tale: Path, words: tuple[object, ...], told: str
) -> None:
    said_ = analyzer(*(tale if word == "{}" else word for word in words))
    assert said_.code == 2 and said_.out == "" and told in said_.err and "what to do" in said_.err
    assert "Barnaby" not in said_.err and "Traceback" not in said_.err


def test_the_reader_may_be_asked_what_they_know(analyzer: Command, tale: Path) -> None:
    assert "does not know: Captain Hesk holds the old will" in analyzer("knows", tale, "reader", "--as-of", 3).out
    assert "knows: Captain Hesk holds the old will" in analyzer("knows", tale, "reader", "--as-of", 4).out
    assert analyzer("knows", tale, "reader", "--as-of", 3, "--plane", "reader").out == ""


def test_a_chapter_on_another_plane_has_no_issues_and_only_who_is_seen_there(analyzer: Command, own_tale: Path) -> None:
    with Store.open(own_tale) as store:
        before = [s for s in store.facts() if s.step == "change" and s.chapter == 2]
    put_facts(own_tale, before, [Issue(code="no_evidence", step="change", chapter=2)])
    seen = {
        plane: json.loads(analyzer("show", "chapter", own_tale, 2, "--plane", plane, "--json").out) for plane in PLANES
    }
    assert seen["author"]["issues"] == {"no_evidence": 1} and seen["reader"]["issues"] == {}
    assert [row["handle"] for row in seen["character:@3"]["cast"]] == ["@2", "@3", "@4"]
    assert seen["character:@1"]["cast"] == [] and seen["character:@1"]["relations"] == []


def test_control_characters_of_a_note_never_reach_the_terminal(analyzer: Command, own_tale: Path) -> None:
    hostile = ChangeFact(
        change="c66", chapter=5, entity="@1", attribute="mood", op="set", to="\x1b[2Jgone\u202e\x07",
        evidence=said(LANGUAGES["en"], 5, 66),
    )  # fmt: skip
    with Store.open(own_tale) as store:
        before = [s for s in store.facts() if s.step == "change" and s.chapter == 5]
    put_facts(own_tale, [*before, *stored([hostile])])
    for words in (
        ("show", "changes", own_tale),
        ("timeline", own_tale),
        ("changes", own_tale, 5),
        ("why", own_tale, "c66"),
    ):
        out = analyzer(*words).out
        assert "gone" in out and not {"\x1b", "\u202e", "\x07"} & set(out)
        assert not {"\x1b", "\u202e", "\x07"} & set(analyzer(*words, "--json").out)


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_tables_are_tables_at_eighty_columns(tales: dict[str, Path], language: str) -> None:
    book = tales[language]
    for words in (("show", "threads", book), ("timeline", book), ("changes", book, 1)):
        lines = [line.rstrip("\r") for line in on_a_terminal(80, *words, term="dumb").split("\n")]
        assert lines[0].split()[0] == "id" and "─" in lines[1]
        assert max(map(len, lines)) <= 80


def test_the_verbs_are_the_library_s_too(tale: Path) -> None:
    assert [row.secret for row in pipeline.show_secrets(tale, plane="reader")] == ["s00000001"]
    assert pipeline.show_secrets(tale, plane="reader", as_of=3) == ()
    assert [row.stance for row in pipeline.known_to(tale, "@1", as_of=2)] == ["unaware"]
    assert {row.what for row in pipeline.timeline(tale, of="@6")} == {"reveal"}
    assert {row.chapter for row in pipeline.what_changes(tale, 4)} == {4}
    assert [row.health for row in pipeline.show_threads(tale, is_open=True, as_of=3)] == ["active"]


def test_help_of_the_views_imports_nothing_heavy() -> None:
    heavy = ("duckdb", "litellm", "rich.console", "analyzer.pipeline", "analyzer.export", "analyzer.bible")
    for words in (["show", "secrets"], ["timeline"], ["knows"], ["changes"], ["threads"]):
        code = (
            f"import sys; sys.argv = ['analyzer', *{words!r}, '--help']\n"
            "from analyzer.cli import main\n"
            "try: main()\n"
            "except SystemExit: pass\n"
            f"print([m for m in {heavy!r} if m in sys.modules], file=sys.stderr)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True, timeout=60
        )
        assert done.stderr.strip() == "[]" and "--plane" in done.stdout
