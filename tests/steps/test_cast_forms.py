from __future__ import annotations

import pytest

from analyzer.models.question import Answer
from analyzer.models.text import Place
from analyzer.steps._step import Answered, AskStep
from analyzer.text.candidates.candidate import LONGEST_FORM
from analyzer.text.candidates.forms import FormCandidate
from tests.harness import STEPS, Case, chapter_of, ids, lines_of, person, run_step, unit_of
from tests.steps.tale import EN, FR, JA, KO, ZH

CASES = (
    Case(
        "english names are kept by kind, fragments and common words are not",
        EN,
        (
            "form Mara character 1.1 x3",
            "form Tomas Vell character 1.2 x2",
            "form Doctor Brandt character 2.2 x1",
            "form Tomas character 1.2 x3",
            "form Corvin place 1.1 x1",
            "form Mara Vell character 1.1 x1",
        ),
        say={"brother": "-", "Corvin": "c", "Tomas": "a", "Mara": "a", "Brandt": "a"},
    ),
    Case("korean", KO, ("form 마라 character 1.1 x4",), say={"마라": "a"}, language="ko"),
    Case(
        "chinese",
        ZH,
        ("form 林黛 character 1.1 x5", "form 王武 character 1.2 x4", "form 柳村 place 1.1 x1"),
        say={"林黛住": "-", "林黛": "a", "王武": "a", "柳村": "c"},
        language="zh",
    ),
    Case(
        "japanese",
        JA,
        ("form 花子 character 1.2 x4", "form 田中 character 1.1 x3"),
        say={"花子": "a", "田中": "a"},
        language="ja",
    ),
    Case(
        "french",
        FR,
        ("form Marthe character 1.1 x3", "form Corvin place 1.1 x1"),
        say={"Marthe Vaux": "-", "Marthe": "a", "Corvin": "c"},
        language="fr",
    ),
    Case("an abstaining answerer leaves no form", EN, ()),
    Case("an unparsed line leaves no form", EN, (), say=lambda q: "perhaps a person"),
    Case("a mark that was not offered leaves no form", EN, (), say=lambda q: "z"),
    Case("two marks on one line are no answer", EN, (), say=lambda q: "a c"),
    Case("a text without a name has no candidate", "it rained. it went on raining.", (), say=lambda q: "a"),
)


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_forms(case: Case) -> None:
    case.check("cast_forms")


def test_the_question_is_one_short_line_with_shared_options() -> None:
    [shown] = run_step("cast_forms", chapter_of(EN)).shown
    lines = lines_of(shown)
    assert lines[0] == (
        "Options for every question: a a person or being; b a family, crew, people, party or organisation; c a place; "
        "d a thing with a name or of weight, a ship; e an event; f a rule of this world, an art, a species, a title of a "
        "work; g a letter, will, book or other writing in the story"
    )
    assert "“Mara” (1.1 1.3)" in lines[1]
    assert [line.split(". ")[0] for line in lines[1:]] == [str(n) for n in range(1, len(lines))]


def test_names_of_the_known_cast_are_not_asked_again() -> None:
    start = [*person("@1", "Mara Vell", "Mara"), *person("@2", "Tomas")]
    ran = run_step("cast_forms", chapter_of(EN, no=2), start=start)
    asked = {q.key.about[0].names[0] for q in ran.questions}
    assert not asked & {"Mara", "Mara Vell", "Tomas"}
    assert "Corvin" in asked


def test_a_form_the_chapter_does_not_print_never_becomes_a_name() -> None:
    chapter = chapter_of(EN)
    unit, step = unit_of(chapter), STEPS["cast_forms"]
    assert isinstance(step, AskStep)
    made_up = FormCandidate("Hosea", (Place(1, 1),), 1, 1.0)
    over_a_line = FormCandidate("Tomas  Vell", (Place(1, 2),), 1, 1.0)
    answer = Answer(status="answered", picked=("character",))
    asked = [Answered(c, step.question(c, unit, unit.start), answer, "one") for c in (made_up, over_a_line)]
    effects = step.effects(asked, unit, unit.start)
    assert [issue.code for issue in effects.issues] == ["name_not_in_text"]
    assert effects.issues[0].about == ("Hosea",) and len(effects.facts) == 1


def test_every_form_asked_about_stands_in_the_text_at_its_places() -> None:
    for language, text in (("en", EN), ("ko", KO), ("zh", ZH), ("ja", JA), ("fr", FR)):
        chapter = chapter_of(text, language=language)
        for question in run_step("cast_forms", chapter).questions:
            ref = question.key.about[0]
            assert all(ref.names[0] in (chapter.sentence_text(place) or "") for place in ref.places), ref


@pytest.mark.parametrize("name", ["Bartholomew " * 40, "김해주" * 60, "柳青河" * 60, "Barthélemy " * 20])
def test_a_form_too_long_for_a_name_never_becomes_one(name: str) -> None:
    chapter = chapter_of(f"{name} und Mara.")
    unit, step = unit_of(chapter), STEPS["cast_forms"]
    assert isinstance(step, AskStep)
    form = FormCandidate(name.strip(), (Place(1, 1),), 1, 1.0)
    asked = Answered(
        form, step.question(form, unit, unit.start), Answer(status="answered", picked=("character",)), "one"
    )
    effects = step.effects([asked], unit, unit.start)
    assert not effects.facts and [issue.code for issue in effects.issues] == ["odd_length"]
    assert len(effects.issues[0].about[0]) <= LONGEST_FORM
