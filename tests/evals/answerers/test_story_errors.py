"""Errors in answers about the story: sentence by sentence, in notes, in doubts that deny."""

from __future__ import annotations

import pytest

from analyzer.models.question import Answer, Option, Pack, Question, QuestionKey, Ref
from analyzer.models.text import Place
from analyzer.steps._registry import load_steps
from analyzer.text.manuscript import read_manuscript
from evals.answerers.errors import DENIALS, Fate, erring
from evals.answerers.noisy import NoisyAnswers
from evals.answerers.rates import ErrorKind, Rates
from evals.goldset.cases import Case
from evals.runs import STORY
from tests.evals.answerers.test_noisy import kept_run
from tests.evals.small import tale_case
from tests.evals.story_tale import LAMP_HOUSE

PLACES = tuple(Place(block, 1) for block in range(1, 30))
N = 1000
NONE = Answer(status="none")
NOTES = ("마르타의 열쇠", "the money is gone", "船已经沉了")


def about(n: int, *keys: str, ask: str, type: str = "choice", **more: object) -> Question:
    options = tuple(Option(mark=chr(97 + i), key=key, text=key) for i, key in enumerate(keys))
    key = QuestionKey(step="state_notice", ask=ask, chapter=1, about=(Ref(handle=f"@{n}", names=(f"Marta {n}",)),))
    return Question.model_validate({"key": key, "type": type, "text": "?", "options": options, **more})


def noticed(n: int) -> Question:
    return about(
        n, "health", "mood", "goal", "location", ask="state.notice", type="select", evidence="must", max_picks=4,
        max_sentences=6,
    )  # fmt: skip


TRUE = Answer(
    status="answered",
    picked=("health", "mood"),
    sentences=PLACES[:3],
    by_pick=(PLACES[:2], PLACES[2:3]),
)


def said(question: Question, truth: Answer, rates: Rates) -> Answer:
    return erring(question, truth, Fate(rates, question.key.step, question.key.text), PLACES, NOTES)


def items(answer: Answer) -> set[tuple[str, Place]]:
    return {(key, place) for key in answer.picked for place in answer.sentences_of(key)}


def test_every_sentence_behind_a_pick_is_missed_for_itself() -> None:
    answers = [said(noticed(n), TRUE, Rates(kinds={"miss": 0.2})) for n in range(N)]
    lost = sum(3 - len(items(answer)) for answer in answers)
    assert 0.17 * 3 * N < lost < 0.23 * 3 * N
    assert all(items(answer) <= items(TRUE) for answer in answers)
    assert any(answer.picked == ("health",) and len(answer.sentences) == 1 for answer in answers)
    assert said(noticed(1), TRUE, Rates(kinds={"miss": 1})) == NONE


@pytest.mark.parametrize(
    ("kind", "same_picks", "same_places"), (("wrong_kind", False, True), ("wrong_evidence", True, False))
)
def test_a_sentence_stands_under_another_head_or_another_sentence_stands_there(
    kind: ErrorKind, same_picks: bool, same_places: bool
) -> None:
    for n in range(50):
        answer = said(noticed(n), TRUE, Rates(kinds={kind: 1}))
        assert (set(answer.picked) == set(TRUE.picked)) == same_picks
        assert ({place for _, place in items(answer)} == set(TRUE.sentences)) == same_places
        assert not items(answer) & items(TRUE)


@pytest.mark.parametrize("truth", (TRUE, NONE))
def test_something_more_is_noticed_with_a_sentence_beside_what_is_true(truth: Answer) -> None:
    for n in range(50):
        answer = said(noticed(n), truth, Rates(kinds={"invent": 1}))
        [extra] = set(answer.picked) - set(truth.picked)
        assert answer.sentences_of(extra) and items(truth) <= items(answer)


def test_a_note_is_left_out_or_says_what_is_true_of_something_else() -> None:
    note, words = about(1, ask="state.value", type="note"), Answer(status="answered", text="the money is gone")
    assert said(note, words, Rates(kinds={"miss": 1})) == NONE
    assert said(note, words, Rates(kinds={"wrong_kind": 1})).text in set(NOTES) - {words.text}
    assert said(note, NONE, Rates(kinds={"invent": 1})).text in NOTES
    assert said(note, NONE, Rates(kinds={"wrong_kind": 1})) == NONE
    fate = Fate(Rates(1.0), "state_value", "q")
    assert erring(note, words, fate, PLACES, ()).status == "missing"  # a dropped line comes before all else
    alone = Fate(Rates(kinds={"wrong_kind": 1}), "state_value", "q")
    assert erring(note, words, alone, PLACES, (words.text,)) == words


def test_a_doubt_that_denies_counts_as_none() -> None:
    doubt = about(1, "not", "before", "holds", ask="state.doubt")
    denied, holds = (Answer(status="answered", picked=(key,)) for key in ("not", "holds"))
    assert said(doubt, holds, Rates(kinds={"miss": 1})) == denied
    assert said(doubt, denied, Rates(kinds={"miss": 1, "wrong_kind": 1})) == denied
    assert said(doubt, denied, Rates(kinds={"invent": 1})).pick in ("before", "holds")


def test_no_error_leaves_the_truth() -> None:
    assert said(noticed(1), TRUE, Rates()) == TRUE


@pytest.fixture(scope="module")
def lamp(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return tale_case(tmp_path_factory.mktemp("lamp"), LAMP_HOUSE)


@pytest.fixture(scope="module")
def packs(lamp: Case, tmp_path_factory: pytest.TempPathFactory) -> list[Pack]:
    return kept_run(lamp, tmp_path_factory.mktemp("books"), Rates()).packs


def test_every_option_that_counts_as_a_denial_is_one(packs: list[Pack]) -> None:
    """Options are looked up by what is asked: a renamed one would silently be no denial any more."""
    offered: dict[str, set[str]] = {}
    for question in (question for pack in packs for question in pack.questions):
        offered.setdefault(question.key.ask, set()).update(option.key for option in question.options)
    seen = offered.keys() & DENIALS.keys()
    assert {"state.nature", "knowledge.stance", "knowledge.way", "secret.doubt"} <= seen
    assert [ask for ask in seen if not offered[ask] & set(DENIALS[ask])] == []


def test_everything_that_is_asked_about_the_story_errs(lamp: Case, packs: list[Pack]) -> None:
    manuscript = read_manuscript(lamp.text(), language="en")
    wrong = {kind: 1.0 for kind in ("miss", "invent", "wrong_kind")}
    true, noisy = (NoisyAnswers.open(lamp.gold, manuscript, Rates(kinds=kinds)) for kinds in ({}, wrong))
    parts = {step.name: step.part for step in load_steps()}
    errs: dict[str, bool] = {}
    for pack in (pack for pack in packs if parts[pack.step] in STORY):
        for question, truth, answer in zip(pack.questions, true.answers(pack), noisy.answers(pack), strict=True):
            errs[question.key.ask] = errs.get(question.key.ask, False) or truth != answer
    assert len(errs) > 12 and all(errs.values()), errs
