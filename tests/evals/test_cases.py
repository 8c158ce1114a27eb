from __future__ import annotations

from pathlib import Path

from evals.cases import bundled_cases, find_cases, public_cases
from tests.tiny import write_book


def test_the_bundled_serial_is_always_a_case() -> None:
    [case] = bundled_cases()
    assert case.manuscript.is_file() and case.gold.is_dir() and case.language == "en" and case.chapters is None
    assert find_cases(None) == (case,)


def test_public_gold_is_a_case_only_beside_the_text_it_was_made_for(tmp_path: Path) -> None:
    made = write_book(tmp_path / "made")
    (tmp_path / "gold" / "tiny-chapters").mkdir(parents=True)
    (tmp_path / "gold" / "tiny-chapters" / "one.json").write_bytes(
        (made.parent / "gold" / "chapter-1.json").read_bytes()
    )
    assert public_cases(tmp_path) == ()
    text = tmp_path / "texts" / "tiny-en" / "book.txt"
    text.parent.mkdir(parents=True)
    text.write_text("another text", encoding="utf-8")
    assert public_cases(tmp_path) == ()
    text.write_bytes(made.read_bytes())
    [case] = public_cases(tmp_path)
    assert (case.name, case.manuscript, case.chapters) == ("one", text, "1")
