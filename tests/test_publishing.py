"""`wiki` and `report` as verbs and commands: what is written, what stays, what is refused, and that nothing half-written is left."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from analyzer import pipeline
from analyzer.errors import ConfigError, InputError
from analyzer.export.site.settings import COVERS, MAX_COVER_BYTES, WikiSettings, example, load_wiki_settings
from analyzer.export.site.words import interface_languages, interface_of, interface_words
from tests.cli.commands import Command, command

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 64
STATIC = {"index.html", "app.js", "style.css", "theme.css", "site.js"}


@pytest.fixture
def analyzer(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    return command(monkeypatch, capfd)


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def site_of(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "site.js").read_text("utf-8").partition(" = ")[2].rstrip(";\n"))
    return found


def settle(book: Path, text: str) -> Path:
    (book / "wiki.toml").write_text(text, "utf-8")
    return book


def test_a_wiki_is_a_page_its_parts_and_a_piece_a_chapter(own: Path) -> None:
    made = pipeline.wiki(own)
    folder = own / "wiki"
    assert Path(made.path) == folder / "index.html" and made.chapters == 3
    pieces = {name for name in names(folder) if name.startswith("d/")}
    assert names(folder) == STATIC | pieces and len(pieces) == 3
    sizes = {name: (folder / name).stat().st_size for name in names(folder)}
    assert made.n_bytes == sum(sizes.values()) and made.n_files == len(sizes)
    assert made.largest_piece_bytes == max(sizes[name] for name in pieces)
    page = unescape((folder / "index.html").read_text("utf-8"))
    assert "default-src 'none'" in page and "http" not in re.sub(r"http-equiv", "", page)


def test_the_same_book_is_the_same_site_to_the_byte_and_an_unchanged_file_is_not_written_again(own: Path) -> None:
    pipeline.wiki(own)
    before = {
        name: ((own / "wiki" / name).read_bytes(), (own / "wiki" / name).stat().st_mtime_ns)
        for name in names(own / "wiki")
    }
    pipeline.wiki(own)
    after = {
        name: ((own / "wiki" / name).read_bytes(), (own / "wiki" / name).stat().st_mtime_ns)
        for name in names(own / "wiki")
    }
    assert before == after


def test_a_shorter_site_leaves_no_piece_of_the_longer_one(own: Path) -> None:
    pipeline.wiki(own)
    (own / "wiki" / "CNAME").write_text("wiki.example.org")
    (own / "wiki" / "d" / "notes.txt").write_text("the author's own")
    pipeline.wiki(own, through=1)
    assert len([name for name in names(own / "wiki") if re.fullmatch(r"d/[a-z2-7]{20}\.js", name)]) == 1
    assert {"CNAME", "d/notes.txt"} <= names(own / "wiki")


def half_of(folder: Path) -> Path:
    """What an older run that was killed may have left among the pieces."""
    half = folder / "d" / f".{'0a' * 8}.half"
    half.write_text('analyzerPiece({"chapter":3})')
    return half


def test_what_killed_runs_left_is_gone_after_the_next(own: Path) -> None:
    pipeline.wiki(own)
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    half = half_of(own / "wiki")
    gone, living = (own / f".{pid}-{'1b' * 8}.half" for pid in (dead.pid, os.getpid()))
    for folder in (gone, living, own / ".cache"):
        (folder / "d").mkdir(parents=True)
    pipeline.wiki(own, through=1)
    assert not half.exists() and not gone.exists()
    assert living.is_dir() and (own / ".cache").is_dir()


@pytest.mark.parametrize("fails_at", [1, 4])
def test_a_disk_that_fills_up_leaves_what_was_there_and_the_same_command_works_later(
    own: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    synced = 0

    def full(_descriptor: int) -> None:
        nonlocal synced
        synced += 1
        if synced >= fails_at:
            raise OSError(28, "No space left on device")

    for old in (False, True):
        if old:
            pipeline.wiki(own)
        before = {name: (own / "wiki" / name).read_bytes() for name in names(own / "wiki")}
        synced = 0
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(InputError, match="cannot be written: No space left") as error:
                pipeline.wiki(own, through=2)
        assert error.value.where == str(own / "wiki") and error.value.hint
        assert {name: (own / "wiki" / name).read_bytes() for name in names(own / "wiki")} == before
        assert not [path for path in own.iterdir() if path.name.endswith(".half")]
    assert pipeline.wiki(own, through=2).chapters == 2


def test_links_are_not_followed_out_of_the_folder(own: Path, tmp_path: Path) -> None:
    pipeline.wiki(own)
    victim = tmp_path / "victim"
    victim.mkdir()
    for path in (own / "wiki" / "d").iterdir():
        path.unlink()
    (own / "wiki" / "d").rmdir()
    (own / "wiki" / "d").symlink_to(victim)
    with pytest.raises(InputError, match="is a link"):
        pipeline.wiki(own)
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    with pytest.raises(InputError, match="link to nothing"):
        pipeline.wiki(own, tmp_path / "dangling")
    assert not list(victim.iterdir())


@pytest.fixture
def by_rules(own: Path, tmp_path: Path) -> Path:
    book = pipeline.init(own.parent / "tiny.txt", book=tmp_path / "by_rules")
    assert pipeline.run(book, model="rules").exit_code == 0
    return book


def test_answers_by_rules_are_no_site_for_readers_unless_its_author_asks_for_it_and_the_site_then_says_so(
    own: Path, by_rules: Path
) -> None:
    told: list[str] = []
    pipeline.wiki(own, tell=told.append)
    assert "ahead" not in site_of(own / "wiki") and not [line for line in told if "rules" in line]
    for through in (None, 1):
        with pytest.raises(ConfigError, match="weigh names over the whole book") as refused:
            pipeline.wiki(by_rules, through=through)
        assert "--may-tell-ahead" in refused.value.hint and refused.value.where == str(by_rules)
    assert not (by_rules / "wiki").exists()
    pipeline.wiki(by_rules, may_tell_ahead=True, tell=told.append)
    assert site_of(by_rules / "wiki")["ahead"] is True
    assert len([line for line in told if "weigh names over the whole book" in line]) == 1
    settle(by_rules, "may_tell_ahead = true")
    assert pipeline.wiki(by_rules).chapters == 3


def test_one_chapter_read_by_rules_is_enough_to_refuse_a_site(own: Path, by_rules: Path) -> None:
    pipeline.run(own, model="rules", chapters="2")
    with pytest.raises(ConfigError, match="weigh names over the whole book"):
        pipeline.wiki(own)


def test_answers_by_rules_are_exported_to_readers_of_the_whole_book_and_to_its_author_alone(
    by_rules: Path, tmp_path: Path, analyzer: Command
) -> None:
    def written(name: str, **said: Any) -> bool:
        return pipeline.export(by_rules, format="csv", out=tmp_path / name, **said).may_tell_ahead

    assert not written("whole", plane="reader") and not written("last", plane="reader", as_of=3)
    assert not written("author", as_of=1)
    with pytest.raises(ConfigError, match="weigh names over the whole book"):
        written("refused", plane="reader", as_of=2)
    assert not (tmp_path / "refused").exists()
    assert written("ahead", plane="reader", as_of=2, may_tell_ahead=True)
    said = analyzer("wiki", by_rules)
    assert said.code == 8 and not said.out and "--may-tell-ahead" in said.err
    assert analyzer("wiki", by_rules, "--may-tell-ahead").code == 0
    words = ("export", by_rules, "--format", "csv", "--out", tmp_path / "cli", "--plane", "reader", "--as-of", "1")
    assert analyzer(*words).code == 8
    told = json.loads(analyzer(*words, "--may-tell-ahead", "--json").out)
    assert told["may_tell_ahead"] is True


@pytest.mark.parametrize("through", [0, 4, -1])
def test_a_chapter_that_is_not_there_is_refused(own: Path, through: int) -> None:
    with pytest.raises(ConfigError, match="outside 1-3"):
        pipeline.wiki(own, through=through)
    assert not (own / "wiki").exists()


def test_a_folder_with_other_things_in_it_is_left_alone(own: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "index.html").write_text("<title>my page</title>")
    with pytest.raises(InputError, match="other things in it"):
        pipeline.wiki(own, other)
    with pytest.raises(InputError, match="other things in it"):
        pipeline.wiki(own, own)
    with pytest.raises(InputError, match="is a file"):
        pipeline.wiki(own, other / "index.html")
    assert names(other) == {"index.html"}


def test_a_book_that_was_never_read_has_nothing_to_publish(tmp_path: Path) -> None:
    (tmp_path / "new.txt").write_text("Chapter 1\n\nOda sat down.\n", "utf-8")
    book = pipeline.init(tmp_path / "new.txt")
    for publish in (pipeline.wiki, pipeline.report):
        with pytest.raises(ConfigError, match="nothing to publish"):
            publish(book)
    assert not (book / "wiki").exists() and not (book / "report.html").exists()


def test_a_place_where_no_folder_can_be_is_one_sentence(own: Path, tmp_path: Path, analyzer: Command) -> None:
    (tmp_path / "file").write_text("x")
    said = analyzer("wiki", own, "--out", tmp_path / "file" / "site")
    assert said.code == 2 and said.out == "" and "Traceback" not in said.err
    said = analyzer("report", own, "--out", tmp_path / "file" / "report.html")
    assert said.code == 2 and said.out == "" and "Traceback" not in said.err


def test_the_commands_say_what_was_written_and_where(own: Path, analyzer: Command) -> None:
    said = analyzer("wiki", own)
    assert said.code == 0 and said.out.strip() == str(own / "wiki" / "index.html")
    assert "3 chapters in 8 files" in said.err
    told = json.loads(analyzer("wiki", own, "--through", "2", "--json").out)
    assert (told["chapters"], told["n_files"]) == (2, 7)
    said = analyzer("report", own)
    assert said.code == 0 and said.out.strip() == str(own / "report.html") and "for the author alone" in said.err
    said = analyzer("wiki", own, "--out", "")
    assert said.code == 2 and "is empty" in said.err
    said = analyzer("wiki", own, "--through", "1")
    assert said.err.startswith("1 chapter in 6 files")
    said = analyzer("wiki", own, "--through", "9")
    assert said.code == 2 and said.out == "" and "outside 1-3" in said.err


def test_a_report_is_one_file_with_everything_inside(own: Path) -> None:
    made = pipeline.report(own)
    page = Path(made.path).read_text("utf-8")
    assert made.n_files == 1 and page.count('<script type="application/json" class="piece">') == 3
    assert "sha256-" in page and "src=" not in page.partition("<body>")[0] and "noindex" in page
    assert not re.search(r'(?:src|href)="(?!data:|#)', page)
    site = json.loads(page.partition("window.analyzerSite = ")[2].partition(";\n</script>")[0])
    assert site["mode"] == "report" and site["report"]["bill"]["calls"] > 0


def test_a_report_is_never_written_over_another_file(own: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.html").write_text("my own page")
    for out in (tmp_path / "mine.html", tmp_path):
        with pytest.raises(InputError, match="no report"):
            pipeline.report(own, out)
    pipeline.report(own, tmp_path / "deep" / "report.html")
    pipeline.report(own, tmp_path / "deep" / "report.html")
    assert (tmp_path / "mine.html").read_text() == "my own page"


def test_titles_credits_theme_and_licence_come_from_the_settings_file(own: Path) -> None:
    (own / "front.png").write_bytes(PNG)
    settle(
        own,
        'title = "Ein <Buch> & mehr"\nauthor = "O"\ndescription = "a\\" onload=x"\ncredits = ["Read by O"]\nnoindex = true\n'
        'quotes = false\ninterface = "en"\n[licence]\ntext = "All rights reserved"\nurl = "https://example.org/l"\n'
        '[source]\nurl = "https://example.org/"\n[hide]\nparts = ["threads", "places"]\nrelations = []\n'
        '[theme]\ncover = "front.png"\nfont_body = "Georgia, serif"\n[theme.light]\naccent = "#7a3b2e"\n[theme.dark]\npaper = "#000"\n',
    )
    pipeline.wiki(own)
    page, css = ((own / "wiki" / name).read_text("utf-8") for name in ("index.html", "theme.css"))
    assert "<title>Ein &lt;Buch&gt; &amp; mehr</title>" in page and 'content="a&quot; onload=x"' in page
    assert '<meta name="robots" content="noindex, nofollow">' in page
    site = site_of(own / "wiki")
    assert (site["cover"], site["quotes"], site["hidden"]) == ("cover.png", False, ["places", "threads"])
    assert site["licence"] == {"text": "All rights reserved", "url": "https://example.org/l"}
    assert "--accent: #7a3b2e;" in css and "--font-body: Georgia, serif;" in css and "--paper: #000;" in css
    assert (own / "wiki" / "cover.png").read_bytes() == PNG
    settle(own, "")
    pipeline.wiki(own)
    assert "cover.png" not in names(own / "wiki")


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("colour = 1", "colour"),
        ("title = 3", "title"),
        ('quotes = "no"', "quotes"),
        ("not toml", "not valid TOML"),
        ('interface = "tlh"', "not spoken"),
        ('proposals = "maybe"', "proposals"),
        ('[hide]\nparts = ["villains"]', "no part of a wiki"),
        ('[hide]\nrelations = ["hates"]', "no kind of relation"),
        ('[licence]\nurl = "javascript:alert(1)"', "no link"),
        ('[source]\nurl = "https://x\\" onclick=\\"y"', "no link"),
        ('[theme.light]\naccent = "red; } body { display: none"', "no colour"),
        ('[theme]\nfont_body = "x; } @import url(//x)"', "list of fonts"),
        ('[theme]\ncover = "../../secret.png"', "not beside"),
        ('[theme]\ncover = "gone.png"', "cannot be read"),
        ('[theme]\ncover = "wiki.toml"', "no picture"),
        ('[theme]\ncover = "text.png"', "not what its ending says"),
        ('[theme]\ncover = "big.png"', "more than"),
    ],
)
def test_a_setting_that_is_not_allowed_is_named_and_nothing_is_written(own: Path, said: str, fault: str) -> None:
    (own / "text.png").write_text("no picture")
    (own / "big.png").write_bytes(PNG + b"0" * MAX_COVER_BYTES)
    settle(own, said)
    with pytest.raises(ConfigError) as error:
        pipeline.wiki(own)
    assert fault in str(error.value) and "wiki.toml" in str(error.value) and error.value.hint
    assert not (own / "wiki").exists()


def test_a_settings_file_that_is_no_text_is_refused(own: Path) -> None:
    (own / "wiki.toml").write_bytes(b"title = '\xff'")
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_wiki_settings(own)


def test_the_example_of_settings_is_written_once_and_says_what_holds_without_it(own: Path, analyzer: Command) -> None:
    said = analyzer("wiki", own, "--write")
    assert said.code == 0 and said.out.strip() == str(own / "wiki.toml")
    assert load_wiki_settings(own) == WikiSettings()
    text = (own / "wiki.toml").read_text("utf-8")
    said = analyzer("wiki", own, "--write")
    assert said.code == 2 and "is there already" in said.err and (own / "wiki.toml").read_text("utf-8") == text
    uncommented = re.sub(r"^# (?=[\[a-z_]+.*[\]=])", "", text, flags=re.MULTILINE)
    (own / "cover.jpg").write_bytes(COVERS[".jpg"] + b"0" * 9)
    settle(own, uncommented)
    found = load_wiki_settings(own)
    assert found.theme.light.accent and found.proposals == "marked" and found.hide.relations


def test_the_example_takes_any_title() -> None:
    import tomllib

    for title in ('a"b', "x\ny", "\x7f", "鶴\u2028", "\\"):
        line = next(line for line in example(title).split("\n") if line.startswith("# title"))
        assert tomllib.loads(line.removeprefix("# "))["title"] == title


SPOKEN = {
    "en": "en", "en-GB": "en", "und": "en", "tlh": "en", "ko": "ko", "ja": "ja", "fr": "fr", "de": "de", "es": "es", "ru": "ru",
    "zh": "zh-Hans", "zh-Hans": "zh-Hans", "zh-CN": "zh-Hans", "zh-Hant": "zh-Hant", "zh-TW": "zh-Hant", "zh-Hant-HK": "zh-Hant",
}  # fmt: skip


@pytest.mark.parametrize("language", SPOKEN)
def test_the_interface_speaks_the_manuscripts_language_or_english(language: str) -> None:
    assert interface_of(language) == SPOKEN[language]
    assert set(SPOKEN.values()) == set(interface_languages())


def test_every_interface_language_has_every_word_with_the_same_places_to_fill() -> None:
    english = interface_words("en")
    plurals = re.compile(r"\.(?:zero|one|two|few|many|other)$")

    def keys(words: dict[str, str]) -> set[str]:
        return {plurals.sub(".N", key) for key in words}

    for language in interface_languages():
        words = interface_words(language)
        assert keys(words) == keys(english), language
        for key, text in words.items():
            same = english.get(key) or english.get(plurals.sub(".other", key), "")
            assert set(re.findall(r"\{\w+\}", text)) - {"{n}"} == set(re.findall(r"\{\w+\}", same)) - {"{n}"}, (
                language,
                key,
            )
            assert text.strip() == text and text and not re.search("[<>\x00-\x1f]", text), (language, key)
