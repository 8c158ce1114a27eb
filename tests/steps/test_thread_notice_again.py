from __future__ import annotations

import pytest

from tests.harness import chapter_of, lines_of, mark, run_step
from tests.steps.thread_tale import EN, JA, KO, ZH, short


@pytest.mark.parametrize(("text", "language"), [(EN, "en"), (KO, "ko"), (ZH, "zh"), (JA, "ja")])
def test_every_kind_has_the_sentences_right_behind_it(text: str, language: str) -> None:
    ran = run_step(
        "thread_notice_again",
        chapter_of(text, language=language),
        say=lambda q: f"{mark(q, 'promise')} 1.3 {mark(q, 'anomaly')} 2.1 1.2",
    )
    assert short(ran) == ["promise second 1.3", "anomaly second 2.1", "anomaly second 1.2"]


def test_one_kind_alone_has_all_sentences_of_its_line() -> None:
    ran = run_step("thread_notice_again", chapter_of(EN), say=lambda q: f"{mark(q, 'secret')} 1.1 1.2")
    assert short(ran) == ["secret second 1.1", "secret second 1.2"]


def test_sentences_behind_the_last_of_several_kinds_show_none_of_them() -> None:
    ran = run_step("thread_notice_again", chapter_of(EN), say=lambda q: "a b c 1.1")
    assert short(ran) == []


def test_a_kind_without_sentences_of_its_own_shows_nothing() -> None:
    ran = run_step(
        "thread_notice_again",
        chapter_of(EN),
        say=lambda q: f"{mark(q, 'fear')} {mark(q, 'object')} 1.1 {mark(q, 'secret')}",
    )
    assert short(ran) == ["object second 1.1"]


@pytest.mark.parametrize("line", ["-", "a", "nothing here", "a 8.8", "zz 1.1"])
def test_what_shows_no_sentence_notices_nothing(line: str) -> None:
    assert short(run_step("thread_notice_again", chapter_of(EN), say=lambda q: line)) == []


def test_the_second_look_shares_no_word_for_a_kind_with_the_first() -> None:
    first = {o.text for q in run_step("thread_notice", chapter_of(EN)).questions for o in q.options}
    ran = run_step("thread_notice_again", chapter_of(EN))
    assert lines_of(ran.shown[0])[-1].startswith("1. blocks [1]-[3]")
    assert not first & {o.text for q in ran.questions for o in q.options}
