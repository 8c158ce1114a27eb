from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from analyzer.models.issue import Issue
from analyzer.storage.store import Store
from tests.cli.commands import Command
from tests.tiny import write_book

KEYS: dict[tuple[str, ...], set[str]] = {
    ("chapters", "{}"): {"no", "kind", "label", "title", "n_blocks", "n_sentences", "n_words", "confidence", "reason",
                         "first_words", "language"},
    ("show", "cast", "{}"): {"handle", "kind", "name", "names", "named", "narrator", "first_chapter", "presence",
                             "n_mentions", "also", "fact_id"},
    ("show", "relations", "{}"): {"subject", "subject_name", "relation", "object", "object_name", "family", "status", "affinity",
                                  "visibility", "since", "chapters", "votes", "evidence", "fact_id"},
    ("why", "{}", "@1"): {"fact_id", "what", "kept", "rule", "evidence", "votes", "asked"},
}  # fmt: skip
ONE: dict[tuple[str, ...], set[str]] = {
    ("plan", "{}"): {"model", "price_note", "n_chapters", "n_questions", "n_calls", "low_usd", "likely_usd", "high_usd", "rows"},
    ("plan", "{}", "--explain"): {"model", "likely_usd", "rows", "steps", "tasks"},
    ("bill", "{}"): {"calls", "usage", "spent_usd", "n_open", "n_unpriced", "would_be_model", "would_be_usd"},
    ("show", "chapter", "{}", "2"): {"no", "label", "title", "cast", "relations", "issues"},
    ("status", "{}"): {"status", "is_running"},
}  # fmt: skip


def filled(words: tuple[str, ...], book: Path) -> list[str]:
    return [word.format(book) for word in words]


@pytest.mark.parametrize("words", KEYS, ids=" ".join)
def test_json_lists_have_the_documented_keys(analyzer: Command, finished: Path, words: tuple[str, ...]) -> None:
    said = analyzer(*filled(words, finished), "--json")
    rows = json.loads(said.out)
    assert said.code == 0 and said.err == ""
    assert rows and all(KEYS[words] <= set(row) for row in rows)


@pytest.mark.parametrize("words", ONE, ids=" ".join)
def test_json_records_have_the_documented_keys(analyzer: Command, finished: Path, words: tuple[str, ...]) -> None:
    said = analyzer(*filled(words, finished), "--json")
    assert said.code == 0 and ONE[words] <= set(json.loads(said.out))


def test_verify_json_is_a_list_and_empty_for_a_whole_store(analyzer: Command, finished: Path) -> None:
    said = analyzer("verify", finished, "--json")
    assert (said.code, json.loads(said.out)) == (0, [])


@pytest.mark.parametrize(
    "words",
    [("plan", "{}", "--explain"),
     ("chapters", "{}"), ("plan", "{}"), ("status", "{}"), ("bill", "{}"), ("bill", "{}", "--calls"), ("show", "cast", "{}"),
     ("show", "relations", "{}", "--all"), ("show", "chapter", "{}"), ("show", "chapter", "{}", "3"), ("why", "{}", "@1")],
    ids=" ".join,
)  # fmt: skip
def test_data_goes_to_stdout_and_leaves_no_trace_of_a_traceback(
    analyzer: Command, finished: Path, words: tuple[str, ...]
) -> None:
    said = analyzer(*filled(words, finished))
    assert said.code == 0 and said.out.strip()
    assert "Traceback" not in said.err + said.out
    assert "\x1b" not in said.out


def test_every_reading_command_takes_the_manuscript_for_its_book(analyzer: Command, finished: Path) -> None:
    manuscript = finished.parent / "tiny.txt"
    for words in (
        ("chapters",),
        ("plan",),
        ("status",),
        ("bill",),
        ("show", "cast"),
        ("show", "relations"),
        ("verify",),
    ):
        assert analyzer(*words, manuscript).out == analyzer(*words, finished).out


def test_as_of_shows_the_book_as_it_stood(analyzer: Command, finished: Path) -> None:
    names = [
        {row["name"] for row in json.loads(analyzer("show", "cast", finished, "--as-of", n, "--json").out)}
        for n in (1, 2)
    ]
    assert "Pia Hesk" not in names[0] and "Pia Hesk" in names[1]
    assert json.loads(analyzer("show", "chapter", finished, "--as-of", 2, "--json").out)["no"] == 2
    assert json.loads(analyzer("show", "chapter", finished, 1, "--as-of", 3, "--json").out)["no"] == 1
    said = analyzer("show", "cast", finished, "--as-of", 9)
    assert said.code == 2 and said.out == "" and "outside 1-3" in said.err


def test_why_shows_question_options_answer_votes_and_quote(analyzer: Command, finished: Path) -> None:
    said = analyzer("why", finished, "@1 sibling_of @3")
    for words in (
        "kept:",
        "rule:",
        "evidence: 1.2",
        "votes: first: for, second: for",
        "options:",
        "answer:",
        "tokens in",
    ):
        assert words in said.out
    assert analyzer("why", finished, "@9 loves @8").code == 2


def test_why_explains_what_fell(analyzer: Command, own: Path) -> None:
    with Store.open(own) as store:
        [row] = [task for task in store.tasks() if (task.step, task.chapter) == ("relations", 1)]
        kept = [s for s in store.facts() if (s.step, s.chapter) == ("relations", 1)]
        issue = Issue(code="denied_twice", step="relations", chapter=1, about=("@3", "loves", "@1"), detail="deny deny")
        store.commit_task(row.model_copy(update={"n_issues": 1}), kept, [("issue:0123456789abcdef", issue)], {})
    for words in ("@3 loves @1", "0123456789", "issue:0123456789abcdef"):
        said = analyzer("why", own, words)
        assert said.code == 0 and "dropped: @3 loves @1" in said.out and "rule: denied_twice: deny deny" in said.out


def test_a_bill_says_that_no_model_was_asked_and_what_one_would_have_cost(analyzer: Command, finished: Path) -> None:
    said = analyzer("bill", finished)
    assert "spent $0.00000" in said.out and "no model was asked" in said.out and "gpt-6-luna" in said.out
    assert len(analyzer("bill", finished, "--calls").out.splitlines()) > 57


def test_a_book_that_was_never_run_is_empty_and_says_so(analyzer: Command, tmp_path: Path) -> None:
    manuscript = write_book(tmp_path)
    said = analyzer("init", manuscript)
    assert said.code == 0 and said.out.strip() == str(tmp_path / "tiny.book") and "3 chapters" in said.err
    assert analyzer("status", manuscript).err.strip() == "no run has been started yet"
    assert json.loads(analyzer("show", "cast", manuscript, "--json").out) == []
    assert json.loads(analyzer("status", manuscript, "--json").out) is None


def test_a_damaged_store_is_told_with_exit_code_six(analyzer: Command, own: Path) -> None:
    [file] = [p for p in own.iterdir() if p.suffix == ".duckdb"]
    file.write_bytes(b"not a database at all" * 100)
    for words in (("show", "cast"), ("verify",), ("bill",)):
        said = analyzer(*words, own)
        assert said.code == 6 and "Traceback" not in said.err


def test_a_store_that_contradicts_itself_is_told_with_exit_code_six(analyzer: Command, own: Path) -> None:
    [file] = [p for p in own.iterdir() if p.suffix == ".duckdb"]
    with duckdb.connect(str(file)) as raw:
        raw.execute("delete from answers")
    said = analyzer("verify", own)
    assert said.code == 6 and said.out.strip()
    assert json.loads(analyzer("verify", own, "--json").out)


def story(folder: Path) -> Path:
    part = "Oda Marrin met Captain Hesk at Sallow. Captain Hesk knew Oda Marrin and Pia Velm."
    made = folder / "weir.txt"
    made.write_text("\n\n".join(f"Chapter {n}\n\n{part}" for n in (1, 2, 3)), "utf-8")
    return made


def test_an_explained_plan_is_the_estimate_with_its_steps_which_add_up(analyzer: Command, tmp_path: Path) -> None:
    plain = json.loads(analyzer("plan", story(tmp_path), "--json").out)
    told = json.loads(analyzer("plan", story(tmp_path), "--explain", "--json").out)
    steps = told.pop("steps")
    assert told == plain
    assert sum(step["questions"] for step in steps) == plain["n_questions"] > 0
    assert all(sum(part["calls"] for part in step["chapters"]) == step["calls"] for step in steps)


def test_an_explained_plan_shows_chapters_where_some_are_asked_for(analyzer: Command, tmp_path: Path) -> None:
    whole, some = (analyzer("plan", story(tmp_path), "--explain", *words) for words in ((), ("--chapters", "1")))
    assert whole.code == some.code == 0
    assert "why this way" in whole.out and "the same by chapter" not in whole.out
    assert "why this way" in some.out and "the same by chapter" in some.out
