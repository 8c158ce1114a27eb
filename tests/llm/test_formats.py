from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.llm.formats import ParsedReply, parse_reply, refused_reply, storable, write_line
from analyzer.models.question import NONE, Answer, Option, Question
from analyzer.models.text import Place

from .build import LETTERS, chapter, handles, note, question

CHAPTER = chapter()
CHOICE = question("sister of the hero", "friend", "enemy", evidence="may")


def read(line: str, asked: Question = CHOICE) -> Answer:
    return parse_reply(line, [asked], CHAPTER).answers[0]


def codes(reply: ParsedReply) -> list[str]:
    return [code for code, _ in reply.issues]


@pytest.mark.parametrize(
    "line",
    [
        "1 b 2.1", "1. b 2.1", "1) B 2.1", "1: b, 2.1", "Q1 b 2.1", "q1: B [2.1]", "(1) [b] (2.1)", "１　ｂ　２．１",
        "1：b、2.1。", "**1** b `2.1`", "- 1 b 2.1", "| 1 | b | 2.1 |", '"1": "b 2.1",', "1 = b 2.1", "1b 2.1", "01 b 2.1",
        "1 - b 2.1", "1 – b 2.1", "1 2.1 b", "1 b 2.1 - because she says so", "1 b 2.1 # sure", "1 b (2.1) (as he says)",
        "1 b friend 2.1", "\ufeff1 b 2.1\r", "1 【b】 「2.1」", "```\n1 b 2.1\n```", "> 1 b 2.1", "1 b 2.1 — 그녀가 말했다",
        "1 b 2.1（他这样说）",
    ],
)  # fmt: skip
def test_a_line_is_read_whatever_its_form(line: str) -> None:
    answer = read(line)
    assert (answer.status, answer.picked, answer.sentences) == ("answered", ("k_friend",), (Place(2, 1),))


@pytest.mark.parametrize(
    "line", ["1 -", "1. –", "1: —", "１　－", "1 − none of them", "1 - 2.1", "1 - (not said)", "Q1 -"]
)
def test_a_dash_is_none(line: str) -> None:
    answer = read(line)
    assert (answer.status, answer.picked, answer.sentences) == ("none", (), ())


@pytest.mark.parametrize(
    "line",
    [
        "1", "1.", "1 z", "1 d", "1 none", "1 not sure", "1 ?", "1 a?", "1 a good friend", "1 b or c", "1 a b", "1 b/c", "1 不明",
        "1 I am not able to answer", "1 - a ring is not named", "1 2.1", "1 @1", "1 b因为他说", "1 b입니다", "1 sister", "1 friend",
    ],
)  # fmt: skip
def test_what_names_nothing_or_too_much_is_unparsed_and_never_none(line: str) -> None:
    answer = read(line)
    assert (answer.status, answer.picked) == ("unparsed", ())
    assert answer.raw == line


def test_a_mark_not_offered_is_dropped_beside_one_that_is() -> None:
    reply = parse_reply("1 b z", [CHOICE], CHAPTER)
    assert (reply.answers[0].picked, reply.answers[0].dropped) == (("k_friend",), ("z",))
    assert codes(reply) == ["unknown_mark"]


def test_handles_are_taken_without_at_and_full_width_and_with_their_names() -> None:
    asked = handles(1, 2, 7)
    for line in ("1 @1 @7", "1 1 7", "1 @1, 7", "1 ＠１、＠７", "1 [@1] [@7]", "1 @1 Jonas @7 Vel", "1 @1 @7 @1"):
        assert read(line, asked).picked == ("@1", "@7"), line


def test_a_handle_not_offered_is_named_and_no_near_one_is_guessed() -> None:
    reply = parse_reply("1 @12 @1 @07", [handles(1, 2, 7)], CHAPTER)
    assert reply.answers[0].picked == ("@1",)
    assert codes(reply)[0] == "unknown_handle"
    assert "@12" in reply.answers[0].dropped


def test_words_between_handles_leave_the_line_unclear() -> None:
    assert read("1 @1 but not @2", handles(1, 2)).status == "unparsed"
    assert read("1 @1 그리고 @2", handles(1, 2)).status == "unparsed"


def test_too_many_picks_unparse_a_choice_and_cut_a_select() -> None:
    choice = parse_reply("1 a b", [CHOICE], CHAPTER)
    assert choice.answers[0].status == "unparsed"
    assert "too_many_picks" in codes(choice)
    select = parse_reply("1 @1 @2 @3", [handles(1, 2, 3, max_picks=2)], CHAPTER)
    assert select.answers[0].picked == ("@1", "@2")
    assert codes(select) == ["too_many_picks"]


def test_none_beside_a_pick_is_unparsed() -> None:
    asked = CHOICE.model_copy(update={"options": (*CHOICE.options, Option(mark="d", key=NONE, text="none"))})
    assert read("1 d", asked).status == "none"
    assert read("1 a d", asked).status == "unparsed"


def test_evidence_must_exist_and_be_offered_where_it_is_closed() -> None:
    reply = parse_reply("1 b 2.1 99.1 2.9", [CHOICE], CHAPTER)
    assert reply.answers[0].sentences == (Place(2, 1),)
    assert reply.answers[0].dropped == ("99.1", "2.9")
    assert codes(reply) == ["evidence_not_in_chapter"] * 2
    closed = question("friend", evidence="must", sentences=[(1, 1)], closed=True)
    assert parse_reply("1 a 1.1 2.1", [closed], CHAPTER).answers[0].sentences == (Place(1, 1),)


def test_without_a_chapter_only_the_offered_sentences_count() -> None:
    asked = question("friend", evidence="may", sentences=[(1, 1)])
    assert parse_reply("1 a 1.1 2.1", [asked], None).answers[0].sentences == (Place(1, 1),)


def test_evidence_nobody_asked_for_is_dropped() -> None:
    answer = read("1 a 2.1", question("friend"))
    assert (answer.sentences, answer.dropped) == ((), ("2.1",))


def test_a_range_gives_its_two_ends() -> None:
    assert read("1 b 2.1-2.3").sentences == (Place(2, 1), Place(2, 3))


def test_missing_extra_and_double_lines_stay_apart() -> None:
    reply = parse_reply("1 a\n1 A\n2 a\n2 b\n9 a", [CHOICE] * 3, CHAPTER)
    assert [answer.status for answer in reply.answers] == ["answered", "unparsed", "missing"]
    assert codes(reply) == ["duplicate_line", "missing_line", "extra_line"]


def test_an_empty_reply_is_missing_not_none() -> None:
    reply = parse_reply(" \n```\n```\n", [CHOICE] * 2, CHAPTER)
    assert [answer.status for answer in reply.answers] == ["missing", "missing"]
    assert codes(reply) == ["empty_reply"]


def test_a_refusal_is_known_from_the_flag_alone() -> None:
    assert [a.status for a in refused_reply([CHOICE] * 2).answers] == ["refused", "refused"]
    assert parse_reply("I'm sorry, I can't help with that.", [CHOICE], CHAPTER).answers[0].status == "missing"


@pytest.mark.parametrize("line", ["1 = 그는 떠났다 – 영영 #3", "1: 그는 떠났다 – 영영 #3", "１＝그는 떠났다 – 영영 #3"])
def test_a_note_keeps_its_words_as_they_are(line: str) -> None:
    answer = read(line, note())
    assert (answer.status, answer.text) == ("answered", "그는 떠났다 – 영영 #3")


def test_a_note_may_be_none_and_an_empty_one_is_unparsed() -> None:
    assert read("1 -", note()).status == "none"
    assert read("1 = —", note()).status == "none"
    assert read("1 =", note()).status == "unparsed"


def test_a_reply_on_one_line_is_cut_where_the_numbers_count_up() -> None:
    reply = parse_reply("1 a, 2 b; 3 -", [CHOICE] * 3, CHAPTER)
    assert [answer.pick for answer in reply.answers] == ["k_sister of the hero", "k_friend", NONE]
    people = parse_reply("1 @1, 2 @2", [handles(1, 2)] * 2, CHAPTER)
    assert [answer.picked for answer in people.answers] == [("@1",), ("@2",)]


DEGENERATE = {
    "counting handles": "\n".join(f"{n} @{n}" for n in range(1, 13)),
    "counting handles on one line": ", ".join(f"{n} @{n}" for n in range(1, 13)),
    "cycling letters": "\n".join(f"{n} {LETTERS[(n - 1) % 3]}" for n in range(1, 13)),
    "letters never offered": "\n".join(f"{n} {LETTERS[n - 1]}" for n in range(1, 13)),
    "a loop": "1 a\n" + "2 b\n" * 40,
    "a loop of words": "Let me think.\n" * 30,
    "running on": "\n".join(f"{n} a" for n in range(1, 200)),
}


@pytest.mark.parametrize("text", DEGENERATE.values(), ids=DEGENERATE.keys())
def test_a_degenerate_reply_gives_no_answers_at_all(text: str) -> None:
    asked = [handles(*range(1, 20))] * 12 if "@" in text else [CHOICE] * 12
    reply = parse_reply(text, asked, CHAPTER)
    assert reply.degenerate
    assert codes(reply) == ["degenerate_reply"]
    assert {answer.status for answer in reply.answers} <= {"unparsed", "missing"}
    assert not any(answer.picked or answer.sentences for answer in reply.answers)


def test_the_same_letter_throughout_is_legitimate_but_flagged() -> None:
    reply = parse_reply("\n".join(f"{n} b" for n in range(1, 31)), [CHOICE] * 30, CHAPTER)
    assert reply.uniform and not reply.degenerate
    assert {answer.picked for answer in reply.answers} == {("k_friend",)}
    mixed = parse_reply("\n".join(f"{n} {'a' if n == 4 else 'b'}" for n in range(1, 31)), [CHOICE] * 30, CHAPTER)
    assert not mixed.uniform and not mixed.degenerate
    none = parse_reply("\n".join(f"{n} -" for n in range(1, 31)), [CHOICE] * 30, CHAPTER)
    assert not none.uniform and {answer.status for answer in none.answers} == {"none"}


def test_a_few_alternating_answers_are_no_pattern() -> None:
    reply = parse_reply("\n".join(f"{n} {'ab'[n % 2]}" for n in range(1, 10)), [CHOICE] * 9, CHAPTER)
    assert not reply.degenerate


def test_confidences_reach_only_what_was_answered() -> None:
    reply = parse_reply("1 a\n2 z", [CHOICE] * 2, CHAPTER, confidences=(0.75, 0.5))
    assert [answer.confidence for answer in reply.answers] == [0.75, None]


def test_surrogates_and_controls_never_reach_a_record() -> None:
    answer = read("1 = a\ud800b\x1b[31mc\x00", note())
    assert answer.text == "a\ufffdb [31mc"
    assert storable("a\rb\tc") == "a\nb\tc"


def test_a_key_that_is_not_offered_or_no_answer_has_no_line() -> None:
    with pytest.raises(ValueError, match="not offered"):
        write_line(1, CHOICE, Answer(status="answered", picked=("k_aunt",)))
    with pytest.raises(ValueError, match="missing"):
        write_line(1, CHOICE, Answer(status="missing"))


def test_a_reply_of_a_megabyte_is_read_in_a_moment() -> None:
    hostile = [
        "1 " + "a " * 500_000,
        "1 a\n" * 250_000,
        "1 a," + ",".join(["2 b"] * 250_000),
        "1 a " + "1.1-" * 250_000,
    ]
    started = time.process_time()
    for text in hostile:
        parse_reply(text, [CHOICE] * 2, CHAPTER)
    assert time.process_time() - started < 10


# --- properties

WORDS = ["a", "sister", "친구", "敵", "兄さん", "l'ami", "B", "1", "@2", "no"]
MARKS = st.sampled_from([LETTERS, [f"@{n}" for n in range(1, 27)], [str(n) for n in range(1, 27)]])


@st.composite
def asked_and_answered(draw: st.DrawFn) -> tuple[Question, Answer]:
    kind = draw(st.sampled_from(["choice", "predicate", "select", "score", "note"]))
    if kind == "note":
        words = draw(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40))
        text = " ".join(words.split())
        text = text.lstrip("=＝ ").strip()
        none = not text or not text.strip("-‐‑‒–—―−－ ") or not text[:1].isalnum()
        return note(), Answer(status="none") if none else Answer(status="answered", text=text)
    marks = draw(MARKS)
    count = draw(st.integers(2, 8))
    order = draw(st.permutations(range(count)))
    options = tuple(
        Option(mark=marks[i], key=f"key{k}", text=draw(st.sampled_from(WORDS))) for i, k in enumerate(order)
    )
    places = [Place(b, s) for b in range(1, 4) for s in range(1, 5)]
    evidence = draw(st.sampled_from(["no", "may", "must"]))
    most = draw(st.integers(1, count)) if kind == "select" else 1
    made = Question(
        key=CHOICE.key, type=kind, text="?", options=options, evidence=evidence, max_picks=most,
        sentences=tuple(draw(st.lists(st.sampled_from(places), unique=True))), closed_evidence=False,
    )  # fmt: skip
    picked = draw(st.lists(st.sampled_from([o.key for o in options]), unique=True, max_size=most))
    if not picked:
        return made, Answer(status="none")
    shown = draw(st.lists(st.sampled_from(places), unique=True, max_size=3)) if evidence != "no" else []
    return made, Answer(status="answered", picked=tuple(picked), sentences=tuple(shown))


@settings(max_examples=150, deadline=None)
@given(st.lists(asked_and_answered(), min_size=1, max_size=7), st.randoms(use_true_random=False))
def test_what_is_written_is_read_back_in_any_order_of_lines(
    pairs: list[tuple[Question, Answer]], random: object
) -> None:
    lines = [write_line(n, q, a) for n, (q, a) in enumerate(pairs, 1)]
    random.shuffle(lines)  # type: ignore[attr-defined]
    reply = parse_reply("\n".join(lines), [q for q, _ in pairs], CHAPTER)
    for (_, answer), got in zip(pairs, reply.answers, strict=True):
        assert got.model_copy(update={"raw": ""}) == answer
    assert reply.issues == () and not reply.degenerate


GARBAGE = st.text(
    st.one_of(st.sampled_from("0123456789 abcz@.,:()[]-–=#|`*\n\t１ａ＠、。Q?"), st.characters()), max_size=200
)


@settings(max_examples=300, deadline=None)
@given(GARBAGE, st.lists(asked_and_answered(), min_size=1, max_size=5))
def test_garbage_never_raises_and_never_picks_what_was_not_offered(
    text: str, pairs: list[tuple[Question, Answer]]
) -> None:
    asked = [q for q, _ in pairs]
    reply = parse_reply(text, asked, CHAPTER)
    assert len(reply.answers) == len(asked)
    for one, answer in zip(asked, reply.answers, strict=True):
        assert set(answer.picked) <= {option.key for option in one.options} - {NONE}
        assert len(answer.picked) <= (one.max_picks if one.type == "select" else 1)
        assert all(CHAPTER.sentence_text(place) is not None for place in answer.sentences)
        assert (answer.status == "answered") == bool(answer.picked or answer.text)


@pytest.mark.parametrize("words", ["the mill burned down", "물방앗간이 불탔다", "磨坊烧掉了", "水車小屋が焼けた"])
def test_a_reply_cut_anywhere_says_nothing_that_the_whole_one_does_not(words: str) -> None:
    asked = [handles(1, 12), CHOICE, handles(1, 12, 2, max_picks=3), question(type="note"), CHOICE]
    whole = f"1 @12\n2 b 2.1 2.2\n3 @1 @12\n4 = {words}\n5 -"
    told = parse_reply(whole, asked, CHAPTER).answers
    assert [answer.status for answer in told] == ["answered"] * 4 + ["none"]
    for at in range(len(whole)):
        reply = parse_reply(whole[:at], asked, CHAPTER, cut=True)
        for answer, true in zip(reply.answers, told, strict=True):
            assert answer == true or answer.status in ("missing", "unparsed"), whole[:at]


def test_only_the_last_line_of_a_cut_reply_is_no_answer_and_an_ended_one_is() -> None:
    asked = [handles(1, 12), handles(1, 12)]
    cut = parse_reply("1 @12\n2 @1", asked, CHAPTER, cut=True)
    assert [answer.status for answer in cut.answers] == ["answered", "unparsed"] and codes(cut) == ["unparsed_answer"]
    for text, is_cut in (("1 @12\n2 @1\n", True), ("1 @12\n2 @1", False)):
        ended = parse_reply(text, asked, CHAPTER, cut=is_cut)
        assert [answer.picked for answer in ended.answers] == [("@12",), ("@1",)]
    again = parse_reply("1 @12\n2 @1\n1 @1", asked, CHAPTER, cut=True)
    assert [answer.picked for answer in again.answers] == [("@12",), ("@1",)], "an answer given before stays"
    one_line = parse_reply("1 @12, 2 @1", asked, CHAPTER, cut=True)
    assert [answer.status for answer in one_line.answers] == ["answered", "unparsed"]
