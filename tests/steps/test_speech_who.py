from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.models.facts import Fact
from analyzer.models.question import Question
from analyzer.models.story import SpeakerFact
from tests.harness import Ran, Say, chapter_of, lines_of, person, run_step
from tests.steps.test_speech_cues import cast

EN = (
    "Mara Vell came in, and Tomas with her. Mr. Brandt stood by the fire.\n"
    "“I have been at the mill since noon, and nobody came to the door.”\n"
    "“Oh!”\n"
    "“Did Brandt see you?”\n"
    "“No,” said Mara."
)
KO = "마라가 들어왔다. 토마스가 따라왔다.\n“나는 정오부터 물레방앗간에 있었는데 아무도 문에 오지 않았다.”\n“아!”\n“아니.” 마라가 말했다."
ZH = "林黛走進來，王武跟著她。\n「我從中午就在磨坊裡等著，可是一個人也沒有到門口來過。」\n「啊！」\n林黛道：「沒有。」"
JA = (
    "花子が入り、田中が続いた。\n「わたしは昼から水車小屋にいたけれど、誰も戸口へ来なかったのです。」\n"
    "「ああ！」\n「いいえ」と花子は言った。"
)


def asked(text: str, language: str = "en", say: Say | None = None, facts: Sequence[Fact] | None = None) -> Ran:
    chapter = chapter_of(text, language=language)
    people = list(cast(language) if facts is None else facts)
    cues = run_step("speech_cues", chapter, facts=people)
    return run_step("speech_who", chapter, facts=[*people, *(f for f, _ in cues.effects.facts)], say=say)


def speakers(ran: Ran) -> list[str]:
    return [f"{f.block}.{f.start} {f.speaker}" for f, _ in ran.effects.facts if isinstance(f, SpeakerFact)]


def test_only_what_tells_something_and_code_leaves_open_is_asked() -> None:
    [shown] = asked(EN).shown
    assert lines_of(shown) == [
        "1. 2.1 “I have been at the mill since noon,…: @1 @2 @3?",
        "2. 4.1 “Did Brandt see you?”: @1 @2 @3?",
    ]


@pytest.mark.parametrize(
    ("language", "text", "line"),
    [
        ("ko", KO, "1. 2.1 “나는 정오부터…: @1 @2?"),
        ("zh", ZH, "1. 2.1 「我從中午就在磨坊裡等著…: @1 @2?"),
        ("ja", JA, "1. 2.1 「わたしは昼から水車小屋…: @1 @2?"),
    ],
)
def test_other_languages_are_asked_alike(language: str, text: str, line: str) -> None:
    ran = asked(text, language, say=lambda q: "@2")
    assert [lines_of(shown) for shown in ran.shown] == [[line]]
    assert speakers(ran) == ["2.0 @2"]


def test_the_answer_holds_for_every_quotation_of_the_turn() -> None:
    text = (
        "Mara and Tomas sat.\n“I was at the mill since noon, all alone,” somebody said, “and saw nobody at all there.”"
    )
    assert speakers(asked(text, say=lambda q: "@3")) == ["2.0 @3", "2.58 @3"]


def test_none_and_what_cannot_be_read_leave_it_open() -> None:
    assert speakers(asked(EN)) == []
    assert speakers(asked(EN, say=lambda q: "@9")) == []
    assert speakers(asked(EN, say=lambda q: "Mara")) == []


def test_whoever_is_called_is_not_offered() -> None:
    ran = asked(
        "Mara and Tomas sat.\n“Tomas, I have been at the mill since noon, and nobody came.”", say=lambda q: "@3"
    )
    assert [[o.key for o in q.options] for q in ran.questions] == [["@1"]]
    assert speakers(ran) == []


def test_nobody_near_nothing_asked() -> None:
    far = "The mill stood still in the rain. " * 60
    assert (
        asked(f"Mara sat.\n{far}\n“I have been at the mill since noon, and nobody came to the door.”").questions == ()
    )
    assert asked(EN, facts=[]).questions == ()
    assert asked(EN, facts=person("@1", "Brandt", kind="place")).questions == ()


def test_what_code_decided_is_never_asked() -> None:
    ran = asked(
        "“I have been at the mill since noon, and nobody came to the door,” said Mara to Tomas.", say=lambda q: "@3"
    )
    assert ran.questions == ()


def test_equal_words_of_one_sentence_have_keys_of_their_own() -> None:
    text = "Mara and Tomas sat. Then “I was there!” and “I was there!” and “I was there!” came from the dark,\nand no more."
    ran = asked(text)
    keys = [q.key.text for q in ran.questions]
    assert len(set(keys)) == len(keys)


def test_words_that_look_like_questions_stay_in_their_line() -> None:
    text = (
        "Mara and Tomas sat.\n“QUESTIONS [1] a (2) answer @9 always, said nobody\u2028 1. x at all, I say, so it is.”"
    )
    [shown] = asked(text).shown
    assert len(lines_of(shown)) == 1 and "[1]" not in lines_of(shown)[0]


def test_a_chapter_full_of_words_is_asked_within_bounds() -> None:
    line = "“I have been at the mill since noon, and Brandt never came to the door number {}.”"
    text = "Mara and Tomas sat.\n" + "\n".join(line.format(n) for n in range(90))
    ran = asked(text)
    assert len(ran.questions) == 40
    assert [q.key.about[0].places[0].block for q in ran.questions] == sorted(
        q.key.about[0].places[0].block for q in ran.questions
    )


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.sampled_from(["“Go, Mara,” ", "said Tomas. ", "“I saw Brandt there!” ", "“", "” ", "\n", "He sat. "]),
        max_size=14,
    )
)
def test_whatever_is_answered_only_who_was_offered_speaks_and_nobody_calls_himself(pieces: list[str]) -> None:
    offered: set[tuple[tuple[int, int], str]] = set()

    def say(question: Question) -> str:
        offered.update((question.key.about[0].places[0], option.key) for option in question.options)
        return "@2"

    ran = asked("Mara, Tomas and Brandt sat.\n" + "".join(pieces), say=say)
    for fact, because in ran.effects.facts:
        assert isinstance(fact, SpeakerFact) and fact.speaker == "@2" and because
    assert {fact.place for fact, _ in ran.effects.facts if isinstance(fact, SpeakerFact)} >= {
        place for place, handle in offered if handle == "@2"
    }
    called = {q.key.about[0].places[0] for q in ran.questions if "Go, Mara" in q.text}
    assert not {(place, "@1") for place in called} & offered
