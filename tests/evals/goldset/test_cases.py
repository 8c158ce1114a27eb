"""Every goldset is a case; one without its text is unscored and says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analyzer.errors import InputError
from analyzer.llm.transports.gold_book import load_gold
from evals.goldset import __main__ as goldset
from evals.goldset.__main__ import main
from evals.goldset.cases import NO_TEXT, by_chapter, find_cases, own_case
from evals.goldset.manifest import load_manifests
from tests.evals.goldset.sets import own, public
from tests.evals.goldset.tales import CHINESE, JAPANESE


@pytest.fixture(autouse=True)
def _nothing_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ANALYZER_TEXTS", str(tmp_path / "fetched"))


def test_the_bundled_serial_is_always_a_case() -> None:
    case = own_case()
    assert case.text().is_file() and case.gold.is_dir() and case.language == "en"
    assert case.chapters is None and case.numbers == tuple(range(1, 10))
    assert case in find_cases()


def test_public_goldsets_without_their_text_are_unscored_and_say_why() -> None:
    without = [case for case in find_cases() if case.public]
    assert {"monte-cristo", "time-machine", "xiyouji", "youth"} <= {case.name for case in without}
    for case in without:
        assert case.manuscript is None and case.unscored == NO_TEXT == "text not here"
        with pytest.raises(InputError, match="text not here"):
            case.text()


def test_a_text_is_found_by_its_hash_whatever_its_name(tmp_path: Path) -> None:
    own(tmp_path / "sets", tale=JAPANESE)
    _, data = public(tmp_path / "sets", tale=CHINESE)
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "a.txt").write_bytes(b"x" * len(data))
    mine, theirs = find_cases(texts, root=tmp_path / "sets")
    assert (mine.name, mine.public, theirs.name, theirs.manuscript) == ("own-tale", False, "tale", None)
    (texts / "z.txt").write_bytes(data)
    theirs = find_cases(texts, root=tmp_path / "sets")[1]
    assert (theirs.manuscript, theirs.unscored, theirs.chapters, theirs.numbers) == (texts / "z.txt", "", "1", (1,))


def test_a_fetched_text_is_found_without_a_folder_unless_it_is_spoilt(tmp_path: Path) -> None:
    _, data = public(tmp_path / "sets")
    (tmp_path / "fetched").mkdir()
    (tmp_path / "fetched" / "tale.txt").write_bytes(data)
    [case] = find_cases(root=tmp_path / "sets")
    assert case.manuscript == tmp_path / "fetched" / "tale.txt"
    (tmp_path / "fetched" / "tale.txt").write_bytes(data + b"\nand more")
    [case] = find_cases(root=tmp_path / "sets")
    assert case.unscored == NO_TEXT


def test_a_folder_of_texts_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder of texts"):
        find_cases(tmp_path / "nowhere")


def test_a_case_can_be_read_chapter_by_chapter() -> None:
    case = next(case for case in find_cases() if case.name == "monte-cristo")
    parts = by_chapter(case)
    assert [(part.name, part.chapters) for part in parts] == [
        ("monte-cristo-001", "1"),
        ("monte-cristo-003", "3"),
        ("monte-cristo-006", "6"),
    ]
    assert [list(load_gold(part.gold)) for part in parts] == [[1], [3], [6]]


def test_what_was_tuned_on_is_said_beside_the_case(tmp_path: Path) -> None:
    own(tmp_path)
    [case] = find_cases(root=tmp_path)
    assert case.tuned_note == "never tuned on; models may know the text by heart"
    assert own_case().tuned_note == "tuned on"


def test_a_public_goldset_is_no_own_serial() -> None:
    with pytest.raises(InputError, match="is a public edition"):
        own_case("monte-cristo")


def test_the_list_shows_readings_agreement_tuning_and_missing_texts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    table = capsys.readouterr().out
    assert "A B, adjudicated" in table and "pair+family 0.82" in table and "text not here" in table
    assert main(["list", "--json"]) == 0
    found = {one["name"]: one for one in json.loads(capsys.readouterr().out)}
    assert found["xiyouji"]["unscored"] == "text not here" and found["xiyouji"]["text"] == ""
    assert found["dark-of-the-gullick"]["chapters"] == list(range(1, 10))


def test_the_check_of_all_goldsets_finds_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 0
    assert main(["check", "youth"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "youth: text not here, 0 faults"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda gold: gold["entities"][0]["names"].append("Nobody Printed"),
            "the name 'Nobody Printed' is not printed",
        ),
        (
            lambda gold: gold["entities"][0]["descriptors"].append("a tenth rider"),
            "the descriptor 'a tenth rider' is not",
        ),
        (lambda gold: gold["entities"][0]["blocks"].append(99), "stands in block 99, there are"),
        (lambda gold: gold["entities"][0]["blocks"].append(0), "stands in block 0, there are"),
        (
            lambda gold: gold["block_starts"].insert(1, gold["block_starts"][0] + 1),
            "block_starts are not those of the text",
        ),
    ],
)
def test_the_check_names_what_does_not_stand_in_the_text(
    change: Callable[[dict[str, Any]], None],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = own(tmp_path) / "gold" / "chapter-01.json"
    cases, manifests = find_cases(root=tmp_path), load_manifests(tmp_path)
    monkeypatch.setattr(goldset, "find_cases", lambda: cases)
    monkeypatch.setattr(goldset, "load_manifests", lambda: manifests)
    assert main(["check"]) == 0
    gold = json.loads(file.read_text("utf-8"))
    change(gold)
    file.write_text(json.dumps(gold), "utf-8")
    assert main(["check"]) == 1
    told = capsys.readouterr().err
    assert "own-tale: chapter 1: " in told and words in told


@pytest.mark.parametrize("name", ["chapter-x.json", "chapter-1e9.json", "chapter-99999999.json", "chapter-².json"])
def test_a_gold_file_whose_name_has_no_number_is_named(tmp_path: Path, name: str) -> None:
    folder = own(tmp_path)
    (folder / "gold" / "chapter-01.json").rename(folder / "gold" / name)
    [case] = find_cases(root=tmp_path)
    with pytest.raises(InputError, match="is no name of a gold chapter"):
        by_chapter(case)
