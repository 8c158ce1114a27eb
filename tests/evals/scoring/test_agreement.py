from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analyzer.errors import InputError
from evals.scoring.__main__ import main
from evals.scoring.agreement import agreement, cohen, common_chapters, table
from tests.evals.scoring.readings import item, reading, rel, who

A = reading(
    (who("a", "한서윤"), who("b", "마루"), who("c", "노을역", kind="place")),
    (rel("a sibling_of b", 5), rel("a lives_in c", 40, level="optional")),
    (item("plant", 5, kind="object", event="plant", what="열쇠"), item("change", 9, entity="a", attribute="mood", op="set", to="기쁨")),
    language="ko",
)  # fmt: skip
B = reading(
    (who("x", "서윤", "한서윤 씨"), who("y", "마루", presence="mentioned"), who("z", descriptors=("그 노파",))),
    (rel("x cousin_of y", 5, affinity="+"), rel("z parent_of x", 80)),
    (item("plant", 90, kind="secret", event="plant", what="비밀"), item("change", 9, entity="x", attribute="mood", op="add", to="기쁨")),
    language="ko",
)  # fmt: skip


def gold_file(folder: Path, name: str, **change: Any) -> None:
    given = {
        "book": "small", "chapter": 1, "language": "ko", "body_sha256": "0" * 64, "body_start": 0, "body_end": 100, "block_starts": [0],
        "entities": [{"id": "a", "kind": "character", "names": ["서윤"]}, {"id": "b", "kind": "character", "names": ["마루"]}],
        "relations": [{"subject": "a", "kind": "sibling_of", "object": "b", "evidence": [{"block": 1, "start": 0, "end": 9}]}],
    } | change  # fmt: skip
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(given, ensure_ascii=False), "utf-8")


def test_kappa_takes_chance_away() -> None:
    assert cohen([("a", "a"), ("b", "b")]) == 1.0
    assert cohen([("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")]) == 0.0
    assert cohen([("x", "x")] * 20 + [("x", "y")] * 5 + [("y", "x")] * 10 + [("y", "y")] * 15) == pytest.approx(0.4)
    assert cohen([]) is None and cohen([("a", "a")]) is None


def test_f1_is_of_both_readers_all_levels_together() -> None:
    f1 = {row.of: row for row in agreement([(A, B)]).f1}
    assert (
        f1["entities, named"].hit_a,
        f1["entities, named"].n_a,
        f1["entities, named"].hit_b,
        f1["entities, named"].n_b,
    ) == (2, 3, 2, 2)
    assert f1["entities, named"].f1 == pytest.approx(0.8)
    assert f1["entities, unnamed"].f1 is None
    assert (f1["relations, pair"].f1, f1["relations, family"].f1, f1["relations, kind"].f1) == (0.5, 0.5, 0.0)
    assert f1["relations, pair, core anywhere"].n_a == 1
    assert f1["plant"].f1 == 1.0 and f1["change"].f1 == 1.0 and f1["secret"].f1 is None


def test_closed_fields_are_compared_on_what_both_have() -> None:
    kappa = {row.of: row for row in agreement([(A, B)]).kappa}
    assert (kappa["entity presence"].n, kappa["entity presence"].same) == (2, 0.5)
    assert kappa["relation family of a common pair"].same == 1.0 and kappa["relation kind of a common pair"].same == 0.0
    assert kappa["plant kind"].same == 0.0 and kappa["plant event"].same == 1.0
    assert kappa["change op"].same == 0.0
    assert "relation status" not in kappa


def test_a_reader_agrees_with_himself() -> None:
    found = agreement([(A, A), (B, B)])
    assert all(row.f1 in (None, 1.0) for row in found.f1) and all(row.same == 1.0 for row in found.kappa)


def test_the_table_leaves_out_what_nobody_has() -> None:
    shown = table(agreement([(A, B)]))
    assert (
        "| relations, family | 1/2 | 1/2 | 0.50 |" in shown
        and "secret" not in shown
        and "| plant kind | 1 | 0.00 |" in shown
    )


def test_folders_are_compared_by_chapter_and_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        gold_file(folder, "1.json")
        gold_file(folder, "2.json", book="fr", language="fr")
    gold_file(one, "3.json", chapter=2)
    assert [a.book for a, _ in common_chapters(one, two)] == ["fr", "small"]
    assert main(["agreement", str(one), str(two), "--language", "ko-KR"]) == 0
    assert "Chapters: small 1\n" in capsys.readouterr().out
    assert main(["agreement", str(one), str(two), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["chapters"] == ["fr 1", "small 1"]


def test_folders_that_cannot_be_compared_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    gold_file(one, "1.json")
    two.mkdir()
    assert main(["agreement", str(one), str(two)]) == 2
    assert "no gold chapters" in capsys.readouterr().err
    gold_file(two, "1.json", body_sha256="1" * 64)
    with pytest.raises(InputError, match="different texts"):
        common_chapters(one, two)
    with pytest.raises(InputError, match="share no chapter in zh"):
        common_chapters(one, two, "zh")
    (two / "1.json").write_text("{}", "utf-8")
    with pytest.raises(InputError, match="no gold chapter"):
        common_chapters(one, two)


def test_a_chapter_twice_and_evidence_nowhere_are_refused(tmp_path: Path) -> None:
    one = tmp_path / "one"
    gold_file(one, "1.json")
    gold_file(one, "2.json", changes=[{"entity": "a", "evidence": [{"block": 99, "start": 0, "end": 1}]}], chapter=2)
    with pytest.raises(InputError, match=r"2\.json: evidence in block 99"):
        common_chapters(one, one)
    gold_file(one, "2.json")
    with pytest.raises(InputError, match=r"2\.json: another file of .* is small 1 too"):
        common_chapters(one, one)


def test_no_name_of_a_book_is_markup_or_a_line_of_its_own() -> None:
    evil = replace(A, book="a | [b](http://c)\n# d\x1b[31m")
    first = table(agreement([(evil, replace(B, book=evil.book))])).splitlines()[0]
    assert first.startswith("Chapters: a \\| \\[b\\](") and first.endswith(" 1") and "\x1b" not in first
