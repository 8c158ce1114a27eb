"""Files are read only where they are what they should be, and written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.errors import InputError
from evals.files import check_apart, check_new_folder, json_of, read_text, toml_of, write_whole


def test_what_is_written_takes_the_place_of_a_file_and_follows_no_link(tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("mine", "utf-8")
    (tmp_path / ".r.json.half").symlink_to(mine)
    assert write_whole(tmp_path / "deep" / "r.json", "x").read_text("utf-8") == "x"
    assert write_whole(tmp_path / "r.json", "new").read_text("utf-8") == "new"
    (tmp_path / "link.json").symlink_to(mine)
    write_whole(tmp_path / "link.json", "other")
    assert mine.read_text("utf-8") == "mine" and not (tmp_path / ".r.json.half").exists()


@pytest.mark.parametrize("name", ["", "file/below", "n" * 300])
def test_a_place_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(InputError, match=r"cannot be written|no ordinary file"):
        write_whole(tmp_path / name, "x")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_only_a_new_or_empty_folder_is_new(tmp_path: Path) -> None:
    assert check_new_folder(tmp_path / "new") == tmp_path / "new"
    assert check_new_folder(tmp_path) == tmp_path
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "file").write_text("x", "utf-8")
    for path in (tmp_path, tmp_path / "link", tmp_path / "file"):
        with pytest.raises(InputError, match=r"not empty|is no folder"):
            check_new_folder(path)
    with pytest.raises(InputError, match="holds what is read"):
        check_apart(tmp_path / "x" / "..", tmp_path)


def test_no_file_too_large_a_device_and_bytes_that_are_no_text_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "large").write_text("x" * 11, "utf-8")
    (tmp_path / "latin").write_bytes(b"\xe9")
    for path, words in (
        (tmp_path / "none", "no ordinary file"),
        (tmp_path, "no ordinary file"),
        (Path("/dev/zero"), "no ordinary file"),
        (Path("a\0b"), "no ordinary file"),
        (tmp_path / "large", "at most 10 bytes"),
        (tmp_path / "latin", "utf-8"),
    ):
        with pytest.raises(InputError, match=words) as caught:
            read_text(path, most=10, what="thing")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["[" * 100_000, "{", "\0", '{"a": ' * 50_000, "1" * 5000])
def test_no_depth_and_no_number_breaks_a_reader(text: str) -> None:
    with pytest.raises(InputError, match=r"x\.json is no thing"):
        json_of(text, "x.json", what="thing")
    with pytest.raises(InputError, match=r"x\.toml is no thing"):
        toml_of(f"a = {text}", "x.toml", what="thing")
