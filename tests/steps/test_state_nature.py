from __future__ import annotations

import pytest

from analyzer.steps._state_words import NATURES
from tests.harness import lines_of, mark, run_step
from tests.steps.stating import TEXTS, cast, notice, scene, told

STEP = "state_nature"


@pytest.mark.parametrize("nature", NATURES)
@pytest.mark.parametrize("language", TEXTS)
def test_every_nature_is_kept_as_picked(language: str, nature: str) -> None:
    chapter = scene(language)
    facts = [
        *cast(language),
        notice(chapter, "@2", "life_status", (2, 1)),
        notice(chapter, "@1", "appearance.hair", (1, 2)),
    ]
    ran = run_step(STEP, chapter, facts=facts, say=lambda q: mark(q, nature))
    assert told(ran) == [f"nature {nature}"] * 2


@pytest.mark.parametrize(
    ("line", "kept"), [("-", ["nature not"]), ("zz", []), ("a b", []), ("", [])], ids=["none", "unread", "two", "empty"]
)
def test_a_hyphen_denies_and_what_cannot_be_read_says_nothing(line: str, kept: list[str]) -> None:
    chapter = scene()
    ran = run_step(STEP, chapter, facts=[*cast(), notice(chapter, "@1", "goal", (1, 1))], say=lambda _q: line)
    assert told(ran) == kept


def test_states_and_looks_are_asked_apart_and_near_notices_of_both_looks_are_one_question() -> None:
    chapter = scene()
    facts = [
        *cast(),
        notice(chapter, "@1", "possession", (1, 1)),
        notice(chapter, "@1", "possession", (1, 1), (1, 3), look="second"),
        notice(chapter, "@1", "appearance.hair", (1, 2)),
        notice(chapter, "@77", "mood", (1, 2)),
        notice(chapter, "@1", "shoe_size", (1, 2)),
    ]
    ran = run_step(STEP, chapter, facts=facts)
    assert [lines_of(shown)[-1].split(" | ")[0] for shown in ran.shown] == [
        "1. @1 Orla Penn, possession (1.1 1.3)",
        "1. @1 Orla Penn, hair (1.2)",
    ]


def test_whoever_copies_the_first_mark_says_that_nothing_is_told() -> None:
    chapter = scene()
    ran = run_step(STEP, chapter, facts=[*cast(), notice(chapter, "@1", "goal", (1, 1))], say=lambda _q: "a")
    assert told(ran) == ["nature not"]
