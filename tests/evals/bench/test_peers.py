"""All contestants are answered from the same gold, each in the form it asks for, and held against the same gold."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import pytest

from analyzer.llm.transports.gold_book import load_gold
from evals.bench import peers
from evals.bench._truth import MARK_PART, MARK_TEXT, Truth, Truthful, key_of, read_truth
from evals.bench.peers import OURS, Used, bench_peers, contestants, found_of, peer, rows_of, truth_of
from evals.bench.peers._found import Found, Score, score
from tests.evals.small import tiny_case

TEXT = "Anna Reed lives at the Old Mill. Tom is Anna’s brother. 김철수는 우물가에 서 있었다. 王老五走进了茶馆。"
TRUTH = Truth(
    entities=[
        {"names": ["Anna Reed", "Anna"], "kind": "character"},
        {"names": ["Tom"], "kind": "character"},
        {"names": ["Old Mill"], "kind": "place"},
        {"names": ["김철수"], "kind": "character"},
        {"names": ["王老五"], "kind": "character"},
        {"names": ["Señora Ñúñez"], "kind": "character"},
    ],
    relations=[
        {"a": 0, "b": 2, "kind": "lives_in", "status": "current", "quotes": ["Anna Reed lives at the Old Mill."]},
        {"a": 1, "b": 0, "kind": "sibling_of", "status": "current", "quotes": ["Tom is Anna’s brother."]},
        {"a": 3, "b": 5, "kind": "knows", "status": "current", "quotes": ["nowhere in the text"]},
    ],
    items=[{"part": "plants", "fields": {"what": "the well"}, "quotes": ["김철수는 우물가에 서 있었다."]}],
    replies={key_of(["one ", "two"]): "1 a"},
)


def asked(*texts: str, system: str = "") -> str:
    """What a request of these texts is answered with."""
    messages = [{"role": "system", "content": system}] * bool(system)
    return Truthful(TRUTH)({"messages": [*messages, *({"role": "user", "content": text} for text in texts)]})


def test_a_text_tells_whom_it_names_and_what_a_sentence_of_it_shows() -> None:
    told = Truthful(TRUTH).told(TEXT)
    assert [name for name, _, _ in told.entities] == ["Anna Reed", "Tom", "Old Mill", "김철수", "王老五"]
    assert [(a, kind, b) for a, b, kind, _, _ in told.relations] == [
        ("Anna Reed", "lives_in", "Old Mill"),
        ("Tom", "sibling_of", "Anna Reed"),
    ]
    assert all(name in about for name, _, about in told.entities)


def test_who_cuts_a_chapter_loses_what_stands_across_the_cut() -> None:
    told = Truthful(TRUTH).told("Tom is Anna’s bro")
    assert len(told.entities) == 2 and not told.relations


def test_our_own_requests_are_answered_with_the_reply_that_was_kept_for_their_words() -> None:
    assert asked("one ", "two") == "1 a"


def test_every_form_a_contestant_asks_for_holds_the_same() -> None:
    plain = json.loads(asked(f"{MARK_PART}cast, relations, plants\n{MARK_TEXT}{TEXT}"))
    names = [row["name"] for row in plain["cast"]]
    assert plain["plants"] == [{"what": "the well", "evidence": "김철수는 우물가에 서 있었다."}]
    extracted = json.loads(asked(f"Q: an example\nA: {{}}\n\nQ: {TEXT}\nA: ", system="responds in JSON format"))
    assert [one["entity"] for one in extracted["extractions"] if "entity" in one] == names
    rows = asked(f"---Input Text---\n```\n{TEXT}\n```\n", system="Knowledge Graph Specialist").splitlines()
    assert [row.split("<|#|>")[1] for row in rows if row.startswith("entity")] == names
    assert {len(row.split("<|#|>")) for row in rows[:-1]} == {4, 5} and rows[-1] == "<|COMPLETE|>"
    tuples = asked(f"-Real Data-\n####\nEntity_types: a,b\nText: {TEXT}\n####\nOutput:").split("\n##\n")
    assert [row.split("<|>")[1] for row in tuples if row.startswith('("entity"')] == [n.upper() for n in names]
    assert len([row for row in tuples if row.startswith('("relationship"')]) == len(plain["relations"]) == 2


def test_a_second_look_finds_nothing_more_and_a_report_is_json() -> None:
    assert asked("Based on the last extraction task, look again.") == "<|COMPLETE|>"
    report = json.loads(asked("Write a comprehensive report of a community\n# Real Data\nid,entity\n1,Anna Reed\n"))
    assert set(report) == {"title", "summary", "findings", "rating", "rating_explanation"}


def test_a_request_of_an_unknown_kind_is_no_silent_nothing() -> None:
    with pytest.raises(ValueError, match="nobody knows how to answer 'hello'"):
        asked("hello")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (Found((), ()), Score(0.0, 0.0, 0)),
        (Found(("ANNA REED", "anna", "nobody"), (("TOM", "Anna"), ("Tom", "Old Mill"))), Score(1 / 6, 1 / 3, 0)),
        (Found(("김철수", "王老五", "SEÑORA ÑÚÑEZ"), (("Anna", "Tom"), ("Tom", "Anna")), 7), Score(3 / 6, 1 / 3, 7)),
    ],
)
def test_what_was_found_is_held_against_gold_without_case_direction_or_kind(found: Found, expected: Score) -> None:
    assert score(found, TRUTH) == pytest.approx(expected)


def test_plain_contestants_come_first_and_each_package_has_its_own() -> None:
    known = contestants()
    assert [name for name, package in known.items() if not package] == ["cached_rows", "one_call", "sections"]
    assert {p for p in known.values() if p} == {"graphrag", "langextract", "lightrag-hku"}


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any, Truth, Path]:
    """The first chapter of the tiny serial, with what is true of it."""
    folder = tmp_path_factory.mktemp("peers")
    case = tiny_case(folder)
    gold = load_gold(case.gold)[1]
    return case, gold, truth_of(case, gold, folder), folder


def test_a_run_that_is_answered_truly_finds_all_that_has_a_name(read: tuple[Any, Any, Truth, Path]) -> None:
    _, _, truth, folder = read
    assert read_truth(folder / "truth.json") == truth
    assert score(found_of(folder / "recorded"), truth).names == 1.0
    assert truth.replies


@pytest.mark.parametrize(("name", "n_calls"), [("sections", 8), ("one_call", 1), ("cached_rows", 8)])
def test_a_plain_contestant_reads_the_chapter_in_a_process_of_its_own(
    read: tuple[Any, Any, Truth, Path], name: str, n_calls: int
) -> None:
    case, gold, truth, folder = read
    used = peer(name, gold, case, truth, folder)
    assert isinstance(used, Used), used
    assert used.totals["requests"] == n_calls and used.cents > 0
    assert used.score.names == 1.0 and used.wall_s > 0 and used.peak_mb > 20


def test_a_contestant_that_fails_says_so_in_its_row(
    read: tuple[Any, Any, Truth, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    case, gold, truth, folder = read
    said = peer("nobody_of_this_name", gold, case, truth, folder)
    assert isinstance(said, str) and said.startswith("failed: ModuleNotFoundError")


def test_what_is_not_installed_is_told_and_nothing_else_is_run_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "contestants", lambda: {"graphrag": "no-such-distribution-anywhere"})
    ours = Used({"requests": 2, "cost_nano": 5, **dict.fromkeys(peers.CLASSES, 3)}, 1.0, 1.0, 99.0, Score(1.0, 1.0, 4))
    monkeypatch.setattr(peers, "_ours", lambda *_: ours)
    monkeypatch.setattr(peers, "truth_of", lambda *_: TRUTH)
    rows = bench_peers(None)
    assert rows[:-1] == rows_of(OURS, ours, ours)
    assert rows[-1].name == "peers: graphrag: not installed (make bench-peers)" and math.isnan(rows[-1].value)
    assert "graphrag" not in sys.modules
