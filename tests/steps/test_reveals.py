from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.bible import fold
from analyzer.models.base import Record
from analyzer.models.facts import NameFact, RelationFact
from analyzer.models.story import RevealFact
from analyzer.models.text import Place
from tests.harness import chapter_of, evidence
from tests.steps.masks import ANDERS, CARTER, EN, LENA, PELL, TALES, Tale, facts_of, mask, say

Made = list[Record]


def told(
    tale: Tale,
    *,
    first: tuple[int, int] = (2, 1),
    second: tuple[int, int] = (2, 1),
    ends: tuple[str, str] = (PELL, ANDERS),
) -> Made:
    return [mask(tale, first, ends=ends), say(tale, "again", "settled", second, ends=ends)]


def new_name(handle: str, surface: str) -> NameFact:
    return NameFact(entity=handle, surface=surface, name_kind="epithet", chapter=2)


@pytest.mark.parametrize("tale", TALES, ids=lambda t: t.language)
def test_two_looks_propose_a_reveal_and_leave_two_handles(tale: Tale) -> None:
    ran = tale.run("reveals", [*told(tale), say(tale, "to", "", to=(LENA, PELL))])
    assert facts_of(ran) == ["reveal @1 @2 to reader @3: 2.1"] and ran.codes == []
    bible = fold([*tale.start, *(f for f, _ in ran.effects.facts)], through=2)
    assert {PELL, ANDERS} <= set(bible.cast) and bible.same == {}
    assert [r.persona for r in bible.reveals] == [PELL] and fold(bible.facts, through=1).reveals == ()


@pytest.mark.parametrize(
    ("first", "second", "dated"),
    [((1, 1), (2, 1), "2.1"), ((2, 2), (2, 1), "2.2"), ((2, 1), (2, 1), "2.1")],
)
def test_a_date_is_never_earlier_than_both_looks_allow(
    first: tuple[int, int], second: tuple[int, int], dated: str
) -> None:
    (line,) = facts_of(EN.run("reveals", told(EN, first=first, second=second)))
    assert line.split(": ")[1].split(" ")[0] == dated


def test_a_single_look_proposes_nothing_and_says_so() -> None:
    for facts in (
        [mask(EN, (2, 1))],
        [mask(EN, (2, 1)), say(EN, "again", "open", (2, 1))],
        [mask(EN, (2, 1), vote="hinted"), say(EN, "again", "settled", (2, 1))],
    ):
        ran = EN.run("reveals", list(facts))
        assert facts_of(ran) == [] and ran.codes == ["undecided"]


def test_rules_at_the_door_are_named() -> None:
    nothing = EN.run("reveals", [mask(EN), say(EN, "again", "settled")])
    assert (facts_of(nothing), nothing.codes) == ([], ["no_evidence"])
    two = EN.run("reveals", [*told(EN), *told(EN, ends=(PELL, CARTER))])
    assert (facts_of(two), two.codes) == ([], ["mask_conflict", "mask_conflict"])
    chapter = chapter_of(EN.text, no=2)
    kin = RelationFact(
        claim="c",
        chapter=1,
        subject=ANDERS,
        relation="sibling_of",
        object=PELL,
        evidence=evidence(chapter, (1, 1)),
        votes=("for", "for"),
    )
    related = EN.run("reveals", told(EN), before=[kin])
    assert (facts_of(related), related.codes) == ([], ["mask_of_kin"])
    friend = kin.model_copy(update={"relation": "friend_of"})
    assert EN.run("reveals", told(EN), before=[friend]).codes == []
    long = Tale("en", EN.names, EN.text + "\n" + "Rain. " * 600)
    far = long.run("reveals", [mask(long, (2, 1)), say(long, "again", "settled", (4, 600))])
    assert (facts_of(far), far.codes) == ([], ["looks_apart"])
    off = long.run("reveals", told(long, first=(4, 600), second=(4, 600)))
    assert (facts_of(off), off.codes) == ([], ["evidence_not_in_chapter"])


def test_what_was_told_before_is_told_again_only_to_those_who_did_not_know() -> None:
    (first,) = [f for f, _ in EN.run("reveals", told(EN)).effects.facts]
    assert isinstance(first, RevealFact)
    before = first.model_copy(update={"chapter": 1})
    assert facts_of(EN.run("reveals", told(EN), before=[before])) == []
    again = EN.run("reveals", [*told(EN), say(EN, "to", "", to=(LENA,))], before=[before])
    assert facts_of(again) == ["reveal @1 @2 to @3: 2.1"]
    (later,) = [f for f, _ in again.effects.facts]
    assert isinstance(later, RevealFact) and later.reveal == first.reveal


@pytest.mark.parametrize("tale", TALES, ids=lambda t: t.language)
def test_another_name_and_a_stranger_are_reveals_of_one(tale: Tale) -> None:
    ends = (LENA, LENA)
    name = [
        mask(tale, (2, 2), ends=ends, way="name"),
        say(tale, "called", "first", (2, 2), ends=ends),
        new_name(LENA, "Nix"),
    ]
    assert facts_of(tale.run("reveals", name)) == ["reveal @3 @3 “Nix” to reader: 2.2"]
    described = NameFact(entity=CARTER, surface="man", name_kind="descriptor", chapter=2, place=Place(1, 1))
    ends = (CARTER, CARTER)
    stranger = [
        mask(tale, (3, 1), ends=ends, way="stranger"),
        say(tale, "called", "first", (3, 1), ends=ends),
        described,
    ]
    assert facts_of(tale.run("reveals", stranger)) == ["reveal @4 @4 “man” to reader: 3.1"]


def test_another_name_needs_a_name_that_is_new_and_both_looks() -> None:
    ends = (LENA, LENA)
    noticed = mask(EN, (2, 2), ends=ends, way="name")
    assert EN.run("reveals", [noticed, say(EN, "called", "first", (2, 2), ends=ends)]).codes == ["no_new_name"]
    assert EN.run("reveals", [noticed, new_name(LENA, "Nix")]).codes == ["undecided"]
    other = say(EN, "called", "first", (1, 1), ends=ends)
    assert EN.run("reveals", [noticed, other, new_name(LENA, "Nix")]).codes == ["undecided"]


def test_a_mask_is_not_told_a_second_time_as_a_name() -> None:
    ends = (ANDERS, ANDERS)
    named = [mask(EN, (2, 1), ends=ends, way="doer"), say(EN, "called", "first", (2, 1), ends=ends)]
    assert facts_of(EN.run("reveals", [*told(EN), *named])) == ["reveal @1 @2 to reader: 2.1"]
    assert facts_of(EN.run("reveals", named)) == ["reveal @2 @2 to reader: 2.1"]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from((PELL, ANDERS, LENA, CARTER, "@99")),
            st.sampled_from((PELL, ANDERS, LENA, CARTER)),
            st.sampled_from(("same", "hinted", "unparsed")),
            st.sampled_from(("settled", "open", "different", "")),
            st.sampled_from(((1, 1), (2, 1), (2, 2), (3, 1))),
        ),
        max_size=6,
    )
)
def test_whatever_is_answered_no_mask_hides_two_and_nobody_hides_himself(
    rows: list[tuple[str, str, str, str, tuple[int, int]]],
) -> None:
    facts: Made = []
    for persona, behind, vote, second, place in rows:
        facts += [
            mask(EN, place, ends=(persona, behind), vote=vote),
            say(EN, "again", second, place, ends=(persona, behind)),
        ]
    made = [f for f, _ in EN.run("reveals", facts).effects.facts if isinstance(f, RevealFact)]
    for reveal in made:
        assert reveal.is_mask and reveal.evidence and "@99" not in (reveal.persona, reveal.behind)
        assert sum(r.persona == reveal.persona for r in made) == 1
        assert (reveal.behind, reveal.persona) not in {(r.persona, r.behind) for r in made}
