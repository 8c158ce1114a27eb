from __future__ import annotations

import pytest

from tests.harness import chapter_of, lines_of, run_step
from tests.steps.thread_tale import EN, JA, KO, ZH, candidate, short

CHAPTER = chapter_of(EN)


def test_only_what_passed_the_doubt_as_a_thread_of_its_own_is_put_into_words() -> None:
    facts = [
        *candidate(CHAPTER, "object", (1, 1), "new"),
        *candidate(CHAPTER, "secret", (1, 2), "none"),
        *candidate(CHAPTER, "promise", (1, 3), "thread:t1"),
        *candidate(CHAPTER, "anomaly", (2, 1), "answer"),
        *candidate(CHAPTER, "fear", (2, 2), "unparsed"),
    ]
    ran = run_step("thread_say", CHAPTER, facts=facts)
    assert lines_of(ran.shown[0]) == ["1. a thing, set up in 1.1", "2. something odd, answered in 2.1"]


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        (EN, "en", "where the key fits"),
        (KO, "ko", "열쇠가 여는 것"),
        (ZH, "zh", "铜钥匙开什么"),
        (JA, "ja", "鍵は何を開けるか"),
    ],
)
def test_a_note_is_the_statement(text: str, language: str, words: str) -> None:
    chapter = chapter_of(text, language=language)
    ran = run_step("thread_say", chapter, facts=candidate(chapter, "object", (1, 1), "new"), say=lambda q: f"= {words}")
    assert short(ran) == [f"statement {words}"]


@pytest.mark.parametrize(
    ("line", "facts"),
    [("-", ["statement "]), ("= “the key”", ["statement the key"]), ("= …", ["statement "]), ("=", [])],
)
def test_none_and_signs_alone_say_nothing_and_what_cannot_be_read_is_no_statement(line: str, facts: list[str]) -> None:
    ran = run_step("thread_say", CHAPTER, facts=candidate(CHAPTER, "object", (1, 1), "new"), say=lambda q: line)
    assert short(ran) == facts


def test_a_note_that_runs_on_is_cut_at_a_word() -> None:
    ran = run_step(
        "thread_say", CHAPTER, facts=candidate(CHAPTER, "object", (1, 1), "new"), say=lambda q: "= " + "brass " * 80
    )
    [fact] = short(ran)
    assert fact.endswith("brass")
    assert len(fact) <= len("statement ") + 120
