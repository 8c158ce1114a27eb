from __future__ import annotations

import pytest

from tests.harness import lines_of, run_step
from tests.steps.stating import TEXTS, cast, scene, told

STEP = "look_notice_again"


@pytest.mark.parametrize("language", TEXTS)
def test_each_handle_is_a_notice_of_the_feature(language: str) -> None:
    ran = run_step(STEP, scene(language), facts=cast(language), say={"hair: ": "@1 1.2"})
    assert told(ran) == ["@1 appearance.hair second 1.2"]


def test_the_two_looks_share_no_line() -> None:
    first = run_step("look_notice", scene(), facts=cast())
    second = run_step(STEP, scene(), facts=cast())
    assert not set(lines_of(first.shown[0])) & set(lines_of(second.shown[0]))
    assert len(second.questions) == 12


def test_a_place_is_offered_to_no_feature() -> None:
    ran = run_step(STEP, scene(), facts=cast(), say=lambda q: "@3 1.1")
    assert told(ran) == []
