from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.bible import Bible, fold
from analyzer.models.facts import Fact, RelationFact, SameFact
from analyzer.models.story import READER, RevealFact, TurnFact
from analyzer.turns import Tie, ties
from tests.harness import person

TRIPLE = ("@1", "betrothed_to", "@2")


def stated(
    chapter: int, *, ends: tuple[str, str] = ("@1", "@2"), kind: str = "betrothed_to", **more: str
) -> RelationFact:
    return RelationFact(
        claim=f"c{chapter}", chapter=chapter, subject=ends[0], relation=kind, object=ends[1], evidence=(), **more
    )


def turned(chapter: int, turn: str, affinity: str | None = None, ends: tuple[str, str] = ("@1", "@2")) -> TurnFact:
    return TurnFact(
        chapter=chapter,
        subject=ends[0],
        relation="betrothed_to",
        object=ends[1],
        turn=turn,
        affinity=affinity,
        evidence=(),
    )


def bible_of(*facts: Fact, through: int = 9) -> Bible:
    return fold([*person("@1", "Ida"), *person("@2", "Corb"), *person("@3", "Vesta"), *facts], through=through)


def tie(*facts: Fact, through: int = 9) -> Tie:
    return ties(bible_of(*facts, through=through))[TRIPLE]


def test_a_relation_ends_in_the_chapter_of_its_turn_and_not_before() -> None:
    facts = (stated(1), stated(2), turned(3, "ends"))
    assert (tie(*facts, through=2).status, tie(*facts, through=2).until) == ("current", None)
    assert (tie(*facts).status, tie(*facts).since, tie(*facts).until) == ("former", 1, 3)


def test_the_same_fold_stops_early() -> None:
    bible = bible_of(stated(1), turned(3, "ends"))
    assert ties(bible, through=2)[TRIPLE].status == "current" and ties(bible, through=0) == {}


def test_a_turn_outweighs_what_its_own_chapter_states_and_a_later_chapter_the_turn() -> None:
    assert tie(turned(2, "ends"), stated(1), stated(2)).status == "former"
    renewed = tie(stated(1), turned(2, "ends"), stated(4))
    assert (renewed.status, renewed.until) == ("current", None)


def test_what_is_first_told_as_over_is_over_by_that_chapter_at_the_latest() -> None:
    assert tie(stated(2, status="former"), stated(5, status="former")).until == 2


def test_a_secret_comes_out_and_a_sham_shows() -> None:
    assert tie(stated(1, visibility="secret"), turned(2, "revealed")).visibility == "public"
    assert tie(stated(1), turned(2, "pretended")).status == "pretended"


def test_affinity_is_kept_by_chapter_and_neutral_says_nothing_new() -> None:
    found = tie(stated(1, affinity="+"), stated(2), turned(3, "turns", "-"), stated(4))
    assert (found.affinity, found.affinities) == ("-", ((1, "+"), (3, "-")))


def test_merged_handles_and_both_orders_are_one_relation() -> None:
    merged = SameFact(entity="@3", same_as="@2", chapter=2)
    bible = bible_of(stated(1), stated(2, ends=("@3", "@1")), turned(3, "ends", ends=("@3", "@1")), merged)
    assert list(ties(bible)) == [TRIPLE] and len(ties(bible)[TRIPLE].stated) == 2 and ties(bible)[TRIPLE].until == 3


def test_a_turn_of_nothing_and_of_one_with_himself_is_left_out() -> None:
    assert ties(bible_of(turned(2, "ends"))) == {}
    assert ties(bible_of(stated(1, ends=("@2", "@3")), SameFact(entity="@3", same_as="@2", chapter=2))) == {}


_ROWS = st.lists(
    st.one_of(
        st.builds(stated, st.integers(1, 5), status=st.sampled_from(("current", "former", "pretended"))),
        st.builds(turned, st.integers(1, 5), st.sampled_from(("ends", "revealed", "pretended"))),
    ),
    max_size=8,
)


@settings(max_examples=80, deadline=None)
@given(_ROWS, st.integers(1, 5))
def test_as_of_a_chapter_is_the_fold_of_its_facts_and_over_has_a_date(rows: list[Fact], through: int) -> None:
    whole = bible_of(*rows)
    early = ties(whole, through=through)
    assert early == ties(bible_of(*rows, through=through))
    for one in early.values():
        assert one.since <= through and (one.until is None or one.since <= one.until <= through)
        assert one.status != "former" or one.until is not None


def reveal(chapter: int, persona: str, behind: str, *to: str) -> RevealFact:
    return RevealFact(reveal="r1", chapter=chapter, persona=persona, behind=behind, to=to, evidence=())


def test_reveals_leave_both_views_and_follow_merges() -> None:
    bible = bible_of(reveal(2, "@1", "@2", READER), reveal(3, "@1", "@2", "@3"))
    assert {"@1", "@2", "@3"} <= set(bible.cast) and bible.same == {}
    assert [(r.chapter, r.to) for r in bible.reveals] == [(2, (READER,)), (3, ("@3",))]
    assert fold(bible.facts, through=1).reveals == ()
    merged = bible_of(reveal(2, "@3", "@2", READER, "@3"), SameFact(entity="@3", same_as="@1", chapter=3))
    assert [(r.persona, r.to) for r in merged.reveals] == [("@1", (READER, "@1"))]


def test_a_mask_of_two_who_are_one_by_now_keeps_its_ends_and_a_name_of_one_is_no_mask() -> None:
    same = SameFact(entity="@2", same_as="@1", chapter=3)
    (kept,) = bible_of(reveal(2, "@1", "@2", READER), same).reveals
    assert (kept.persona, kept.behind, kept.is_mask) == ("@1", "@2", True)
    assert [r.is_mask for r in bible_of(reveal(2, "@1", "@1", READER), same).reveals] == [False]
