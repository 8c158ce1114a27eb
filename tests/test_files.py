"""What is written for the author is written whole or not at all, and costs nothing that was there."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.errors import ConfigError, InputError
from analyzer.files import write_whole
from tests.tiny import write_book


def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the disk be full once half of a file has been written."""

    def refused(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", refused)


def test_a_file_is_replaced_with_its_mode_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("old", "utf-8")
    file.chmod(0o640)
    write_whole(file, "näw\n")
    assert file.read_bytes() == "näw\n".encode() and file.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_a_new_file_has_the_mode_other_new_files_have(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("", "utf-8")
    for name, new in (("a", True), ("b", False)):
        write_whole(tmp_path / name, "x", new=new)
        assert (tmp_path / name).stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_link_stays_and_what_it_names_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    real, link = tmp_path / "kept" / "real.toml", tmp_path / "link.toml"
    real.write_text("old", "utf-8")
    link.symlink_to(real)
    write_whole(link, "new")
    assert link.is_symlink() and real.read_text("utf-8") == "new"


@pytest.mark.parametrize("new", [True, False])
def test_a_write_that_fails_half_way_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, new: bool
) -> None:
    file = tmp_path / "a.toml"
    if not new:
        file.write_text("old", "utf-8")
    full(monkeypatch)
    with pytest.raises(OSError, match="No space left"):
        write_whole(file, "new" * 100, new=new)
    assert [path.name for path in tmp_path.iterdir()] == ([] if new else ["a.toml"])
    assert new or file.read_text("utf-8") == "old"


@pytest.mark.parametrize("has_links", [True, False])
def test_a_new_file_never_takes_the_place_of_one_that_came_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_links: bool
) -> None:
    file = tmp_path / "a.toml"
    if not has_links:
        monkeypatch.setattr(Path, "hardlink_to", lambda *_: (_ for _ in ()).throw(OSError(errno.EPERM, "no links")))
    write_whole(file, "mine", new=True)
    assert file.read_text("utf-8") == "mine" and list(tmp_path.iterdir()) == [file]
    monkeypatch.setattr(os, "fsync", lambda _handle: (tmp_path / "b.toml").write_text("theirs", "utf-8"))
    for name, there in (("a.toml", "mine"), ("b.toml", "theirs")):
        with pytest.raises(FileExistsError):
            write_whole(tmp_path / name, "other", new=True)
        assert (tmp_path / name).read_text("utf-8") == there


def test_two_writers_in_one_process_do_not_take_each_others_half(tmp_path: Path) -> None:
    threads = [threading.Thread(target=write_whole, args=(tmp_path / f"{n}", str(n) * 9999)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == {
        str(n): str(n) * 9999 for n in range(8)
    }


def test_a_full_disk_costs_neither_the_settings_nor_a_list_of_chapters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = pipeline.init(write_book(tmp_path))
    settings = (book / "analyzer.toml").read_text("utf-8")
    there = sorted(path.name for path in book.iterdir())
    full(monkeypatch)
    with pytest.raises(InputError, match=r"chapters\.toml cannot be written: No space left"):
        pipeline.write_chapters(book)
    with pytest.raises(ConfigError, match=r"analyzer\.toml cannot be written: No space left"):
        pipeline.chapters(book, encoding="UTF-8")
    assert (book / "analyzer.toml").read_text("utf-8") == settings
    assert sorted(path.name for path in book.iterdir()) == there
