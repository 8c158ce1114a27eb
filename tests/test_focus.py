from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.focus import GAP, focused, narrowed, sentence_shown, spelled_out, without_itself
from analyzer.models.question import Option, Part, Question, QuestionKey, Ref
from analyzer.models.text import Place

LINES = {
    "en": ["Mara kept the mill.", "Rain fell.", "Nobody came.", "Jonas was her brother.", "The wheel stood still."],
    "ko": ["마라는 물레방아를 지켰다.", "비가 왔다.", "아무도 오지 않았다.", "요나스는 그녀의 오빠였다.", "바퀴는 멈춰 있었다."],
    "zh": ["马拉守着磨坊。", "下雨了。", "没有人来。", "约纳斯是她的哥哥。", "水车停着。"],
    "ja": ["マラは水車小屋を守った。", "雨が降った。", "誰も来なかった。", "ヨナスは彼女の兄だった。", "水車は止まっていた。"],
}  # fmt: skip
NAMES = {"en": ("Mara", "Jonas"), "ko": ("마라", "요나스"), "zh": ("马拉", "约纳斯"), "ja": ("マラ", "ヨナス")}


def parts(language: str, cast: str = "@1 character: x\n@2 character: y\n@3 place: z") -> tuple[Part, ...]:
    rows = "\n".join(f"[{no}] {words}" for no, words in enumerate(LINES[language], 1))
    return (
        Part(name="system", text="Read.\n\n"),
        Part(name="cast", text=f"CAST BEFORE THIS CHAPTER\n{cast}\n\n"),
        Part(name="chapter", text=f"CHAPTER 1\n{rows}\n\n"),
    )


def asked(*about: Ref, options: tuple[Option, ...] = (), sentences: tuple[Place, ...] = ()) -> Question:
    key = QuestionKey(step="s", ask="a", chapter=1, about=about)
    return Question(key=key, type="choice", text="Which?", options=options, sentences=sentences)


@pytest.mark.parametrize("language", LINES)
def test_the_blocks_that_name_who_is_asked_about_stay_and_gaps_are_marked(language: str) -> None:
    first, second = NAMES[language]
    room = sum(len(f"[1] {LINES[language][at]}") for at in (0, 3))
    shown = focused(parts(language), asked(Ref(names=(first,)), Ref(names=(second,))), room)[2].text
    assert shown == f"CHAPTER 1\n[1] {LINES[language][0]}\n{GAP}\n[4] {LINES[language][3]}\n{GAP}\n\n"


def test_a_cited_sentence_outweighs_a_name_and_is_shown_even_where_it_does_not_fit() -> None:
    question = asked(Ref(names=("Mara",)), sentences=(Place(5, 1),))
    shown = focused(parts("en"), question, 3)[2].text
    assert "[5] The wheel stood still." in shown and "[1]" not in shown


def test_only_cast_lines_the_question_names_stay() -> None:
    question = asked(Ref(handle="@1"), options=(Option(mark="a", key="k:ab", text="@3 owns it"),))
    cast = focused(parts("en"), question, 100)[1].text
    assert cast == "CAST BEFORE THIS CHAPTER\n@1 character: x\n@3 place: z\n\n"


def test_without_a_bound_nothing_changes_and_the_system_part_never_does() -> None:
    whole = parts("en")
    assert focused(whole, asked(Ref(names=("Mara",))), 0) == whole
    assert focused(whole, asked(Ref(names=("Mara",))), 10)[0] == whole[0]


def test_who_is_named_nowhere_gets_the_beginning() -> None:
    assert "[1] Mara" in focused(parts("en"), asked(Ref(names=("Zed",))), 20)[2].text


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 200), st.sets(st.integers(1, 5), max_size=3))
def test_what_stays_are_whole_blocks_in_order(chars: int, cited: set[int]) -> None:
    question = asked(Ref(names=("Jonas",)), sentences=tuple(Place(no, 1) for no in sorted(cited)))
    whole = parts("en")
    lines = focused(whole, question, chars)[2].text.rstrip("\n").split("\n")[1:]
    blocks = [line for line in lines if line != GAP]
    assert blocks and blocks == [line for line in whole[2].text.split("\n") if line in blocks]


def someone(number: int, *names: str) -> Option:
    return Option(mark=f"@{number}", key=f"@{number}", ref=Ref(handle=f"@{number}", names=names))


@pytest.mark.parametrize("language", LINES)
def test_the_people_nearby_are_offered_and_options_that_are_nobody_stay(language: str) -> None:
    first, second = NAMES[language]
    rows = (someone(9, "Qqq"), someone(2, second), someone(8, "Zzz"), Option(mark="a", key="own", text="its own"))
    kept = narrowed(asked(Ref(handle="@1", names=(first,)), options=rows), parts(language), 2).options
    assert [option.key for option in kept] == ["@2", "own"]


def test_who_shares_a_name_comes_before_who_stands_near() -> None:
    rows = (someone(2, "Jonas"), someone(3, "Old Mara Vell"))
    kept = narrowed(asked(Ref(names=("Mara",)), options=rows), parts("en"), 1).options
    assert [option.key for option in kept] == ["@3"]


def test_few_people_are_left_as_they_are() -> None:
    question = asked(Ref(names=("Mara",)), options=(someone(2, "Jonas"), someone(3, "Zed")))
    assert narrowed(question, parts("en"), 2) is question and narrowed(question, parts("en"), 0) is question


def test_a_sentence_is_found_by_its_place() -> None:
    part = Part(name="chapter", text="CHAPTER 1\n[1] One. (2) Two（3） here. (3) Three.\n[12] Twelve.\n\n")
    assert [sentence_shown((part,), Place(1, n)) for n in (1, 2, 3, 4)] == ["One.", "Two（3） here.", "Three.", ""]
    assert sentence_shown((part,), Place(12, 1)) == "Twelve."
    assert sentence_shown((part,), Place(2, 1)) == sentence_shown((), Place(1, 1)) == ""


def test_handles_become_names_once_and_unknown_ones_stay() -> None:
    whole = (
        Part(name="cast", text="CAST\n@1 character: Mara Vell / Mara\n@12 character: 마라\n\n"),
        Part(
            name="added",
            text="CAST\n@3 character: unnamed, father of @1 Mara Vell\n@1 also: Mar\n"
            "@5 group: unnamed, called “the crew”\n@6 odd line\n\n",
        ),
    )
    assert spelled_out("@1 Mara Vell and @12 마라", whole) == "Mara Vell and 마라"
    assert spelled_out("@1 is a child of @12; @9 is not", whole) == "Mara Vell is a child of 마라; @9 is not"
    assert spelled_out("@3 (unnamed, father of @1 Mara Vell)", whole) == "father of Mara Vell"
    assert spelled_out("@6", whole) == "@6"
    assert spelled_out("@5 serves @3", whole) == "“the crew” serves father of Mara Vell"


@given(st.text(alphabet="@123 a(:/", max_size=30))
def test_spelling_out_never_fails_and_leaves_other_text_alone(text: str) -> None:
    assert spelled_out(text, ()) == text


@pytest.mark.parametrize("language", LINES)
def test_what_is_asked_about_is_no_option_of_its_own(language: str) -> None:
    first, second = NAMES[language]
    me, other = Ref(names=(first,), places=(Place(1, 1),)), Ref(names=(second,), places=(Place(2, 1),))
    rows = tuple(Option(mark=mark, key=f"form:{ref.names[0]}", ref=ref) for mark, ref in (("a", me), ("b", other)))
    question = asked(me, options=rows)
    assert [option.mark for option in without_itself(question).options] == ["b"]
    assert without_itself(asked(other, options=rows[:1])).options == rows[:1]
