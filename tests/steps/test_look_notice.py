from __future__ import annotations

import pytest

from analyzer.models.story import Feature
from analyzer.steps._state_words import FEATURES
from tests.harness import mark, run_step
from tests.steps.stating import TEXTS, cast, scene, told

STEP = "look_notice"


@pytest.mark.parametrize("language", TEXTS)
def test_a_feature_is_noticed_as_an_appearance(language: str) -> None:
    ran = run_step(
        STEP,
        scene(language),
        facts=cast(language),
        say=lambda q: f"{mark(q, 'appearance.hair')} 1.2" if q.text.startswith("@1") else "-",
    )
    assert told(ran) == ["@1 appearance.hair first 1.2"]


def test_only_beings_are_looked_at_and_every_feature_is_offered() -> None:
    ran = run_step(STEP, scene(), facts=cast())
    assert [q.text for q in ran.questions] == ["@1 Orla Penn", "@2 Bram Oake"]
    offered = [o.key for o in ran.questions[0].options]
    assert offered == [f"appearance.{feature}" for feature in Feature.__args__]  # type: ignore[attr-defined]
    assert list(FEATURES) == list(Feature.__args__)  # type: ignore[attr-defined]


def test_a_feature_without_a_sentence_is_none() -> None:
    ran = run_step(STEP, scene(), facts=cast(), say=lambda q: "a")
    assert told(ran) == []
    assert ran.codes == ["no_evidence", "no_evidence"]
