"""Every command ends with a code and one line, whatever happens; nothing that is shown steers a terminal."""

from __future__ import annotations

import ast
import io
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.cells import cell_len

import evals
from analyzer.errors import BudgetReachedError, ConfigError, InputError
from evals import __main__ as entry
from evals.command import chosen, command, complain, say, show, show_json
from evals.results import write_result
from tests.evals.report.results import HOSTILE, chapter, run

FOLDER = Path(evals.__file__).parent
STEERING = "\x1b[31m\u202e\x07a\x9bb\nc\u2028d"


def commands() -> list[Path]:
    return [file for file in sorted(FOLDER.rglob("*.py")) if 'if __name__ == "__main__":' in file.read_text("utf-8")]


def test_every_command_goes_through_the_one_wrapper() -> None:
    assert len(commands()) > 10
    for file in commands():
        mains = [n for n in ast.parse(file.read_text("utf-8")).body if getattr(n, "name", "") == "main"]
        wrapped = [ast.unparse(d) for main in mains if isinstance(main, ast.FunctionDef) for d in main.decorator_list]
        assert wrapped == ["command"], file


@pytest.mark.parametrize(
    ("raised", "code", "said"),
    [
        (InputError("no such thing\x1b[31m", where="a.json", hint="look\nagain"), 2, "error: no such thing"),
        (BudgetReachedError("the cap"), 5, "error: the cap"),
        (PermissionError(13, "Permission denied", "x.toml"), 2, "the system refused: Permission denied [x.toml]"),
        (OSError(28, "No space left on device"), 2, "No space left on device"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (BrokenPipeError(32, "Broken pipe"), 0, ""),
    ],
)
def test_what_a_command_raises_is_a_code_and_one_line(
    raised: BaseException, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    @command
    def main() -> int:
        raise raised

    assert main() == code
    told = capsys.readouterr().err
    assert said in told and len(told.splitlines()) == (1 if said else 0) and "\x1b" not in told


@pytest.mark.parametrize("text", [STEERING, *HOSTILE])
def test_nothing_shown_steers_a_terminal(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    show(text, {"key": text})
    say(text)
    complain(InputError(text, where=text, hint=text))
    show_json({text: [text]})
    told = capsys.readouterr()
    assert not {c for c in told.out + told.err if c != "\n" and not c.isprintable()} - {"\xad"}
    assert len(told.err.splitlines()) == 2


def piped(words: Sequence[str], stdout: int) -> tuple[int, str]:
    made = subprocess.run([sys.executable, "-m", *words], stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)
    return made.returncode, made.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_reader_that_has_enough_and_a_full_disk_give_no_traceback(tmp_path: Path) -> None:
    result = write_result(run(*(chapter(n, missed=9) for n in range(1, 9))), tmp_path / "r.json")
    for words in (["evals", "report", str(result)], ["evals", "compare", "--json", str(result), str(result)]):
        reading = subprocess.Popen(["true"], stdin=subprocess.PIPE)
        assert reading.stdin is not None
        reading.wait()
        assert piped(words, stdout=reading.stdin.fileno()) == (0, ""), words
        reading.stdin.close()
        with Path("/dev/full").open("w") as full:
            code, told = piped(words, stdout=full.fileno())
        assert code == 2 and told.startswith("error: the system refused: No space left") and told.count("\n") == 1


def test_a_reader_that_has_enough_changes_no_exit_code(tmp_path: Path) -> None:
    told = 'show(*["x" * 99] * 9999); raise SystemExit(command(lambda: show("more") or 1)())'
    made = tmp_path / "told.py"
    made.write_text(f"from evals.command import *\n{told}\n", "utf-8")
    gone = subprocess.Popen(["true"], stdin=subprocess.PIPE)
    assert gone.stdin is not None
    gone.wait()
    with gone.stdin as pipe:
        done = subprocess.run(
            [sys.executable, str(made)],
            stdout=pipe.fileno(),
            stderr=subprocess.PIPE,
            cwd=FOLDER.parent,
            env={"PYTHONPATH": str(FOLDER.parent)},
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_choice_that_is_empty_or_unknown_names_the_known_and_runs_nothing() -> None:
    known = ["goose", "gull", "ferry"]
    assert chosen("--cases", None, known) == known
    assert chosen("--cases", "g", known) == ["goose", "gull"] and chosen("--cases", " ferry , goo", known) == [
        "goose",
        "ferry",
    ]
    for wanted in ("", ",", " ", "goose,", "goose,nobody", "nobody"):
        with pytest.raises(ConfigError, match=r"no known name") as caught:
            chosen("--cases", wanted, known)
        assert caught.value.hint == "known are goose, gull, ferry"
    with pytest.raises(ConfigError):
        chosen("--cases", "goo", known, exact=True)


@pytest.mark.parametrize(
    "words", [["run", "--answers", "rules"], ["--only"], ["curves"], ["live", "gpt-6-luna", "--yes"]]
)
@pytest.mark.parametrize("wanted", [",", "", "goose,nobody-of-that-name"])
def test_no_command_runs_everything_for_a_slip(
    words: list[str], wanted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = [] if words[-1] == "--only" else ["--cases"]
    out = ["--out", str(tmp_path / "out")] if words[0] in ("run", "live") else []
    assert entry.main([*words, *more, wanted, *out]) == 2
    told = capsys.readouterr()
    assert "no known name" in told.err and "goose-in-the-paper" in told.err and not told.out


def test_the_help_of_answers_names_them_all(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        entry.main(["run", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert all(name in told for name in ("gold", "rules", "noisy:RATES", "adversary:NAME", "first", "replay:NAME"))


def test_a_place_for_a_result_is_looked_at_before_anything_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert entry.main(["run", "--answers", "rules", "--out", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert "no ordinary file" in told and "running" not in told


def test_ctrl_d_at_the_question_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(_question: str) -> str:
        raise EOFError

    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda _self: True})())
    monkeypatch.setattr("builtins.input", ended)
    assert entry._agreed() is False


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("width", [40, 80])
def test_prose_is_folded_between_words_at_the_edge_of_a_terminal_and_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    words = "  prompts changed since recorded: 12 questions have no recorded answer in these words " * 2
    wide = "왕이소는 강가에서 소를 몰았다 " * 6
    monkeypatch.setenv("COLUMNS", str(width))
    for is_terminal in (True, False):
        out, err = (_Terminal(), _Terminal()) if is_terminal else (io.StringIO(), io.StringIO())
        monkeypatch.setattr("sys.stdout", out)
        monkeypatch.setattr("sys.stderr", err)
        show(words, wide, "", "short", "x" * 200)
        say(words)
        for stream in (out, err):
            rows = stream.getvalue().split("\n")
            assert (max(map(cell_len, rows)) <= width) is is_terminal
            assert "".join(rows).replace(" ", "").startswith(words.replace(" ", ""))
        assert out.getvalue().startswith("  prompts") and (out.getvalue().count("\n") > 5) is is_terminal
