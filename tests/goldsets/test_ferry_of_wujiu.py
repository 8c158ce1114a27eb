"""The Chinese serial and its gold agree with each other, give nothing away early, and hold none of the text's false ties."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from analyzer.models.gold import GoldChapter

FOLDER = Path(__file__).parents[2] / "goldsets" / "ferry-of-wujiu"
TEXT = (FOLDER / "serial.txt").read_text("utf-8")
REVEAL = 3


def chapters(folder: str) -> tuple[GoldChapter, ...]:
    files = sorted((FOLDER / folder).glob("chapter-*.json"))
    return tuple(GoldChapter.model_validate_json(path.read_text("utf-8")) for path in files)


GOLD = chapters("gold")
READINGS = {letter: chapters(f"readings/{letter}") for letter in "AB"}


def tied(gold: GoldChapter, one: str, other: str) -> set[str]:
    return {r.kind for r in gold.relations if {r.subject, r.object} == {one, other}}


@pytest.mark.parametrize("gold", [*GOLD, *READINGS["A"], *READINGS["B"]])
def test_gold_and_readings_are_of_this_text_and_show_where(gold: GoldChapter) -> None:
    body = TEXT[gold.body_start : gold.body_end]
    assert hashlib.sha256(body.encode()).hexdigest() == gold.body_sha256
    assert len(body.split("\n\n")) == len(gold.block_starts)
    items = [*gold.changes, *gold.appearance, *gold.identities, *gold.secrets, *gold.knowledge, *gold.plants]
    assert all(entry.evidence for entry in (*gold.relations, *items))


def test_every_entry_says_who_noted_it_and_both_readings_have_all_chapters() -> None:
    assert [gold.chapter for gold in GOLD] == [1, 2, 3]
    assert all([gold.chapter for gold in reading] == [1, 2, 3] for reading in READINGS.values())
    for gold in GOLD:
        raw = json.loads((FOLDER / "gold" / f"chapter-{gold.chapter:02d}.json").read_text("utf-8"))
        for section in (
            "entities",
            "relations",
            "changes",
            "appearance",
            "identities",
            "secrets",
            "knowledge",
            "plants",
        ):
            assert {entry["annotators"] for entry in raw[section]} <= {"A", "B", "AB", "J"}


def test_other_ids_of_a_reader_lead_to_ids_of_the_gold() -> None:
    ids = json.loads((FOLDER / "readings" / "ids.json").read_text("utf-8"))
    known = {entity.id for gold in GOLD for entity in gold.entities}
    for letter, reading in READINGS.items():
        for chapter in reading:
            for entity in chapter.entities:
                to = ids[letter].get(entity.id, entity.id)
                assert (to if isinstance(to, str) else to.get(str(chapter.chapter), entity.id)) in known


@pytest.mark.parametrize(
    ("words", "kind", "pair"),
    [
        ("他不是我爹", "parent_of", {"ouyang", "ma_xiaoman"}),
        ("跟大人不是一家的沈", "sibling_of", {"shen_yueniang", "shen_tingzhang"}),
        ("大哥小心", "sibling_of", {"ashi", "jia_zhonghe"}),
        ("少棠哥人不坏", "sibling_of", {"gu_yanqiu", "zhou_shaotang"}),
        ("周大哥，这些年", "sibling_of", {"gu_huaiyuan", "zhou_bingjun"}),
        ("他就是哑巴大叔", "parent_of", {"gu_songnian", "ferryman"}),
        ("有人拿湿衣裳裹着他往外跑", "rescues", {"dream_rescuer", "ashi"}),
    ],
)
def test_courtesy_denied_dreamed_and_mistaken_ties_are_in_the_text_but_not_in_the_gold(
    words: str, kind: str, pair: set[str]
) -> None:
    assert TEXT.count(words) == 1
    assert not [r for gold in GOLD for r in gold.relations if r.kind == kind and {r.subject, r.object} == pair]


def test_nothing_of_the_reveals_stands_before_their_chapter() -> None:
    for gold in GOLD[: REVEAL - 1]:
        assert not [e for e in gold.entities if e.persona_of or e.revealed_in]
        assert "han_yan" not in gold.by_id
        for family in ("han_laoliu", "han_son", "han_family"):
            assert not tied(gold, "ashi", family) and not tied(gold, "jia_zhonghe", family)
        assert "罗素云" not in gold.by_id["innkeeper"].names
    personas = {e.id: e.persona_of for e in GOLD[REVEAL - 1].entities if e.persona_of}
    assert personas == {"jia_zhonghe": "han_yan", "han_son": "ashi"}
    assert tied(GOLD[REVEAL - 1], "han_yan", "ashi") >= {"sibling_of"}


def test_the_refuted_rumour_is_only_ever_alleged() -> None:
    accused = [r for gold in GOLD for r in gold.relations if r.kind == "harms" and r.subject == "gu_huaide"]
    assert len(accused) == 3 and {r.status for r in accused} == {"alleged"}
