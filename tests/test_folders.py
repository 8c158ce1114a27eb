from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from analyzer.errors import InputError
from analyzer.folders import LIST_NAME, write_file, write_folder


def put(out: Path, **files: str) -> dict[str, int]:
    """Write a folder of text files; `a__b` is b in a."""

    def write(folder: Path) -> Iterable[str]:
        for name, text in files.items():
            file = folder / name.replace("__", "/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        return [name.replace("__", "/") for name in files]

    return write_folder(out, write, {"as_of": 1})


def held(folder: Path) -> dict[str, str]:
    files = (p for p in folder.rglob("*") if p.is_file() and p.name != LIST_NAME)
    return {p.relative_to(folder).as_posix(): p.read_text("utf-8") for p in files}


def test_a_new_and_an_empty_folder_are_filled(tmp_path: Path) -> None:
    assert put(tmp_path / "deep" / "new", a="1", b__c="22") == {"a": 1, "b/c": 2}
    (tmp_path / "empty").mkdir()
    put(tmp_path / "empty", a="1")
    assert held(tmp_path / "empty") == {"a": "1"} and held(tmp_path / "deep" / "new") == {"a": "1", "b/c": "22"}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["deep", "empty"]


def test_an_earlier_one_of_ours_is_replaced_whole_and_what_others_put_there_stays(tmp_path: Path) -> None:
    out = tmp_path / "vault"
    put(out, a="1", b__later="chapter 9")
    (out / ".obsidian").mkdir()
    (out / ".obsidian" / "app.json").write_text("{}", "utf-8")
    (out / "b" / "mine.md").write_text("mine", "utf-8")
    (out / "away").symlink_to(tmp_path)
    put(out, a="2")
    assert {k: v for k, v in held(out).items() if not k.startswith("away")} == {
        "a": "2", ".obsidian/app.json": "{}", "b/mine.md": "mine",
    }  # fmt: skip
    assert (out / "away").is_symlink() and [p.name for p in tmp_path.iterdir()] == ["vault"]


@pytest.mark.parametrize("what", ["changed", "in the way", "a stranger's", "a file", "no list"])
def test_nothing_of_the_authors_is_ever_touched(tmp_path: Path, what: str) -> None:
    out = tmp_path / "out"
    if what == "a file":
        out.write_text("mine", "utf-8")
    elif what == "a stranger's":
        out.mkdir()
        (out / "a").write_text("mine", "utf-8")
    else:
        put(out, a="1")
        mine = {"changed": "a", "in the way": "B", "no list": LIST_NAME}[what]
        (out / mine).write_text("mine", "utf-8")
    before = held(tmp_path)
    with pytest.raises(InputError) as error:
        put(out, a="2", b="3")
    assert error.value.hint and held(tmp_path) == before and [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_list_that_names_files_outside_deletes_none(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("x", "utf-8")
    out = tmp_path / "out"
    put(out, a="1")
    digest = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    text = f'{{"files": {{"../precious": "{digest}", "{tmp_path}/precious": "{digest}", "a": "{digest}"}}}}'
    (out / LIST_NAME).write_text(text, "utf-8")
    with pytest.raises(InputError):
        put(out, a="2")
    assert (tmp_path / "precious").read_text("utf-8") == "x" and held(out) == {"a": "1"}


def test_what_fails_half_way_leaves_nothing_and_changes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out"
    put(out, a="1")

    def fails(folder: Path) -> Iterable[str]:
        (folder / "a").write_text("2", "utf-8")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_folder(out, fails, {})
    with pytest.raises(OSError, match="No space"):
        write_file(tmp_path / "file", lambda half: [half.write_text("x", "utf-8"), fails(tmp_path)])
    (tmp_path / "a").unlink()
    assert held(tmp_path) == {"out/a": "1"}


def test_a_file_is_written_once(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "file"
    assert write_file(out, lambda half: half.write_text("abc", "utf-8")) == 3
    for taken in (out, tmp_path):
        with pytest.raises(InputError):
            write_file(taken, lambda half: half.write_text("x", "utf-8"))
    assert [p.name for p in out.parent.iterdir()] == ["file"] and out.read_text("utf-8") == "abc"
