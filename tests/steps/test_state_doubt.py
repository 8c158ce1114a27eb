from __future__ import annotations

import pytest

from analyzer.models.facts import Fact
from tests.harness import chapter_of, mark, run_step, unnamed
from tests.steps.stating import NAMES, TEXTS, answered, cast, change, notice, scene, told

STEP = "state_doubt"
BEGINS = {"nature": "begins", "words": "x"}


@pytest.mark.parametrize("language", TEXTS)
def test_a_sentence_that_names_another_alone_is_asked_about(language: str) -> None:
    chapter = scene(language)
    facts = answered(chapter, [*cast(language), notice(chapter, "@1", "goal", (1, 3))], goal=BEGINS)
    ran = run_step(STEP, chapter, facts=facts, say=lambda q: mark(q, "other"))
    assert [q.text for q in ran.questions] == [
        f"@1 {NAMES[language][0]}, goal: “x” (1.3); the sentence names @2 {NAMES[language][1]}"
    ]
    assert told(ran) == ["doubt other (wrong_person)"]


@pytest.mark.parametrize("language", TEXTS)
def test_a_dream_is_asked_about_where_the_table_has_words_for_it(language: str) -> None:
    chapter = scene(language)
    facts = answered(chapter, [*cast(language), notice(chapter, "@2", "life_status", (2, 1))], life_status=BEGINS)
    ran = run_step(STEP, chapter, facts=facts, say=lambda q: mark(q, "unreal"))
    assert told(ran) == ["doubt unreal (unreal)"]


def test_what_nothing_speaks_against_is_not_asked_about() -> None:
    chapter = scene()
    facts = answered(chapter, [*cast(), notice(chapter, "@1", "possession", (1, 1))], possession=BEGINS)
    assert run_step(STEP, chapter, facts=facts).questions == ()


@pytest.mark.parametrize("nature", ["not", "other", "before", "planned", "believed", "dreamt", "lied"])
def test_what_would_not_be_stored_as_true_is_not_asked_about(nature: str) -> None:
    chapter = scene()
    facts = answered(chapter, [*cast(), notice(chapter, "@1", "goal", (1, 3))], goal={"nature": nature, "words": "x"})
    assert run_step(STEP, chapter, facts=facts).questions == ()


def test_a_narrator_needs_no_name_in_the_sentence() -> None:
    chapter = scene()
    facts = [*cast(), *unnamed("@5", "I", narrator=True), notice(chapter, "@5", "goal", (1, 3))]
    assert run_step(STEP, chapter, facts=answered(chapter, facts, goal=BEGINS)).questions == ()


CHAPTER = scene(no=2)
BEFORE = {
    "dead": ("life_status", "dead: drowned", "location", {**BEGINS, "which": "@3"}, "known before: dead: drowned"),
    "already": (
        "mood",
        "full of joy",
        "mood",
        {"nature": "begins", "words": "Full of joy"},
        "known before: full of joy",
    ),
    "contradicts": (
        "appearance.hair",
        "black",
        "appearance.hair",
        {"nature": "begins", "words": "grey"},
        "known before: black",
    ),
}


@pytest.mark.parametrize("reason", BEFORE)
def test_what_earlier_chapters_left_makes_a_change_odd(reason: str) -> None:
    attribute, value, other, said, why = BEFORE[reason]
    start = (*cast(), change(scene(), "@1", attribute, value))
    facts = answered(CHAPTER, [*cast(), notice(CHAPTER, "@1", other, (1, 1))], **{other.rpartition(".")[2]: said})
    ran = run_step(STEP, CHAPTER, start=start, facts=facts[len(cast()) :], say=lambda q: mark(q, "holds"))
    assert [q.text.partition("; ")[2] for q in ran.questions] == [why]
    assert told(ran) == [f"doubt holds ({reason})"]
    assert run_step(STEP, CHAPTER, start=tuple(cast()), facts=facts[len(cast()) :]).questions == ()


def test_the_dead_may_still_be_looked_back_on() -> None:
    start = (*cast(), change(scene(), "@1", "life_status", "dead"))
    facts = answered(CHAPTER, [*cast(), notice(CHAPTER, "@1", "appearance.eyes", (1, 1))], eyes=BEGINS)
    assert run_step(STEP, CHAPTER, start=start, facts=facts[len(cast()) :]).questions == ()


LONG = chapter_of("Orla Penn wept.\n" + "The rain fell on the river. " * 16 + "\nOrla laughed.")
"""Two sentences about @1, farther apart than one change is told."""


def told_twice(attribute: str, first: dict[str, str], second: dict[str, str]) -> list[str]:
    """Return why code finds the second of two changes odd, the first being what it is."""
    noticed = [notice(LONG, "@1", attribute, (1, 1)), notice(LONG, "@1", attribute, (3, 1))]
    facts = answered(LONG, [*cast(), noticed[0]], **{attribute: first})
    facts += answered(LONG, [*cast(), noticed[1]], **{attribute: second})[len(cast()) :]
    return [q.text.partition("; ")[2] for q in run_step(STEP, LONG, facts=facts).questions]


def test_two_places_close_by_are_asked_about() -> None:
    here, there = {"nature": "begins", "which": "@3"}, {"nature": "begins", "which": "@4"}
    assert told_twice("location", here, there) == ["just before: Marl"]
    assert told_twice("location", {**here, "nature": "ended"}, there) == []


def test_what_one_chapter_tells_twice_is_asked_about_and_an_end_is_no_repetition() -> None:
    grief, joy = {"nature": "begins", "words": "grief"}, {"nature": "gained", "words": "joy"}
    assert told_twice("mood", grief, joy) == ["told in this chapter already: grief (1.1)"]
    assert told_twice("mood", grief, {"nature": "ended", "words": "grief"}) == []


@pytest.mark.parametrize(
    ("looks", "said", "asked"),
    [
        (("first", "second"), {"nature": "not", "words": "-"}, True),
        (("first",), {"nature": "not", "words": "joy"}, False),
        (("first",), {"words": "joy"}, True),
        (("first",), {}, False),
        (("first", "second"), {}, True),
        (("first",), {"nature": "begins", "words": "-"}, True),
        (("first",), {"nature": "planned", "words": "-"}, False),
    ],
    ids=[
        "both looks against its nature",
        "one look",
        "a value alone",
        "nothing",
        "both looks alone",
        "all but a value",
        "planned",
    ],
)
def test_answers_at_odds_are_settled_by_one_more(looks: tuple[str, ...], said: dict[str, str], asked: bool) -> None:
    chapter = scene()
    facts: list[Fact] = [*cast(), *(notice(chapter, "@1", "mood", (3, 2), look=look) for look in looks)]  # type: ignore[arg-type]
    ran = run_step(STEP, chapter, facts=answered(chapter, facts, mood=said))
    assert [q.key.detail.split(":")[0] for q in ran.questions] == (["split"] if asked else [])


@pytest.mark.parametrize(
    ("line", "kept"), [("-", ["doubt not (wrong_person)"]), ("zz", []), ("@2", [])], ids=["none", "unread", "a handle"]
)
def test_a_hyphen_denies_and_what_cannot_be_read_says_nothing(line: str, kept: list[str]) -> None:
    chapter = scene()
    facts = answered(chapter, [*cast(), notice(chapter, "@1", "goal", (1, 3))], goal=BEGINS)
    assert told(run_step(STEP, chapter, facts=facts, say=lambda _q: line)) == kept


def test_words_of_a_manuscript_stay_words_in_the_question() -> None:
    chapter = scene()
    said = {"nature": "begins", "words": "x [3] (2)\nANSWERS"}
    facts = answered(chapter, [*cast(), notice(chapter, "@1", "goal", (1, 3))], goal=said)
    shown = run_step(STEP, chapter, facts=facts).shown[0]
    assert "“x ‹3› ‹2› ANSWERS”" in shown
