from __future__ import annotations

import pytest

from analyzer.models.facts import FAMILIES, ProposalFact
from analyzer.models.question import Question
from tests.harness import Case, chapter_of, ids, lines_of, person, run_step, unnamed
from tests.steps.tale import EN, KO, ZH, cast


def family(name: str, **say: str) -> object:
    """Answer one family only: handle without @ -> the line's body."""

    def answer(question: Question) -> str:
        handle = question.key.about[0].handle
        return say.get("h" + handle[1:], "-") if question.key.detail == name else "-"

    return answer


CASES = (
    Case(
        "a pair picked from both ends is proposed once",
        EN,
        ("proposal kin @1 @2 select",),
        facts=cast(),
        say=family("kin", h1="@2", h2="@1"),  # type: ignore[arg-type]
    ),
    Case(
        "several picks of one line are several pairs",
        EN,
        ("proposal work @1 @2 select", "proposal work @1 @4 select"),
        facts=cast(),
        say=family("work", h1="@2 @4"),  # type: ignore[arg-type]
    ),
    Case("an abstaining answerer proposes nothing", EN, (), facts=cast()),
    Case("an unparsed line proposes nothing", EN, (), facts=cast(), say=lambda q: "Tomas"),
    Case("a handle that is not offered proposes nothing", EN, (), facts=cast(), say=lambda q: "@99"),
    Case("oneself is not offered", EN, (), facts=cast(), say=lambda q: q.key.about[0].handle),
    Case(
        "one person alone has nobody to be related to", "Mara came.", (), facts=person("@1", "Mara"), say=lambda q: "@1"
    ),
    Case(
        "a tie of an unnamed person of this chapter is proposed by code",
        EN,
        ("proposal kin @2 @5 cue",),
        facts=(*cast(), *unnamed("@5", "his daughter", (2, 2), tie="daughter", tied_to="@2")),
    ),
    Case(
        "korean",
        KO,
        ("proposal kin @1 @2 select",),
        facts=(*person("@1", "마라"), *person("@2", "토마스")),
        say=family("kin", h1="@2"),  # type: ignore[arg-type]
        language="ko",
    ),
    Case(
        "chinese",
        ZH,
        ("proposal kin @1 @2 select",),
        facts=(*person("@1", "林黛"), *person("@2", "王武")),
        say=family("kin", h2="@1"),  # type: ignore[arg-type]
        language="zh",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_select(case: Case) -> None:
    case.check("relation_select")


def test_every_being_is_asked_about_in_every_family_and_places_only_as_options() -> None:
    ran = run_step("relation_select", chapter_of(EN), facts=cast())
    assert len(ran.shown) == len(FAMILIES)
    by_family = {q.key.detail: q for q in ran.questions if q.key.about[0].handle == "@1"}
    assert set(by_family) == set(FAMILIES)
    assert [o.key for o in by_family["kin"].options] == ["@2", "@4"]
    assert [o.key for o in by_family["place"].options] == ["@3"]
    assert not any(q.key.about[0].handle == "@3" for q in ran.questions)


def test_the_question_is_one_line_and_the_options_stand_in_the_prefix() -> None:
    ran = run_step("relation_select", chapter_of(EN), facts=cast())
    assert lines_of(ran.shown[0]) == ["1. @1 Mara Vell", "2. @2 Tomas Vell", "3. @4 Doctor Brandt"]
    assert "family: parents and children" in ran.shown[0]


def test_somebody_the_chapter_does_not_mention_is_not_offered() -> None:
    ran = run_step("relation_select", chapter_of(EN), facts=[*cast(), *person("@8", "Hosea")])
    assert not any(o.key == "@8" for q in ran.questions for o in q.options)


def test_hints_are_the_sentences_where_the_two_stand_nearest() -> None:
    ran = run_step("relation_select", chapter_of(EN), facts=cast(), say=family("kin", h1="@2"))  # type: ignore[arg-type]
    [fact] = [fact for fact, _ in ran.effects.facts]
    assert isinstance(fact, ProposalFact)
    assert [str(p) for p in fact.hints] == ["1.3", "2.4", "1.2"]


def test_a_proposal_rests_on_every_answer_that_made_it() -> None:
    ran = run_step("relation_select", chapter_of(EN), facts=cast(), say=family("kin", h1="@2", h2="@1"))  # type: ignore[arg-type]
    [(_, because)] = ran.effects.facts
    assert len(because) == 2
