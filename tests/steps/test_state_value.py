from __future__ import annotations

import pytest

from analyzer.models.question import Question
from tests.harness import mark, run_step
from tests.steps.stating import TEXTS, cast, notice, scene, told

STEP = "state_value"


def _how(question: Question) -> str:
    return question.key.detail.split(":")[0]


@pytest.mark.parametrize("language", TEXTS)
def test_a_value_is_said_in_words_and_where_the_cast_has_it_by_handle(language: str) -> None:
    chapter = scene(language)
    facts = [
        *cast(language),
        notice(chapter, "@1", "location", (1, 1)),
        notice(chapter, "@1", "appearance.hair", (1, 2)),
    ]
    ran = run_step(
        STEP, chapter, facts=facts, say=lambda q: "@3" if _how(q) == "which" else f"= {q.key.detail.split(':')[1]}"
    )
    assert told(ran) == ["value @3 (which)", "value location (words)", "value appearance.hair (words)"]


def test_only_what_fits_the_attribute_is_offered_and_never_the_one_itself() -> None:
    chapter = scene()
    noticed = [
        ("@1", "location"),
        ("@1", "possession"),
        ("@1", "affiliation"),
        ("@4", "possession"),
        ("@2", "life_status"),
    ]
    facts = [*cast(), *(notice(chapter, h, a, (1, 1)) for h, a in noticed)]
    ran = run_step(STEP, chapter, facts=facts)
    offered = {
        (q.key.about[0].handle, q.key.detail.split(":")[1]): {o.key for o in q.options}
        for q in ran.questions
        if _how(q) == "which"
    }
    assert offered["@1", "location"] == {"@3", "@4", "else"}
    assert offered["@1", "possession"] == {"@3", "@4", "else"}
    assert offered["@1", "affiliation"] == {"@2", "else"}
    assert offered["@4", "possession"] == {"@1", "@2", "else"}
    assert offered["@2", "life_status"] == {"alive", "dying", "dead", "missing", "thought_dead", "destroyed"}


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("= a fever", ["value a fever (words)"]),
        ("-", ["value - (words)"]),
        ("= two\x07 words [3] (2)", ["value two words ‹3› ‹2› (words)"]),
        ("=", []),
        ("= " + "x" * 500, [f"value {'x' * 120} (words)"]),
    ],
    ids=["words", "a hyphen", "signs of ours", "no words", "too many"],
)
def test_what_words_leave(line: str, kept: list[str]) -> None:
    chapter = scene()
    ran = run_step(STEP, chapter, facts=[*cast(), notice(chapter, "@2", "health", (2, 2))], say=lambda _q: line)
    assert told(ran) == kept


@pytest.mark.parametrize("line", ["-", "@77", "a", "= Marl"])
def test_what_names_nothing_offered_is_no_handle(line: str) -> None:
    chapter = scene()
    facts = [*cast(), notice(chapter, "@1", "location", (1, 1))]
    ran = run_step(STEP, chapter, facts=facts, say=lambda q: line if _how(q) == "which" else "= Marl")
    assert told(ran) == ["value Marl (words)"]


def test_a_state_of_life_is_one_of_a_few() -> None:
    chapter = scene()
    facts = [*cast(), notice(chapter, "@2", "life_status", (2, 1))]
    ran = run_step(STEP, chapter, facts=facts, say=lambda q: mark(q, "dead") if _how(q) == "which" else "= drowned")
    assert told(ran) == ["value dead (which)", "value drowned (words)"]


def test_without_a_notice_nothing_is_asked() -> None:
    assert run_step(STEP, scene(), facts=cast()).questions == ()
