from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.models.facts import RelationFact
from analyzer.storage.store import Store
from evals.answerers.named import noisy
from evals.answerers.rates import VOTES, Rates, Votes
from evals.curves import Setting, draw, main, measured, plan
from evals.curves_page import DOCS, Cell, Curves, Line, picture, tables, write_page
from evals.goldset.cases import Case
from evals.revote import relations_under
from evals.runs import run_book
from tests.evals.small import tiny_case

HEAVY = Rates(
    steps={name: 0.3 for name in ("relation_kind", "relation_confirm", "relation_confirm_again", "relation_third")}
)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return tiny_case(tmp_path_factory.mktemp("tiny"))


def relations(book: Path, votes: Votes) -> set[tuple[str, str, str, int]]:
    with Store.open(book) as store:
        facts, handles = [row.fact for row in store.facts()], store.handles()
    found = relations_under(votes, facts, pipeline.manuscript_of(book), handles)
    return {(f.subject, f.relation, f.object, f.chapter) for f in found if isinstance(f, RelationFact)}


def test_fewer_votes_folded_from_a_run_are_what_a_run_with_fewer_votes_gives(tiny: Case, tmp_path: Path) -> None:
    book = run_book(tiny, noisy(HEAVY), tmp_path / "all")
    found = {votes: relations(book, votes) for votes in VOTES}
    for votes in VOTES:
        real = run_book(tiny, noisy(replace(HEAVY, votes=votes)), tmp_path / f"real-{votes}")
        assert found[votes] == relations(real, "all"), votes
    assert len({frozenset(rows) for rows in found.values()}) > 1


def test_the_curves_of_a_tiny_case_start_at_the_truth_and_are_the_same_again(tiny: Case) -> None:
    planned = plan([0.0, 0.3], n_seeds=1, more=False)
    first, again = (draw([tiny], planned, n_seeds=1) for _ in range(2))
    assert first == again
    zero = [line for line in first.rates if line.of == "0"]
    assert [line.votes for line in zero] == list(VOTES)
    assert all(line.cells["relation recall"] == Cell(1.0, None) for line in zero)
    worse = [line.cells["relation recall"].mean for line in first.rates if line.of == "0.3"]
    assert all(share is not None and share < 1 for share in worse)


def test_what_a_setting_gives_does_not_hang_on_what_else_is_counted(tiny: Case) -> None:
    rates = Rates(0.2, seed=7)
    assert (
        measured([tiny], Setting(rates)).shares["all"] == measured([tiny], Setting(rates, ("all",), True)).shares["all"]
    )


def test_every_setting_is_run_once_for_each_seed() -> None:
    planned = plan([0.0, 0.1], n_seeds=3, n_alone=2)
    assert [len(row.settings()) for row in planned.rates] == [1, 3]
    assert all(len(row.settings()) == 3 for row in planned.correlations)
    assert all(len(row.settings()) == 2 for row in (*planned.kinds[1:], *planned.steps[1:]))
    assert planned.kinds[0].settings() == planned.rates[0].settings()


def made_up() -> Curves:
    cell, one = Cell(0.9, 0.01), Cell(None, None)
    names = (
        "relation recall",
        "relation precision",
        "kind recall",
        "kind precision",
        "entity recall",
        "entity precision",
    )
    rows = tuple(Line(rate, votes, dict.fromkeys(names, cell)) for rate in ("0", "0.1") for votes in VOTES)
    alone = (Line("no error", "all", dict.fromkeys(names, cell)), Line("miss", "all", dict.fromkeys(names, one)))
    return Curves((("말굽", "ko", 3, 70),), 3, 1, rows, rows, alone, alone)


def labelled(page: str) -> None:
    """Raise where a heading, a caption or a table does not say that it is simulated."""
    lines = page.splitlines()
    heads = [line for at, line in enumerate(lines) if at + 1 < len(lines) and lines[at + 1].startswith("| ---")]
    captions = [line for line in lines if line.startswith("*") and "seed" in line]
    headings = [line for line in lines if line.startswith("#")]
    assert heads and captions and headings
    assert [line for line in (*heads, *captions, *headings) if "simulated" not in line.lower()] == []


def test_every_heading_caption_and_table_says_simulated_and_the_command_stands_there() -> None:
    page = tables(made_up(), "python -m evals.curves --seeds 3")
    labelled(page)
    assert "`python -m evals.curves --seeds 3`" in page and "말굽" in page and "–" in page


def test_the_picture_is_the_same_bytes_each_time_and_has_words_not_outlines() -> None:
    first, again = picture(made_up()), picture(made_up())
    assert first == again
    assert "Simulated" in first and "two and a third" in first
    assert not re.search(r"<dc:date>|\d{4}-\d\d-\d\dT", first)


def test_writing_keeps_what_was_written_by_hand(tmp_path: Path) -> None:
    write_page(made_up(), "one", write=True, docs=tmp_path)
    page = tmp_path / "curves.md"
    page.write_text(page.read_text("utf-8").replace("# Simulated: what errors cost", "# Simulated: by hand"), "utf-8")
    write_page(made_up(), "two", write=True, docs=tmp_path)
    text = page.read_text("utf-8")
    assert "by hand" in text and "`two`" in text and "`one`" not in text
    assert (tmp_path / "img" / "curves.svg").read_text("utf-8") == picture(made_up())


@pytest.mark.skipif(
    not (DOCS / "curves.md").is_file(), reason="the page is written by `python -m evals.curves --write`"
)
def test_the_published_page_is_labelled_throughout() -> None:
    page = (DOCS / "curves.md").read_text("utf-8")
    labelled(page)
    assert "img/curves.svg" in page and (DOCS / "img" / "curves.svg").is_file()


@pytest.mark.parametrize(
    "words",
    [
        ["--rates", "nan"],
        ["--rates", "0.1,,2"],
        ["--rates", "-1"],
        ["--seeds", "0"],
        ["--jobs", "101"],
        ["--alone", "-1"],
    ],
)
def test_rates_and_runs_beyond_their_bounds_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.startswith("error: --")
