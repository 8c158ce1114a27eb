"""Whoever spoils a rule, a candidate generator, a prompt or an order of options is told so by the gate, and what was lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from analyzer import prefix, prompts
from analyzer.errors import DefinitionError
from analyzer.models.facts import FAMILIES
from analyzer.models.question import Option
from analyzer.models.text import Chapter
from analyzer.steps import _confirm, cast_forms, relation_select, relation_third, relations
from analyzer.steps._options import lettered
from analyzer.text.candidates import forms
from evals import gate, runs
from evals.gate import ANSWERS, NOISY, Sources
from evals.goldset.cases import by_chapter, own_case


def fallen(sources: Sources, answers: str) -> list[str]:
    """Run the gate with these answers and return what fell, as printed."""
    report = gate.go(sources, only=answers)
    assert report.failed
    lines = list(gate.shown(report))
    return [line.strip() for line in lines if "FELL  " in line]


def test_the_undamaged_tree_passes(accepted: Sources) -> None:
    report = gate.go(accepted)
    assert not report.failed
    assert [one.run.name for one in report.held] == [f"mill {answers}" for answers in ANSWERS]
    assert "4 runs at the baseline or better" in list(gate.shown(report))


def test_a_rule_at_the_door_that_is_disabled_lets_false_facts_in(
    accepted: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relations, "by_mark_alone", lambda *_: False)
    monkeypatch.setattr(relations, "door", lambda *_: None)
    monkeypatch.setattr(relations, "decide", lambda _votes: "for")
    found = fallen(accepted, "adversary")
    assert any("false now" in line for line in found)
    assert any("a rule that turned claims away turns none away any more: rule:undecided" in line for line in found)


def fell_alone(sources: Sources, answers: str) -> tuple[str, ...]:
    """Run the gate whole and return what fell with these answers; nothing may have fallen with any others."""
    report = gate.go(sources)
    assert [one.run.answers for one in report.held if one.verdict.fell] == [answers]
    return next(one.verdict.fell for one in report.held if one.verdict.fell)


def test_a_third_vote_that_is_never_asked_is_seen_by_answers_with_errors_alone(
    accepted: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relation_third, "_unsettled", lambda *_: False)
    found = fell_alone(accepted, NOISY)
    assert "lost (relations of kind): mill 1: Sabra Finch serves Hugo Brandt" in found
    assert "relations of kind 2/10 (20.0%) after 4/10 (40.0%)" in found


def test_a_rule_at_the_door_that_lets_far_evidence_pass_is_seen_by_answers_with_errors_not_by_true_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = by_chapter(own_case())[1]
    answers = ("gold", NOISY)
    sources = Sources(baselines=tmp_path, recordings=tmp_path / "none", cases=lambda _texts: [case], answers=answers)
    gate.accept(gate.go(sources), reason="one chapter of the serial", root=tmp_path)
    monkeypatch.setattr(relations, "_far", lambda *_: False)
    found = fell_alone(sources, NOISY)
    assert "a rule that turned claims away turns none away any more: rule:evidence_not_in_chapter 0 after 1" in found


def test_a_candidate_generator_that_loses_a_family_loses_its_facts(
    accepted: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relation_select, "FAMILIES", tuple(f for f in FAMILIES if f != "conflict"))
    found = fallen(accepted, "gold")
    assert "FELL  lost (relations of kind): mill 1: Hugo Brandt enemy_of Noah Tully" in found
    assert "FELL  relations of family 9/10 (90.0%) after 10/10 (100.0%)" in found


def test_a_candidate_generator_that_loses_a_name_loses_whoever_bears_it(
    accepted: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = forms.new_forms

    def without_places(*given: Any) -> Any:
        return [form for form in whole(*given) if form.surface != "Carrow"]

    monkeypatch.setattr(cast_forms, "new_forms", without_places)
    found = fallen(accepted, "gold")
    assert "FELL  lost (entities named): mill 1: Carrow" in found
    assert "FELL  lost (relations of kind): mill 1: Agnes Tully lives_in Carrow" in found


def test_a_message_without_its_options_loses_what_they_carried(
    accepted: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prompts, "_shown", lambda _options: "")
    found = fallen(accepted, "gold")
    assert "FELL  lost (entities named): mill 1: Hugo Brandt" in found
    assert any("lost (relations of family)" in line for line in found)


def test_a_prefix_without_numbered_sentences_loses_every_relation(
    accepted: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole: Callable[[Chapter], Any] = prefix.chapter_part

    def unnumbered(chapter: Chapter) -> Any:
        return whole(chapter).model_copy(update={"text": chapter.text})

    monkeypatch.setattr(prefix, "chapter_part", unnumbered)
    found = fallen(accepted, "gold")
    assert "FELL  lost (relations of kind): mill 1: Emil Brandt loves Agnes Tully" in found


def test_a_prompt_without_its_slot_stops_the_gate(accepted: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = prompts.prompt_text

    def cut(name: str) -> str:
        return whole(name).replace("{family}", "") if name == "relation_select" else whole(name)

    monkeypatch.setattr(prompts, "prompt_text", cut)
    with pytest.raises(DefinitionError, match=r"relation_select\.md"):
        gate.go(accepted, only="gold")


def test_a_prompt_that_grew_is_dearer(accepted: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = prompts.prompt_text
    monkeypatch.setattr(prompts, "prompt_text", lambda name: whole(name) + " Think hard about it." * 30)
    found = fallen(accepted, "gold")
    assert [line.split(" (")[0].rsplit(" after")[0][:20] for line in found] == ["FELL  dearer: cents "]


def test_options_that_keep_their_marks_lose_what_they_confirm(
    accepted: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fixed(choices: Iterable[Any], *, seed: str = "", turn: int = 0) -> tuple[Option, ...]:
        return lettered(choices)

    monkeypatch.setattr(_confirm, "lettered", fixed)
    found = fallen(accepted, "gold")
    assert "FELL  lost (relations of kind): mill 1: Agnes Tully sibling_of Piers Tully" in found


def test_an_order_of_options_that_favours_a_place_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = by_chapter(own_case())[1]
    sources = Sources(baselines=tmp_path, recordings=tmp_path / "none", cases=lambda _texts: [case])
    gate.accept(gate.go(sources, only="gold"), reason="one chapter of the serial", root=tmp_path)

    def biased(choices: Iterable[Any], *, seed: str = "", turn: int = 0) -> tuple[Option, ...]:
        return lettered(choices, turn=turn - 1)

    monkeypatch.setattr(_confirm, "lettered", biased)
    found = fallen(sources, "gold")
    assert any("order of options: what is picked in relation_confirm stands at 0.00" in line for line in found)


def test_wording_hashes_see_a_changed_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    before = runs.instructions_of("relation_kind")
    whole = prompts.prompt_text
    monkeypatch.setattr(runs, "prompt_text", lambda name: whole(name) + " And be brief.")
    monkeypatch.setattr(runs, "instructions_of", lru_cache(runs.instructions_of.__wrapped__))
    assert runs.instructions_of("relation_kind") != before
