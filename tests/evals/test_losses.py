"""Every missed core item is lost at the step that was made to err, and at one only."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evals.answerers.named import answerer_named, noisy
from evals.answerers.rates import Rates, step_names
from evals.checking import Check, pooled_checks
from evals.goldset.cases import Case
from evals.losses import Losses, is_lost, losses_of, main
from evals.runs import Answerer, read_run, run_book
from evals.tracing import REASONS
from tests.evals.goldset.tales import TALES, Tale
from tests.evals.small import tale_case, tiny_case


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return tiny_case(tmp_path_factory.mktemp("tiny"))


def lost(case: Case, answerer: Answerer, folder: Path) -> Losses:
    book = run_book(case, answerer, folder)
    found = losses_of(case, book, answerer.label)
    missed = [o.key for c in read_run(case, answerer.label, book).chapters for o in c.outcomes if is_lost(o)]
    assert sorted(loss.key for loss in found.losses) == sorted(missed)
    assert all(loss.reason in REASONS and loss.reason != "unexplained" for loss in found.losses)
    return found


def check(found: Losses, step: str) -> Check:
    return next(c for c in found.checks if c.step == step)


@pytest.mark.parametrize(
    ("rates", "cls", "step", "reason"),
    (
        ("steps=cast_forms.miss:1", "entity", "cast_forms", "answered_no"),
        ("steps=cast_forms.drop_line:1", "entity", "cast_forms", "unanswered"),
        ("steps=cast_same.invent:1", "entity", "cast_same", "merged"),
        ("steps=cast_forms.miss:1", "relation", "cast_forms", "end_missing"),
        ("steps=relation_select.miss:1", "relation", "relation_select", "not_picked"),
        ("steps=relation_select.drop_line:1", "relation", "relation_select", "unanswered"),
        ("steps=relation_kind.miss:1", "relation", "relation_kind", "answered_no"),
        ("steps=relation_kind.wrong_kind:1", "relation", "relation_kind", "kind_lost"),
        ("steps=relation_kind.drop_line:1", "relation", "relation_kind", "unanswered"),
        ("steps=relation_confirm.miss:1+relation_confirm_again.miss:1", "relation", "confirmation", "denied"),
        (
            "steps=relation_confirm.wrong_kind:1+relation_confirm_again.wrong_kind:1",
            "relation",
            "confirmation",
            "turned",
        ),
    ),
)
def test_an_item_is_lost_where_the_error_was_made(
    rates: str, cls: str, step: str, reason: str, tiny: Case, tmp_path: Path
) -> None:
    found = lost(tiny, answerer_named(f"noisy:{rates}"), tmp_path)
    rows = [(loss.step, loss.reason) for loss in found.losses if loss.cls == cls]
    assert (step, reason) in rows
    assert found.label == "simulated"


def test_without_errors_nothing_is_lost_and_no_check_drops_what_is_true(tiny: Case, tmp_path: Path) -> None:
    found = lost(tiny, answerer_named("gold"), tmp_path)
    assert found.losses == ()
    assert {c.step: c.true_dropped for c in found.checks if c.step.startswith("relation")} == dict.fromkeys(
        ("relation_select", "relation_kind", "relation_confirm", "relation_confirm_again", "relations"), 0
    ) | {c.step: 0 for c in found.checks if c.step == "relation_third"}
    confirmed = check(found, "confirmation")
    assert (confirmed.recall, confirmed.precision, confirmed.false_in) == (1.0, 1.0, 0)


def test_confirmation_shows_what_it_wrongly_and_what_it_rightly_drops(tiny: Case, tmp_path: Path) -> None:
    denied = lost(
        tiny, answerer_named("noisy:steps=relation_confirm.miss:1+relation_confirm_again.miss:1"), tmp_path / "a"
    )
    wrongly = check(denied, "confirmation")
    assert wrongly.true_in == wrongly.true_dropped > 0 and wrongly.recall == 0 and wrongly.precision is None
    made_up = lost(tiny, answerer_named("noisy:steps=relation_select.invent:1+relation_kind.invent:1"), tmp_path / "b")
    rightly = check(made_up, "confirmation")
    assert rightly.false_in == rightly.false_dropped > 0 and rightly.recall == 1 and rightly.precision == 1
    assert rightly.precision_before is not None and rightly.precision_before < 1


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rate=st.sampled_from((0.05, 0.15, 0.4)),
    seed=st.integers(0, 999),
    steps=st.sets(st.sampled_from(step_names()), max_size=3),
)
def test_every_missed_core_item_has_exactly_one_reason(
    rate: float, seed: int, steps: set[str], tiny: Case, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rates = Rates(steps=dict.fromkeys(steps, rate), seed=seed) if steps else Rates(rate, seed=seed)
    found = lost(tiny, noisy(rates), tmp_path_factory.mktemp("book"))
    for one in found.checks:
        assert 0 <= one.true_dropped <= one.true_in and 0 <= one.false_dropped <= one.false_in


@pytest.mark.parametrize("tale", TALES, ids=lambda tale: tale.language)
def test_losses_are_complete_in_every_language(tale: Tale, tmp_path: Path) -> None:
    case = tale_case(tmp_path, tale)
    found = lost(case, answerer_named("noisy:miss=0.5,seed=1"), tmp_path / "books")
    other = {loss.cls for loss in found.losses if loss.reason == "no_step"}
    assert other.isdisjoint({"entity", "relation"})


def test_checks_of_several_chapters_are_added_step_by_step() -> None:
    one = Check(step="relation_kind", true_in=4, true_dropped=1, false_in=2, false_dropped=2)
    rule = Check(step="relations:self_relation", false_in=1, false_dropped=1)
    pooled = pooled_checks([rule, one, one])
    assert [c.step for c in pooled] == ["relation_kind", "relations:self_relation"]
    assert (pooled[0].true_in, pooled[0].recall, pooled[0].precision, pooled[0].precision_before) == (
        8,
        0.75,
        1.0,
        8 / 12,
    )
    assert pooled[1].recall is None and pooled[1].precision is None


def test_an_unknown_case_or_answerer_is_one_clear_error(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["nobody"], ["dark-of-the-gullick", "--answers", "gpt"]):
        assert main(words) == 2
    told = capsys.readouterr().err
    assert "no case 'nobody'" in told and "names no answerer" in told
