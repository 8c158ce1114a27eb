"""The life of a pack: what a bad reply costs, what is kept of it, and what is named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer.bible import Bible
from analyzer.errors import PermanentModelError
from analyzer.models.question import NONE, NONE_MARK, Pack, Question
from analyzer.models.run import Reply, Usage
from analyzer.scheduler.events import RunOutcome
from analyzer.scheduler.questions import turned
from analyzer.steps._step import Effects, Unit
from analyzer.storage.store import Store
from analyzer.text.candidates.book import BookStats
from analyzer.text.languages import language_table
from tests.scheduler.tiny import FREE, Teller, analyse, book_of, honest, honest_line, numbered_step, pick_for

ONE = book_of([["Night fell."]])
"""A book of one chapter, so that one pack is one pack."""


async def ask(
    folder: Path, tell: Callable[[Pack], object], n: int = 10, **changes: object
) -> tuple[Teller, RunOutcome]:
    asker = Teller(tell)  # type: ignore[arg-type]
    outcome = await analyse(folder, asker, steps=[numbered_step(n, **changes)], manuscript=ONE)
    return asker, outcome


def stored_answers(folder: Path) -> dict[str, tuple[str, tuple[str, ...], int]]:
    with Store.open(folder) as store:
        return {row.key: (row.answer.status, row.answer.picked, row.wording) for row in store.all_answers()}


def problems(folder: Path) -> list[str]:
    with Store.open(folder) as store:
        return [attempt.problem for attempt in store.attempts()]


async def test_what_comes_back_unreadable_is_asked_again_in_half_packs_at_most_twice(tmp_path: Path) -> None:
    deaf = {"3", "7"}

    def tell(pack: Pack) -> str:
        return "\n".join(
            f"{n} ?" if q.key.detail in deaf else honest_line(n, q) for n, q in enumerate(pack.questions, 1)
        )

    asker, outcome = await ask(tmp_path, tell)
    assert [len(pack.questions) for pack in asker.asked] == [10, 2, 1, 1]
    assert (outcome.exit_code, len(outcome.unanswered)) == (7, 2)
    assert all(key in "".join(i.detail for i in outcome.issues) for key in outcome.unanswered)
    assert Counter(i.code for i in outcome.issues) == {"unanswered": 2, "unknown_mark": 2}
    assert len(stored_answers(tmp_path)) == 8
    assert len(problems(tmp_path)) == 4


async def test_a_line_left_out_once_is_answered_the_second_time(tmp_path: Path) -> None:
    asker, outcome = await ask(
        tmp_path, lambda p: "\n".join(honest(p).split("\n")[:5]) if len(p.questions) == 10 else honest(p)
    )
    assert [len(pack.questions) for pack in asker.asked] == [10, 5]
    assert (outcome.exit_code, outcome.issues, len(stored_answers(tmp_path))) == (0, (), 10)


@pytest.mark.parametrize(
    ("finish", "asked"), [("length", [10, 5, 1]), ("length no_usage", [10, 5, 1]), ("stop", [10, 5])]
)
async def test_where_a_limit_cut_a_reply_its_last_line_is_asked_again(
    tmp_path: Path, finish: str, asked: list[int]
) -> None:
    def tell(pack: Pack) -> str | Reply:
        if len(pack.questions) < 10:
            return honest(pack)
        return Reply(text="\n".join(honest(pack).split("\n")[:5]), usage=Usage(), model="tiny", finish=finish)

    asker, outcome = await ask(tmp_path, tell)
    assert [len(pack.questions) for pack in asker.asked] == asked
    assert (outcome.exit_code, outcome.issues, len(stored_answers(tmp_path))) == (0, (), 10)
    assert ("line 5 is the last of a reply that was cut" in problems(tmp_path)[0]) is finish.startswith("length")


async def test_the_next_run_asks_only_what_had_no_answer_in_the_packs_the_repeat_used(tmp_path: Path) -> None:
    first, _ = await ask(tmp_path, lambda p: "\n".join(honest(p).split("\n")[:2]) if len(p.questions) == 10 else "")
    again, outcome = await ask(tmp_path, honest)
    assert [len(p.questions) for p in again.asked] == [5, 3]
    assert {p.tail for p in again.asked} <= {p.tail for p in first.asked}
    assert outcome.exit_code == 0
    assert len(stored_answers(tmp_path)) == 10


def _cycling(pack: Pack) -> str:
    return "\n".join(f"{n} {'abc'[(n - 1) % 3]}" for n in range(1, len(pack.questions) + 1))


async def test_a_pattern_is_asked_again_in_halves_once_and_then_named(tmp_path: Path) -> None:
    asker, outcome = await ask(tmp_path, _cycling, n=24)
    assert [len(pack.questions) for pack in asker.asked] == [24, 12, 12]
    assert outcome.exit_code == 7
    assert Counter(i.code for i in outcome.issues) == {"degenerate_reply": 1, "unanswered": 24}
    assert stored_answers(tmp_path) == {}


async def test_after_a_pattern_honest_halves_are_kept(tmp_path: Path) -> None:
    asker, outcome = await ask(tmp_path, lambda p: _cycling(p) if len(p.questions) == 24 else honest(p), n=24)
    assert [len(pack.questions) for pack in asker.asked] == [24, 12, 12]
    assert (outcome.exit_code, len(stored_answers(tmp_path))) == (0, 24)


async def test_always_the_first_option_is_found_out_by_turning_the_options(tmp_path: Path) -> None:
    asker, outcome = await ask(tmp_path, lambda p: "\n".join(f"{n} a" for n in range(1, len(p.questions) + 1)))
    assert [len(pack.questions) for pack in asker.asked] == [10, 10]
    assert (outcome.exit_code, len(outcome.unanswered), stored_answers(tmp_path)) == (7, 10, {})


async def test_a_uniform_reply_that_holds_with_turned_options_is_kept(tmp_path: Path) -> None:
    def tell(pack: Pack) -> str:
        return "\n".join(f"{n} {_mark(q, 'yes')}" for n, q in enumerate(pack.questions, 1))

    asker, outcome = await ask(tmp_path, tell)
    assert [len(pack.questions) for pack in asker.asked] == [10, 10]
    assert asker.asked[0].questions[0].options[0].key == "yes"
    assert asker.asked[1].questions[0].options[0].key == "maybe"
    assert (outcome.exit_code, {a[1] for a in stored_answers(tmp_path).values()}) == (0, {("yes",)})


def _mark(question: Question, key: str) -> str:
    option = question.option_by_key(key)
    assert option is not None
    return option.mark


async def test_of_a_uniform_reply_only_what_agrees_is_kept(tmp_path: Path) -> None:
    true = {"1", "4"}

    def tell(pack: Pack) -> str:
        is_turned = pack.questions[0].options[0].key == "maybe"
        return "\n".join(
            f"{n} {_mark(q, 'yes') if is_turned and q.key.detail in true else 'a'}"
            for n, q in enumerate(pack.questions, 1)
        )

    _, outcome = await ask(tmp_path, tell)
    assert len(stored_answers(tmp_path)) == 2
    assert (outcome.exit_code, len(outcome.unanswered)) == (7, 8)


async def test_a_small_pack_with_one_mark_is_taken_at_its_word(tmp_path: Path) -> None:
    asker, outcome = await ask(tmp_path, lambda p: "1 a\n2 a\n3 a", n=3)
    assert (len(asker.asked), outcome.exit_code, len(stored_answers(tmp_path))) == (1, 0, 3)


def _none(pack: Pack) -> str:
    return "\n".join(f"{n} -" for n in range(1, len(pack.questions) + 1))


async def test_none_throughout_is_asked_once_more_in_other_words_and_then_believed(tmp_path: Path) -> None:
    asker, outcome = await ask(tmp_path, _none, suspicious_none=True)
    assert [pack.wording for pack in asker.asked] == [0, 1]
    assert (outcome.exit_code, outcome.issues) == (0, ())
    assert {a[0] for a in stored_answers(tmp_path).values()} == {"none"}


async def test_none_throughout_is_believed_at_once_where_the_step_does_not_suspect_it(tmp_path: Path) -> None:
    asker, outcome = await ask(tmp_path, _none)
    assert (len(asker.asked), outcome.exit_code) == (1, 0)


async def test_answers_other_than_none_win_in_the_second_wording(tmp_path: Path) -> None:
    kept: list[tuple[str, tuple[str, ...]]] = []

    def effects(answers: object, unit: object, view: object) -> object:
        kept.extend((a.question.key.detail, a.answer.picked) for a in answers)  # type: ignore[attr-defined]
        return Effects()

    def tell(pack: Pack) -> str:
        return (
            "\n".join([honest_line(1, pack.questions[0]), *_none(pack).split("\n")[1:]])
            if pack.wording
            else _none(pack)
        )

    await ask(tmp_path, tell, suspicious_none=True, effects=effects)
    assert kept[0] == ("0", (pick_for(numbered_questions()[0]),))
    assert {picked for _, picked in kept[1:]} == {()}


def numbered_questions() -> list[Question]:
    step = numbered_step(1)
    unit = Unit(ONE.chapters[0], language_table("en"), BookStats(), Bible(0), frozenset())
    return [step.question(c, unit, Bible(0)) for c in step.candidates(unit, Bible(0))]


async def test_an_empty_reply_goes_straight_to_the_other_wording(tmp_path: Path) -> None:
    asker, outcome = await ask(tmp_path, lambda p: honest(p) if p.wording else "", suspicious_none=True)
    assert [pack.wording for pack in asker.asked] == [0, 1]
    assert (outcome.exit_code, len(stored_answers(tmp_path))) == (0, 10)


async def test_an_empty_reply_of_a_step_without_suspicion_is_asked_again(tmp_path: Path) -> None:
    asker, outcome = await ask(tmp_path, lambda p: honest(p) if len(p.questions) < 10 else "")
    assert [len(pack.questions) for pack in asker.asked] == [10, 5, 5]
    assert outcome.exit_code == 0


async def test_a_resumed_suspicious_pack_asks_only_the_second_wording(tmp_path: Path) -> None:
    def tell(pack: Pack) -> object:
        return PermanentModelError("gone") if pack.wording else _none(pack)

    _, outcome = await ask(tmp_path, tell, suspicious_none=True)
    assert outcome.exit_code == 4
    again, outcome = await ask(tmp_path, honest, suspicious_none=True)
    assert [pack.wording for pack in again.asked] == [1]
    assert outcome.exit_code == 0


async def test_a_refused_reply_is_neither_repeated_nor_stored_as_an_answer(tmp_path: Path) -> None:
    asker, outcome = await ask(tmp_path, lambda p: Reply(text="", usage=Usage(), model="tiny", refused=True))
    assert (len(asker.asked), outcome.exit_code, stored_answers(tmp_path)) == (1, 7, {})
    assert {i.code for i in outcome.issues} == {"refused"}
    assert problems(tmp_path) == ["refused"]


async def test_a_refused_question_is_asked_again_in_the_next_run(tmp_path: Path) -> None:
    await ask(tmp_path, lambda p: Reply(text="", usage=Usage(), model="tiny", refused=True))
    _, outcome = await ask(tmp_path, honest)
    assert (outcome.exit_code, outcome.issues, len(stored_answers(tmp_path))) == (0, (), 10)


async def test_marks_that_were_not_offered_are_named_with_the_answer_that_gave_them(tmp_path: Path) -> None:
    _, outcome = await ask(tmp_path, lambda p: "1 a @77\n2 b", n=2)
    assert [(i.code, "@77" in i.detail) for i in outcome.issues] == [("unknown_handle", True)]


@pytest.mark.parametrize("size", [1, 4, 10])
async def test_a_profile_may_make_packs_smaller(tmp_path: Path, size: int) -> None:
    asker = Teller(profile=FREE.model_copy(update={"max_pack": size}))
    await analyse(tmp_path, asker, steps=[numbered_step(10)], manuscript=ONE)
    assert max(len(pack.questions) for pack in asker.asked) == size
    assert asker.n_questions == 10


async def test_groups_never_share_a_call_and_keep_their_order(tmp_path: Path) -> None:
    asker = Teller()
    step = numbered_step(7, pack_by=lambda i: "even" if i % 2 == 0 else "odd", pack_size=3)
    await analyse(tmp_path, asker, steps=[step], manuscript=ONE)
    assert sorted([q.key.detail for q in p.questions] for p in asker.asked) == [["0", "2", "4"], ["1", "3", "5"], ["6"]]


async def test_the_same_question_twice_is_asked_once(tmp_path: Path) -> None:
    asker = Teller()
    await analyse(tmp_path, asker, steps=[numbered_step(3, candidates=lambda _u, _v: [0, 1, 0])], manuscript=ONE)
    assert asker.n_questions == 2


def test_turning_keeps_letters_in_place_and_handles_with_their_option() -> None:
    question = numbered_questions()[0]
    assert [(o.mark, o.key) for o in turned(question).options] == [
        ("a", "maybe"),
        ("b", "no"),
        ("c", "yes"),
        (NONE_MARK, NONE),
    ]
    by_handle = question.model_copy(
        update={"options": tuple(o.model_copy(update={"mark": f"@{i}"}) for i, o in enumerate(question.options[:3]))}
    )
    assert [(o.mark, o.key) for o in turned(by_handle).options] == [("@2", "maybe"), ("@1", "no"), ("@0", "yes")]
    assert turned(turned(question)) == question
