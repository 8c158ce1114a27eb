"""What passes, what fails, what is accepted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from analyzer.errors import ConfigError, InputError
from evals import __main__ as command
from evals import gate
from evals.answerers.named import answerer_named
from evals.answering import run_named
from evals.baselines import Baseline, file_of, held, load_baseline, lost_answers, write_baseline
from evals.gate import Sources
from evals.goldset.cases import find_cases
from tests.evals.gate.mill import MILL
from tests.evals.goldset.sets import public

WHOLE = Baseline(
    case="c",
    answers="gold",
    label="truthful",
    chapters=("c 1",),
    figures={"entities named": (10, 10), "relations right": (9, 10)},
    found={"entities named": {"c 1": ("entity | Oda", "entity | Pia")}},
    false={"relations right": {"c 1": ("relation | Oda | loves | Pia",)}},
    calls=100,
    questions=1000,
    cents=10.0,
    trouble={"rule:no_evidence": 3, "stale": 5},
    order={"relation_confirm": (0.5, 100)},
)


def now(**changes: object) -> Baseline:
    return WHOLE.model_copy(update=changes)


def test_as_it_was_is_neither_worse_nor_better() -> None:
    verdict = held(WHOLE, WHOLE)
    assert (verdict.fell, verdict.better, verdict.told) == ((), (), ())


def test_one_fact_lost_is_a_fall_even_where_another_was_found() -> None:
    found = {"entities named": {"c 1": ("entity | Oda", "entity | Ludo")}}
    verdict = held(WHOLE, now(found=found), {"entity | Pia": "Pia of the weir"})
    assert verdict.fell == ("lost (entities named): c 1: Pia of the weir",)
    assert verdict.better == ("found (entities named): c 1: entity | Ludo",)


def test_a_new_false_fact_is_a_fall_and_one_gone_is_better() -> None:
    false = {"relations right": {"c 1": ("relation | Pia | owns | Oda",)}}
    verdict = held(WHOLE, now(false=false))
    assert verdict.fell == ("false now: c 1: relation | Pia | owns | Oda",)
    assert verdict.better == ("false no more: c 1: relation | Oda | loves | Pia",)


def test_noise_is_nothing_unless_a_baseline_says_otherwise() -> None:
    worse = now(
        figures={"entities named": (9, 10), "relations right": (9, 10)},
        found={"entities named": {"c 1": ("entity | Oda",)}},
    )
    assert len(held(WHOLE, worse).fell) == 2
    noisy = now(noise={"entities named": 0.1})
    assert held(noisy, worse).fell == ()
    assert held(noisy, worse).told == ("lost (entities named): c 1: entity | Pia",)
    assert len(held(now(noise={"entities named": 0.09}), worse).fell) == 2


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"calls": 104}, "dearer: calls 104 after 100 (+4.0%)"),
        ({"cents": 10.4}, "dearer: cents 10.4 after 10 (+4.0%)"),
        ({"trouble": {"stale": 5}}, "turns none away any more: rule:no_evidence 0 after 3"),
        ({"trouble": {**WHOLE.trouble, "missing": 1}}, "questions left without an answer: missing 1 after 0"),
        ({"order": {"relation_confirm": (0.1, 100)}}, "picked in relation_confirm stands at 0.10"),
        ({"chapters": ("c 1", "c 2")}, "other chapters or another price than its baseline: c 2"),
        ({"price_model": "gpt-other"}, "other chapters or another price"),
    ],
)
def test_what_else_is_a_fall(changes: dict[str, object], words: str) -> None:
    [line] = held(WHOLE, now(**changes)).fell
    assert words in line


@pytest.mark.parametrize(
    "changes",
    [
        {"calls": 102, "cents": 10.29},
        {"order": {"relation_confirm": (0.6, 100)}},
        {"order": {"relation_confirm": (0.0, 3)}},
        {"trouble": {"rule:no_evidence": 4, "stale": 5}},
        {"order": {}},
    ],
)
def test_what_is_within_bounds_passes(changes: dict[str, object]) -> None:
    assert held(WHOLE, now(**changes)).fell == ()


def test_a_replay_may_lose_two_in_a_hundred_answers_since_it_was_accepted() -> None:
    assert lost_answers(WHOLE, now(trouble={"stale": 20, "unrecorded": 5})) == 0
    assert lost_answers(WHOLE, now(trouble={"stale": 20, "unrecorded": 6})) == 21
    assert lost_answers(None, now(trouble={"unrecorded": 21})) == 21


def test_a_baseline_read_back_is_the_one_written(tmp_path: Path) -> None:
    path = write_baseline(WHOLE, tmp_path)
    assert path == file_of("c", "gold", tmp_path) and load_baseline("c", "gold", tmp_path) == WHOLE
    assert load_baseline("c", "rules", tmp_path) is None
    path.write_text('{"case": 3}', "utf-8")
    with pytest.raises(InputError, match=r"c\.gold\.json is no baseline"):
        load_baseline("c", "gold", tmp_path)


def test_two_runs_are_equal_to_the_byte(accepted: Sources) -> None:
    [case] = accepted.cases(None)
    assert run_named([case], "gold").model_dump_json() == run_named([case], "gold").model_dump_json()


def test_a_run_without_a_baseline_fails_and_says_what_to_do(mine: Sources) -> None:
    file_of("mill", "rules", mine.baselines).unlink()
    report = gate.go(mine, only="rules")
    assert report.held[0].verdict.fell == ("has no baseline yet: python -m evals accept",)


def test_lowering_needs_a_reason_and_raising_none(mine: Sources) -> None:
    best = load_baseline("mill", "rules", mine.baselines)
    assert best is not None
    name, (hit, n) = next((name, share) for name, share in best.figures.items() if 0 < share[0] < share[1])
    write_baseline(best.model_copy(update={"figures": {**best.figures, name: (hit + 1, n)}}), mine.baselines)
    report = gate.go(mine, only="rules")
    assert report.failed
    before = file_of("mill", "rules", mine.baselines).read_bytes()
    with pytest.raises(InputError, match="lowers or excuses mill rules"):
        gate.accept(report, reason="  ", root=mine.baselines)
    assert file_of("mill", "rules", mine.baselines).read_bytes() == before
    gate.accept(report, reason="one name was never one", root=mine.baselines)
    lowered = load_baseline("mill", "rules", mine.baselines)
    assert lowered is not None and lowered.reason == "one name was never one"
    write_baseline(lowered.model_copy(update={"figures": {**best.figures, name: (hit - 1, n)}}), mine.baselines)
    report = gate.go(mine, only="rules")
    assert not report.failed
    assert any(name in line for line in report.held[0].verdict.better)
    assert any("better: 1; python -m evals accept keeps that" in line for line in gate.shown(report))
    assert len(gate.accept(report, reason="", root=mine.baselines)) == 1
    assert gate.accept(gate.go(mine, only="rules"), reason="", root=mine.baselines) == []


def test_nothing_is_written_where_a_run_stops_half_way(mine: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run_named
    monkeypatch.setattr(gate, "Sources", lambda **_: mine)
    monkeypatch.setattr(
        gate, "run_named", lambda cases, spec, **more: whole(cases, "adversary:no" if spec == "rules" else spec, **more)
    )
    before = {path.name: path.read_bytes() for path in mine.baselines.iterdir()}
    assert command.main(["accept", "--reason", "because"]) == 2
    assert {path.name: path.read_bytes() for path in mine.baselines.iterdir()} == before


def test_an_absolute_bound_holds_until_it_is_excused(mine: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(gate.BOUNDS, "entities named", 1.1)
    report = gate.go(mine, only="gold")
    assert report.failed and report.held[0].verdict.fell == ()
    assert any(line.startswith("BELOW ITS BOUND  en: entities named 8/8") for line in gate.shown(report))
    with pytest.raises(InputError, match="lowers or excuses"):
        gate.accept(report, reason="", root=mine.baselines)
    gate.accept(report, reason="nobody can name more than all", root=mine.baselines)
    report = gate.go(mine, only="gold")
    assert not report.failed
    assert any("as accepted (nobody can name more than all)" in line for line in gate.shown(report))
    monkeypatch.setitem(gate.BOUNDS, "entities named", 0.98)
    gate.accept(gate.go(mine, only="gold"), reason="", root=mine.baselines)
    kept = load_baseline("mill", "gold", mine.baselines)
    assert kept is not None and kept.excused == {}


def test_public_chapters_are_run_only_where_their_texts_are_named(mine: Sources, tmp_path: Path) -> None:
    root, texts = tmp_path / "public-sets", tmp_path / "texts"
    _, data = public(root, "brook", MILL)
    texts.mkdir()
    (texts / "brook.txt").write_bytes(data)
    only = replace(mine, cases=lambda folder: find_cases(folder, root=root))
    assert gate.plan(only) == ([], ["brook: text not here, unscored"])
    with pytest.raises(InputError, match="nothing to run"):
        gate.go(only)
    runs, unscored = gate.plan(replace(only, texts=texts))
    assert ([run.name for run in runs], unscored) == (["brook gold", "brook rules"], [])
    report = gate.go(replace(only, texts=texts), only="gold")
    assert report.held[0].new.chapters == ("brook-001 1",)
    assert report.held[0].new.figures["relations of kind"] == (10, 10)


def test_the_command_speaks_json_and_exit_codes(
    mine: Sources, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gate, "Sources", lambda **_: mine)
    assert command.main(["--json", "--only", "mill rules"]) == 0
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert (found["failed"], [row["case"] for row in found["runs"]]) == (False, ["mill"])
    assert "[1/1] mill rules" in told.err
    file_of("mill", "rules", mine.baselines).unlink()
    assert command.main(["--only", "mill rules"]) == 1
    assert command.main(["--only", "nowhere"]) == 2
    assert "'nowhere' is part of no known name" in capsys.readouterr().err
    assert command.main(["accept", "--only", "mill rules"]) == 0
    assert "accepted: mill.rules.json" in capsys.readouterr().out


@pytest.mark.parametrize("spec", ["", "gold:x", "adversary:kind", "truth", "rules:1"])
def test_answers_nobody_knows_are_refused(spec: str) -> None:
    with pytest.raises(ConfigError):
        answerer_named(spec)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"noise": {"relations right": float("nan")}}, "noise.relations right: "),
        ({"noise": {"relations right": 7}}, "noise.relations right: "),
        ({"figures": {"entities named": [9, 8]}}, "entities named has 9 hits of 8"),
        ({"figures": {"entities named": [-1, 8]}}, "figures.entities named"),
        ({"cents": -1}, "cents: "),
        ({"cents": 1e308}, "cents: "),
        ({"order": {"relation_kind": [0.5, 0]}}, "order.relation_kind"),
        ({"case": "another"}, "it says another gold"),
        ({"answers": "rules"}, "it says c rules"),
    ],
)
def test_a_baseline_that_would_let_everything_pass_is_refused(
    tmp_path: Path, fields: dict[str, object], words: str
) -> None:
    path = write_baseline(WHOLE, tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | fields), "utf-8")
    with pytest.raises(InputError) as caught:
        load_baseline("c", "gold", tmp_path)
    assert words in str(caught.value) and "\n" not in str(caught.value)
