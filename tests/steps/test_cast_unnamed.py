from __future__ import annotations

import pytest

from analyzer.models.facts import EntityFact, NameFact
from analyzer.models.question import Question
from analyzer.models.text import Place
from tests.harness import Case, chapter_of, ids, lines_of, mark, person, picks, run_step
from tests.steps.tale import EN, FR, JA, KO, ZH, cast

TOLD = (
    "I walked down to the mill at Corvin. The water was high.\n"
    "I knew Mara would be there. She did not see me.\n"
    "I had a brother once. I waited. I thought of the ferry.\n"
    "I went home at night. I slept badly."
)


def own(question: Question) -> str:
    return mark(question, "own")


CASES = (
    Case(
        "a description may be a named person, a relative of one, or somebody of its own",
        EN,
        (
            "name @2 her brother descriptor 1.2",
            "entity @5 character the miller unnamed",
            "name @5 the miller descriptor 2.1",
            "entity @6 character his daughter daughter of @2 unnamed",
            "name @6 his daughter descriptor 2.2",
            "name @4 the doctor descriptor 2.3",
        ),
        facts=cast(),
        say=picks({"her brother": "is:@2", "his daughter": "tie:@2", "the miller": "own", "the doctor": "is:@4"}),
    ),
    Case("an abstaining answerer makes nobody", EN, (), facts=cast()),
    Case("an unparsed line makes nobody", EN, (), facts=cast(), say=lambda q: "who knows"),
    Case("a mark that is not offered makes nobody", EN, (), facts=cast(), say=lambda q: "y"),
    Case("a text without descriptions has no candidate", "Mara Vell came.", (), facts=cast(), say=own),
    Case(
        "korean: a relative of a named one",
        KO,
        ("entity @3 character 마라의 동생 동생 of @1 unnamed", "name @3 마라의 동생 descriptor 1.2"),
        facts=(*person("@1", "마라"), *person("@2", "토마스")),
        say=picks({"동생": "tie:@1"}),
        language="ko",
    ),
    Case(
        "chinese: a relative of a named one",
        ZH,
        ("entity @3 character 王武的父親 父親 of @2 unnamed", "name @3 王武的父親 descriptor 2.1"),
        facts=(*person("@1", "林黛"), *person("@2", "王武")),
        say=picks({"父親": "tie:@2"}),
        language="zh",
    ),
    Case(
        "japanese: somebody named",
        JA,
        ("name @2 田中の妹 descriptor 1.2",),
        facts=(*person("@1", "田中"), *person("@2", "花子")),
        say=picks({"妹": "is:@2"}),
        language="ja",
    ),
    Case(
        "french: a relative of a named one",
        FR,
        ("entity @3 character sa fille fille of @1 unnamed", "name @3 sa fille descriptor 2.2"),
        facts=(*person("@1", "Marthe Vaux"), *person("@2", "Thomas Vaux")),
        say=picks({"sa fille": "tie:@1"}),
        language="fr",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_unnamed(case: Case) -> None:
    case.check("cast_unnamed")


def test_the_question_lists_who_may_be_meant_and_whose_relative_it_may_be() -> None:
    [shown] = run_step("cast_unnamed", chapter_of(EN), facts=cast()).shown
    assert lines_of(shown) == [
        "1. “her brother” (1.2, near @2 @1 @4) | a the brother of @2, not listed; b the brother of @1, not listed; "
        "c the brother of @4, not listed; d a person not listed; e a group not listed",
        "2. “the miller” (2.1, near @1 @2 @4) | a a person not listed; b a group not listed; c a thing not listed",
        "3. “his daughter” (2.2, near @1 @4 @2) | a the daughter of @1, not listed; b the daughter of @4, not listed; "
        "c the daughter of @2, not listed; d a person not listed; e a group not listed",
        "4. “the doctor” (2.3, near @1 @2 @4) | a a person not listed; b a group not listed; c a thing not listed",
        "5. “the mill” (1.1, near @3) | a a place not listed; b a group not listed; c a thing not listed",
    ]


def test_a_tied_person_is_shown_by_the_tie_and_never_by_a_bare_kin_word() -> None:
    [line] = [
        fact
        for fact, _ in run_step(
            "cast_unnamed", chapter_of(EN), facts=cast(), say=picks({"his daughter": "tie:@2"})
        ).effects.facts
        if isinstance(fact, EntityFact)
    ]
    assert (line.tie, line.tied_to, line.named) == ("daughter", "@2", False)


def test_the_narrator_is_a_role_that_may_be_a_person_of_its_own() -> None:
    ran = run_step("cast_unnamed", chapter_of(TOLD), facts=person("@1", "Mara"), say=picks({"“I”": "own"}))
    assert ran.questions[0].key.ask == "cast.narrator"
    assert ran.facts[0] == "entity @2 character I unnamed narrator"
    assert not any("entity @2 character I unnamed" in line for line in ran.facts[1:])


def test_the_narrator_is_one_through_all_chapters() -> None:
    first = run_step("cast_unnamed", chapter_of(TOLD), say=own)
    start = [fact for fact, _ in first.effects.facts]
    again = run_step("cast_unnamed", chapter_of(TOLD, no=2), start=start, say=picks({"“I”": "is:@1"}))
    [question] = [q for q in again.questions if q.key.ask == "cast.narrator"]
    assert question.options[0].key == "is:@1"
    assert not any(line.startswith("entity") and "narrator" in line for line in again.facts)
    said_own = run_step("cast_unnamed", chapter_of(TOLD, no=2), start=start, say=picks({"“I”": "own"}))
    assert not any("narrator" in line and line.startswith("entity") for line in said_own.facts)


def test_a_named_narrator_is_offered_again_where_no_name_of_his_stands() -> None:
    named = person("@1", "Mara")
    first = run_step("cast_unnamed", chapter_of(TOLD), facts=named, say=picks({"“I”": "is:@1"}))
    assert first.facts[0] == "name @1 narrator:Mara descriptor 1.1"
    start = [*named, *(fact for fact, _ in first.effects.facts)]
    elsewhere = chapter_of(TOLD.replace("Mara", "she"), no=2)
    [question] = [q for q in run_step("cast_unnamed", elsewhere, start=start).questions if q.key.ask == "cast.narrator"]
    assert [o.key for o in question.options] == ["is:@1", "own"]


def test_a_letter_in_the_first_person_has_no_narrator() -> None:
    ran = run_step(
        "cast_unnamed", chapter_of(EN.replace("Mara loved", "“I, I, I,” said she. Mara loved")), facts=cast()
    )
    assert all(q.key.ask == "cast.who" for q in ran.questions)


def test_the_same_unnamed_person_keeps_the_handle_over_re_runs() -> None:
    say = picks({"the miller": "own"})
    first = run_step("cast_unnamed", chapter_of(EN), facts=cast(), say=say)
    handles = {fact.anchor: "@41" for fact, _ in first.effects.facts if isinstance(fact, EntityFact)}
    again = run_step("cast_unnamed", chapter_of(EN), facts=cast(), say=say, handles=handles)
    assert first.facts[0].startswith("entity @5") and again.facts[0].startswith("entity @41")


def test_the_number_of_questions_is_bounded_by_the_length_of_the_chapter() -> None:
    text = "\n".join(
        f"The {role} spoke to his brother." for role in ("miller", "doctor", "judge", "captain", "nurse") * 40
    )
    chapter = chapter_of(text)
    assert len(run_step("cast_unnamed", chapter).questions) <= max(12, len(chapter.text) / 1000 * 1.3) + 1


def test_two_people_described_by_the_same_word_are_not_joined_without_being_asked() -> None:
    text = "Mara Vell’s brother came in. Tomas Vell’s brother slept."
    ran = run_step("cast_unnamed", chapter_of(text), facts=cast(), say=own)
    made = [line for line in ran.facts if line.startswith("entity")]
    assert made == [
        "entity @5 character Mara Vell’s brother unnamed",
        "entity @6 character Tomas Vell’s brother unnamed",
    ]
    given = {fact.anchor: fact.entity for fact, _ in ran.effects.facts if isinstance(fact, EntityFact)}
    again = run_step("cast_unnamed", chapter_of(text), facts=cast(), say=own, handles=given)
    assert again.facts == ran.facts


@pytest.mark.parametrize(
    ("language", "before", "text", "described"),
    [
        ("en", "the doctor", "The doctor came late. Nobody spoke.", "the doctor"),
        ("ko", "의사", "그 의사가 늦게 왔다. 아무도 말하지 않았다.", "의사"),
        ("zh", "大夫", "那大夫來遲了。沒有人說話。", "大夫"),
        ("fr", "le docteur", "Le docteur arriva tard. Personne ne parla.", "le docteur"),
    ],
)
def test_one_who_was_called_so_before_is_offered_where_his_name_does_not_stand(
    language: str, before: str, text: str, described: str
) -> None:
    called = NameFact(entity="@1", surface=before, name_kind="descriptor", chapter=1, place=Place(1, 1))
    start = [*person("@1", "Brandt"), *person("@2", "Mara"), called]
    ran = run_step("cast_unnamed", chapter_of(text, no=2, language=language), start=start)
    [question] = [q for q in ran.questions if described in q.text]
    assert question.options[0].key == "is:@1"


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("en", "Mara tore it in two. Someone had cut the page. The page was gone.", "page"),
        ("ko", "마라가 왔다. 의사가 왔다. 의사는 말이 없었다.", "의사"),
        ("zh", "林黛來了。大夫走進來。大夫笑道：「你好。」", "大夫"),
        ("ja", "花子が来た。医者が来た。医者は黙っていた。", "医者"),
    ],
)
def test_what_a_description_is_of_is_asked_and_not_taken_from_its_noun(language: str, text: str, words: str) -> None:
    kinds = {"own": "character", "own:group": "group", "own:object": "object"}
    for key, kind in kinds.items():
        ran = run_step("cast_unnamed", chapter_of(text, language=language), say=picks({words: key}), facts=())
        [made] = [line for line in ran.facts if line.startswith("entity")]
        assert made.split()[2] == kind


@pytest.mark.parametrize(
    ("language", "text", "bank", "words"),
    [
        ("en", "Mara went to Seo. The bank lent him money. The bank was closed.", "Seo", "bank"),
        ("ko", "마라가 왔다. 은행이 돈을 빌려주었다. 은행은 문을 닫았다.", "세오", "은행"),
        ("zh", "林黛來了。她走進銀行。銀行關了門。", "瀨尾", "銀行"),
        ("ja", "花子が来た。銀行が金を貸した。銀行は閉まった。", "瀬尾", "銀行"),
    ],
)
def test_a_description_may_mean_one_of_the_cast_that_is_of_another_kind(
    language: str, text: str, bank: str, words: str
) -> None:
    chapter = chapter_of(text, language=language)
    firm = EntityFact(entity="@2", entity_kind="group", label=bank, anchor=f"name:{bank}", chapter=1, named=True)
    ran = run_step("cast_unnamed", chapter, facts=(*person("@1", "Mara"), firm), say=picks({words: "is:@2"}))
    asked = [q for q in ran.questions if words in q.text]
    assert asked
    assert {"is:@1", "is:@2"} <= {option.key for q in asked for option in q.options}
    assert any(line.startswith("name @2") and words in line for line in ran.facts)
