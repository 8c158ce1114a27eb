from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.bible import fold
from analyzer.models.text import Place
from analyzer.steps._scope import Mentions, Spot, cast_mentions
from tests.harness import chapter_of, person, unit_of

OFFSETS = st.lists(st.integers(0, 2_000), max_size=6)


@given(st.dictionaries(st.sampled_from(["@1", "@2", "@10"]), OFFSETS), OFFSETS, st.integers(1, 3))
def test_near_ranks_by_the_shortest_way_to_any_target_then_as_given(
    where: dict[str, list[int]], targets: list[int], limit: int
) -> None:
    spots = {h: tuple(Spot(offset, Place(1, 1)) for offset in sorted(offsets)) for h, offsets in where.items()}
    ways = {h: min((abs(o - t) for o in offsets for t in targets), default=9_999) for h, offsets in where.items()}
    wanted = sorted((h for h in where if ways[h] <= 600), key=lambda h: ways[h])[:limit]
    assert Mentions(spots, {}).near(targets, where, limit) == tuple(wanted)


@pytest.mark.parametrize("word", ["Bartholomew ", "김해주", "柳青河", "Barthélemy "])
def test_a_cast_that_holds_a_name_too_long_for_any_matcher_is_still_found_by_its_others(word: str) -> None:
    long = (word * 300).strip()
    chapter = chapter_of(f"{long}. Mara.")
    cast = fold([*person("@1", long), *person("@2", "Mara")], through=1)
    assert cast_mentions(unit_of(chapter), cast).spots.keys() == {"@2"}
