from __future__ import annotations

import pytest

from analyzer.models.facts import SameFact
from tests.harness import Case, chapter_of, ids, lines_of, run_step, unnamed
from tests.steps.tale import EN, ZH, cast

TWO = (*unnamed("@5", "the miller", (2, 1)), *unnamed("@6", "the old man", (2, 2)))

CASES = (
    Case("two descriptions of one person are joined into the older handle", EN, ("same @6 @5",), facts=TWO,
         say=lambda q: "a 2.1"),
    Case("an abstaining answerer joins nobody", EN, (), facts=TWO),
    Case("an unparsed line joins nobody", EN, (), facts=TWO, say=lambda q: "both"),
    Case("one unnamed person alone is not asked about", EN, (), facts=TWO[:2], say=lambda q: "a"),
    Case("a place is not compared with a person", EN, (), say=lambda q: "a",
         facts=(*unnamed("@5", "the mill", (1, 1), kind="place"), *unnamed("@6", "the miller", (2, 1)))),
    Case("chinese", ZH, ("same @6 @5",), language="zh", say=lambda q: "a",
         facts=(*unnamed("@5", "大夫", (2, 2)), *unnamed("@6", "老人", (2, 1)))),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_twins(case: Case) -> None:
    case.check("cast_unnamed_same")


def test_named_people_are_never_asked_about_nor_offered() -> None:
    ran = run_step("cast_unnamed_same", chapter_of(EN), facts=[*cast(), *TWO])
    assert [q.key.about[0].handle for q in ran.questions] == ["@6"]
    assert [o.key for o in ran.questions[0].options] == ["is:@5"]


def test_an_unnamed_person_tied_to_a_named_one_may_be_the_one_the_text_calls_otherwise() -> None:
    tied = unnamed("@6", "his daughter", (2, 2), tie="daughter", tied_to="@2")
    ran = run_step("cast_unnamed_same", chapter_of(EN), facts=[*cast(), *unnamed("@5", "the girl", (2, 3)), *tied])
    assert lines_of(ran.shown[0]) == ["1. @6 (unnamed, daughter of @2 Tomas Vell) (2.2) | a @5 “the girl”"]


def test_the_sentence_named_is_kept_as_evidence_and_an_absent_one_is_not() -> None:
    for body, places in (("a 2.2", ["2.2"]), ("a 9.9", []), ("a", [])):
        ran = run_step("cast_unnamed_same", chapter_of(EN), facts=TWO, say=lambda q, body=body: body)
        [fact] = [fact for fact, _ in ran.effects.facts]
        assert isinstance(fact, SameFact) and [str(e.place) for e in fact.evidence] == places


def test_somebody_of_an_earlier_chapter_is_offered_only_where_the_chapter_mentions_them() -> None:
    start = unnamed("@3", "the judge", (1, 1))
    ran = run_step(
        "cast_unnamed_same", chapter_of(EN, no=2), start=start, facts=unnamed("@5", "the miller", (2, 1), chapter=2)
    )
    assert ran.questions == ()
