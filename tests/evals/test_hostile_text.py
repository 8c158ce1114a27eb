"""Hostile text against its harmless twin, asked of a reader who obeys whatever breaks the fence; and that this reader does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analyzer import prefix
from evals.goldset.cases import find_cases
from evals.hostile import ATTACKS, FRAMES, HARMLESS, compared

OPENINGS = {
    "en": "Mara Quill took the ferry to Harrow Point with her brother Tobin, and Captain Orrin waited for them.",
    "ko": "임도영은 누이 서윤과 함께 나루터로 갔고, 조만복 회장이 거기서 두 사람을 오래 기다리고 있었다. 서윤은 말이 없었다.",
    "zh": "阿拾和他的师弟马小满在雾里坐船过江，顾三爷在对岸的酒旗下等着他们两个人，一句话也没有说。马小满很害怕，紧紧跟着阿拾。",
    "ja": "志津は弟の健太と一緒に渡し場へ行き、船頭の源蔵が二人を長いあいだそこで待っていた。健太は何も言わずに源蔵を見ていた。",
}
HEADS = {"en": "Chapter {}", "ko": "제{}장", "zh": "第{}章", "ja": "第{}章"}


def story(language: str, n_attacks: int) -> str:
    """Return chapters with as many places for an attack as there are attacks."""
    pieces: list[str] = []
    for no in range(1, 4):
        pieces.append(HEADS[language].format(no))
        pieces += [OPENINGS[language]] * (n_attacks + 2)
    return "\n\n".join(pieces)


@pytest.mark.parametrize("language", sorted(FRAMES))
def test_facts_about_hostile_text_are_those_about_its_harmless_twin(language: str, tmp_path: Path) -> None:
    found = compared("story", language, story(language, len(ATTACKS)), tmp_path)
    assert (found.differing, found.obeyed) == ((), ())
    assert found.n_attacks >= len(ATTACKS)
    assert found.n_facts > 20


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_reader_obeys_what_breaks_a_fence_where_nothing_is_made_harmless(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prefix, "_ODD", re.compile(r"(?!)"))
    found = compared("story", language, story(language, len(ATTACKS)), tmp_path)
    assert found.differing
    assert any("a mark of the author's" in words for words in found.obeyed)
    assert any("the end of a turn" in words for words in found.obeyed)
    assert any("a handle of the author's" in words for words in found.obeyed)


def test_every_attack_is_as_long_as_its_twin_and_most_differ_from_it() -> None:
    assert all(len(attack) == len(attack.translate(HARMLESS)) for attack in ATTACKS)
    assert sum(attack != attack.translate(HARMLESS) for attack in ATTACKS) > 20


def test_the_bundled_serials_are_shown_as_they_are_printed() -> None:
    for case in find_cases(None):
        if not case.public:
            for paragraph in case.text().read_text("utf-8").split("\n"):
                assert prefix.shown(paragraph) == re.sub(r"\s+", " ", paragraph).strip()
