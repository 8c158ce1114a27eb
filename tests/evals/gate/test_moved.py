"""A fact that moved says at which step it came or fell, on both sides, with the votes; what was not recorded is not guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.steps import relations
from evals.answering import run_named
from evals.compare import Comparison, compare, shown
from evals.gate import Sources
from evals.moved import NOT_RECORDED, Moved, reason_lines, short, told
from evals.records import RunResult, Traced
from evals.results import read_result, write_result
from evals.traces import WORDS

MODEL = "gpt-6-luna"
LOVES = "relation | Emil Brandt | loves | Agnes Tully"


@pytest.fixture(scope="module")
def truth(accepted: Sources) -> RunResult:
    return run_named(accepted.cases(None), "gold")


def noisy(accepted: Sources, rates: str) -> RunResult:
    return run_named(accepted.cases(None), f"noisy:{rates}")


def fact(found: Comparison, key: str, *, gained: bool = False, figure: str = "relations of kind") -> Moved:
    [one] = [m for m in found.moved if (m.key, m.figure, m.gained, m.false) == (key, figure, gained, False)]
    return one


CONFIRMED = "votes: Emil Brandt loves Agnes Tully: relation_confirm for, relation_confirm_again for"


@pytest.mark.parametrize(
    ("rates", "fell"),
    (
        ("steps=relation_select.miss:1", "relation_select: the pair was offered and not picked"),
        ("steps=relation_select.drop_line:1", "relation_select: asked, and no usable answer came"),
        (
            "steps=relation_kind.wrong_kind:1",
            "relation_kind: the pair was proposed, another kind or direction was picked",
        ),
        ("steps=relation_kind.miss:1", "relation_kind: asked, and answered that it is none"),
        ("steps=cast_forms.miss:1", "cast_forms: one of the two is not in the cast [answered_no]"),
        ("steps=cast_same.invent:1", "cast_same: one of the two is not in the cast [merged]"),
        (
            "steps=relation_confirm.miss:1+relation_confirm_again.miss:1",
            "confirmation: claimed, and denied by votes [denied_twice] (deny deny); "
            "votes: Emil Brandt loves Agnes Tully: relation_confirm deny, relation_confirm_again deny",
        ),
        (
            "steps=relation_confirm.miss:1+relation_confirm_again.drop_line:1+relation_third.drop_line:1",
            "votes: Emil Brandt loves Agnes Tully: relation_confirm deny, relation_confirm_again unparsed, relation_third unparsed",
        ),
    ),
)
def test_a_lost_fact_says_at_which_step_it_fell_and_how_the_other_side_kept_it(
    rates: str, fell: str, accepted: Sources, truth: RunResult
) -> None:
    one = fact(compare(truth, noisy(accepted, rates), price_model=MODEL), LOVES)
    a, b, *_ = reason_lines(one)
    assert a == f"A: relations: claimed, and passed its votes and the rules; {CONFIRMED}"
    assert b.startswith("B: ") and fell in b


def test_a_gained_fact_says_where_it_was_lost_before_and_by_what_it_stands_now(
    accepted: Sources, truth: RunResult
) -> None:
    found = compare(noisy(accepted, "steps=relation_select.miss:1"), truth, price_model=MODEL)
    one = fact(found, LOVES, gained=True)
    assert (short(one.cause), one.b and one.b.reason) == ("relation_select not picked", "stands")
    lines = list(shown(found))
    at = lines.index("gained (relations of kind): 10")
    assert lines[at + 1] == "    before: 10 relation_select not picked"


def test_a_fact_that_a_rule_refused_names_the_rule(
    accepted: Sources, truth: RunResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relations, "door", lambda *_: ("no_evidence", "no words of the chapter show it"))
    shut = run_named(accepted.cases(None), "gold")
    one = fact(compare(truth, shut, price_model=MODEL), LOVES)
    said = told(one.b)
    assert said.startswith("relations: claimed, and refused by a rule [no_evidence] (no words of the chapter show it)")
    assert said.endswith(CONFIRMED)
    right = fact(compare(truth, shut, price_model=MODEL), LOVES, figure="relations right")
    assert told(right.b) == said


def test_something_wrong_that_is_said_now_says_what_kept_it_out_before(
    accepted: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    invented = "steps=relation_select.invent:1+relation_kind.invent:1"
    before = noisy(accepted, invented)
    monkeypatch.setattr(relations, "decide", lambda _votes: "for")
    after = noisy(accepted, invented)
    found = compare(before, after, price_model=MODEL)
    now = [m for m in found.moved if m.figure == "relations right" and m.false]
    assert now and all(m.gained for m in now)
    assert {short(m.a) for m in now} == {"confirmation denied (denied twice)"}
    assert all(m.b is not None and m.b.reason == "stands" and "deny" in m.b.votes[0] for m in now)
    lines = list(shown(found))
    assert f"false now (relations right): {len(now)}" in lines
    back = compare(after, before, price_model=MODEL)
    assert f"false no more (relations right): {len(now)}" in list(shown(back))


def test_an_entity_says_by_which_name_it_came_and_with_whom_it_was_put_together(
    accepted: Sources, truth: RunResult
) -> None:
    found = compare(truth, noisy(accepted, "steps=cast_same.invent:1"), price_model=MODEL)
    merged = [m for m in found.moved if m.figure == "entities named" and m.b and m.b.reason == "merged"]
    assert merged and all(told(m.a).startswith("cast_forms: asked about, and accepted (") for m in merged)
    assert all(" is @" in told(m.b) for m in merged)


def test_results_from_before_reasons_were_kept_say_so_and_still_show_the_questions(
    accepted: Sources, truth: RunResult
) -> None:
    after = noisy(accepted, "steps=relation_select.miss:1")
    bare = [
        run.model_copy(update={"chapters": tuple(c.model_copy(update={"traced": {}}) for c in run.chapters)})
        for run in (truth, after)
    ]
    one = fact(compare(*bare, price_model=MODEL), LOVES)
    first, *questions = reason_lines(one)
    assert first == NOT_RECORDED and len(questions) == 6
    assert all("Emil Brandt" in line and "B does not ask it" in line for line in questions)
    half = fact(compare(bare[0], after, price_model=MODEL), LOVES)
    a, b, *_ = reason_lines(half)
    assert a == f"A: {NOT_RECORDED}" and b.startswith("B: relation_select: ")
    assert "    now: 10 reason not recorded" in list(shown(compare(*bare, price_model=MODEL)))


def test_every_relation_and_entity_is_traced_and_no_handle_stands_in_a_vote(accepted: Sources, tmp_path: Path) -> None:
    run = noisy(accepted, "0.2,seed=3")
    assert read_result(write_result(run, tmp_path / "r.json")) == run
    for row in run.chapters:
        outcomes = [o for o in row.outcomes if o.cls in ("entity", "relation")]
        assert {f"{o.side} {o.key}" for o in outcomes} <= row.traced.keys()
        for traced in row.traced.values():
            assert traced.reason in WORDS and traced.reason != "unexplained"
            assert not any("@" in line for line in traced.votes)


def test_a_reason_nobody_knows_is_shown_as_it_is() -> None:
    assert told(Traced(step="relation_kind", reason="eaten", code="x")) == "relation_kind: eaten [x]"
