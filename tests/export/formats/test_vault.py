"""The Obsidian vault, and the Markdown file beside it."""

from __future__ import annotations

import pytest

from analyzer.export.planes import Plane
from analyzer.export.tables import tables_of
from tests.export.formats.making import PLANES, READERS, files_of, tale
from tests.export.formats.vaults import LINK, notes_of
from tests.export.story_tale import LANGUAGES, LAST


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("plane", PLANES)
@pytest.mark.parametrize("through", [1, 3, LAST])
def test_every_link_of_the_vault_means_one_note(language: str, plane: Plane, through: int) -> None:
    book = tale(through, plane, language)
    notes = notes_of(files_of(book, "obsidian"))
    handles = {note.matter["handle"] for note in notes.values() if "handle" in note.matter}
    assert handles == {row["entity"] for row in tables_of(book)["cast"].records()}
    assert len(handles) == len(book.seen.bible.cast)
    assert sorted(n.matter["chapter"] for n in notes.values() if "chapter" in n.matter) == list(range(1, through + 1))
    assert sum(len(LINK.findall(note.body)) for note in notes.values()) > 10


def test_a_note_has_aliases_kind_since_and_tags() -> None:
    notes = notes_of(files_of(tale(), "obsidian"))
    note = notes["People/Captain Hesk.md"]
    assert note.matter["aliases"] == ["Captain Hesk", "Barnaby Hesk"]
    assert (note.matter["kind"], note.matter["since"], note.matter["handle"]) == ("character", 1, "@3")
    assert note.matter["tags"] == ["story-bible", "story-bible/character"]
    assert "- employs [[the Weaver|the Weaver]] (former, since [[Chapter 2" in note.body
    assert "  > It was so in chapter 2.\n  > — [[Chapter 2" in note.body
    assert "Barnaby" not in str(notes_of(files_of(tale(2), "obsidian")))


def test_the_index_links_every_note() -> None:
    notes = notes_of(files_of(tale(), "obsidian"))
    linked = {target for target, _ in LINK.findall(notes["Story bible.md"].body)}
    assert linked == {name.rpartition("/")[2].removesuffix(".md") for name in notes} - {"Story bible"}


def test_a_secret_is_nowhere_in_a_readers_vault_before_it_comes_out() -> None:
    for through in range(LAST + 1):
        text = b"".join(files_of(tale(through, READERS), "obsidian").values()).decode()
        assert ("the old will" in text) is (through >= 4)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_markdown_file_tells_of_everybody_and_every_chapter(language: str) -> None:
    words = LANGUAGES[language]
    lines = files_of(tale(language=language), "markdown")[""].decode().splitlines()
    headings = [line for line in lines if line.startswith("#")]
    assert headings[0] == "# Tale" and sum(line.startswith("### Chapter ") for line in headings) == LAST
    for name in (words.oda, words.weaver, words.hesk, words.mill, words.letter, words.ludo):
        assert f"### {name}" in headings
    assert f"  > {words.sentence.format(2)}" in lines
