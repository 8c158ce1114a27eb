"""The classes of the story stand in the report: their rows, their languages, and the questions behind every error."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.answerers.named import answerer_named
from evals.records import RunResult
from evals.report.groups import grouped
from evals.report.mistakes import mistakes
from evals.report.tables import story, tables
from evals.report.wording import CLASS_NAMES
from evals.runs import STORY as PARTS
from evals.runs import TRUTHFUL, Answerer, run_cases
from tests.evals.small import tale_case
from tests.evals.story_tale import LAMP_HOUSE, STORY


@pytest.fixture(scope="module")
def errs(tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    case = tale_case(tmp_path_factory.mktemp("lamp"), LAMP_HOUSE)
    return run_cases([case], answerer_named("noisy:steps=state_nature.miss:1+state_doubt.miss:1+secret_doubt.miss:1"))


def test_every_class_has_a_row_with_recall_and_precision(errs: RunResult) -> None:
    table = story(grouped([errs]))
    rows = {row[0]: row for row in table.rows}
    assert set(rows) >= {CLASS_NAMES[cls] for cls in STORY}
    assert rows["plants"][1].startswith("100.0 %") and rows["secrets"][1].startswith("0.0 %")
    by_language = story(grouped([errs]), by="language")
    assert any(row[0] == "plants, English" for row in by_language.rows)
    assert {"story", "story-language"} <= {table.id for table in tables(grouped([errs]))}


def test_of_parts_that_were_off_there_is_no_row(tmp_path: Path) -> None:
    bare = run_cases([tale_case(tmp_path, LAMP_HOUSE)], Answerer("gold", "truthful", TRUTHFUL.of, PARTS))
    assert story(grouped([bare])).rows == ()


def test_the_questions_about_whom_an_item_is_stand_beside_its_error(errs: RunResult) -> None:
    missed = {m.cls: m for m in mistakes(errs) if m.kind == "missed"}
    assert {one.step for one in missed["change"].exchanges} <= {
        "state_notice", "state_nature", "state_value", "state_doubt", "look_notice",
    }  # fmt: skip
    assert "state_nature" in {one.step for one in missed["change"].exchanges}
    assert any(one.step.startswith("secret_") for one in missed["secret"].exchanges)
