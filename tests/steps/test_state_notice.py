from __future__ import annotations

import pytest

from analyzer.models.question import Question
from analyzer.models.story import StateAttribute
from analyzer.steps._state_words import ATTRIBUTES
from tests.harness import lines_of, mark, person, run_step, unnamed
from tests.steps.stating import TEXTS, cast, scene, told

STEP = "state_notice"


def orla(text: str) -> bool:
    """Say whether a line is about @1."""
    return text.startswith("@1 ")


@pytest.mark.parametrize("language", TEXTS)
def test_each_pick_is_a_notice_with_its_own_sentence(language: str) -> None:
    def answer(question: Question) -> str:
        if not orla(question.text):
            return "-"
        return f"{mark(question, 'possession')} 1.1 {mark(question, 'location')} 1.1 1.3"

    ran = run_step(STEP, scene(language), facts=cast(language), say=answer)
    assert told(ran) == ["@1 possession first 1.1", "@1 location first 1.1 1.3"]
    assert ran.codes == []


def test_everybody_and_everything_in_the_chapter_gets_one_line_with_the_same_options() -> None:
    elsewhere = person("@9", "Hosea Lund")
    ran = run_step(STEP, scene(), facts=[*cast(), *elsewhere, *person("@10", "Lent", kind="event")])
    lines = lines_of(ran.shown[0])
    assert len(ran.shown) == 1 and lines[0].startswith("Options for every question: a ")
    assert lines[1:] == ["1. @1 Orla Penn", "2. @2 Bram Oake", "3. @3 Marl", "4. @4 ferry"]
    assert {tuple(o.key for o in q.options) for q in ran.questions} == {tuple(ATTRIBUTES)}
    assert tuple(ATTRIBUTES) == StateAttribute.__args__  # type: ignore[attr-defined]


def test_a_narrator_is_looked_at_though_nothing_names_him() -> None:
    teller = unnamed("@5", "I", narrator=True)
    ran = run_step(STEP, scene(), facts=[*cast(), *teller])
    assert "@5 (the narrator (I))" in [q.text for q in ran.questions]


@pytest.mark.parametrize(
    ("line", "facts", "codes"),
    [
        ("-", [], []),
        ("d", [], ["no_evidence"]),
        ("d 77.1", [], ["no_evidence"]),
        ("d 1.1 77.1", ["@1 possession first 1.1"], []),
        ("@77 1.1", [], []),
        ("possession", [], []),
        ("zz 1.1", [], []),
    ],
    ids=[
        "none",
        "no sentence",
        "a sentence that is not there",
        "one of two",
        "a handle",
        "words",
        "a mark not offered",
    ],
)
def test_what_a_line_leaves(line: str, facts: list[str], codes: list[str]) -> None:
    ran = run_step(STEP, scene(), facts=cast(), say=lambda q: line if orla(q.text) else "-")
    assert told(ran) == facts
    assert ran.codes == codes


def test_what_a_thing_cannot_have_is_refused_at_once() -> None:
    ran = run_step(
        STEP, scene(), facts=cast(), say=lambda q: f"{mark(q, 'mood')} 1.1" if q.text.startswith("@4") else "-"
    )
    assert told(ran) == []
    assert [(i.code, i.about, i.detail) for i in ran.issues] == [("wrong_entity_kinds", ("@4", "mood"), "object mood")]


def test_an_empty_cast_asks_nothing() -> None:
    assert run_step(STEP, scene()).questions == ()
