"""The bundled serials in Chinese, Japanese and Korean: no byte and no word of a later chapter, and what a shorter text does change."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.export.planes import INTERMEDIATE
from analyzer.running import open_store, read_file
from analyzer.text.candidates.book import BookStats
from analyzer.text.candidates.forms import new_forms
from analyzer.text.languages import language_table
from tests.export.site.test_leaks import ROOT, chain, files_of, later_texts, strings, value_in

SERIALS = ("ferry-of-wujiu", "glass-of-kanoura", "goose-in-the-paper")
N = 3


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Each serial read with its gold, its reveals confirmed, with its wiki beside it."""
    made = {}
    for name in SERIALS:
        serial = ROOT / "goldsets" / name
        book = pipeline.init(serial / "serial.txt", book=tmp_path_factory.mktemp(name) / "book")
        assert pipeline.run(book, model=f"gold:{serial / 'gold'}").exit_code == 0
        for row in pipeline.show_reveals(book):
            if row.status == "proposed":
                pipeline.decide(book, "confirm", [row.reveal])
        assert pipeline.wiki(book).chapters == N
        made[name] = book
    return made


@pytest.mark.parametrize("name", SERIALS)
def test_a_site_through_a_chapter_is_the_whole_one_without_the_pieces_after_it(
    books: dict[str, Path], name: str, tmp_path: Path
) -> None:
    whole = books[name] / "wiki"
    for through in range(1, N):
        expected = files_of(whole)
        for later in chain(whole)[through:]:
            del expected[later]
        pipeline.wiki(books[name], tmp_path / str(through), through=through)
        assert files_of(tmp_path / str(through)) == expected, through


@pytest.mark.parametrize("name", SERIALS)
def test_no_text_of_a_later_chapter_is_in_what_readers_can_reach(books: dict[str, Path], name: str) -> None:
    whole = books[name] / "wiki"
    manuscript = read_file(ROOT / "goldsets" / name / "serial.txt", None)
    with open_store(books[name]) as store:
        facts = [one for one in store.facts() if one.fact.fact not in INTERMEDIATE]
        titles = [(row.no, row.title) for row in store.chapters()]
    static = [path for path in sorted(files_of(whole)) if not path.startswith("d/")]
    interface = "\n".join((whole / path).read_text("utf-8") for path in static)
    reachable = interface
    for through in range(1, N):
        reachable += "\n".join(strings(value_in(whole / chain(whole)[through - 1])))
        later = later_texts(facts, titles, through, manuscript.text[: manuscript.chapters[through].start] + interface)
        assert len(later) > 20
        assert not [text for text in later if text.casefold() in reachable.casefold()], through


def test_a_japanese_book_that_ends_with_a_chapter_has_the_same_site_to_the_byte(
    books: dict[str, Path], tmp_path: Path
) -> None:
    serial, whole = ROOT / "goldsets" / "glass-of-kanoura", books["glass-of-kanoura"] / "wiki"
    manuscript = read_file(serial / "serial.txt", None)
    (tmp_path / "serial.txt").write_text(manuscript.text[: manuscript.chapters[2].start], "utf-8")
    shutil.copytree(serial / "gold", tmp_path / "gold")
    (tmp_path / "gold" / "chapter-03.json").unlink()
    book = pipeline.init(tmp_path / "serial.txt", book=tmp_path / "book")
    assert pipeline.run(book, model=f"gold:{tmp_path / 'gold'}").exit_code == 0
    pipeline.wiki(book)
    expected = files_of(whole)
    for later in chain(whole)[2:]:
        del expected[later]
    assert files_of(book / "wiki") == expected


@pytest.mark.parametrize(("name", "language"), [("ferry-of-wujiu", "zh"), ("goose-in-the-paper", "ko")])
def test_which_words_may_be_names_is_counted_over_the_whole_text_and_all_of_them_stand_in_their_chapter(
    name: str, language: str
) -> None:
    """Why a text that is cut shorter may be another book: docs/wiki.md says so."""
    manuscript, table = read_file(ROOT / "goldsets" / name / "serial.txt", None), language_table(language)
    first = manuscript.chapters[0]
    whole, cut = (
        {form.surface for form in new_forms(first, table, (), BookStats.of_text(text, table))}
        for text in (manuscript.text, manuscript.text[: manuscript.chapters[1].start])
    )
    assert whole - cut
    assert not [surface for surface in whole | cut if surface not in first.text]
