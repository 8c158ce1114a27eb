from __future__ import annotations

import pytest

from tests.harness import chapter_of, mark, run_step
from tests.steps.thread_tale import EN, LATER, cast, short, thread, touch

FIRST, NOW = chapter_of(EN, no=1), chapter_of(LATER, no=2)
START = [*cast(), *thread("tkey", FIRST, "object", "the brass key under the hearth", (1, 1), about=("@1",))]


@pytest.mark.parametrize(
    ("first", "second", "asked"),
    [
        ("payoff", "payoff", 0),
        ("untouched", "untouched", 0),
        ("payoff", "reinforce", 1),
        ("untouched", "trigger", 1),
        ("unparsed", "payoff", 1),
        ("unparsed", "unparsed", 0),
    ],
)
def test_only_split_looks_are_asked_once_more(first: str, second: str, asked: int) -> None:
    looks = [touch(NOW, "tkey", "first", first, (1, 2)), touch(NOW, "tkey", "second", second, (1, 2))]
    assert len(run_step("thread_touch_third", NOW, start=START, facts=looks).questions) == asked


def test_the_third_look_is_kept() -> None:
    looks = [touch(NOW, "tkey", "first", "payoff", (1, 2)), touch(NOW, "tkey", "second", "untouched")]
    ran = run_step("thread_touch_third", NOW, start=START, facts=looks, say=lambda q: f"{mark(q, 'payoff')} 1.2")
    assert short(ran) == ["tkey third payoff 1.2"]


def test_looks_at_a_thread_nobody_set_up_ask_nothing() -> None:
    looks = [touch(NOW, "tghost", "first", "payoff", (1, 2))]
    assert run_step("thread_touch_third", NOW, start=START, facts=looks).questions == ()
