from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.models.facts import Fact, PresenceFact
from analyzer.models.story import KnowledgeFact
from analyzer.steps._knowledge import NOTHING, STANCES, UNAWARE, WAYS, Votes
from analyzer.steps.knowledges import REACH, decide
from tests.harness import chapter_of, person
from tests.steps.knowing import LANGUAGES, TOLD, Case, at, cast, ids, learns, old_secret, piece_says, run, scene

ONE = scene()
SAID = {"proposition": "Mara has a letter", "stance": "knows", "way": "told"}


def learnt(
    knower: str = "@3", via: str = "told", place: tuple[int, int] = (2, 1), chapter: Any = ONE, **said: Any
) -> tuple[Fact, ...]:
    """Return a notice and what was said of it; `SAID` but for what is given."""
    wanted = {k: v for k, v in (SAID | said).items() if v is not None}
    return (learns(chapter, knower, via, place), *piece_says(chapter, knower, via, place, **wanted))


def known(knower: str = "@3", words: str = "Mara has a letter", stance: Any = "knows") -> KnowledgeFact:
    """Return what was known in chapter 1."""
    return KnowledgeFact(
        chapter=1, piece="k1", knower=knower, proposition=words, stance=stance, evidence=at(ONE, (1, 1))
    )


TWO = scene(no=2)
CASES = (
    Case("known by being told", ("@3 knows told “Mara has a letter” 2.1",), facts=learnt()),
    Case("the second doubt says by which way", ("@3 knows overheard “Mara has a letter” 2.1",), facts=learnt(way="overheard")),
    Case("a way nobody could read is as it was noticed", ("@3 knows told “Mara has a letter” 2.1",), facts=learnt(way=None, check="knows")),
    Case("whoever is deceived believes", ("@3 believes deceived “Mara has a letter” 2.1",), facts=learnt(way="deceived")),
    Case("suspected by reasoning", ("@3 suspects inferred “Mara has a letter” 2.1",),
         facts=learnt(via="inferred", stance="suspects", way="inferred")),
    Case("not known has no way", ("@4 unaware - “Mara has a letter” 3.1",),
         facts=learnt("@4", "unaware", (3, 1), stance="unaware", way="unaware")),
    Case("both doubts deny it", (), facts=learnt(stance="nothing", way="none"), codes=("denied_twice",)),
    Case("doubts that differ, and no last look", (), facts=learnt(way="nothing"), codes=("undecided",)),
    Case("the last look keeps it", ("@3 believes told “Mara has a letter” 2.1",), facts=learnt(way="nothing", check="believes")),
    Case("the last look denies it", (), facts=learnt(stance="none", check="nothing"), codes=("denied_twice",)),
    Case("three looks, three ways", (), facts=learnt(way="nothing", check="unaware"), codes=("undecided",)),
    Case("no doubt was answered", (), facts=learnt(stance=None, way=None), codes=("undecided",)),
    Case("nothing could be said of it", (), facts=learnt(proposition=""), codes=("no_words",)),
    Case("a note nobody could read is the sentence itself", ("@3 knows told “Tomas told Brandt.” 2.1",), facts=learnt(proposition=None)),
    Case("known before", (), no=2, past=(known(),), facts=learnt(chapter=TWO), codes=("known_already",)),
    Case("suspected before, known now", ("@3 knows told “Mara has a letter” 2.1",), no=2,
         past=(known(stance="suspects"),), facts=learnt(chapter=TWO)),
    Case("known before to somebody else", ("@3 knows told “Mara has a letter” 2.1",), no=2, past=(known("@4"),), facts=learnt(chapter=TWO)),
    Case("not knowing what one knew before is news", ("@3 unaware - “Mara has a letter” 2.1",), no=2, past=(known(),),
         facts=learnt(chapter=TWO, stance="unaware", way="unaware")),
    Case("said twice in a chapter is known once", ("@3 knows told “Mara has a letter” 2.1",), codes=("known_already",),
         facts=(*learnt(), *learnt(place=(3, 1), proposition="mara has a letter."))),
    Case("learnt in the chapter is not unknown at its end", ("@3 knows told “Mara has a letter” 2.1",), codes=("learns_it_here",),
         facts=(*learnt(via="unaware", place=(1, 1), stance="unaware", way="unaware"), *learnt())),
    Case("nobody in the cast", (), facts=learnt("@77")),
    *(Case(f"known in {tag}", (f"@3 knows told “{TOLD[tag]}” 2.1",), language=tag,
           facts=learnt(chapter=scene(tag), proposition=TOLD[tag])) for tag in LANGUAGES),
    Case("nothing noticed, nothing stored", ()),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_knowledge(case: Case) -> None:
    case.check("knowledges")


def test_a_place_knows_nothing() -> None:
    place = [
        *person("@6", "Corvin", kind="place"),
        PresenceFact(entity="@6", chapter=1, presence="on_page", n_mentions=1),
    ]
    told = run("knowledges", ONE, facts=[*cast(), *place, *learnt("@6")])
    assert (told.facts, told.codes) == ([], ["wrong_entity_kinds"])


def test_words_that_are_not_those_of_the_chapter_are_no_evidence() -> None:
    told = run("knowledges", ONE, facts=[*cast(), *learnt(chapter=chapter_of("Mara came. Tomas slept.\nBrandt left."))])
    assert (told.facts, told.codes) == ([], ["evidence_not_in_chapter"])


def test_words_far_from_every_mention_of_the_knower_are_not_his() -> None:
    far = "The rain went on over the grey fields. " * (REACH // 39 + 2)
    chapter = chapter_of(f"Brandt met Mara.\n{far}\nIt was all over by then.")
    assert run("knowledges", chapter, facts=[*cast(), *learnt(place=(3, 1), chapter=chapter)]).codes == [
        "far_from_knower"
    ]
    assert run("knowledges", chapter, facts=[*cast(), *learnt(place=(1, 1), chapter=chapter)]).codes == []
    unmentioned = run("knowledges", chapter, facts=[*cast(), *learnt("@4", place=(3, 1), chapter=chapter)])
    assert unmentioned.codes == []  # who is nowhere mentioned by name may be there all along


def test_the_same_words_are_one_piece_for_all_who_learn_them() -> None:
    facts = [*cast(), *learnt("@3"), *learnt("@4", place=(3, 1), proposition="mara has a letter")]
    told = run("knowledges", ONE, facts=facts)
    assert len({f.piece for f in told.facts if isinstance(f, KnowledgeFact)}) == 1 and len(told.facts) == 2


def test_a_piece_in_the_words_of_an_open_secret_is_that_secret() -> None:
    told = run(
        "knowledges", TWO, facts=[*cast(no=2), *learnt(chapter=TWO)], past=[old_secret(words="Mara has a letter")]
    )
    [fact] = told.facts
    assert isinstance(fact, KnowledgeFact) and fact.secret == "s1"


@pytest.mark.parametrize(
    ("text", "teller"),
    [
        ("“Mara has a letter,” said Tomas.", "@2"),
        ("“Tomas has a letter,” said the guest.", ""),
        ("“Mara has a letter,” said Tomas to Brandt.", ""),
        ("Mara has a letter, Tomas thought.", ""),
    ],
)
def test_the_teller_is_the_one_other_person_named_around_the_quotation(text: str, teller: str) -> None:
    chapter = chapter_of(text)
    [fact] = run("knowledges", chapter, facts=[*cast(), *learnt(place=(1, 1), chapter=chapter)]).facts
    assert isinstance(fact, KnowledgeFact) and fact.told_by == teller


def test_two_of_three_votes_settle_it() -> None:
    stances, ways = (*STANCES, NOTHING, ""), (*WAYS, UNAWARE, NOTHING, "")
    for stance, way, last in product(stances, ways, stances):
        decided = decide(Votes(stance, way, last))
        sorts = [v if v in ("", NOTHING, UNAWARE) else "some" for v in (stance, way, last)]
        most = {sort for sort in sorts if sort and sorts.count(sort) > 1}
        if not most:
            assert decided is None
        elif most == {"some"}:
            assert decided in (last, stance) and decided in STANCES and decided != UNAWARE
        else:
            assert {decided} == most


@settings(max_examples=60)
@given(
    st.sampled_from(["@1", "@2", "@3", "@8"]),
    st.sampled_from([*WAYS, UNAWARE]),
    st.sampled_from([(1, 1), (1, 2), (2, 1), (3, 1)]),
    st.sampled_from([*STANCES, NOTHING, "none", None]),
    st.sampled_from([*WAYS, UNAWARE, NOTHING, "none", None]),
    st.sampled_from([*STANCES, NOTHING, "none", None]),
)
def test_whatever_is_answered_no_fact_breaks_a_rule(
    knower: str, via: str, place: tuple[int, int], stance: Any, way: Any, check: Any
) -> None:
    told = run("knowledges", ONE, facts=[*cast(), *learnt(knower, via, place, stance=stance, way=way, check=check)])
    assert len(told.facts) + len(told.codes) == (knower != "@8")
    for fact in told.facts:
        assert isinstance(fact, KnowledgeFact) and fact.proposition and fact.evidence
        assert all(ONE.sentence_text(e.place) == e.text for e in fact.evidence)
        assert (fact.stance == UNAWARE) <= (fact.via is None) and not (
            fact.via == "deceived" and fact.stance == "knows"
        )
