from __future__ import annotations

import json
from pathlib import Path

from analyzer.storage.store import Store
from tests.cli.commands import Command, spawn


def test_what_is_decided_is_told_listed_and_undone(analyzer: Command, own: Path) -> None:
    said = analyzer("decide", own, "merge", "Oda", "Pia", "--at", "3:3.1")
    assert said.code == 0 and said.out.startswith(
        "d1 merge: @1 Oda Marrin is @5 Pia Hesk; readers see it from chapter 3"
    )
    assert "analyzer run" in said.err
    [row] = json.loads(analyzer("decide", own, "--list", "--json").out)
    assert (row["id"], row["kind"], row["since"], row["undone"]) == ("d1", "merge", 3, False)
    assert "undone: merge" in analyzer("decide", own, "--undo", "d1").out
    assert json.loads(analyzer("decide", own, "--list", "--json").out)[0]["undone"]


def test_review_is_data_and_says_when_nothing_waits(analyzer: Command, own: Path) -> None:
    said = analyzer("review", own)
    assert (said.code, said.out, said.err) == (0, "", "nothing waits\n")
    analyzer("decide", own, "rename", "@1", "The Net\u202emender")
    assert analyzer("decide", own, "rename", "@1", "The Netmender").code == 0
    [row] = json.loads(analyzer("review", own, "--json").out)
    assert row["kind"] == "decision" and row["commands"] == [f"analyzer decide {own} --undo d1"]
    shown = analyzer("review", own).out
    assert "--at" in shown and "--undo d1" in shown


def test_mistakes_are_one_sentence_with_what_to_do(analyzer: Command, own: Path) -> None:
    for words in (
        [], ["hope", "@1"], ["merge", "@1"], ["--undo"], ["--undo", "d9"], ["--list", "d1"], ["reject", "@1 hates @2"],
        ["confirm", "@1", "--at", "1:1.1"], ["merge", "@1", "@3", "--at", "x"],
    ):  # fmt: skip
        said = analyzer("decide", own, *words)
        assert said.code == 2 and said.out == "" and "Traceback" not in said.err, words
        assert said.err.startswith("analyzer: "), words
    assert json.loads(analyzer("decide", own, "--list", "--json").out) == []


def test_while_a_run_holds_the_book_it_is_said_who_does(own: Path) -> None:
    import os

    with Store.open(own):
        said = spawn("decide", own, "never-merge", "@1", "@3")
    assert said.code == 6 and str(os.getpid()) in said.err
