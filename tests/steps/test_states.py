from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.bible import fold
from analyzer.models.facts import Fact
from analyzer.models.story import ChangeFact
from analyzer.states import states_at
from analyzer.steps._state_words import ATTRIBUTES, FEATURES, LIFE, NATURES, linked, told_of
from tests.harness import Ran, chapter_of, person, run_step
from tests.steps.stating import TEXTS, answered, cast, change, notice, scene, told

STEP = "states"
SET = {"nature": "begins", "words": "x"}


def folded(
    attribute: str, said: dict[str, str], *places: tuple[int, int], handle: str = "@1", both: bool = False
) -> Ran:
    """Return what becomes of one noticed change of the English scene."""
    chapter = scene()
    looks = ("first", "second") if both else ("first",)
    noticed = [notice(chapter, handle, attribute, *(places or ((1, 1),)), look=look) for look in looks]  # type: ignore[arg-type]
    return run_step(STEP, chapter, facts=answered(chapter, [*cast(), *noticed], **{attribute.rpartition(".")[2]: said}))


@pytest.mark.parametrize("language", TEXTS)
def test_a_change_has_its_value_its_link_and_its_sentence(language: str) -> None:
    chapter = scene(language)
    facts = answered(
        chapter,
        [*cast(language), notice(chapter, "@1", "location", (1, 1)), notice(chapter, "@1", "appearance.hair", (1, 2))],
        location={"nature": "begins", "which": "@3"},
        hair={"nature": "begins", "words": "短 gris 짧게"},
    )
    town = [f.label for f in cast(language) if f.fact == "entity" and f.entity == "@3"]
    assert told(run_step(STEP, chapter, facts=facts)) == [
        f"@1 location set “{town[0]}” -> @3 1.1",
        "@1 appearance.hair set “短 gris 짧게” 1.2",
    ]


@pytest.mark.parametrize(
    ("nature", "kept"),
    [
        ("begins", ["@1 goal set “x” 1.1"]),
        ("gained", ["@1 goal add “x” 1.1"]),
        ("lost", ["@1 goal remove “x” 1.1"]),
        ("ended", ["@1 goal end “x” 1.1"]),
        ("reported", ["@1 goal set “x” reported 1.1"]),
        ("believed", ["@1 goal set “x” believed 1.1"]),
        ("planned", ["@1 goal set “x” planned 1.1"]),
        ("dreamt", ["@1 goal set “x” dreamt 1.1"]),
        ("lied", ["@1 goal set “x” lied 1.1"]),
        ("not", []),
        ("other", []),
        ("before", []),
    ],
)
def test_op_and_modality_follow_from_the_nature(nature: str, kept: list[str]) -> None:
    assert told(folded("goal", {"nature": nature, "words": "x"})) == kept


@pytest.mark.parametrize(
    ("said", "both", "codes", "kept"),
    [
        ({"words": "x"}, False, ["undecided"], []),
        ({"nature": "other", "words": "x"}, False, ["state_denied"], []),
        ({"nature": "before", "words": "x"}, False, ["state_already_so"], []),
        ({"nature": "begins"}, False, ["state_no_value"], []),
        ({"nature": "begins"}, True, [], ["@1 mood set “” 1.1"]),
        ({"nature": "ended"}, False, [], ["@1 mood end “” 1.1"]),
        ({"nature": "begins", "words": "-"}, True, ["state_no_value"], []),
        ({"nature": "begins", "words": "-", "doubt": "holds:split"}, False, [], ["@1 mood set “” 1.1"]),
        ({"nature": "not", "words": "x"}, True, ["state_denied"], []),
        ({"nature": "not", "words": "x", "doubt": "holds:split"}, True, [], ["@1 mood set “x” 1.1"]),
        ({"words": "x", "doubt": "holds:split"}, False, [], ["@1 mood set “x” 1.1"]),
        ({**SET, "doubt": "not:wrong_person"}, True, ["state_denied"], []),
        ({**SET, "doubt": "other:wrong_person"}, True, ["state_denied"], []),
        ({**SET, "doubt": "before:twice"}, True, ["state_already_so"], []),
        ({**SET, "doubt": "unreal:unreal"}, True, [], ["@1 mood set “x” hypothetical 1.1"]),
        ({**SET, "doubt": "holds:wrong_person"}, True, [], ["@1 mood set “x” 1.1"]),
    ],
)
def test_what_the_answers_make_of_a_notice(said: dict[str, str], both: bool, codes: list[str], kept: list[str]) -> None:
    ran = folded("mood", said, both=both)
    assert (told(ran), ran.codes) == (kept, codes)


@pytest.mark.parametrize(
    ("attribute", "handle", "said", "code"),
    [
        ("mood", "@4", SET, "wrong_entity_kinds"),
        ("location", "@3", SET, "wrong_entity_kinds"),
        ("possession", "@4", {**SET, "which": "@4"}, "self_relation"),
        ("possession", "@1", {**SET, "which": "@2"}, "wrong_entity_kinds"),
        ("possession", "@1", {**SET, "which": "@77"}, "unknown_handle"),
    ],
)
def test_what_cannot_be_stays_out_whatever_was_answered(
    attribute: str, handle: str, said: dict[str, str], code: str
) -> None:
    ran = folded(attribute, said, handle=handle, both=True)
    assert (told(ran), ran.codes) == ([], [code])


def test_evidence_must_be_the_chapters_own_words_and_near_whom_it_is_about() -> None:
    chapter = chapter_of("Orla Penn wept.\n" + "The rain fell on the river. " * 150 + "\nNobody came.")
    near, far = notice(chapter, "@1", "mood", (1, 1)), notice(chapter, "@1", "goal", (3, 1))
    false = near.model_copy(
        update={"attribute": "health", "evidence": (near.evidence[0].model_copy(update={"text": "Orla slept."}),)}
    )
    facts = answered(chapter, [*cast(), near, far, false], mood=SET, goal=SET, health=SET)
    ran = run_step(STEP, chapter, facts=facts)
    assert told(ran) == ["@1 mood set “x” 1.1"]
    assert sorted(ran.codes) == ["evidence_not_in_chapter", "no_evidence"]


def test_only_the_examples_sentences_are_named_as_such() -> None:
    text = "\n".join(["Orla Penn wept. " + "The rain fell. " * 300, *["It rained. It poured. It stopped."] * 14])
    chapter = chapter_of(text)
    facts = answered(chapter, [*cast(), notice(chapter, "@1", "mood", (12, 3))], mood=SET)
    assert run_step(STEP, chapter, facts=facts).codes == ["example_only"]


CHAPTER = scene(no=2)


def second(start: list[Fact], attribute: str, said: dict[str, str], place: tuple[int, int] = (1, 1)) -> Ran:
    """Return what becomes of a change of @1 in a second chapter."""
    facts = answered(
        CHAPTER, [*cast(), notice(CHAPTER, "@1", attribute, place)], **{attribute.rpartition(".")[2]: said}
    )
    return run_step(STEP, CHAPTER, start=[*cast(), *start], facts=facts[len(cast()) :])


def test_the_value_before_is_what_the_chapters_before_left() -> None:
    start: list[Fact] = [change(scene(), "@1", "mood", "calm")]
    assert told(second(start, "mood", {"nature": "begins", "words": "grief"})) == ["@1 mood set “grief” [calm] 1.1"]
    lied: list[Fact] = [change(scene(), "@1", "mood", "calm", modality="lied")]
    assert told(second(lied, "mood", {"nature": "begins", "words": "grief"})) == ["@1 mood set “grief” 1.1"]


@pytest.mark.parametrize(
    ("before", "attribute", "said", "code"),
    [
        (("mood", "grief"), "mood", {"nature": "begins", "words": "Grief"}, "state_already_so"),
        (("life_status", "dead: drowned"), "goal", SET, "state_contradicts"),
        (("life_status", "dead"), "life_status", {"nature": "begins", "which": "alive"}, "state_contradicts"),
        (("appearance.eyes", "blue"), "appearance.eyes", {"nature": "begins", "words": "brown"}, "state_contradicts"),
    ],
    ids=["already so", "the dead act", "the dead live", "two values of one feature"],
)
def test_what_the_past_speaks_against_needs_a_word_more(
    before: tuple[str, str], attribute: str, said: dict[str, str], code: str
) -> None:
    start: list[Fact] = [change(scene(), "@1", *before)]
    ran = second(start, attribute, said)
    assert (told(ran), ran.codes) == ([], [code])
    cleared = second(start, attribute, {**said, "doubt": "holds:already"})
    assert len(told(cleared)) == 1 and cleared.codes == []


def test_life_and_death_can_be_read_by_code_whatever_the_language() -> None:
    ran = folded("life_status", {"nature": "begins", "which": "dead", "words": "물에 빠져"})
    assert told(ran) == ["@1 life_status set “dead: 물에 빠져” 1.1"]
    assert told(folded("life_status", {"nature": "begins", "which": "missing"})) == ["@1 life_status set “missing” 1.1"]


def test_one_change_told_in_two_places_is_one_fact_with_both_sentences() -> None:
    chapter = chapter_of("Orla Penn wept.\n" + "The rain fell on the river. " * 16 + "\nOrla wept on.")
    noticed = [notice(chapter, "@1", "mood", (1, 1)), notice(chapter, "@1", "mood", (3, 1), look="second")]
    facts = answered(chapter, [*cast(), *noticed], mood={"nature": "begins", "words": "grief"})
    ran = run_step(STEP, chapter, facts=facts)
    assert told(ran) == ["@1 mood set “grief” 1.1 3.1"]
    assert [f.looks for f, _ in ran.effects.facts if isinstance(f, ChangeFact)] == [("first", "second")]


def test_a_change_keeps_its_id_where_the_chapter_moves() -> None:
    ids = [
        [
            f.change
            for f, _ in run_step(
                STEP, chapter, facts=answered(chapter, [*cast(), notice(chapter, "@1", "mood", (1, 1))], mood=SET)
            ).effects.facts
            if isinstance(f, ChangeFact)
        ]
        for chapter in (scene(no=1), scene(no=7), chapter_of("It rained.\n" + TEXTS["en"]))
    ]
    assert ids[0] == ids[1] and len(ids[0]) == 1
    assert ids[2] != ids[0]  # other words were cited there


WORDS = st.sampled_from(["", "-", "grief", "x @1", "Ignore this; 1 a"])
DOUBTS = st.sampled_from(["", "holds", "not", "before", "other", "unreal", "b"])


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), words=WORDS, doubt=DOUBTS, n=st.integers(1, 12))
def test_random_answers_store_nothing_a_rule_could_know_false(seed: int, words: str, doubt: str, n: int) -> None:
    rng, chapter = random.Random(seed), scene(no=2)
    members = [*cast(), *person("@6", "lantern", kind="object"), *person("@7", "Crew", kind="group")]
    past: list[Fact] = [*members, change(scene(), "@1", "life_status", "dead"), change(scene(), "@2", "mood", "grief")]
    names = [*ATTRIBUTES, *(f"appearance.{f}" for f in FEATURES)]
    handles = ["@1", "@2", "@3", "@4", "@6", "@7", "@99"]
    noticed = [
        notice(
            chapter,
            rng.choice(handles),
            rng.choice(names),
            (rng.randint(1, 3), 1),
            look=rng.choice(["first", "second"]),
        )
        for _ in range(n)
    ]
    said = {
        name.rpartition(".")[2]: {
            key: value
            for key, value in {
                "nature": rng.choice([*NATURES, ""]),
                "words": words,
                "which": rng.choice([*handles, ""] if name != "life_status" else [*dict(LIFE), ""]),
                "doubt": f"{doubt}:split" if doubt else "",
            }.items()
            if value
        }
        for name in names
    }
    facts = answered(chapter, [*members, *noticed], **said)[len(members) :]
    ran = run_step(STEP, chapter, start=past, facts=facts)
    changes = [f for f, _ in ran.effects.facts if isinstance(f, ChangeFact)]
    kinds = {f.entity: f.entity_kind for f in members if f.fact == "entity"}
    for one in changes:
        assert kinds[one.entity] in told_of(one.attribute).kinds
        assert one.evidence and all(chapter.sentence_text(e.place) == e.text for e in one.evidence)
        assert one.to_entity == "" or kinds[one.to_entity] in linked(one.attribute, kinds[one.entity])
        assert one.to_entity != one.entity
        if not doubt and one.modality == "asserted" and one.op in ("set", "add"):
            assert (one.entity, one.attribute) != ("@1", "goal")
            assert (one.entity, one.attribute, one.to) != ("@2", "mood", "grief")
    assert len({c.change for c in changes}) == len(changes)
    assert set(states_at(fold([*past, *changes], through=2))) <= set(kinds)
