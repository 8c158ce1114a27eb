from __future__ import annotations

import re
from pathlib import Path

import pytest

from evals.ceilings_page import STORY_CLASSES
from evals.curves_page import DOCS, Cell
from evals.curves_story import PICTURE, RATES, StoryCurves, draw, main, picture, settings, tables, write_page
from evals.goldset.cases import Case
from tests.evals.small import tale_case
from tests.evals.story_tale import LAMP_HOUSE, STORY


@pytest.fixture(scope="module")
def lamp(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return tale_case(tmp_path_factory.mktemp("lamp"), LAMP_HOUSE)


def made_up() -> StoryCurves:
    cells = {
        (rate, (cls, what)): Cell(0.9, 0.01)
        for rate in (0.0, 0.1)
        for cls in STORY_CLASSES
        for what in ("found", "right")
    }
    cells[0.1, ("identity", "found")] = Cell(None, None)
    return StoryCurves((("말굽", "ko", 3),), {"change": 7}, 2, False, cells)


def test_the_curves_start_at_the_truth_fall_with_errors_and_are_the_same_again(lamp: Case) -> None:
    first, again = (draw([lamp], [0.0, 0.4], n_seeds=2) for _ in range(2))
    assert first == again
    for cls in STORY:
        assert first.cells[0.0, (cls, "found")] == Cell(1.0, None), cls
    worse = [first.cells[0.4, (cls, "found")].mean for cls in STORY]
    assert all(share is not None for share in worse) and sum(share or 0 for share in worse) < len(worse) - 1
    assert first.n_core["change"] == 2


def test_where_only_the_story_errs_cast_and_relations_stay_true() -> None:
    rates = settings([0.1], 1, alone_err=True)[0.1, 0]
    assert rates.of("cast_forms", "miss") == rates.of("relation_kind", "miss") == 0
    assert rates.of("state_notice", "miss") == rates.of("thread_doubt", "invent") == 0.1
    assert settings([0.1], 1, alone_err=False)[0.1, 0].of("cast_forms", "miss") == 0.1


def test_every_setting_is_run_once_for_each_seed_and_nothing_but_once() -> None:
    assert list(settings(RATES, 2, alone_err=False)) == [(0.0, 0), *((r, s) for r in RATES[1:] for s in (0, 1))]


def test_every_caption_table_and_picture_says_simulated() -> None:
    page = tables(made_up(), "python -m evals.curves_story")
    lines = page.splitlines()
    heads = [line for at, line in enumerate(lines) if at + 1 < len(lines) and lines[at + 1].startswith("| ---")]
    told = [line for line in lines if line.startswith(("#", "*"))]
    assert len(heads) == 3 and all("simulated" in line.lower() for line in (*heads, *told))
    assert "`python -m evals.curves_story`" in page and "말굽" in page and "| – |" in page
    first, again = picture(made_up()), picture(made_up())
    assert first == again and "Simulated" in first and not re.search(r"<dc:date>", first)


def test_writing_keeps_all_other_parts_of_the_page(tmp_path: Path) -> None:
    page = tmp_path / "curves.md"
    page.write_text(
        "# by hand\n\n<!-- curves: begin -->\nkept\n<!-- curves: end -->\n\n<!-- story: begin -->\n<!-- story: end -->\n"
    )
    write_page(made_up(), "one", write=True, docs=tmp_path)
    text = page.read_text("utf-8")
    assert text.startswith("# by hand") and "kept" in text and "`one`" in text
    assert (tmp_path / "img" / PICTURE).read_text("utf-8") == picture(made_up())


def test_the_published_page_has_its_part_and_its_picture() -> None:
    page = (DOCS / "curves.md").read_text("utf-8")
    assert f"img/{PICTURE}" in page and (DOCS / "img" / PICTURE).is_file()
    assert "`python -m evals.curves_story" in page


@pytest.mark.parametrize("words", [["--rates", "2"], ["--seeds", "0"], ["--jobs", "101"], ["--cases", "nobody"]])
def test_what_cannot_be_run_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.startswith("error: ")
