"""Public gold is taken over as facts and offsets, and no quotation slips through."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.errors import InputError
from analyzer.models.gold import GoldChapter
from evals.goldset.__main__ import main
from evals.goldset.convert import convert, misplaced
from evals.goldset.manifest import gold_of, load_manifests
from tests.evals.goldset.sets import make_gold
from tests.evals.goldset.tales import JAPANESE


def source(tmp_path: Path, **more: Any) -> Path:
    """Return a folder with one gold chapter that has bookkeeping of its own and a quotation."""
    make_gold(tmp_path / "made", JAPANESE)
    raw = json.loads((tmp_path / "made" / "gold" / "chapter-01.json").read_text("utf-8"))
    del raw["edition_chapter"]
    raw |= {"text_sha256": "0" * 64, "remarks": "a whole sentence of the book"}
    raw["relations"][0] |= {"quote": "兄の健太を待っていた", "annotators": "AB"}
    raw |= more
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "one.json").write_text(json.dumps(raw), "utf-8")
    return tmp_path / "source"


def test_facts_and_offsets_are_kept_and_everything_else_stays_behind(tmp_path: Path) -> None:
    folder = source(tmp_path)
    [(name, made)] = convert(folder, language="ja").items()
    assert name == "chapter-01.json" and made["edition_chapter"] == 1 and made["language"] == "ja"
    assert "待っていた" not in json.dumps(made, ensure_ascii=False) and "remarks" not in made
    was = json.loads((folder / "one.json").read_text("utf-8"))
    assert made["relations"][0] == {k: v for k, v in was["relations"][0].items() if k != "quote"}
    assert made["entities"] == was["entities"] and made["body_sha256"] == was["body_sha256"]
    GoldChapter.model_validate_json(json.dumps(made))


def test_only_the_book_that_is_asked_for_is_taken(tmp_path: Path) -> None:
    folder = source(tmp_path)
    with pytest.raises(InputError, match="no gold chapters of other"):
        convert(folder, book="other")
    assert main(["convert", str(folder), "--book", "tale", "--out", str(tmp_path / "gold")]) == 0
    assert [path.name for path in (tmp_path / "gold").iterdir()] == ["chapter-01.json"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"body_sha256": ""}, "has no body_sha256"),
        ({"block_starts": [50, 20, 90]}, "block_starts do not rise"),
        ({"block_starts": [15]}, "evidence in block 3, there are 1"),
    ],
)
def test_offsets_that_cannot_be_right_are_refused(tmp_path: Path, more: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=r"one\.json"):
        convert(source(tmp_path, **more))
    gold = GoldChapter.model_validate_json((tmp_path / "source" / "one.json").read_text("utf-8"))
    assert any(said in fault for fault in misplaced(gold))


def test_evidence_over_the_end_of_its_block_is_refused(tmp_path: Path) -> None:
    folder = source(tmp_path)
    raw = json.loads((folder / "one.json").read_text("utf-8"))
    raw["relations"][0]["evidence"][0]["end"] = 900
    (folder / "one.json").write_text(json.dumps(raw), "utf-8")
    with pytest.raises(InputError, match=r"one.json: evidence \d+ to 900 lies outside block 1"):
        convert(folder)


def test_a_relation_of_nobody_is_refused(tmp_path: Path) -> None:
    folder = source(tmp_path)
    raw = json.loads((folder / "one.json").read_text("utf-8"))
    raw["relations"][0]["object"] = "nobody"
    (folder / "one.json").write_text(json.dumps(raw), "utf-8")
    with pytest.raises(InputError, match="name nobody, which are no entities"):
        convert(folder)


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder of gold chapters"):
        convert(tmp_path / "nowhere")


def test_the_gold_of_all_goldsets_has_offsets_that_can_be_right() -> None:
    for manifest in load_manifests():
        for gold in gold_of(manifest).values():
            assert misplaced(gold) == [], (manifest.name, gold.number)


def test_public_gold_holds_no_long_stretch_of_text() -> None:
    for manifest in load_manifests():
        for file in sorted(manifest.gold.glob("*.json")) if manifest.public else ():
            raw = json.loads(file.read_text("utf-8"))
            keys = {
                key
                for section in raw.values()
                if isinstance(section, list)
                for e in section
                if isinstance(e, dict)
                for key in e
            }
            assert not keys & {"quote", "quotes", "text", "words"}
            assert all(len(words) <= 90 for e in raw["entities"] for words in (*e["names"], *e["descriptors"]))


def test_two_files_of_one_chapter_and_unlikely_numbers_are_refused(tmp_path: Path) -> None:
    folder = source(tmp_path)
    raw = json.loads((folder / "one.json").read_text("utf-8"))
    (folder / "two.json").write_text(json.dumps(raw), "utf-8")
    with pytest.raises(InputError, match=r"two\.json is chapter 1, and another file"):
        convert(folder)
    for number in (0, -1, 10**30):
        (folder / "two.json").write_text(
            json.dumps(raw | {"chapter": number, "edition_chapter": number or -1}), "utf-8"
        )
        with pytest.raises(InputError, match="number is no number from 1"):
            convert(folder)
    del raw["plants"], raw["n_blocks"]
    (folder / "two.json").write_text(json.dumps(raw | {"chapter": 2}), "utf-8")
    with pytest.raises(InputError, match=r"two\.json: there is no n_blocks"):
        convert(folder)


@pytest.mark.parametrize("text", ["{", "[" * 50_000, "\0", "[]", '{"book": 1}'])
def test_what_is_no_gold_is_one_sentence(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = source(tmp_path)
    (folder / "one.json").write_text(text, "utf-8")
    assert main(["convert", str(folder), "--out", str(tmp_path / "out")]) == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1 and "one.json is not a gold chapter" in told and "errors.pydantic" not in told


def test_nothing_is_written_over_what_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = source(tmp_path)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert main(["convert", str(folder), "--out", str(folder / ".." / "source")]) == 2
    assert main(["draft", str(folder), str(tmp_path / "none.txt"), "--out", str(folder)]) == 2
    assert capsys.readouterr().err.count("holds what is read") == 2
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
