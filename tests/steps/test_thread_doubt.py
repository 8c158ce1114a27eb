from __future__ import annotations

import pytest

from analyzer.models.facts import Fact
from analyzer.models.story import ThreadKind
from tests.harness import Ran, chapter_of, lines_of, mark, run_step
from tests.steps.thread_tale import EN, JA, KO, LATER, ZH, cast, id_of, noticed, short, thread

FIRST = chapter_of(EN, no=1)
NOW = chapter_of(LATER, no=2)
OPEN: list[Fact] = [
    *thread("tkey", FIRST, "object", "the brass key under the hearth", (1, 1), about=("@1",)),
    *thread("tfrost", FIRST, "promise", "Anders will be back before the first frost", (1, 3), about=("@2",)),
    *thread("tbell", FIRST, "anomaly", "the bell rang by itself", (2, 1), about=("@3",)),
]


def run(*notices: Fact, start: list[Fact] | None = None, say: object = None) -> Ran:
    return run_step("thread_doubt", NOW, start=[*cast(), *(OPEN if start is None else start)], facts=notices, say=say)  # type: ignore[arg-type]


def options(ran: Ran, at: int = 0) -> list[str]:
    return [o.key for o in ran.questions[at].options]


def test_all_open_threads_are_listed_once_and_chosen_by_their_marks() -> None:
    ran = run(*noticed(NOW, "object", (1, 2)), *noticed(NOW, "secret", (1, 1)), say=lambda q: mark(q, "thread:tbell"))
    assert options(ran)[:3] == ["new", "kept", "answer"]
    listed = [line for line in ran.shown[0].split("\n") if line.startswith("t") and "“" in line]
    assert [line.split()[0] for line in listed] == ["t1", "t2", "t3"]
    assert listed[0] == "t1 “the brass key under the hearth”"
    assert lines_of(ran.shown[0])[0] == "1. a secret in 1.1 | a new; b recalls, unlisted; c answers, unlisted"
    assert short(ran) == ["check thread:tbell", "check thread:tbell"]


def test_other_candidates_of_the_sentence_and_those_shortly_before_may_be_the_same() -> None:
    ran = run(
        *noticed(NOW, "promise", (1, 1)), *noticed(NOW, "object", (1, 2)), *noticed(NOW, "secret", (1, 2)), start=[]
    )
    assert options(ran, 0)[3:] == []
    assert options(ran, 1)[3:] == [f"same:{id_of(NOW, 'secret', (1, 2))}", f"same:{id_of(NOW, 'promise', (1, 1))}"]


def test_a_closed_thread_is_offered_for_a_while_and_then_no_more() -> None:
    paid = thread(
        "tkey", FIRST, "object", "the brass key under the hearth", (1, 1), about=("@1",), events=[(1, "payoff")]
    )
    late = chapter_of(LATER, no=9)
    assert "thread:tkey" in options(run(*noticed(NOW, "object", (1, 2)), start=paid))
    ran = run_step("thread_doubt", late, start=[*cast(), *paid], facts=noticed(late, "object", (1, 2)))
    assert "thread:tkey" not in options(ran)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("a", "new"),
        ("c", "answer"),
        ("t1", "thread:tkey"),
        ("t1 2.1", "thread:tkey"),
        ("t77", "unparsed"),
        ("d", "unparsed"),
        ("-", "none"),
        ("what?", "unparsed"),
        ("a b", "unparsed"),
        ("@7", "unparsed"),
    ],
)
def test_every_answer_is_kept_as_what_it_was(line: str, value: str) -> None:
    ran = run(*noticed(NOW, "object", (1, 2)), say=lambda q: line)
    assert short(ran) == [f"check {value}"]
    assert bool(ran.effects.facts[0][1]) == (value != "unparsed")


def test_nothing_noticed_asks_nothing() -> None:
    assert run().questions == ()


def test_what_both_looks_noticed_is_asked_before_the_bound_cuts() -> None:
    text = "\n".join(f"Stone {n} fell. Rain {n} came." for n in range(1, 90))
    long = chapter_of(text)
    both = [f for n in range(80, 90) for f in noticed(long, "anomaly", (n, 1), "first", "second")]
    one = [f for n in range(1, 80) for s in (1, 2) for f in noticed(long, "anomaly", (n, s), "first")]
    ran = run_step("thread_doubt", long, facts=[*one, *both])
    asked = {q.key.about[0].places[0].block for q in ran.questions}
    assert len(ran.questions) == 120
    assert set(range(80, 90)) <= asked


@pytest.mark.parametrize(
    ("text", "language", "kind"), [(KO, "ko", "object"), (ZH, "zh", "object"), (JA, "ja", "object")]
)
def test_threads_are_found_by_their_words_in_any_script(text: str, language: str, kind: ThreadKind) -> None:
    before, now = chapter_of(text, no=1, language=language), chapter_of(text.split("\n")[0], no=2, language=language)
    start = thread("tkey", before, kind, before.blocks[0].text[:12], (1, 1))
    ran = run_step("thread_doubt", now, start=start, facts=noticed(now, "secret", (1, 1)))
    assert "thread:tkey" in options(ran)
    assert short(
        run_step(
            "thread_doubt", now, start=start, facts=noticed(now, "secret", (1, 1)), say=lambda q: mark(q, "thread:tkey")
        )
    ) == ["check thread:tkey"]


def test_a_statement_that_looks_like_an_option_stays_one_line_of_data() -> None:
    start = thread("tbad", FIRST, "object", "brass key\n2. b | a paid", (1, 1), about=("@1",))
    ran = run(*noticed(NOW, "object", (1, 2)), start=start)
    assert len(lines_of(ran.shown[0])) == 1
    assert "t1 “brass key 2. b | a paid”" in ran.shown[0].split("\n")
