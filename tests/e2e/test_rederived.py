"""An edited chapter: what of the story rests on it is found anew, nothing else is asked, and the book is that of a fresh run."""

from __future__ import annotations

from pathlib import Path

from analyzer.steps._registry import load_steps
from analyzer.steps._step import AskStep
from tests.e2e.tiny import SERIAL, analyse, calls, make_book, meaning, simulated

BEFORE, AFTER = "now she would not look at him.", "now she turned her back on him."


def test_an_edit_asks_its_chapter_and_later_ones_only_where_a_step_looks_back(tmp_path: Path) -> None:
    assert SERIAL.count(BEFORE) == 1 and BEFORE in SERIAL.split("Chapter 2")[1].split("Chapter 3")[0]
    edited = SERIAL.replace(BEFORE, AFTER)
    book = make_book(tmp_path / "tiny", off=())
    with simulated() as sim:
        assert analyse(book, sim).exit_code == 0
        whole = len(calls(book))
        (book.parent / "tiny.txt").write_text(edited, "utf-8")
        again = analyse(book, sim)
        assert again.exit_code == 0
        fresh = make_book(tmp_path / "fresh", edited, off=())
        assert analyse(fresh, sim).exit_code == 0
    asked = {(call.step, call.chapter) for call in calls(book)[whole:]}
    look_back = {step.name for step in load_steps() if isinstance(step, AskStep) and step.past}
    assert look_back and {chapter for _, chapter in asked} <= {2, 3}
    assert {step for step, chapter in asked if chapter == 3} <= look_back
    assert "state_notice" in {step for step, chapter in asked if chapter == 2}
    ours, theirs = meaning(book), meaning(fresh)  # handles and answers of the old words stay, as they should
    assert (ours["facts"], ours["issues"]) == (theirs["facts"], theirs["issues"])
