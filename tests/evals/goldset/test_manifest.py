"""A manifest is read as it stands, and every kind of fault is said in one line with its field."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.errors import InputError
from evals.goldset.manifest import GOLDSETS, load_manifest, load_manifests, manifest_named
from tests.evals.goldset.sets import own, public
from tests.evals.goldset.tales import CHINESE, KOREAN


def test_the_goldsets_of_the_project_are_read() -> None:
    found = {manifest.name: manifest for manifest in load_manifests()}
    assert {"dark-of-the-gullick", "monte-cristo", "time-machine", "xiyouji", "youth"} <= set(found)
    assert [m.public for m in found.values()] == sorted(m.public for m in found.values())
    assert found["dark-of-the-gullick"].folder == GOLDSETS / "dark-of-the-gullick"
    assert found["monte-cristo"].made.readings == ("A", "B") and found["monte-cristo"].made.adjudicated


def test_own_and_public_manifests_say_what_they_are(tmp_path: Path) -> None:
    own(tmp_path, tale=KOREAN)
    public(tmp_path, tale=CHINESE)
    mine, theirs = load_manifests(tmp_path)
    assert (mine.name, mine.language, mine.public) == ("own-tale", "ko", False)
    assert (theirs.name, theirs.language, theirs.public) == ("tale", "zh", True)
    assert theirs.agreement.relation_families == 0.8 and theirs.agreement.entities is None
    assert not theirs.use.tuned_on and theirs.use.widely_known


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ('name = "tale"', 'name = "other"', "name: is 'other', the folder is 'tale'"),
        ('name = "tale"', 'name = "../tale"', "name: '../tale' is no slug"),
        ('name = "tale"', "", "name: is missing"),
        ('language = "en"', 'language = "xx"', "language: no language table for 'xx'"),
        ('language = "en"', 'language = "fr"', "language: gold of chapter 1 is in 'en', the manifest says 'fr'"),
        ('language = "en"', 'language = "English!"', "language: String should match pattern"),
        ('licence = "CC0 1.0"', 'license = "CC0 1.0"', "licence: is missing"),
        ('licence = "CC0 1.0"', 'licence = "CC0 1.0"\nmood = "x"', "mood: no such field"),
        ('licence = "CC0 1.0"', 'licence = "CC0 1.0"\nfolder = "/"', "folder: no such field"),
        ("edition = 'ours'", "file = 'serial.txt'\nedition = 'ours'", "text: give either file"),
        ("edition = 'ours'", "", "text: give file, or all of edition, title, sha256 and n_bytes"),
        ("source = 'made up'", "", "text: an edition without url needs source"),
        (
            "source = 'made up'",
            "url = 'http://example.org/t.txt'",
            "text.url: 'http://example.org/t.txt' is not fetched",
        ),
        ("source = 'made up'", "url = 'file:///etc/passwd'", "text.url: 'file:///etc/passwd' is not fetched"),
        ("source = 'made up'", "url = 'https://me:pw@example.org/'", "without user, password and spaces"),
        ("source = 'made up'", "url = 'https://[::1'", "is no url"),
        ("n_bytes = ", "n_bytes = 99999999999 #", "text.n_bytes: Input should be less than or equal to"),
        ("sha256 = '", "sha256 = 'x", "text.sha256: String should match pattern"),
        (
            "source = 'made up'",
            "source = 'made up'\nencoding = 'cp949'",
            "text.encoding: Input should be 'utf-8' or 'utf-16'",
        ),
        ('["A", "B"]', "[]", "made.readings: Tuple should have at least 1 item"),
        ('["A", "B"]', '["A"]', "made: adjudicated is true, but there is only one reading"),
        ('["A", "B"]', '["A", "A"]', "made: readings names one of them twice"),
        ('["A", "B"]', '["Anna"]', "made.readings.1: String should match pattern"),
        ("adjudicated = true", "adjudicated = 'perhaps'", "made.adjudicated: Input should be a valid boolean"),
        ('how = "by two readers"', 'how = ""', "made.how: String should have at least 1 character"),
        ("relation_families = 0.8", "relation_families = 80", "agreement.relation_families: Input should be less"),
        ("tuned_on = false", "", "use.tuned_on: is missing"),
        ("[text]", "[text", "is not TOML in UTF-8"),
    ],
)
def test_a_faulty_manifest_is_refused_with_its_field(tmp_path: Path, was: str, becomes: str, said: str) -> None:
    folder, _ = public(tmp_path)
    path = folder / "goldset.toml"
    text = path.read_text("utf-8")
    assert was in text
    path.write_text(text.replace(was, becomes, 1), "utf-8")
    with pytest.raises(InputError) as caught:
        load_manifest(folder)
    line = str(caught.value)
    assert line.startswith("tale/goldset.toml") and "\n" not in line.split(" is not TOML")[0]
    assert said in line or said.replace("Tuple", "Value") in line


@pytest.mark.parametrize("name", ["../serial.txt", "/etc/passwd", "sub/serial.txt", ".."])
def test_an_own_text_lies_beside_its_manifest(tmp_path: Path, name: str) -> None:
    folder = own(tmp_path)
    path = folder / "goldset.toml"
    path.write_text(path.read_text("utf-8").replace('"serial.txt"', f'"{name}"'), "utf-8")
    with pytest.raises(InputError, match=r"text.file: .* is no file beside the manifest"):
        load_manifest(folder)


def test_what_is_missing_beside_the_manifest_is_named(tmp_path: Path) -> None:
    folder = own(tmp_path)
    (folder / "serial.txt").unlink()
    with pytest.raises(InputError, match=r"text.file: there is no 'serial.txt'"):
        load_manifest(folder)
    (folder / "serial.txt").write_text("x", "utf-8")
    for file in (folder / "gold").iterdir():
        file.unlink()
    with pytest.raises(InputError, match="no gold chapters"):
        load_manifest(folder)


def test_gold_without_a_manifest_is_an_error_and_not_passed_over(tmp_path: Path) -> None:
    folder = own(tmp_path)
    (folder / "goldset.toml").unlink()
    with pytest.raises(InputError, match=r"there is no own-tale/goldset.toml"):
        load_manifests(tmp_path)


def test_two_goldsets_of_one_name_are_refused(tmp_path: Path) -> None:
    own(tmp_path, "tale")
    public(tmp_path, "tale")
    with pytest.raises(InputError, match="two goldsets are named 'tale'"):
        load_manifests(tmp_path)


def test_an_unknown_goldset_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    own(tmp_path)
    with pytest.raises(InputError, match="no goldset 'nowhere'; known are own-tale"):
        manifest_named("nowhere", tmp_path)
