from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.models.facts import Fact
from analyzer.models.story import Look, ThreadEventFact, ThreadFact
from analyzer.steps.threads import STRENGTH, decide
from analyzer.threads import CLOSING, fold_threads
from tests.harness import Ran, chapter_of, run_step
from tests.steps.thread_tale import EN, JA, KO, LATER, ZH, candidate, cast, id_of, noticed, short, thread, touch

FIRST, NOW = chapter_of(EN, no=1), chapter_of(LATER, no=2)
KEY: list[Fact] = thread("tkey", FIRST, "object", "the brass key under the hearth", (1, 1), about=("@1",))


def run(*facts: Fact, start: list[Fact] | None = None) -> Ran:
    """Run the door over the first chapter, or over the later one after some threads."""
    chapter = FIRST if start is None else NOW
    return run_step(
        "threads",
        chapter,
        start=[] if start is None else [*cast(), *start],
        facts=[*(cast() if start is None else []), *facts],
    )


def test_a_new_thread_enters_with_its_plant_and_whom_it_is_about() -> None:
    ran = run(*candidate(FIRST, "promise", (1, 3), "new", "Anders will be back before the first frost"))
    assert short(ran) == ["thread promise: Anders will be back before the first frost @2 1.3", "event plant 1.3"]


@pytest.mark.parametrize(("check", "event"), [("new", "plant"), ("kept", "reinforce"), ("answer", "payoff")])
def test_the_first_event_is_what_the_doubt_left(check: str, event: str) -> None:
    ran = run(*candidate(FIRST, "secret", (1, 1), check, "the key"))
    assert short(ran)[1] == f"event {event} 1.1"
    folded = fold_threads([fact for fact, _ in ran.effects.facts], through=1)
    assert [t.planted for t in folded.values()] == [check == "new"]


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [(KO, "ko", "태호의 약속"), (ZH, "zh", "方岳霜降以前回来"), (JA, "ja", "宗介は初霜の前に帰る")],
)
def test_other_languages(text: str, language: str, words: str) -> None:
    chapter = chapter_of(text, language=language)
    ran = run_step("threads", chapter, facts=candidate(chapter, "promise", (1, 3), "new", words))
    assert short(ran) == [f"thread promise: {words} 1.3", "event plant 1.3"]


def test_what_is_one_with_another_adds_its_sentence_and_no_thread() -> None:
    same = f"same:{id_of(FIRST, 'object', (1, 1))}"
    ran = run(*candidate(FIRST, "object", (1, 1), "new", "the key"), *candidate(FIRST, "secret", (1, 2), same))
    assert short(ran) == ["thread object: the key @1 1.1 1.2", "event plant 1.1 1.2"]


def test_candidates_one_with_each_other_are_one_new_thread() -> None:
    ran = run(
        *candidate(FIRST, "object", (1, 1), f"same:{id_of(FIRST, 'secret', (1, 2))}", "the key"),
        *candidate(FIRST, "secret", (1, 2), f"same:{id_of(FIRST, 'object', (1, 1))}"),
    )
    assert short(ran)[0] == "thread object: the key @1 1.1 1.2"


def test_what_is_one_with_nothing_is_nothing() -> None:
    same = f"same:{id_of(FIRST, 'object', (1, 1))}"
    ran = run(*candidate(FIRST, "object", (1, 1), "none"), *candidate(FIRST, "secret", (1, 2), same, "kept back"))
    assert (short(ran), ran.codes) == ([], [])


def test_a_doubt_that_was_not_answered_keeps_out_and_is_told() -> None:
    ran = run(*candidate(FIRST, "object", (1, 1), "unparsed", "the key"), *noticed(FIRST, "secret", (1, 2)))
    assert (short(ran), ran.codes) == ([], ["undecided", "undecided"])


def test_nothing_to_say_keeps_out_and_no_readable_note_leaves_the_sentence() -> None:
    ran = run(*candidate(FIRST, "object", (1, 1), "new", ""), *candidate(FIRST, "secret", (1, 2), "new"))
    assert (short(ran)[0], ran.codes) == ("thread secret: She told nobody. 1.2", ["no_statement"])


def test_nothing_to_say_of_what_both_looks_noticed_leaves_the_sentence() -> None:
    both = noticed(FIRST, "object", (1, 1), "first", "second")
    ran = run(*both, *candidate(FIRST, "object", (1, 1), "new", ""))
    assert short(ran)[0].startswith("thread object: Ilse Roth hid the brass key under the hearth.")


def test_one_statement_said_twice_of_a_kind_is_one_thread() -> None:
    ran = run(
        *candidate(FIRST, "object", (1, 1), "new", "The key"), *candidate(FIRST, "object", (2, 2), "new", "the key")
    )
    assert (len(short(ran)), ran.codes) == (2, ["duplicate_thread"])


def test_the_statement_of_an_open_thread_said_again_is_no_new_thread() -> None:
    ran = run(*candidate(NOW, "object", (1, 2), "new", "The brass key under the hearth"), start=KEY)
    assert short(ran) == ["event reinforce 1.2"]


def test_two_looks_that_agree_decide() -> None:
    ran = run(
        touch(NOW, "tkey", "first", "payoff", (1, 2)), touch(NOW, "tkey", "second", "payoff", (1, 2), (2, 1)), start=KEY
    )
    assert short(ran) == ["event payoff 1.2 2.1"]
    [(fact, _)] = ran.effects.facts
    assert isinstance(fact, ThreadEventFact)
    assert fact.votes == ("payoff", "payoff")


def test_looks_that_agree_in_the_word_alone_close_no_thread() -> None:
    far = chapter_of("Ilse Roth took the brass key. " + "Rain fell on the road. " * 60 + "\nIlse Roth laughed.", no=2)
    looks = [touch(far, "tkey", "first", "payoff", (1, 1)), touch(far, "tkey", "second", "payoff", (2, 1))]
    ran = run_step("threads", far, start=[*cast(), *KEY], facts=looks)
    assert (short(ran), ran.codes) == ([], ["undecided"])


def test_an_event_without_a_sentence_is_kept_out() -> None:
    ran = run(touch(NOW, "tkey", "first", "trigger"), touch(NOW, "tkey", "second", "trigger"), start=KEY)
    assert (short(ran), ran.codes) == ([], ["no_evidence"])


def test_an_event_where_nothing_of_the_thread_stands_is_kept_out() -> None:
    mint = thread("tmint", chapter_of("Somebody strikes false ducats."), "question", "who strikes ducats", (1, 1))
    ran = run(
        touch(NOW, "tmint", "first", "trigger", (2, 2)), touch(NOW, "tmint", "second", "trigger", (2, 2)), start=mint
    )
    assert (short(ran), ran.codes) == ([], ["thread_not_there"])


def test_words_that_are_not_the_chapters_are_kept_out() -> None:
    wrong = touch(NOW, "tkey", "first", "trigger", (1, 2))
    forged = wrong.model_copy(update={"evidence": (wrong.evidence[0].model_copy(update={"text": "Ilse paid."}),)})
    ran = run(forged, forged.model_copy(update={"look": "second"}), start=KEY)
    assert ran.codes == ["evidence_not_in_chapter"]


def test_a_candidate_of_a_known_thread_joins_the_event_near_it_and_stands_alone_elsewhere() -> None:
    looks = [touch(NOW, "tkey", "first", "payoff", (1, 2)), touch(NOW, "tkey", "second", "payoff", (1, 2))]
    joined = run(*looks, *candidate(NOW, "object", (2, 1), "thread:tkey"), start=KEY)
    assert short(joined) == ["event payoff 1.2 2.1"]
    long = chapter_of(
        "Ilse Roth took the brass key. " + "Rain fell on the road. " * 60 + "\nThe brass key turned.", no=2
    )
    looks = [touch(long, "tkey", "first", "payoff", (2, 1)), touch(long, "tkey", "second", "payoff", (2, 1))]
    apart = run_step(
        "threads", long, start=[*cast(), *KEY], facts=[*looks, *candidate(long, "object", (1, 1), "thread:tkey")]
    )
    assert short(apart) == ["event payoff 2.1", "event reinforce 1.1"]


def test_an_answer_nobody_listed_whose_sentence_pays_a_known_thread_is_that_thread() -> None:
    looks = [touch(NOW, "tkey", "first", "payoff", (1, 2)), touch(NOW, "tkey", "second", "payoff", (1, 2))]
    ran = run(*looks, *candidate(NOW, "object", (1, 2), "answer", "what the key opens"), start=KEY)
    assert short(ran) == ["event payoff 1.2"]
    new = run(*looks, *candidate(NOW, "question", (1, 2), "new", "what lies in the chest"), start=KEY)
    assert len(short(new)) == 3


def test_a_candidate_the_looks_find_untouched_is_denied() -> None:
    looks = [touch(NOW, "tkey", "first", "untouched"), touch(NOW, "tkey", "second", "untouched")]
    ran = run(*looks, *candidate(NOW, "object", (1, 2), "thread:tkey"), start=KEY)
    assert (short(ran), ran.codes) == ([], ["denied_twice"])


def test_a_link_to_a_thread_nobody_set_up_is_kept_out() -> None:
    ran = run(*candidate(NOW, "object", (1, 2), "thread:tghost", "the key"), start=KEY)
    assert (short(ran), ran.codes) == ([], ["undecided"])


EVENTS = st.sampled_from([*STRENGTH, "untouched", "unparsed"])


@settings(max_examples=60)
@given(first=EVENTS, second=EVENTS, third=EVENTS)
def test_a_thread_is_closed_only_by_two_looks_that_say_so(first: str, second: str, third: str) -> None:
    said = dict(zip(get_args(Look)[:3], (first, second, third), strict=True))
    event = decide({look: touch(NOW, "tkey", look, value) for look, value in said.items()})
    votes = [v for v in said.values() if v != "unparsed"]
    assert event not in CLOSING or votes.count(str(event)) >= 2
    assert event is None or event in votes or event == "partial_payoff"
    assert votes.count("untouched") < 2 or event == "untouched"


PLACES = [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1)]
KINDS = st.sampled_from(["object", "promise", "secret"])
CHECKS = st.sampled_from(["new", "kept", "answer", "none", "unparsed", "thread:tghost", "same:tghost"])


@settings(max_examples=40)
@given(
    rows=st.lists(st.tuples(KINDS, st.sampled_from(PLACES), CHECKS, st.sampled_from(["a key", "B", ""])), max_size=12)
)
def test_whatever_is_answered_every_thread_has_words_evidence_one_id_and_a_first_event(
    rows: list[tuple[str, tuple[int, int], str, str]],
) -> None:
    facts = [f for kind, place, check, words in rows for f in candidate(FIRST, kind, place, check, words)]  # type: ignore[arg-type]
    made = [fact for fact, _ in run(*facts).effects.facts]
    threads = [fact for fact in made if isinstance(fact, ThreadFact)]
    assert len({t.thread for t in threads}) == len(threads)
    assert len({(t.kind, t.statement.casefold()) for t in threads}) == len(threads)
    assert all(t.statement and t.evidence for t in threads)
    assert {e.thread for e in made if isinstance(e, ThreadEventFact)} == {t.thread for t in threads}
