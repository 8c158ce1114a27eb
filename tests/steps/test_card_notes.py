"""A card is asked for in one call."""

from __future__ import annotations

from tests.harness import lines_of, unnamed
from tests.steps.carding import asked, card_of, cast, say, there


def test_whose_eyes_offers_people_on_the_page_the_teller_first_and_no_places() -> None:
    facts = [*cast("Mara Vell"), *unnamed("@4", "I", narrator=True), *there("@1", "@2", "@3", "@4")]
    _, shown = asked("en", say("-"), facts)
    assert "a a teller outside, or now one and now another; b @4" in lines_of(shown[0])[2]
    assert "@3" not in lines_of(shown[0])[2]


def test_without_a_summary_there_is_no_card() -> None:
    said, _ = asked("en", say("-", "at dusk", "a"), [*cast("Mara Vell"), *there("@1")])
    assert card_of("en", said, [*cast("Mara Vell"), *there("@1")]) == ([], [])
