"""An item of the story is lost at the stage that was made to err, and at one only."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.steps._registry import load_steps
from analyzer.steps._step import AskStep
from evals.answerers.named import answerer_named
from evals.goldset.cases import Case
from evals.losses import Losses, losses_of
from evals.records import ItemClass, RunResult
from evals.runs import STORY as PARTS
from evals.runs import TRUTHFUL, Answerer, read_run, run_book, run_cases
from evals.scoring.figures import CLASSES, count, precision_of, recall_of
from evals.traces import WORDS, traced_name
from evals.tracing_story import LET_IN, NOTICES, door_of, part_of, stage_of
from tests.evals.small import tale_case
from tests.evals.story_tale import LAMP_HOUSE, STORY


@pytest.fixture(scope="module")
def lamp(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return tale_case(tmp_path_factory.mktemp("lamp"), LAMP_HOUSE)


def lost(case: Case, rates: str, folder: Path) -> Losses:
    answerer = answerer_named(f"noisy:{rates}")
    found = losses_of(case, run_book(case, answerer, folder), answerer.label)
    assert [loss for loss in found.losses if loss.reason in ("unexplained", "no_step")] == []
    return found


def test_with_true_answers_every_item_is_found_and_nothing_else_is_said(lamp: Case) -> None:
    [chapter] = run_cases([lamp], TRUTHFUL).chapters
    for cls in STORY:
        hit, n = count(chapter.outcomes, recall_of(cls))
        right, said = count(chapter.outcomes, precision_of(cls))
        assert (hit, right) == (n, said) and n > 0, cls


NOTICE = "state_notice.miss:1+state_notice_again.miss:1"


@pytest.mark.parametrize(
    ("rates", "cls", "stage", "reason"),
    (
        (f"steps={NOTICE}", "change", "notice", "not_noticed"),
        ("steps=look_notice.miss:1+look_notice_again.miss:1", "appearance", "notice", "not_noticed"),
        ("steps=state_notice.drop_line:1+state_notice_again.drop_line:1", "change", "notice", "unanswered"),
        ("steps=state_nature.miss:1+state_doubt.miss:1", "change", "doubt", "denied"),
        ("steps=secret_notice.miss:1+secret_notice_again.miss:1", "secret", "notice", "not_noticed"),
        ("steps=secret_doubt.miss:1", "secret", "doubt", "denied"),
        ("steps=knowledge_notice.miss:1+knowledge_notice_again.miss:1", "knowledge", "notice", "not_noticed"),
        ("steps=knowledge_stance.miss:1+knowledge_stance_again.miss:1", "knowledge", "doubt", "denied"),
        ("steps=thread_notice.miss:1+thread_notice_again.miss:1", "plant", "notice", "not_noticed"),
        ("steps=thread_doubt.miss:1", "plant", "doubt", "answered_no"),
        ("steps=thread_doubt.drop_line:1", "plant", "doubt", "undecided"),
        ("steps=cast_forms.miss:1", "change", "door", "end_missing"),
    ),
)
def test_an_item_is_lost_where_the_error_was_made(
    rates: str, cls: ItemClass, stage: str, reason: str, lamp: Case, tmp_path: Path
) -> None:
    found = [loss for loss in lost(lamp, rates, tmp_path).losses if loss.cls == cls]
    assert found
    rows = {(loss.step, loss.reason) for loss in found}
    assert reason in {why for _, why in rows}, rows
    if reason != "end_missing":
        assert {stage_of(step) for step, why in rows if why == reason} == {stage}, rows


def test_with_many_errors_of_all_kinds_every_loss_has_a_reason(lamp: Case, tmp_path: Path) -> None:
    for seed in range(4):
        assert lost(lamp, f"0.3,seed={seed}", tmp_path / str(seed)).losses


def test_every_gold_item_is_traced_in_words_that_are_known(lamp: Case) -> None:
    [chapter] = run_cases([lamp], answerer_named("noisy:0.4,seed=2")).chapters
    for outcome in chapter.outcomes:
        if outcome.side == "gold":
            assert chapter.traced[traced_name("gold", outcome.key)].reason in WORDS


def test_every_class_has_its_door_its_part_and_its_notice() -> None:
    assert set(LET_IN) == set(NOTICES) == set(CLASSES) - {"entity", "relation"}
    assert all(door_of(cls) is not None for cls in LET_IN)
    assert {part_of(cls) for cls in LET_IN} == {"state", "identities", "secrets", "knowledge", "threads"}
    assert (part_of("entity"), part_of("relation")) == ("cast", "relations")
    stages = {stage_of(step.name) for step in load_steps() if isinstance(step, AskStep) and step.part in PARTS}
    assert stages == {"notice", "say", "doubt"} and stage_of("states") == "door"


def scored(case: Case, answerer: Answerer) -> RunResult:
    return run_cases([case], answerer)


def test_of_parts_that_are_off_nothing_is_asked_and_nothing_is_missed(lamp: Case, tmp_path: Path) -> None:
    bare = Answerer("gold", "truthful", TRUTHFUL.of, PARTS)
    [chapter] = scored(lamp, bare).chapters
    assert {outcome.cls for outcome in chapter.outcomes} == {"entity", "relation"}
    parts = {step.name: step.part for step in load_steps()}
    assert {parts[one.step] for one in scored(lamp, bare).asked} == {"cast", "relations"}
    assert not any("change" in name or "secret" in name for name in chapter.traced)
    book = run_book(lamp, bare, tmp_path)
    [whole] = read_run(lamp, "truthful", book).chapters
    assert count(whole.outcomes, recall_of("change"))[0] == 0  # what is not said to be off is missed
