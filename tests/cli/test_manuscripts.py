"""How a manuscript was read, as the commands show it: encoding, what was left out, the author's own list of chapters."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from analyzer.settings import load_settings
from tests.cli.commands import Command

RUSSIAN = (
    "Глава первая\n\nПеревозчица дважды пересчитала монеты, и река была серая.\n\nГлава вторая\n\nНикто не пришёл.\n"
)


@pytest.fixture
def manuscript(tmp_path: Path) -> Path:
    path = tmp_path / "reka.txt"
    path.write_bytes(RUSSIAN.encode("cp1251"))
    return path


def test_an_encoding_that_is_not_utf8_is_said_by_init_and_chapters(analyzer: Command, manuscript: Path) -> None:
    for words in (("chapters", manuscript), ("init", manuscript), ("chapters", manuscript)):
        said = analyzer(*words)
        assert said.code == 0
        assert "read as windows-1251" in said.err and "--encoding" in said.err


def test_a_named_encoding_is_kept_by_the_book(analyzer: Command, manuscript: Path, tmp_path: Path) -> None:
    book = tmp_path / "reka.book"
    assert analyzer("init", manuscript, "--encoding", "koi8-r").code == 0
    assert load_settings(book).encoding == "KOI8-R"
    (book / "analyzer.toml").write_text(
        "# mine\nmanuscript = '../reka.txt'\nencoding = 'KOI8-R' # wrong\nconcurrency = 2\n", encoding="utf-8"
    )
    said = analyzer("chapters", book, "--encoding", "cp1251", "--json")
    assert [row["label"] for row in json.loads(said.out)] == ["первая", "вторая"]
    assert "windows-1251, as named" in said.err
    settings = load_settings(book)
    assert (settings.encoding, settings.concurrency) == ("windows-1251", 2)
    assert "# mine" in (book / "analyzer.toml").read_text("utf-8")


def test_run_takes_and_keeps_an_encoding(analyzer: Command, manuscript: Path, tmp_path: Path) -> None:
    said = analyzer("run", manuscript, "--model", "rules", "--encoding", "windows-1251")
    assert said.code == 0, said.err
    assert load_settings(tmp_path / "reka.book").encoding == "windows-1251"


@pytest.mark.parametrize(("name", "words"), [("utf-8", "offset 0"), ("klingon", "no encoding is called 'klingon'")])
def test_an_encoding_that_cannot_be_is_refused_and_not_kept(
    analyzer: Command, manuscript: Path, tmp_path: Path, name: str, words: str
) -> None:
    analyzer("init", manuscript)
    said = analyzer("chapters", tmp_path / "reka.book", "--encoding", name)
    assert said.code == 2 and words in said.err and "what to do:" in said.err
    assert load_settings(tmp_path / "reka.book").encoding is None


def test_the_list_of_chapters_is_written_edited_and_obeyed(analyzer: Command, manuscript: Path, tmp_path: Path) -> None:
    refused = analyzer("chapters", manuscript, "--write")
    assert refused.code == 2 and "analyzer init" in refused.err
    analyzer("init", manuscript)
    written = analyzer("chapters", manuscript, "--write")
    file = tmp_path / "reka.book" / "chapters.toml"
    assert (written.code, written.out.strip()) == (0, str(file))
    listed = file.read_text("utf-8")
    file.write_text(
        listed.replace('kind = "chapter"\nlabel = "вторая"', 'kind = "epilogue"\nlabel = "II"'), encoding="utf-8"
    )
    rows = json.loads(analyzer("chapters", manuscript, "--json").out)
    assert [(row["kind"], row["label"]) for row in rows] == [("chapter", "первая"), ("epilogue", "II")]
    assert {row["reason"] for row in rows} == {"stated in chapters.toml"}
    again = analyzer("chapters", manuscript, "--write")
    assert again.code == 2 and "is there already" in again.err
    assert "II" in file.read_text("utf-8")
    file.write_text(listed.replace("nth = 1", "nth = 7", 1), encoding="utf-8")
    for words in (("chapters", manuscript), ("plan", manuscript), ("run", manuscript, "--model", "rules")):
        said = analyzer(*words)
        assert said.code == 2 and "chapters.toml line 1" in said.err and "nth is 7" in said.err


def test_what_belongs_to_no_chapter_is_listed_with_its_reason(analyzer: Command, tmp_path: Path) -> None:
    path = tmp_path / "salt.txt"
    path.write_text("THE SALT ROAD\n\nby A. Weaver\n\nChapter 1\n\nIlse rowed.\n\nChapter 2\n\nShe slept.\n\nTHE END\n")
    said = analyzer("chapters", path)
    assert "title page" in said.out and "THE SALT ROAD by A. Weaver" in said.out
    assert "end mark" in said.out


def test_a_text_without_headings_is_told_in_plain_words(analyzer: Command, tmp_path: Path) -> None:
    path = tmp_path / "fleuve.txt"
    path.write_text("Elle compta les pièces deux fois.\n\nPersonne ne venait.\n", encoding="utf-8")
    said = analyzer("chapters", path)
    assert said.code == 0 and "no chapter headings were found" in said.err


@pytest.mark.parametrize("kind", ["pipe", "device", "loop"])
def test_what_is_no_regular_file_is_refused_at_once(analyzer: Command, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "odd.txt"
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero" if kind == "device" else path.name)
    said = analyzer("init", path)
    assert said.code == 2 and "what to do:" in said.err and "Traceback" not in said.err
