from __future__ import annotations

import pytest

from analyzer.models.facts import Fact
from analyzer.models.story import Look
from analyzer.steps._thread_touch import MAX_ROTATED, MAX_TOUCHED, ROTATION, WORDS, touch_options
from tests.harness import Ran, chapter_of, lines_of, mark, run_step
from tests.steps.thread_tale import EN, JA, KO, LATER, ZH, cast, check, noticed, short, thread

FIRST, NOW = chapter_of(EN, no=1), chapter_of(LATER, no=2)
KEY: list[Fact] = thread("tkey", FIRST, "object", "the brass key under the hearth", (1, 1), about=("@1",))
ELSEWHERE = chapter_of("Somebody strikes false ducats.", no=1)
MINT: list[Fact] = thread("tmint", ELSEWHERE, "question", "who strikes false ducats", (1, 1))


def run(
    step: str = "thread_touch", *, no: int = 2, start: list[Fact], facts: list[Fact] | None = None, say: object = None
) -> Ran:
    return run_step(step, chapter_of(LATER, no=no), start=[*cast(), *start], facts=facts or [], say=say)  # type: ignore[arg-type]


def asked(ran: Ran) -> list[str]:
    return [q.key.detail.rpartition(":")[2] for q in ran.questions]


@pytest.mark.parametrize("step", ["thread_touch", "thread_touch_again"])
def test_a_thread_whose_people_or_words_stand_here_is_asked_about(step: str) -> None:
    assert asked(run(step, start=[*KEY, *MINT])) == ["tkey"]


def test_a_thread_found_nowhere_comes_round_every_few_chapters() -> None:
    rounds = [no for no in range(2, 12) if "tmint" in asked(run(no=no, start=MINT))]
    assert rounds == [1 + ROTATION, 1 + 2 * ROTATION]


def test_a_closed_thread_is_asked_about_only_where_the_doubt_found_it() -> None:
    paid = thread(
        "tkey", FIRST, "object", "the brass key under the hearth", (1, 1), about=("@1",), events=[(1, "payoff")]
    )
    assert asked(run(start=paid)) == []
    found: list[Fact] = [*noticed(NOW, "object", (1, 2)), check(NOW, "object", (1, 2), "thread:tkey")]
    assert asked(run(start=paid, facts=found)) == ["tkey"]


def test_a_thread_whose_very_words_stand_here_again_is_asked_about() -> None:
    again = chapter_of(EN, no=3)
    name = noticed(FIRST, "secret", (1, 2))[0].thread
    start = [*cast(), *thread(name, FIRST, "secret", "what nobody was told", (1, 2))]
    ran = run_step("thread_touch", again, start=start, facts=[check(again, "secret", (1, 2), "new")])
    assert asked(ran) == [name]


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("d 1.2", "tkey first payoff 1.2"),
        ("-", "tkey first untouched"),
        ("hm", "tkey first unparsed"),
        ("d 9.1", "tkey first payoff"),
        ("z 1.1", "tkey first unparsed"),
        ("d 1.2 2.1 99.9", "tkey first payoff 1.2 2.1"),
    ],
)
def test_every_look_is_kept_as_what_it_was(line: str, fact: str) -> None:
    ran = run(start=KEY, say=lambda q: line)
    assert short(ran) == [fact]
    assert bool(ran.effects.facts[0][1]) == ("unparsed" not in fact)


def test_the_line_is_the_statement_and_the_events_stand_once() -> None:
    two = thread("tfrost", FIRST, "promise", "Anders will be back before the first frost", (1, 3), about=("@2",))
    ran = run(start=[*KEY, *two])
    lines = lines_of(ran.shown[0])
    assert lines[0].startswith("Options for every question: a recalled or made stronger; b ")
    assert lines[1:] == [
        "1. a thing: the brass key under the hearth",
        "2. a promise, plan or oath: Anders will be back before the first frost",
    ]


def test_no_event_has_the_same_mark_in_two_looks() -> None:
    looks: tuple[Look, ...] = ("first", "second", "third")
    for key in {key for key, _ in WORDS["first"]}:
        marks = [option.mark for look in looks for option in touch_options(look) if option.key == key]
        assert len(set(marks)) == len(looks)


def test_the_looks_share_no_wording() -> None:
    texts = [{words for _, words in WORDS[look]} for look in WORDS]
    assert not any(a & b for i, a in enumerate(texts) for b in texts[i + 1 :])


def test_a_book_with_hundreds_of_open_threads_asks_a_bounded_number() -> None:
    many = [
        f
        for n in range(300)
        for f in thread(f"t{n:04}", FIRST, "object", f"brass key number {n}", (1, 1), about=("@1",) if n % 2 else ())
    ]
    assert len(run(no=1 + ROTATION, start=many).questions) <= MAX_TOUCHED + MAX_ROTATED


@pytest.mark.parametrize(("text", "language"), [(KO, "ko"), (ZH, "zh"), (JA, "ja")])
def test_words_of_other_scripts_touch_a_thread(text: str, language: str) -> None:
    before, now = chapter_of(text, no=1, language=language), chapter_of(text, no=2, language=language)
    start = thread("tkey", before, "object", before.blocks[0].text[:10], (1, 1))
    ran = run_step("thread_touch", now, start=start, say=lambda q: f"{mark(q, 'reinforce')} 1.1")
    assert short(ran) == ["tkey first reinforce 1.1"]
