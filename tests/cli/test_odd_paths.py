"""Paths and settings that are none: said in one sentence, with exit code 2 and never a traceback."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.errors import ConfigError, InputError
from analyzer.settings import load_settings
from tests.cli.commands import Command


def process(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.run(
        [sys.executable, "-m", "analyzer", *words], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("init", ""), "the path given is empty"),
        (("chapters", ""), "the path given is empty"),
        (("init", "s.txt", "--book", ""), "the path given is empty"),
        (("chapters", "/"), "root of the file system"),
        (("init", os.fsdecode(b"b\xff.txt")), "is not UTF-8"),
        (("chapters", "s.txt", "--encoding", ""), "no encoding is called"),
    ],
)
def test_a_path_that_is_none_is_refused(
    analyzer: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("s.txt", os.fsdecode(b"b\xff.txt")):
        (tmp_path / name).write_text("Chapter 1\n\nAnna.\n")
    ended = analyzer(*words)
    assert ended.code == 2 and said in ended.err and "what to do" in ended.err
    assert not list(tmp_path.glob("*.book")) and not (tmp_path / "analyzer.toml").exists()


def test_the_librarys_verbs_refuse_an_empty_path() -> None:
    for verb in (pipeline.init, pipeline.chapters, pipeline.plan):
        with pytest.raises(InputError, match="empty"):
            verb("")


def test_a_path_is_made_safe_on_a_terminal_and_kept_in_a_pipe(tmp_path: Path) -> None:
    name = "e\x1b[31mx.txt"
    (tmp_path / name).write_text("Chapter 1\n\nAnna met Bob.\n")
    assert process("init", name, cwd=tmp_path).stdout == "e\x1b[31mx.book\n"
    ours, theirs = pty.openpty()
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        [sys.executable, "-m", "analyzer", "init", name],
        cwd=tmp_path,
        env=env,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
    ) as child:
        child.wait()
    os.close(theirs)
    shown = os.read(ours, 1000)
    os.close(ours)
    assert b"\x1b" not in shown and shown.decode().strip() == "e\ufffd[31mx.book"


@pytest.mark.parametrize(("key", "value"), [("language", "klingon!!"), ("encoding", "nonsense"), ("encoding", "")])
def test_a_setting_that_is_nothing_known_is_named_with_its_file_and_key(tmp_path: Path, key: str, value: str) -> None:
    (tmp_path / "s.txt").write_text("Глава 1\n\nВера вышла.\n", encoding="utf-8")
    folder = pipeline.init(tmp_path / "s.txt")
    with (folder / "analyzer.toml").open("a") as file:
        file.write(f'{key} = "{value}"\n')
    with pytest.raises(ConfigError, match=rf"analyzer\.toml has a setting that is not allowed: {key}") as caught:
        load_settings(folder)
    assert caught.value.where.endswith("analyzer.toml") and "--" not in caught.value.hint
