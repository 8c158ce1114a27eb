"""The fold of changes: what holds of whom as of a chapter."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.bible import fold
from analyzer.models.facts import Fact, SameFact
from analyzer.models.story import ChangeFact
from analyzer.states import MANY, alike, folded_states, states_at
from tests.harness import chapter_of, evidence, person

TEXT = "One. Two. Three. Four. Five. Six."
CAST: list[Fact] = [
    *person("@1", "Orla"),
    *person("@2", "Bram"),
    *person("@3", "lamp", kind="object"),
    *person("@5", "Ola"),
]


def change(handle: str, attribute: str, to: str, chapter: int = 1, sentence: int = 1, **more: Any) -> ChangeFact:
    return ChangeFact(
        change=f"c{handle}{attribute}{to}{chapter}.{sentence}",
        chapter=chapter,
        entity=handle,
        attribute=attribute,
        op=more.pop("op", "set"),
        to=to,
        evidence=evidence(chapter_of(TEXT, no=chapter), (1, sentence)),
        **more,
    )


def held(*changes: ChangeFact, through: int = 9) -> dict[tuple[str, str], list[str]]:
    """Return what holds, in words."""
    states = states_at(fold([*CAST, *changes], through=through))
    return {(handle, a): [v.to for v in values] for handle, own in states.items() for a, values in own.items()}


def test_another_value_takes_the_place_of_the_last_where_only_one_can_hold() -> None:
    moves = (change("@1", "location", "Marl"), change("@1", "location", "Corvin", 3))
    assert held(*moves, through=2) == {("@1", "location"): ["Marl"]}
    assert held(*moves) == {("@1", "location"): ["Corvin"]}


@pytest.mark.parametrize("attribute", sorted(MANY))
def test_several_stand_beside_each_other_where_they_can(attribute: str) -> None:
    both = (change("@1", attribute, "a boat", op="add"), change("@1", attribute, "등불", 2))
    assert held(*both) == {("@1", attribute): ["a boat", "등불"]}


def test_what_is_told_again_is_held_once() -> None:
    twice = (
        change("@1", "possession", "the old lamp", op="add"),
        change("@1", "possession", "The old lamp", 2, op="add"),
    )
    assert held(*twice) == {("@1", "possession"): ["The old lamp"]}


def test_what_is_lost_goes_and_the_rest_stays() -> None:
    facts = (
        change("@1", "possession", "鑰匙", op="add"),
        change("@1", "possession", "渡船", 2, op="add"),
        change("@1", "possession", "鑰匙", 3, op="remove"),
    )
    assert held(*facts) == {("@1", "possession"): ["渡船"]}


@pytest.mark.parametrize(
    ("attribute", "n_before", "left"),
    [("health", 1, []), ("goal", 1, []), ("goal", 2, ["goal 0", "goal 1"])],
    ids=["one that can hold alone", "the only one", "one of several, nobody knows which"],
)
def test_an_end_that_names_no_value(attribute: str, n_before: int, left: list[str]) -> None:
    before = [change("@1", attribute, f"{attribute} {n}", 1, n + 1, op="add") for n in range(n_before)]
    assert held(*before, change("@1", attribute, "", 2, op="end")).get(("@1", attribute), []) == left


@pytest.mark.parametrize("modality", ["reported", "believed", "planned", "hypothetical", "dreamt", "lied"])
def test_only_what_is_asserted_is_a_state(modality: str) -> None:
    assert held(change("@1", "life_status", "dead", modality=modality)) == {}


def test_a_thing_of_the_cast_has_one_holder() -> None:
    facts = (
        change("@1", "possession", "the lamp", to_entity="@3", op="add"),
        change("@1", "possession", "a knife", 1, 2, op="add"),
        change("@2", "possession", "a lamp", 2, to_entity="@3", op="add"),
    )
    assert held(*facts) == {("@1", "possession"): ["a knife"], ("@2", "possession"): ["a lamp"]}


def test_the_order_is_that_of_the_story_not_of_arrival() -> None:
    late, early = change("@1", "mood", "calm", 1, 4), change("@1", "mood", "angry", 1, 2)
    assert held(late, early) == {("@1", "mood"): ["calm"]}


def test_merged_ones_share_their_states() -> None:
    same = SameFact(entity="@5", same_as="@1", chapter=2)
    facts = [*CAST, change("@5", "appearance.hair", "grey"), change("@1", "mood", "glad"), same]
    assert list(states_at(fold(facts, through=2))) == ["@1"]
    assert set(states_at(fold(facts, through=2))["@1"]) == {"appearance.hair", "mood"}
    assert set(states_at(fold(facts, through=1))) == {"@1", "@5"}


def test_likeness_is_of_letters_not_of_nothing() -> None:
    assert alike("Grey hair", "grey hair") and alike("회색 머리", "회색 머리")
    assert not alike("", "") and not alike("grey", "brown")


CHANGES = st.lists(
    st.builds(
        change,
        st.sampled_from(["@1", "@2"]),
        st.sampled_from(["location", "possession", "mood"]),
        st.sampled_from(["a lamp", "Marl", "海"]),
        st.integers(1, 3),
        st.integers(1, 6),
        op=st.sampled_from(["set", "add", "remove", "end"]),
        to_entity=st.sampled_from(["", "@3"]),
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(CHANGES, st.integers(0, 3))
def test_the_fold_stopped_early_is_the_fold_of_the_chapters_till_then(changes: list[ChangeFact], through: int) -> None:
    early = [c for c in changes if c.chapter <= through]
    assert states_at(fold([*CAST, *changes], through=through)) == states_at(fold([*CAST, *early], through=9))


@settings(max_examples=60, deadline=None)
@given(CHANGES)
def test_what_holds_was_told_and_nothing_holds_twice(changes: list[ChangeFact]) -> None:
    for handle, own in folded_states(changes).items():
        for attribute, values in own.items():
            assert values and all(v in changes and v.op in ("set", "add") for v in values)
            assert {(v.entity, v.attribute) for v in values} == {(handle, attribute)}
            assert attribute in MANY or len(values) == 1
            assert len({(v.to_entity or v.to) for v in values}) == len(values)
