"""Live runs against the provider simulator: estimate, question, cap, Ctrl-C, repeats, recordings."""

from __future__ import annotations

import asyncio
import dataclasses
import io
import itertools
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from analyzer.errors import ConfigError, InputError, PermanentModelError
from analyzer.scheduler.run import MACHINE, run_book
from evals import __main__ as command
from evals import live
from evals.answering import run_named
from evals.gate import Sources
from evals.goldset.cases import Case
from evals.live import Live, Wish, expected, report_lines, run_live
from evals.results import read_result
from tests.e2e.tiny import MODEL, judged, simulated
from tests.simulator import Clock


@pytest.fixture(autouse=True)
def _retries_wait_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def no_wait(_seconds: float) -> None:
        await asyncio.sleep(0)

    assert run_book.__kwdefaults__ is not None
    quick = dataclasses.replace(MACHINE, sleep=no_wait, jitter=lambda: 0.0)
    monkeypatch.setitem(run_book.__kwdefaults__, "machine", quick)


@pytest.fixture
def case(accepted: Sources) -> Case:
    return accepted.cases(None)[0]


def ask(case: Case, out: Path, answerer: Any = judged, **wishes: Any) -> Live:
    with simulated(answerer, clock=Clock(speed=100.0)) as sim:
        wish = Wish(MODEL, base_url=sim.base_url, profile="openai", **wishes)
        return run_live([case], wish, out)


def test_repeats_are_scored_recorded_and_spread(case: Case, tmp_path: Path) -> None:
    turn = itertools.count()

    def moody(body: dict[str, Any]) -> str:
        """Say nothing at all to every ninth call."""
        return "" if next(turn) % 9 == 8 else judged(body)

    done = ask(case, tmp_path / "out", moody, repeats=2, cap_usd=1.0)
    assert (done.exit_code, done.stopped, len(done.results)) == (0, "", 2)
    assert 0 < done.spent_usd < 1.0
    assert done.results[0] == read_result(tmp_path / "out" / "result-1.json")
    assert {row.label for result in done.results for row in result.chapters} == {"provider"}
    assert [folder.name for folder in done.recorded] == [f"gpt-6-luna-mill-{n}" for n in (1, 2)]
    report = (tmp_path / "out" / "report.md").read_text("utf-8")
    assert "2 of 2 repeats [provider]" in report and "| entities named |" in report
    replayed = run_named([case], "replay:gpt-6-luna-mill-1", recordings=tmp_path / "out" / "recordings")
    assert replayed.chapters[0].outcomes == done.results[0].chapters[0].outcomes
    assert replayed.label == "provider"


def test_the_cap_is_for_all_repeats_together_and_what_arrived_is_kept(case: Case, tmp_path: Path) -> None:
    whole = ask(case, tmp_path / "whole").spent_usd
    cap = whole * 1.5
    done = ask(case, tmp_path / "out", repeats=3, cap_usd=cap)
    assert done.spent_usd <= cap
    assert done.exit_code == 5 and done.stopped
    assert done.results[0].chapters[0].unscored == ""
    assert all(row.unscored.startswith("not finished") for r in done.results[1:] for row in r.chapters)
    assert "Ended early" in (tmp_path / "out" / "report.md").read_text("utf-8")


def test_a_cap_of_nothing_asks_nothing(case: Case, tmp_path: Path) -> None:
    done = ask(case, tmp_path / "out", cap_usd=0.0)
    assert (done.exit_code, done.spent_usd, done.results) == (5, 0.0, [])


def test_ctrl_c_keeps_what_there_is(case: Case, tmp_path: Path) -> None:
    turn = itertools.count()

    def interrupting(body: dict[str, Any]) -> str:
        if next(turn) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return judged(body)

    done = ask(case, tmp_path / "out", interrupting, repeats=2)
    assert (done.exit_code, done.stopped) == (130, "interrupted")
    assert done.spent_usd > 0 and len(done.results) == 1
    assert done.results[0].chapters[0].unscored == "not finished: interrupted"
    assert (tmp_path / "out" / "report.md").is_file()


def test_without_a_key_nothing_is_asked(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(PermanentModelError, match="OPENAI_API_KEY"):
        expected([case], Wish(MODEL))


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        (Wish(MODEL, repeats=0), "--repeats 0"),
        (Wish(MODEL, cap_usd=float("nan")), "no amount"),
        (Wish(MODEL, cap_usd=-1.0), "no amount"),
        (Wish("rules"), "asks no provider"),
        (Wish("gpt-0-unheard-of", cap_usd=1.0), "no price is known"),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused(case: Case, wish: Wish, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        expected([case], wish)


def test_a_folder_with_something_in_it_is_left_alone(case: Case, tmp_path: Path) -> None:
    (tmp_path / "result-1.json").write_text("mine", "utf-8")
    with pytest.raises(InputError, match="not empty"):
        run_live([case], Wish(MODEL), tmp_path)
    assert (tmp_path / "result-1.json").read_text("utf-8") == "mine"


def test_the_command_prints_the_estimate_and_asks_nobody_without_a_terminal(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "find_cases", lambda _texts=None: [case])
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    with simulated(clock=Clock(speed=100.0)) as sim:
        words = ["live", MODEL, "--base-url", sim.base_url, "--profile", "openai", "--out", str(tmp_path / "out")]
        assert command.main(words) == 2
        assert sim.rows() == []
        told = capsys.readouterr()
        assert "mill: about" in told.out and "1 repeats" in told.out and "--yes" in told.err
        assert command.main([*words, "--yes", "--cap-usd", "1"]) == 0
        assert sim.rows()
    assert (tmp_path / "out" / "result-1.json").is_file()
    assert "never more than $1.0000" in capsys.readouterr().out


def test_a_report_without_a_result_is_still_a_report() -> None:
    done = Live(Wish("m"), stopped="the cap is reached")
    assert any("0 of 1 repeats" in line for line in report_lines(done))
    assert live.INTERRUPTED == 130
