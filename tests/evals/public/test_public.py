"""The command: tables, JSON, the page, and what it says where the data is not there."""

import json
from pathlib import Path

import pytest

from evals.public.__main__ import main
from evals.public.report import markdown, shown, write_page
from evals.public.sets import SETS, measure_set


def test_a_missing_folder_gives_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path / "nowhere")]) == 2
    told = capsys.readouterr()
    assert not told.out and len(told.err.splitlines()) == 1 and "'litbank' is not here" in told.err


def test_a_set_nobody_has_and_a_page_of_some_sets_are_refused(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(data), "--only", "nothing"]) == 2
    assert "litbank, fr-litbank" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--data", str(data), "--only", "litbank", "--write"])


def test_one_set_is_printed_with_every_column(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(data), "--only", "sgb"]) == 0
    told = capsys.readouterr().out
    assert "Knuth" in told and "present, found" in told and "truthful" in told


def test_json_holds_figures_with_n_and_interval(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(data), "--only", "koconovel", "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)
    figures = {(line["column"], line["measure"]): line["figure"] for line in result["lines"]}
    assert figures["candidates", "names among candidates"]["n"] == 1
    assert all(0 <= f["low"] <= f["share"] <= f["high"] <= 1 for f in figures.values())


def test_the_page_gets_tables_between_its_markers_and_no_word_of_a_text(data: Path, tmp_path: Path) -> None:
    public = next(s for s in SETS if s.name == "dekker-sentences")
    result = measure_set(public, data)
    page = tmp_path / "public.md"
    page.write_text("before\n<!-- public: begin -->\nold\n<!-- public: end -->\nafter\n", "utf-8")
    write_page([result], page)
    text = page.read_text("utf-8")
    assert text.startswith("before\n") and text.endswith("after\n") and "old" not in text
    assert "| in the sentence, found | – |" in text and "Weir sentence 2" in text and "Harrowby" not in text
    write_page([result], page)
    assert page.read_text("utf-8") == text, "a second time changes nothing"


def test_nothing_to_count_is_a_dash() -> None:
    assert shown(None) == "–" and markdown([]) == ""


def test_every_set_is_read_as_the_makefile_names_it() -> None:
    assert len({public.name for public in SETS}) == len(SETS) == 6


@pytest.mark.parametrize("line", ["{", "[]", '{"doc": "x"}', '{"sentences": 3}', "[" * 50_000, "\0"])
def test_a_line_that_is_none_of_the_set_is_one_sentence(
    data: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "gold" / "litbank" / "litbank.jsonl").write_text(f"{line}\n", "utf-8")
    assert main(["--data", str(data), "--only", "litbank"]) == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1 and "the public set 'litbank' cannot be read after document none" in told
