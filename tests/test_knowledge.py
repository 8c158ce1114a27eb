from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.bible import Bible, fold
from analyzer.knowledge import STANCES, knows, linked, open_secrets, secrets, standing
from analyzer.models.evidence import Evidence
from analyzer.models.facts import Fact, SameFact
from analyzer.models.story import READER, KnowledgeFact, SecretEventFact, SecretFact, SpeechFact
from analyzer.models.text import Place
from tests.harness import person


def shown(chapter: int, block: int = 1, sentence: int = 1) -> tuple[Evidence, ...]:
    return (Evidence(chapter=chapter, block=block, sentence=sentence, start=0, end=3, text="Oh."),)


def secret(chapter: int, of: str, holders: Sequence[str], hidden: Sequence[str] = (), **more: Any) -> SecretFact:
    words = more.pop("words", f"what {of} is")
    return SecretFact(
        secret=of,
        chapter=chapter,
        proposition=words,
        holders=tuple(holders),
        hidden_from=tuple(hidden),
        evidence=more.pop("evidence", shown(chapter)),
    )


def event(chapter: int, of: str, what: Any, to: Sequence[str] = (), block: int = 7) -> SecretEventFact:
    return SecretEventFact(secret=of, chapter=chapter, event=what, to=tuple(to), evidence=shown(chapter, block))


def piece(chapter: int, knower: str, of: str, stance: Any, via: Any = None, **more: Any) -> KnowledgeFact:
    return KnowledgeFact(
        chapter=chapter,
        piece=of,
        knower=knower,
        proposition=more.pop("words", f"that {of} is so"),
        stance=stance,
        via=via,
        evidence=more.pop("evidence", shown(chapter, 3)),
        **more,
    )


def bible(*facts: Fact, through: int = 9) -> Bible:
    people = [fact for n in range(1, 6) for fact in person(f"@{n}", f"N{n}")]
    return fold([*people, *facts], through=through)


def told(book: Bible, handle: str) -> list[str]:
    return [f"{k.stance} {k.proposition} since {k.since} by {k.how.via}" for k in knows(book, handle)]


STORY = (
    secret(1, "s1", ["@1"], ["@2", "@3"], words="Anna lives"),
    piece(2, "@2", "k2", "suspects", "inferred", words="somebody walks in the attic"),
    event(3, "s1", "shared", ["@2"]),
    event(5, "s1", "exposed", ["@3"]),
    piece(4, "@2", "k4", "believes", "deceived", words="the will is burnt"),
    piece(6, "@2", "k6", "unaware", words="who wrote the will"),
)


@pytest.mark.parametrize(
    ("chapter", "lines"),
    [
        (1, ["unaware Anna lives since 1 by None"]),
        (2, ["unaware Anna lives since 1 by None", "suspects somebody walks in the attic since 2 by inferred"]),
        (3, ["knows Anna lives since 3 by None", "suspects somebody walks in the attic since 2 by inferred"]),
    ],
)
def test_what_somebody_knows_is_as_of_the_chapter_with_since_when_and_how(chapter: int, lines: list[str]) -> None:
    assert told(bible(*STORY, through=chapter), "@2") == lines


def test_all_five_stances_stand_apart_at_the_end() -> None:
    assert told(bible(*STORY), "@2") == [
        "knows Anna lives since 3 by None",
        "suspects somebody walks in the attic since 2 by inferred",
        "believes the will is burnt since 4 by deceived",
        "unaware who wrote the will since 6 by None",
    ]
    assert told(bible(*STORY), "@1") == ["knows Anna lives since 1 by None"]
    assert told(bible(*STORY), "@5") == []


def test_a_secret_is_open_until_nobody_is_left_from_whom_it_is_kept() -> None:
    open_at = {n: [s.id for s in open_secrets(bible(*STORY, through=n))] for n in (1, 3, 4, 5)}
    assert open_at == {1: ["s1"], 3: ["s1"], 4: ["s1"], 5: []}
    [now] = secrets(bible(*STORY, through=3))
    assert (now.holders, now.kept_from, now.last_chapter) == (("@1", "@2"), ("@3",), 3)


def test_a_secret_kept_from_nobody_named_stays_open_until_it_comes_out() -> None:
    kept = secret(1, "s1", ["@1"])
    assert [s.id for s in open_secrets(bible(kept, event(2, "s1", "touched")))] == ["s1"]
    out = bible(kept, event(2, "s1", "exposed", [READER]))
    assert open_secrets(out) == () and secrets(out)[0].out_in == 2


def test_a_secret_told_one_by_one_to_all_it_was_kept_from_is_open_no_more() -> None:
    told_one = bible(
        secret(1, "s1", ["@1"], ["@2", "@3"]), event(2, "s1", "shared", ["@2"]), event(3, "s1", "shared", ["@3"])
    )
    assert [bool(open_secrets(fold(told_one.facts, through=n))) for n in (1, 2, 3)] == [True, True, False]
    assert secrets(told_one)[0].out_in is None


def test_what_comes_out_to_some_is_open_for_the_rest() -> None:
    book = bible(secret(1, "s1", ["@1"], ["@2", "@3"]), event(2, "s1", "exposed", ["@2"]))
    [one] = open_secrets(book)
    assert (one.kept_from, one.out_in) == (("@3",), 2)


def test_open_secrets_before_a_chapter_are_those_of_the_chapters_before_it() -> None:
    book = bible(*STORY)
    assert [s.id for s in open_secrets(book, through=4)] == ["s1"] and open_secrets(book, through=0) == ()


def test_the_reader_knows_what_is_not_kept_from_him() -> None:
    kept = bible(
        secret(1, "s1", ["@1"], [READER]), secret(2, "s2", ["@1"], ["@2"]), event(4, "s1", "exposed", [READER])
    )
    assert [(k.of, k.stance, k.since) for k in knows(kept, READER)] == [("s1", "knows", 4), ("s2", "knows", 2)]
    before = fold(kept.facts, through=3)
    assert [(k.of, k.stance) for k in knows(before, READER)] == [("s1", "unaware"), ("s2", "knows")]


def test_a_piece_on_the_sentence_that_shows_a_secret_is_that_secret_for_whom_it_concerns() -> None:
    there = shown(2, 7)
    book = bible(
        secret(1, "s1", ["@1"], ["@2"], words="Anna lives"),
        event(2, "s1", "touched", block=7),
        piece(2, "@2", "k1", "suspects", "inferred", words="somebody is hidden here", evidence=there),
        piece(2, "@4", "k9", "knows", "told", words="it rains", evidence=shown(2, 8)),
        piece(2, "@4", "k8", "knows", "told", words="it snows", evidence=there),
    )
    assert linked(book, secrets(book)) == {"k1": "s1"}
    [one] = knows(book, "@2")
    assert (one.secret, one.proposition, one.stance, one.since, one.how.via) == (
        "s1",
        "Anna lives",
        "suspects",
        2,
        "inferred",
    )
    assert standing(book, secrets(book)[0]) == {"@1": "knows", "@2": "suspects"}


def test_a_piece_in_the_secrets_own_words_is_that_secret_in_any_script() -> None:
    for words in ("Anna lives", "안나는 살아 있다", "安娜還活著", "安子は生きている"):
        book = bible(
            secret(1, "s1", ["@1"], words=words), piece(3, "@4", "k1", "knows", "read", words=f"{words.upper()}.")
        )
        assert [(k.of, k.since) for k in knows(book, "@4")] == [("s1", 3)]


def test_who_told_it_is_read_off_the_speech_where_one_other_speaks_there() -> None:
    def speech(speaker: str, block: int = 3) -> SpeechFact:
        return SpeechFact(
            chapter=2, block=block, start=0, end=3, place=Place(block, 1), conversation=1, speaker=speaker
        )

    fact = piece(2, "@2", "k1", "knows", "told")
    assert knows(bible(fact, speech("@1")), "@2")[0].how.told_by == "@1"
    assert knows(bible(fact, speech("@2")), "@2")[0].how.told_by == ""
    assert knows(bible(fact, speech("@1"), speech("@3")), "@2")[0].how.told_by == ""
    assert knows(bible(fact, speech("@1", block=4)), "@2")[0].how.told_by == ""
    seen = piece(2, "@2", "k1", "knows", "witnessed")
    assert knows(bible(seen, speech("@1")), "@2")[0].how.told_by == ""


def test_somebody_merged_knows_under_the_handle_that_stays() -> None:
    same = SameFact(entity="@4", same_as="@1", chapter=3)
    book = bible(secret(1, "s1", ["@4"], ["@2"]), piece(2, "@4", "k1", "knows", "told"), same)
    assert [k.of for k in knows(book, "@1")] == ["s1", "k1"] == [k.of for k in knows(book, "@4")]
    assert secrets(book)[0].holders == ("@1",)


def test_the_stronger_of_one_chapter_counts_and_the_last_chapter_holds() -> None:
    book = bible(
        piece(2, "@1", "k1", "unaware"),
        piece(2, "@1", "k1", "suspects", "inferred"),
        piece(4, "@1", "k1", "knows", "told"),
        piece(5, "@1", "k1", "knows", "read"),
    )
    [one] = knows(book, "@1")
    assert [(s.chapter, s.stance) for s in one.steps] == [(2, "suspects"), (4, "knows"), (5, "knows")]
    assert (one.stance, one.since, one.how.via) == ("knows", 4, "told")


def test_a_secret_told_again_adds_those_it_concerns_and_keeps_its_first_words() -> None:
    again = secret(3, "s1", ["@3"], ["@4", "@1"], words="other words")
    [one] = secrets(bible(secret(1, "s1", ["@1"], ["@2"], words="Anna lives"), again))
    assert (one.fact.proposition, one.holders, one.kept_from) == ("Anna lives", ("@1", "@3"), ("@2", "@4"))


HANDLES = st.sampled_from(["@1", "@2", "@3", READER])
MANY = st.lists(HANDLES, max_size=3)


@st.composite
def facts(draw: st.DrawFn) -> list[Fact]:
    found: list[Fact] = []
    for of in ("s1", "s2"):
        if draw(st.booleans()):
            holders = draw(st.lists(st.sampled_from(["@1", "@2", "@3"]), min_size=1, max_size=2))
            found.append(secret(draw(st.integers(1, 3)), of, holders, draw(MANY)))
        for what in draw(st.lists(st.sampled_from(["touched", "shared", "exposed"]), max_size=3)):
            found.append(event(draw(st.integers(1, 6)), of, what, draw(MANY)))
    for stance in draw(st.lists(st.sampled_from(STANCES), max_size=4)):
        knower, chapter = draw(st.sampled_from(["@1", "@2", "@3"])), draw(st.integers(1, 6))
        found.append(piece(chapter, knower, draw(st.sampled_from(["k1", "k2"])), stance))
    return found


@settings(max_examples=60)
@given(facts(), st.integers(0, 6), st.randoms(use_true_random=False))
def test_a_fold_stopped_early_never_tells_of_later_chapters_and_no_order_changes_it(
    found: list[Fact], chapter: int, random: Any
) -> None:
    turned = list(found)
    random.shuffle(turned)
    for handle in ("@1", "@2", "@3", READER):
        early = knows(bible(*found, through=chapter), handle)
        assert early == knows(bible(*(f for f in found if f.chapter <= chapter)), handle)
        assert all(step.chapter <= chapter for known in early for step in known.steps)
        assert all(known.since in {step.chapter for step in known.steps} for known in early)
        other = knows(bible(*turned, through=chapter), handle)
        assert {(k.of, k.stance, k.since) for k in early} == {(k.of, k.stance, k.since) for k in other}


@settings(max_examples=60)
@given(facts())
def test_nobody_holds_a_secret_that_is_kept_from_him_and_whoever_holds_it_knows_it(found: list[Fact]) -> None:
    book = bible(*found)
    for one in secrets(book):
        assert not set(one.holders) & set(one.kept_from) and READER not in one.holders
        for holder in one.holders:
            stances = {k.of: k.stance for k in knows(book, holder)}
            assert stances[one.id] == "knows"
    assert {s.id for s in open_secrets(book)} <= {s.id for s in secrets(book)}


@settings(max_examples=30)
@given(facts())
def test_facts_given_twice_say_nothing_more(found: list[Fact]) -> None:
    for handle in ("@1", "@2", "@3"):
        assert knows(bible(*found), handle) == knows(bible(*found, *found), handle)
