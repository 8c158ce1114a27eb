from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.errors import InputError
from evals.records import Outcome
from evals.scoring.figures import count, precision_of, recall_of
from evals.scoring.outcomes import compare
from evals.scoring.verdicts import Verdict, conflicting, load_verdicts, settled, unused
from tests.evals.scoring.readings import item, only, reading, rel, result, who

CAST = (who("oda", "서윤"), who("ludo", "마루"))
GOLD = reading(CAST, (rel("oda serves ludo", 5),), language="ko")
SAID = reading(CAST, (rel("oda enemy_of ludo", 5),), language="ko")


def verdict(outcome: Outcome, word: str, **more: Any) -> Verdict:
    given = {"judged_by": "by hand", "reason": "read the page", "case": "small", "chapter": 1} | more
    return Verdict(key=outcome.key, evidence=outcome.evidence, verdict=word, **given)


ENEMY = only(compare(GOLD, SAID), "said", "relation")


@pytest.mark.parametrize(("word", "judged"), [("right", (1, 1)), ("wrong", (0, 1)), ("debatable", (0, 0))])
def test_a_verdict_changes_judged_precision_and_never_that_against_gold(word: str, judged: tuple[int, int]) -> None:
    outcomes = compare(GOLD, SAID, verdicts=[verdict(ENEMY, word)])
    assert count(outcomes, precision_of("relation")) == (0, 1)
    assert count(outcomes, precision_of("relation", judged=True)) == judged


def test_a_verdict_is_on_an_item_with_its_evidence_case_and_chapter() -> None:
    for other in (
        verdict(ENEMY, "right", case="another"),
        verdict(ENEMY, "right", chapter=2),
        verdict(ENEMY, "right").model_copy(update={"evidence": "elsewhere"}),
    ):
        assert only(compare(GOLD, SAID, verdicts=[other]), "said", "relation").judged == ""


def test_a_missed_item_that_was_said_in_other_words_is_found_as_judged() -> None:
    missed = only(compare(GOLD, SAID), "gold", "relation")
    outcomes = compare(GOLD, SAID, verdicts=[verdict(ENEMY, "right", finds=missed.key)])
    assert count(outcomes, recall_of("relation")) == (0, 1)
    assert count(outcomes, recall_of("relation", judged=True)) == (1, 1)


def test_a_match_of_place_but_not_of_sense_is_taken_back() -> None:
    def secret(holder: str, words: str) -> Any:
        return item("secret", 5, holders=[holder], hidden_from=[], exposed_to=[], proposition=words)

    gold, said = (
        reading(CAST, items=(secret("oda", "the key is false"),)),
        reading(CAST, items=(secret("oda", "she is ill"),)),
    )
    told = only(compare(gold, said), "said", "secret")
    assert told.hits["found"]
    outcomes = compare(gold, said, verdicts=[verdict(told, "wrong")])
    assert count(outcomes, recall_of("secret")) == (1, 1)
    assert count(outcomes, recall_of("secret", judged=True)) == (0, 1)


def test_one_by_hand_stands_before_a_rubric_and_judges_who_differ_settle_nothing() -> None:
    by_hand, rubric = verdict(ENEMY, "right"), verdict(ENEMY, "wrong", judged_by="rubric:strict")
    assert [v.verdict for v in settled([rubric, by_hand]).values()] == ["right"]
    assert settled([by_hand, verdict(ENEMY, "wrong")]) == {}
    assert settled([by_hand, by_hand]) != {}


def test_conflicting_verdicts_are_named() -> None:
    lines = conflicting([verdict(ENEMY, "right"), verdict(ENEMY, "wrong", judged_by="rubric:strict")])
    assert lines == (f"small 1: {ENEMY.key}: right (by hand), wrong (rubric:strict)",)
    assert conflicting([verdict(ENEMY, "right"), verdict(ENEMY, "right", judged_by="rubric:strict")]) == ()


def test_verdicts_on_what_is_said_no_longer_are_named() -> None:
    kept, gone = verdict(ENEMY, "right"), verdict(ENEMY, "wrong", case="another")
    assert unused([kept, gone], [result(GOLD, SAID)]) == (f"another 1: {ENEMY.key}: wrong (by hand)",)


def test_verdicts_of_equal_statements_are_told_apart_by_evidence() -> None:
    twice = reading(CAST, (rel("oda enemy_of ludo", 5), rel("oda enemy_of ludo", 900)))
    said = [o for o in compare(GOLD, twice) if o.side == "said" and o.cls == "relation"]
    numbered = next(o for o in said if o.key.endswith("#2"))
    again = compare(GOLD, twice, verdicts=[verdict(numbered, "right")])
    assert {o.key: o.judged for o in again if o.side == "said" and o.cls == "relation"} == {
        o.key: "right" if o is numbered else "" for o in said
    }


def test_a_file_of_verdicts_is_read_and_a_bad_line_is_named(tmp_path: Path) -> None:
    good = verdict(ENEMY, "right")
    (tmp_path / "a.jsonl").write_text(good.model_dump_json() + "\n\n", "utf-8")
    assert load_verdicts(tmp_path) == (good,)
    for change in (
        {"judged_by": "a model"},
        {"reason": ""},
        {"verdict": "true"},
        {"mood": "good"},
        {"evidence": "00"},
        {"key": "relation | a | zzz_of | b"},
        {"key": "nothing"},
    ):
        bad = json.dumps(good.model_dump() | change)
        (tmp_path / "b.jsonl").write_text("\n" + bad, "utf-8")
        with pytest.raises(InputError, match=r"b\.jsonl, line 2 is no verdict"):
            load_verdicts(tmp_path)


def test_bytes_that_are_no_text_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"a\.jsonl is no file of verdicts"):
        load_verdicts(tmp_path)
