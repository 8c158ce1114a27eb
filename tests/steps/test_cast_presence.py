from __future__ import annotations

import pytest

from tests.harness import Case, chapter_of, ids, lines_of, person, run_step, unnamed
from tests.steps.tale import EN, FR, JA, KO, ZH, cast

CASES = (
    Case(
        "everybody mentioned has a presence, none of the options counts as mentioned",
        EN,
        ("presence @1 on_page x3", "presence @2 on_page x3", "presence @3 mentioned x1", "presence @4 historical x1"),
        facts=cast(),
        say={"@1": "a", "@2": "a", "@4": "c"},
    ),
    Case("an unparsed line decides nothing", EN, (), facts=cast(), say=lambda q: "there"),
    Case("nobody known, nobody asked about", EN, (), say=lambda q: "a"),
    Case("somebody the chapter does not mention is not asked about", EN, (), facts=person("@1", "Hosea"), say=lambda q: "a"),
    Case("a name inside another word is no mention", "The tomasine order came.", (), facts=person("@1", "Tomas"), say=lambda q: "a"),
    Case("korean, with a particle", KO, ("presence @1 on_page x4",), facts=person("@1", "마라"), say=lambda q: "a", language="ko"),
    Case("chinese", ZH, ("presence @1 on_page x5",), facts=person("@1", "林黛"), say=lambda q: "a", language="zh"),
    Case("japanese, with an honorific", JA, ("presence @1 on_page x4",), facts=person("@1", "花子"), say=lambda q: "a", language="ja"),
    Case("french", FR, ("presence @1 on_page x1",), facts=person("@1", "Corvin", kind="place"), say=lambda q: "a", language="fr"),
    Case("an unnamed person by the sentences of his description", EN, ("presence @5 on_page x2",),
         facts=unnamed("@5", "the miller", (2, 1), (2, 2)), say=lambda q: "a"),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_presence(case: Case) -> None:
    case.check("cast_presence")


def test_a_surname_of_two_people_is_counted_to_neither() -> None:
    both = [*person("@1", "Gerard Noir", "Noir"), *person("@2", "Felix Noir", "Noir")]
    ran = run_step("cast_presence", chapter_of("Noir came. Gerard Noir sat down."), facts=both, say=lambda q: "a")
    assert ran.facts == ["presence @1 on_page x1"]
    [issue] = ran.issues
    assert (issue.code, issue.about) == ("ambiguous_name", ("Noir", "@1", "@2"))


def test_the_question_is_the_handle_and_the_name() -> None:
    facts = [*cast(), *unnamed("@5", "his daughter", (2, 2), tie="daughter", tied_to="@2")]
    [shown] = run_step("cast_presence", chapter_of(EN), facts=facts).shown
    assert lines_of(shown) == [
        "Options for every question: a is there in a scene of this chapter; b is only spoken or thought of; "
        "c belongs to history or myth, outside the story's own present",
        "1. @1 Mara Vell",
        "2. @2 Tomas Vell",
        "3. @3 Corvin",
        "4. @4 Doctor Brandt",
        "5. @5 (unnamed, daughter of @2 Tomas Vell)",
    ]
