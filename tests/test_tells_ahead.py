"""Names weighed over the whole text are nothing for readers of its beginning: refused unless asked for, and then marked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.coverage import tells_ahead
from analyzer.errors import TellsAheadError
from analyzer.export.formats._format import names
from analyzer.running import open_store
from tests.cli.commands import Command, command

TALES = {
    "en": (
        "Chapter {}",
        "“Come in,” said Oda Hesk. Hesk came in, and Barnaby Hesk behind him. “Sit down, Barnaby,” said Oda Hesk.\n",
    ),
    "ko": (
        "제{}장",
        "“들어와.” 오다헤스가 말했다. 헤스는 들어왔고 바나비는 뒤에 있었다. 오다헤스는 헤스에게 물었다.\n",
    ),
    "zh": ("第{}章", "“请进。”贺欧达说道。林大山走进来，贺欧达看着林大山，林大山说：“贺队长在哪里？”\n"),
    "ja": ("第{}章", "「入って」と辺須さんは言った。辺須さんは小田さんを見た。小田さんは辺須さんに答えた。\n"),
}


@pytest.fixture
def analyzer(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    return command(monkeypatch, capfd)


def by_rules(folder: Path, language: str = "en", n: int = 2) -> Path:
    heading, words = TALES[language]
    text = "\n".join(f"{heading.format(no)}\n\n{words * no}" for no in range(1, n + 1))
    folder.mkdir(exist_ok=True)
    (folder / "tale.txt").write_text(text, "utf-8")
    book = pipeline.init(folder / "tale.txt")
    assert pipeline.run(book, model="rules").exit_code == 0
    return book


@pytest.mark.parametrize("language", TALES)
def test_a_book_read_by_rules_is_refused_for_readers_and_nothing_is_written(tmp_path: Path, language: str) -> None:
    book = by_rules(tmp_path, language)
    before = sorted(book.iterdir())
    for give in (
        lambda: pipeline.wiki(book),
        lambda: pipeline.wiki(book, through=1),
        lambda: pipeline.export(book, format="csv", out=tmp_path / "out", plane="reader", as_of=1),
        lambda: pipeline.export(book, format="markdown", out=tmp_path / "out", plane="reader", as_of=1),
    ):
        with pytest.raises(TellsAheadError, match="names of chapter 1 were read by rules") as error:
            give()
        assert error.value.where == str(book) and "--may-tell-ahead" in error.value.hint
    assert sorted(book.iterdir()) == before and not (tmp_path / "out").exists()


def test_the_commands_refuse_in_a_sentence_and_with_a_code_of_its_own(tmp_path: Path, analyzer: Command) -> None:
    book = by_rules(tmp_path)
    for words in (
        ("wiki", book),
        ("export", book, "--plane", "reader", "--as-of", 1, "--format", "gexf", "--out", tmp_path / "x"),
    ):
        said = analyzer(*words)
        assert (said.code, said.out) == (8, "") and "Traceback" not in said.err
        assert "over the whole book" in said.err and "--may-tell-ahead" in said.err
    said = analyzer("wiki", book, "--may-tell-ahead", "--json")
    assert said.code == 0 and json.loads(said.out)["may_tell_ahead"] is True and "says so" in said.err


def test_the_author_sees_it_all_as_ever(tmp_path: Path) -> None:
    book = by_rules(tmp_path)
    told: list[str] = []
    assert Path(pipeline.report(book, tell=told.append).path).is_file()
    for plane in ("author", "character:@1"):
        made = pipeline.export(book, format="csv", out=tmp_path / plane[:4], plane=plane, tell=told.append)
        assert made.plane == plane
    assert not [line for line in told if "rules" in line]


@pytest.mark.parametrize("asked", ["flag", "setting"])
def test_where_the_author_says_so_site_and_exports_are_written_and_marked(tmp_path: Path, asked: str) -> None:
    book = by_rules(tmp_path)
    flag = {"may_tell_ahead": asked == "flag"}
    if asked == "setting":
        (book / "wiki.toml").write_text("may_tell_ahead = true\n", "utf-8")
    told: list[str] = []
    assert pipeline.wiki(book, tell=told.append, **flag).may_tell_ahead
    assert '"ahead":true' in (book / "wiki" / "site.js").read_text("utf-8")
    for name in names():
        out = tmp_path / f"out.{name}"
        made = pipeline.export(book, format=name, out=out, plane="reader", as_of=1, tell=told.append, **flag)
        assert made.plane == "reader:may-tell-ahead"
        files = [path for path in ([out] if out.is_file() else out.rglob("*")) if path.is_file()]
        assert any(b"may-tell-ahead" in path.read_bytes() for path in files if path.name[0] != "."), name
    assert len([line for line in told if "and says so" in line]) == 1 + len(names())


def test_only_chapters_whose_names_were_weighed_with_later_ones_count(own: Path) -> None:
    """Gold for all; then rules for one chapter at a time, and gold again."""

    def ahead(through: int) -> tuple[int, ...]:
        with open_store(own) as store:
            return tells_ahead(store, 1, through)

    assert ahead(3) == ()
    pipeline.run(own, model="rules", chapters="3")
    assert ahead(3) == (), "the last chapter was weighed with those before it alone"
    pipeline.wiki(own)
    pipeline.run(own, model="rules", chapters="2")
    assert [ahead(1), ahead(2), ahead(3)] == [(), (2,), (2,)]
    pipeline.wiki(own, through=1)
    with pytest.raises(TellsAheadError, match="chapter 2"):
        pipeline.wiki(own)
    assert pipeline.run(own, model="gold").exit_code == 0
    assert ahead(3) == ()
    pipeline.wiki(own)


def test_what_only_marks_relations_by_rules_rests_on_its_chapter_and_counts_not(tmp_path: Path) -> None:
    book = by_rules(tmp_path)
    with open_store(book) as store:
        weighed = [task for task in store.tasks() if task.step in ("cast_forms", "cast_same")]
        for task in weighed:
            store.commit_task(
                task.model_copy(update={"model": "gpt-6-luna", "n_facts": 0, "n_issues": 0}), (), (), None
            )
        assert any(task.model == "rules" for task in store.tasks()) and tells_ahead(store, 1, 2) == ()


def test_a_text_of_one_chapter_tells_of_no_later_one(tmp_path: Path) -> None:
    book = by_rules(tmp_path, n=1)
    assert not pipeline.wiki(book).may_tell_ahead
    assert '"ahead"' not in (book / "wiki" / "site.js").read_text("utf-8")
