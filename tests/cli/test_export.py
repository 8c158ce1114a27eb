from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.cli.export import FORMATS
from analyzer.export.formats._format import format_of, names
from tests.cli.commands import Command
from tests.cli.tale_book import tale_book
from tests.export.story_tale import LANGUAGES


@pytest.fixture(scope="module")
def tale(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tale as a book; not to be changed."""
    return tale_book(tmp_path_factory.mktemp("tale"), LANGUAGES["en"])


def test_the_help_names_the_formats_there_are(analyzer: Command) -> None:
    assert FORMATS == names() == pipeline.format_names()
    said = analyzer("export", "--help")
    assert said.code == 0 and all(name in said.out for name in FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_export_lists_what_it_wrote_and_says_how_much(analyzer: Command, tale: Path, tmp_path: Path, name: str) -> None:
    said = analyzer("export", tale, "--format", name, "--out", tmp_path / "out")
    assert said.code == 0, said.err
    listed = [Path(line) for line in said.out.splitlines()]
    written = [p for p in (tmp_path / "out").rglob("*") if p.is_file() and not p.name.startswith(".")]
    assert sorted(listed) == sorted(written or [tmp_path / "out"])
    total = sum(path.stat().st_size for path in listed)
    assert f"{total:,} bytes" in said.err and "as of chapter 5, plane author" in said.err
    again = analyzer("export", tale, "--format", name, "--out", tmp_path / "out")
    assert again.code == (0 if format_of(name).is_folder else 2)


def test_json_says_what_was_written_and_how_many_rows(analyzer: Command, tale: Path, tmp_path: Path) -> None:
    words = ("export", tale, "--format", "csv", "--out", tmp_path / "out", "--as-of", 3, "--plane", "reader", "--json")
    said = analyzer(*words)
    told = json.loads(said.out)
    assert (told["as_of"], told["plane"], told["rows"]["chapters"], told["rows"]["secrets"]) == (3, "reader", 3, 0)
    assert len(told["files"]) == len(told["sizes"]) and all(Path(name).is_file() for name in told["files"])


def test_an_earlier_export_with_more_chapters_leaves_nothing_behind(
    analyzer: Command, tale: Path, tmp_path: Path
) -> None:
    out = tmp_path / "vault"
    assert analyzer("export", tale, "--format", "obsidian", "--out", out).code == 0
    assert "Barnaby" in (out / "People" / "Captain Hesk.md").read_text("utf-8")
    (out / "mine.md").write_text("mine", "utf-8")
    assert analyzer("export", tale, "--format", "obsidian", "--out", out, "--as-of", 2, "--plane", "reader").code == 0
    text = "".join(p.read_text("utf-8") for p in out.rglob("*.md"))
    assert "Barnaby" not in text and "chapter 3" not in text and "mine" in text


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--format", "docx"), "no format"),
        (("--format", "csv", "--as-of", "9"), "chapter 9 is outside"),
        (("--format", "csv", "--plane", "god"), "no plane"),
        (("--format", "csv", "--plane", "character:@99"), "@99"),
    ],
)
def test_what_cannot_be_exported_is_said_in_a_sentence(
    analyzer: Command, tale: Path, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    said = analyzer("export", tale, *words, "--out", tmp_path / "out")
    assert said.code == 2 and told in said.err and said.out == "" and not (tmp_path / "out").exists()


def test_a_place_that_is_taken_is_refused(analyzer: Command, tale: Path, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("mine", "utf-8")
    for name, out in (
        ("csv", tmp_path),
        ("csv", tmp_path / "x"),
        ("gexf", tmp_path),
        ("gexf", tmp_path / "x"),
        ("csv", tale),
    ):
        said = analyzer("export", tale, "--format", name, "--out", out)
        assert said.code == 2 and said.out == "" and "--out" in said.err
    assert analyzer("export", tale, "--format", "csv", "--out", "").code == 2
    assert [p.name for p in tmp_path.iterdir()] == ["x"] and (tmp_path / "x").read_text("utf-8") == "mine"


def test_a_book_that_was_never_run_has_empty_tables_and_says_so(analyzer: Command, tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("Chapter 1\n\nOda came.\n\nChapter 2\n\nShe left.\n", "utf-8")
    book = pipeline.init(tmp_path / "s.txt")
    said = analyzer("export", book, "--format", "markdown", "--out", tmp_path / "s.md")
    assert said.code == 0 and "analyzer run" in said.err and (tmp_path / "s.md").is_file()


def test_a_run_book_is_exported_as_the_library_says(finished: Path, tmp_path: Path) -> None:
    made = pipeline.export(finished, format="csv", out=tmp_path / "a", plane="reader")
    again = pipeline.export(finished, format="csv", out=tmp_path / "b", plane="reader")
    assert made.n_bytes == again.n_bytes and made.rows == again.rows and made.rows["cast"] > 3
    for one, other in zip(made.files, again.files, strict=True):
        assert Path(one).read_bytes() == Path(other).read_bytes()
