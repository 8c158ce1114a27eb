from __future__ import annotations

from tests.harness import chapter_of, mark, run_step
from tests.steps.thread_tale import EN, LATER, cast, short, thread

FIRST = chapter_of(EN, no=1)
START = [*cast(), *thread("tkey", FIRST, "object", "the brass key under the hearth", (1, 1), about=("@1",))]


def test_the_second_look_is_kept_beside_the_first() -> None:
    ran = run_step(
        "thread_touch_again", chapter_of(LATER, no=2), start=START, say=lambda q: f"{mark(q, 'trigger')} 1.2"
    )
    assert short(ran) == ["tkey second trigger 1.2"]


def test_it_asks_about_the_same_threads_as_the_first_under_keys_of_its_own() -> None:
    first = run_step("thread_touch", chapter_of(LATER, no=2), start=START)
    again = run_step("thread_touch_again", chapter_of(LATER, no=2), start=START)
    assert [q.text for q in first.questions] == [q.text for q in again.questions]
    assert not {q.key.text for q in first.questions} & {q.key.text for q in again.questions}
