"""Whole sites, as they are written: nothing in what readers of N can reach comes from a later chapter."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from analyzer import pipeline
from analyzer.export.planes import INTERMEDIATE, Plane, Seen, seen
from analyzer.export.site.page import index_page, joined, site_script, site_value, theme_css
from analyzer.export.site.pieces import Piece, pieces
from analyzer.export.site.settings import WikiSettings
from analyzer.export.site.snapshot import Snapshots
from analyzer.models.facts import StoredFact
from analyzer.running import open_store, read_file
from evals.made_book import MadeBook, made_book, word_of

ROOT = Path(__file__).parent.parent.parent.parent
SERIAL = ROOT / "goldsets" / "dark-of-the-gullick"
N_DEMO, REVEAL_IN = 9, 8
N_MADE = 60


def strings(value: object) -> Iterator[str]:
    """Yield every text in JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)


def texts(facts: Iterable[StoredFact]) -> set[str]:
    """Return every text of facts long enough to tell something: names, quotations, notes."""
    return {text for one in facts for text in strings(one.fact.model_dump(mode="json")) if len(text) > 2}


def later_texts(facts: Iterable[StoredFact], titles: Iterable[tuple[int, str]], through: int, known: str) -> set[str]:
    """Return what later chapters say that nothing up to a chapter, and no word of the interface, says."""
    facts = list(facts)
    until = texts(one for one in facts if one.chapter <= through)
    later = texts(one for one in facts if one.chapter > through) | {title for no, title in titles if no > through}
    words = known.casefold() + "\n".join(until).casefold()
    return {text for text in later if text.casefold() not in words}


# --- a book of sixty chapters -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made() -> MadeBook:
    return made_book(N_MADE, 80)


def site_of(book: MadeBook, *, ending: bool) -> list[Piece]:
    def view_of(number: int) -> Seen:
        known = book.through(number) if ending else book
        return seen(
            known.stored, through=number, plane=Plane("reader"), confirmed=book.confirmed, handles=known.handles
        )

    return list(pieces("first", Snapshots(view_of, book.chapters).each(len(book.chapters))))


def test_every_piece_of_sixty_chapters_is_that_of_a_book_that_ends_there_and_has_no_word_of_a_later_one(
    made: MadeBook,
) -> None:
    whole = site_of(made, ending=False)
    assert whole == site_of(made, ending=True)
    words = [word_of(no) for no in range(1, N_MADE + 1)]
    for piece in whole:
        assert words[piece.chapter - 1] in piece.script
        assert not [word for word in words[piece.chapter :] if word in piece.script], piece.chapter
    revealed = [piece.chapter for piece in whole if '"into":' in piece.script]
    assert revealed == [N_MADE - 2]


# --- the bundled serial, with its late reveal ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled serial read with its gold, its reveal of chapter 8 confirmed."""
    book = pipeline.init(SERIAL / "serial.txt", book=tmp_path_factory.mktemp("demo") / "book")
    assert pipeline.run(book, model=f"gold:{SERIAL / 'gold'}").exit_code == 0
    [reveal] = [row for row in pipeline.show_reveals(book) if row.status == "proposed"]
    pipeline.decide(book, "confirm", [reveal.reveal])
    return book


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def chain(folder: Path) -> list[str]:
    """Return the files of the pieces in the order in which the page comes to them."""
    name = json.loads((folder / "site.js").read_text("utf-8").partition(" = ")[2].rstrip(";\n"))["first"]
    found = []
    while (folder / "d" / f"{name}.js").is_file():
        found.append(f"d/{name}.js")
        name = value_in(folder / found[-1])["next"]
    return found


def value_in(path: Path) -> dict[str, Any]:
    """Return what a piece's file hands over."""
    text = path.read_text("utf-8")
    found: dict[str, Any] = json.loads(text[text.index("(") + 1 : text.rindex(")")])
    return found


@pytest.fixture(scope="module")
def whole(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("whole") / "wiki"
    assert pipeline.wiki(demo, out).chapters == N_DEMO
    return out


@pytest.mark.parametrize("through", [1, 5, REVEAL_IN - 1, REVEAL_IN])
def test_a_site_through_a_chapter_is_the_whole_one_without_the_pieces_after_it(
    demo: Path, whole: Path, through: int, tmp_path: Path
) -> None:
    pipeline.wiki(demo, tmp_path / "wiki", through=through)
    expected = files_of(whole)
    for name in chain(whole)[through:]:
        del expected[name]
    assert files_of(tmp_path / "wiki") == expected
    assert len(chain(tmp_path / "wiki")) == through


def test_a_book_that_ends_with_a_chapter_has_the_same_site_to_the_byte(demo: Path, whole: Path, tmp_path: Path) -> None:
    through = 4
    manuscript = read_file(SERIAL / "serial.txt", None)
    (tmp_path / "serial.txt").write_text(manuscript.text[: manuscript.chapters[through].start], "utf-8")
    shutil.copytree(SERIAL / "gold", tmp_path / "gold")
    for later in range(through + 1, N_DEMO + 1):
        (tmp_path / "gold" / f"chapter-{later:02d}.json").unlink()
    book = pipeline.init(tmp_path / "serial.txt", book=tmp_path / "book")
    assert pipeline.run(book, model=f"gold:{tmp_path / 'gold'}").exit_code == 0
    pipeline.wiki(book, tmp_path / "wiki")
    expected = files_of(whole)
    for name in chain(whole)[through:]:
        del expected[name]
    assert files_of(tmp_path / "wiki") == expected


def test_no_name_title_or_quote_of_a_later_chapter_is_in_anything_that_readers_of_a_chapter_can_reach(
    demo: Path, whole: Path
) -> None:
    manuscript = read_file(SERIAL / "serial.txt", None)
    with open_store(demo) as store:
        facts = [one for one in store.facts() if one.fact.fact not in INTERMEDIATE]
        titles = [(row.no, row.title) for row in store.chapters()]
    interface = "\n".join(
        (whole / name).read_text("utf-8") for name in sorted(files_of(whole)) if not name.startswith("d/")
    )
    told = [strings(value_in(whole / name)) for name in chain(whole)]
    reachable = interface
    for through in range(1, N_DEMO):
        reachable += "\n".join(told[through - 1])
        read = manuscript.text[: manuscript.chapters[through].start]
        later = later_texts(facts, titles, through, read + interface)
        assert len(later) > 50
        lowered = reachable.casefold()
        assert not [text for text in later if text.casefold() in lowered], through


def test_names_of_files_have_no_order_and_no_list_of_them_is_anywhere(whole: Path) -> None:
    names = [Path(name).stem for name in chain(whole)]
    assert len(set(names)) == N_DEMO and all(re.fullmatch("[a-z2-7]{20}", name) for name in names)
    assert sorted(names) != names
    for path in whole.rglob("*"):
        if path.is_file():
            text = path.read_text("utf-8")
            named = [name for name in names if name in text]
            assert len(named) <= 2, path.name
    assert set(files_of(whole)) == {*chain(whole), "index.html", "app.js", "style.css", "theme.css", "site.js"}


def test_what_is_not_of_a_chapter_is_the_same_for_every_book_of_that_title() -> None:
    settings = WikiSettings()
    value = site_value(settings, title="T", language="en", mode="wiki")
    made = (index_page(value, settings), site_script(value), theme_css(settings), joined("js"), joined("css"))
    assert made == (index_page(value, settings), site_script(value), theme_css(settings), joined("js"), joined("css"))
    assert value["id"] != site_value(settings, title="U", language="en", mode="wiki")["id"]
