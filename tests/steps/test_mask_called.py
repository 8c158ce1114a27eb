from __future__ import annotations

import pytest

from tests.steps.masks import EN, TALES, Tale, facts_of


@pytest.mark.parametrize("tale", TALES, ids=lambda t: t.language)
def test_everybody_of_the_chapter_is_asked_about_and_each_sentence_kept_apart(tale: Tale) -> None:
    ran = tale.run("mask_called", say=lambda q: "a 1.1 2.1 c 2.1" if "@2" in q.text else "-")
    assert [q.key.about[0].handle for q in ran.questions] == ["@1", "@2", "@3", "@4"]
    assert facts_of(ran) == ["mask @2 @2 same 1.1", "mask @2 @2 same 2.1", "mask @2 @2 same 2.1"]


def test_a_way_without_a_sentence_of_this_chapter_leaves_nothing() -> None:
    assert facts_of(EN.run("mask_called", say=lambda q: "a 99.9")) == []
    assert facts_of(EN.run("mask_called", say=lambda q: "a")) == []


def test_none_and_unreadable_lines_leave_nothing() -> None:
    assert facts_of(EN.run("mask_called")) == []
    assert facts_of(EN.run("mask_called", say=lambda q: "stranger 1.1")) == []


def test_nobody_mentioned_nobody_asked() -> None:
    assert Tale("en", EN.names, "Rain fell.").run("mask_called").questions == ()
