"""Terminal, Markdown, JSON and the command: the same figures everywhere, and faulty files named."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from analyzer.errors import InputError
from evals.report.__main__ import main
from evals.report.groups import cents_per_unit, grouped, load_results
from evals.report.markdown import plain_text, report, table_text
from evals.report.summary import headlines, lead
from evals.report.tables import Table, changes, money, repeats, tables, trouble
from evals.report.wording import width
from tests.evals.report.results import HOSTILE, chapter, run, unscored


def written(tmp_path: Path, *results: object) -> list[str]:
    paths = []
    for i, result in enumerate(results):
        path = tmp_path / f"{i}.json"
        path.write_text(result.model_dump_json(), "utf-8")  # type: ignore[attr-defined]
        paths.append(str(path))
    return paths


def test_the_terminal_names_the_label_in_every_title(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(written(tmp_path, run(chapter(missed=1, label="by hand"), label="by hand"))) == 0
    out = capsys.readouterr().out
    titles = [line for line in out.splitlines() if line.rstrip().endswith("(answered by hand)")]
    assert len(titles) >= 10
    assert "90.0 % of 10" in out and "relations: missed" in out


def test_hostile_words_steer_no_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chapters = [chapter(i, case=words, people=(words, "x"), missed=1) for i, words in enumerate(HOSTILE)]
    assert main(written(tmp_path, run(*chapters, name=HOSTILE[3]))) == 0
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u200f]", capsys.readouterr().out)


def test_json_holds_figures_and_errors_and_no_words_beside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*written(tmp_path, run(chapter(missed=1), unscored(2))), "--json"]) == 0
    [group] = json.loads(capsys.readouterr().out)
    assert group["label"] == "truthful answers"
    [whole] = [f for f in group["figures"] if f["cls"] == "relation" and f["by"] == "class"]
    assert (whole["recall"]["hit"], whole["recall"]["n"]) == (9, 10)
    assert [u["why"] for u in group["unscored"]] == ["text not here"]
    assert len(group["mistakes"]) == 1


def test_markdown_columns_line_up_in_plain_text_whatever_the_script() -> None:
    rows = (("雁与纸", "1"), ("기러기 | 종이", "22"), ("Oda", "333"))
    lines = table_text(Table("t", "t", "run (rules)", ("case", "n"), rows)).splitlines()[2:]
    assert len({width(line) for line in lines}) == 1
    assert [len(re.findall(r"(?<!\\)\|", line)) for line in lines] == [3] * 5


def test_markdown_takes_hostile_words_as_words() -> None:
    chapters = [chapter(i, case=words, people=(words, "x"), missed=1) for i, words in enumerate(HOSTILE)]
    text = report(grouped([run(*chapters, name=HOSTILE[0])]))
    assert not re.search(r"<[a-z/!]|(?<!\\)\[link|http://|(?<!\\)`code", text)
    assert plain_text("friend_of _a_ <b>") == "friend_of \\_a\\_ &lt;b&gt;"


def test_repeats_of_a_run_give_mean_and_spread_and_different_runs_stand_side_by_side() -> None:
    groups = grouped([run(chapter(missed=1), seed=1), run(chapter(missed=3), seed=2), run(chapter(), name="second")])
    assert [(g.name, len(g.results)) for g in groups] == [("first", 2), ("second", 1)]
    [row] = [r for r in repeats(groups).rows if r[0] == "core relations found"]
    assert row[1:] == ("first (truthful answers)", "2", "80.0 %", "14.1 %", "70.0 %", "90.0 %")
    assert "mean 80.0 %" in headlines(groups[0])[0].more
    [change] = [r for r in changes(groups).rows if r[0] == "core relations found"]
    assert change[1:4] == ("90.0 %", "100.0 %", "+10.0")


def test_a_changed_prompt_makes_another_run_not_a_repeat() -> None:
    groups = grouped([run(chapter()), run(chapter(), prompts={"system.md": "other"})])
    assert [g.name for g in groups] == ["first", "first (2)"]


def test_unscored_unparsed_refused_missing_and_rules_are_counted_apart() -> None:
    counts = {"unparsed": 2, "refused": 3, "missing": 4, "rule:no_evidence": 5, "abstained": 6}
    table = trouble(grouped([run(chapter(trouble=counts), unscored(2))]))
    assert [row[:2] for row in table.rows] == [
        ("chapters without a score", "1"),
        ("answers that could not be read", "2"),
        ("answers refused", "3"),
        ("questions left without an answer", "4"),
        ("answers too near a tie", "6"),
        ("refused by rule no_evidence", "5"),
    ]


def test_a_chapter_read_in_part_is_scored_told_and_not_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    half = chapter(missed=4, partial="stopped by its time limit")
    [group, second] = grouped([run(half, chapter(2)), run(chapter(), chapter(2, missed=1), name="second")])
    assert ("chapters read in part: the rest counts as missed", "1", "stopped by its time limit 1") in trouble(
        [group]
    ).rows
    assert "1 chapter read in part only" in lead([group]) and "in part" not in lead([second])
    assert headlines(group)[0].n == "16 of 20"
    [change] = [row for row in changes([group, second]).rows if row[0] == "core relations found"]
    assert change[1:3] == ("100.0 %", "90.0 %")
    assert main([*written(tmp_path, run(half)), "--json"]) == 0
    [told] = json.loads(capsys.readouterr().out)
    assert told["partial"] == [{"case": "marsh-light", "chapter": 1, "why": "stopped by its time limit"}]


def test_money_is_brought_to_a_chapter_and_to_4000_words() -> None:
    table = money(grouped([run(chapter(usd=0.002, words=2000, estimate_usd=0.004))]))
    rows = {what: value for what, value in table.rows}
    assert rows["cents a chapter"] == "0.200" and rows["cents for 4,000 words"].startswith("0.400")
    assert rows["bill, of the estimate"] == "50.0 %"


def test_calls_without_a_price_cost_nobody_knows_what() -> None:
    group = grouped([run(chapter(usd=0.0))])[0]
    assert cents_per_unit(group.chapters).share is None
    assert headlines(group)[3].value == "–"


def test_tables_have_as_many_cells_as_columns() -> None:
    for groups in (grouped([run(chapter(missed=1))]), grouped([run(chapter()), run(chapter(), name="b")])):
        for table in tables(groups):
            assert {len(row) for row in table.rows} == {len(table.columns)}, table.id


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"name": "x"}', "\x00"])
def test_a_file_that_is_no_result_is_named(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=r"broken\.json"):
        load_results([path])
    assert main([str(path)]) == 2
    assert "broken.json" in capsys.readouterr().err


def test_a_missing_file_and_a_target_that_cannot_be_written_are_told(tmp_path: Path) -> None:
    assert main([str(tmp_path / "none.json")]) == 2
    assert main([*written(tmp_path, run(chapter())), "--md", str(tmp_path / "0.json" / "where.md")]) == 2


def test_the_command_writes_markdown_and_page(tmp_path: Path) -> None:
    md, html = tmp_path / "r.md", tmp_path / "r.html"
    assert main([*written(tmp_path, run(chapter())), "--md", str(md), "--html", str(html)]) == 0
    assert md.read_text("utf-8").startswith("# Evaluation: first") and html.read_text("utf-8").startswith("<!doctype")
