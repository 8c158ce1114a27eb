from __future__ import annotations

import pytest

from tests.harness import run_step, unit_of, unnamed
from tests.steps.stating import TEXTS, cast, scene, told

STEP = "state_notice_again"


@pytest.mark.parametrize("language", TEXTS)
def test_each_handle_is_a_notice_of_the_lines_attribute(language: str) -> None:
    ran = run_step(
        STEP,
        scene(language),
        facts=cast(language),
        say=lambda q: {"beings:possession": "@1 1.1 @2 1.3", "things:possession": "@4 1.1"}.get(q.key.detail, "-"),
    )
    assert told(ran) == ["@1 possession second 1.1", "@2 possession second 1.3", "@4 possession second 1.1"]


def test_a_line_offers_only_whom_its_attribute_may_be_told_of() -> None:
    ran = run_step(STEP, scene(), facts=cast())
    offered = {q.key.detail: [o.key for o in q.options] for q in ran.questions}
    assert offered["beings:mood"] == ["@1", "@2"]
    assert offered["things:location"] == ["@4"]
    assert offered["things:title_or_rank"] == ["@3"]
    assert "things:mood" not in offered
    assert len({q.key.asked for q in ran.questions}) == len(ran.questions)


def test_whom_no_name_could_find_is_offered_as_long_as_the_prefix_shows_him() -> None:
    before = [*cast(), *unnamed("@5", "the miller", (1, 1))]
    chapter = scene(no=2)
    ran = run_step(STEP, chapter, start=before)
    assert "@5" in unit_of(chapter, before).scope
    assert "@5" in [o.key for q in ran.questions if q.key.detail == "beings:mood" for o in q.options]
    first = run_step("state_notice", chapter, start=before)
    assert all(not q.text.startswith("@5") for q in first.questions)


@pytest.mark.parametrize("line", ["-", "@77 1.1", "a 1.1", "@1", "@1 99.9"])
def test_what_names_nobody_or_nothing_leaves_nothing(line: str) -> None:
    ran = run_step(STEP, scene(), facts=cast(), say=lambda q: line if q.key.detail == "beings:goal" else "-")
    assert told(ran) == []
