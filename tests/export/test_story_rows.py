"""What the rows of the author's plane say of the tale, as of each chapter."""

from __future__ import annotations

import pytest

from analyzer.export.card_rows import card_rows
from analyzer.export.change_rows import change_rows
from analyzer.export.event_rows import TIMELINE, chapter_change_rows, timeline_rows
from analyzer.export.identity_rows import reveal_rows, turn_rows
from analyzer.export.naming import in_book, where
from analyzer.export.planes import Seen, seen
from analyzer.export.secret_rows import known_rows, secret_rows
from analyzer.export.show import relation_rows
from analyzer.export.speech_rows import speech_rows
from analyzer.export.thread_rows import thread_rows
from analyzer.models.facts import Fact, NameFact, PresenceFact, RelationFact, SameFact
from analyzer.models.story import READER, CardFact, ChangeFact, RevealFact, ThreadEventFact, ThreadFact, TurnFact
from tests.export.story_tale import LANGUAGES, LAST, said, stored, story
from tests.harness import person, unnamed

EN = LANGUAGES["en"]


def book(through: int = LAST, *more: Fact, language: str = "en") -> Seen:
    return seen(stored([*story(LANGUAGES[language]), *more]), through=through)


@pytest.mark.parametrize("language", LANGUAGES)
def test_changes_say_whether_they_hold_as_of_then(language: str) -> None:
    words = LANGUAGES[language]

    def standing(through: int) -> dict[tuple[int, str], bool]:
        return {(r.chapter, r.attribute): r.holds for r in change_rows(book(through, language=language))}

    assert standing(2) == {(1, "possession"): True, (2, "location"): True}
    assert standing(4)[2, "location"] is False and standing(4)[4, "location"] is True
    assert standing(5)[5, "goal"] is False  # only planned
    [look] = change_rows(book(language=language), looks=True)
    assert (look.attribute, look.value, look.holds, look.entity.name) == ("hair", words.hair, True, words.oda)


def test_an_end_holds_nothing() -> None:
    end = ChangeFact(
        change="cx", chapter=5, entity="@3", attribute="health", op="end", to=EN.wound, evidence=said(EN, 5, 70)
    )
    rows = [row for row in change_rows(book(5, end)) if row.attribute == "health"]
    assert [(row.op, row.holds) for row in rows] == [("set", False), ("end", False)]


@pytest.mark.parametrize(
    ("through", "holders", "kept_from", "status", "n_events"),
    [(1, ["@3"], ["@1", READER], "kept", 0), (3, ["@3", "@1"], [READER], "kept", 1), (4, ["@3", "@1"], [], "out", 2)],
)
def test_a_secret_as_of_a_chapter(
    through: int, holders: list[str], kept_from: list[str], status: str, n_events: int
) -> None:
    [row] = secret_rows(book(through))
    assert ([p.handle for p in row.holders], [p.handle for p in row.kept_from]) == (holders, kept_from)
    assert (row.status, len(row.events)) == (status, n_events)
    assert row.proposition == "Captain Hesk holds the old will"
    assert all(event.fact_id for event in row.events) and row.fact_id


def test_how_somebody_stands_to_a_secret_since_when_by_whom_in_which_words() -> None:
    [before], [after] = known_rows(book(2), "@1"), known_rows(book(3), "@1")
    assert (before.stance, before.since, before.where, before.via) == ("unaware", 1, "1:10.1", None)
    assert (after.stance, after.since, after.where, after.via) == ("knows", 3, "3:10.1", "told")
    assert after.told_by is not None and after.told_by.name == "the Weaver" and after.is_secret
    assert [quote.text for quote in after.evidence] == ["It was so in chapter 3."]
    shown = {s.fact_id: s.fact.fact for s in book(3).stored}
    assert {shown[fact_id] for fact_id in after.fact_ids} == {"secret", "secret_event", "knowledge"}
    assert shown[after.fact_ids[0]] in ("knowledge", "secret_event")  # what the step rests on comes first
    assert [row.stance for row in known_rows(book(3), "@2")] == ["suspects"]


def test_threads_as_of_each_chapter() -> None:
    health = [
        [(row.status, row.health, row.silent, len(row.events)) for row in thread_rows(book(no))] for no in range(6)
    ]
    assert health == [
        [], [("open", "fresh", 0, 1)], [("open", "fresh", 0, 2)], [("open", "active", 1, 2)], [("open", "active", 2, 2)],
        [("paid", "closed", 0, 3)],
    ]  # fmt: skip
    assert len(thread_rows(book(4), is_open=True)) == 1 and thread_rows(book(5), is_open=True) == ()


def test_a_thread_that_sleeps_and_one_paid_without_a_plant() -> None:
    long = ThreadFact(thread="t8", chapter=1, kind="fear", statement="The flood", evidence=said(EN, 1, 80))
    planted = ThreadEventFact(thread="t8", chapter=1, event="plant", evidence=said(EN, 1, 80))
    paid = ThreadFact(thread="t9", chapter=5, kind="promise", statement="The ring", evidence=said(EN, 5, 80))
    payoff = ThreadEventFact(thread="t9", chapter=5, event="payoff", evidence=said(EN, 5, 80))
    rows = {row.thread: row for row in thread_rows(book(8, long, planted, paid, payoff))}
    assert (rows["t8"].health, rows["t8"].silent) == ("dormant", 7)
    assert (rows["t9"].status, rows["t9"].health) == ("paid", "unplanted")


def test_turns_and_what_they_make_of_relations() -> None:
    [ends, shown] = turn_rows(book(4))
    assert (ends.relation, ends.turn, ends.since, ends.status) == ("employs", "ends", 2, "former")
    assert (shown.relation, shown.turn, shown.affinity) == ("deceives", "revealed", "-")
    before, after = ({row.relation: row for row in relation_rows(book(no).bible, book(no).stored)} for no in (3, 4))
    assert (before["employs"].status, before["employs"].until) == ("current", None)
    assert (after["employs"].status, after["employs"].until) == ("former", 4)
    assert (before["deceives"].visibility, after["deceives"].visibility) == ("secret", "public")


def test_a_relation_without_a_turn_is_shown_as_its_latest_chapter_says() -> None:
    later = RelationFact(
        claim="z", chapter=3, subject="@1", relation="sibling_of", object="@6", affinity="+", status="alleged",
        evidence=said(EN, 3, 7),
    )  # fmt: skip
    [row] = [r for r in relation_rows(book(3, later).bible, book(3, later).stored) if r.relation == "sibling_of"]
    assert (row.status, row.affinity, row.affinities, row.chapters) == ("alleged", "+", ((3, "+"),), (1, 3))


def test_a_turn_of_no_relation_is_left_out_and_sides_of_a_symmetric_one_may_be_turned() -> None:
    nothing = TurnFact(chapter=3, subject="@1", relation="loves", object="@2", turn="ends", evidence=said(EN, 3, 81))
    turned = TurnFact(
        chapter=3,
        subject="@6",
        relation="sibling_of",
        object="@1",
        turn="turns",
        affinity="-",
        evidence=said(EN, 3, 82),
    )
    [row] = turn_rows(book(3, nothing, turned))
    assert (row.subject.handle, row.object.handle, row.affinities) == ("@1", "@6", ((3, "-"),))


def test_a_reveal_of_words_that_mean_somebody() -> None:
    fact = RevealFact(
        reveal="r9", chapter=2, persona="@1", behind="@1", called="the rower", to=(READER,), evidence=said(EN, 2, 83)
    )
    [row] = reveal_rows(book(2, fact))
    assert (row.persona, row.called, row.status) == (row.behind, "the rower", "told")
    [event] = [e for e in timeline_rows(book(2, fact)) if e.what == "reveal"]
    assert event.told == "told: the rower is Oda Marrin, told the reader" and len(event.who) == 1


def test_who_words_mean_is_called_as_known_by_now_and_a_doer_without_words_is_somebody() -> None:
    fact = RevealFact(reveal="r9", chapter=2, persona="@8", behind="@8", to=(READER,), evidence=said(EN, 2, 83))
    named = NameFact(entity="@8", surface="Pia", name_kind="given", chapter=3)
    for through, name in ((2, "unnamed, called “the rower”"), (3, "Pia")):
        view = book(through, *unnamed("@8", "the rower", chapter=2), fact, named)
        [row] = reveal_rows(view)
        assert (row.behind.name, row.called) == (name, "")
        [event] = [e for e in timeline_rows(view) if e.what == "reveal"]
        assert event.told == f"told: somebody is {name}, told the reader"


def test_speech_is_in_the_order_of_the_book_and_nobody_is_nobody() -> None:
    first, second = speech_rows(book())
    assert (first.where, first.speaker and first.speaker.name, second.speaker) == ("3:10.1", "the Weaver", None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_call_everybody_as_known_then(language: str) -> None:
    words = LANGUAGES[language]
    [card] = card_rows(book(1, language=language))
    assert words.oda in card.summary and words.weaver in card.summary and "@" not in card.summary
    assert card.eyes is not None and card.eyes.name == words.oda and card.time == words.night
    assert [person.handle for person in card.people] == ["@1", "@2", "@3"]


def test_a_card_with_a_handle_of_nobody_so_far_tells_no_later_name() -> None:
    early = CardFact(chapter=1, summary="@4 is far. @70 too.", people=("@1", "@4"), point_of_view="outside")
    card = card_rows(book(1, early))[-1]
    assert card.summary == "@4 is far. @70 too." and [p.name for p in card.people] == ["Oda Marrin", "@4"]
    assert (card.point_of_view, card.eyes) == ("outside", None)
    assert "Sallow Mill is far. @70 too." in [row.summary for row in card_rows(book(2, early))]


def test_a_note_takes_the_name_of_who_somebody_turned_out_to_be() -> None:
    more: tuple[Fact, ...] = (*person("@8", "the Pilgrim", chapter=2), SameFact(entity="@8", same_as="@1", chapter=3))
    card = CardFact(chapter=2, summary="@8 waits.")
    assert [row.summary for row in card_rows(book(2, *more, card))][-1] == "the Pilgrim waits."
    assert "Oda Marrin waits." in [row.summary for row in card_rows(book(3, *more, card))]


# --- events -----------------------------------------------------------------------------------------------------------


def test_the_timeline_is_in_the_order_of_the_book_and_of_the_kinds_it_shows() -> None:
    rows = timeline_rows(book())
    assert [in_book(row.where) for row in rows] == sorted(in_book(row.where) for row in rows)
    assert {row.what for row in rows} == TIMELINE
    assert all(row.fact_id and row.who for row in rows)


def test_the_timeline_of_one_has_what_is_about_them_under_every_handle() -> None:
    rows = timeline_rows(book(), of="@6")
    assert [(row.what, row.chapter) for row in rows] == [("reveal", 5)]
    assert {row.what for row in timeline_rows(book(), of="@5")} == {"change", "thread"}
    merged = (*person("@8", "the Pilgrim"), SameFact(entity="@8", same_as="@1", chapter=1))
    assert timeline_rows(book(5, *merged), of="@8") == timeline_rows(book(5, *merged), of="@1")


def test_somebody_enters_once_when_first_on_the_page() -> None:
    more: tuple[Fact, ...] = (
        PresenceFact(entity="@6", chapter=3, presence="on_page", n_mentions=1),
        PresenceFact(entity="@6", chapter=4, presence="on_page", n_mentions=1),
    )
    entered = [(row.who[0].handle, row.where) for row in timeline_rows(book(5, *more)) if row.what == "entrance"]
    assert entered == [("@1", "1:1.1"), ("@2", "1:2.1"), ("@3", "1:3.1"), ("@6", "3")]


def test_what_a_chapter_changes_is_of_every_class_and_of_that_chapter() -> None:
    kinds = [{row.what for row in chapter_change_rows(book(), no)} for no in range(1, 7)]
    assert kinds == [
        {"new", "entrance", "relation", "change", "look", "secret", "thread"},
        {"new", "relation", "change", "knowledge", "thread"},
        {"name", "secret", "knowledge"},
        {"turn", "change", "exposed"},
        {"reveal", "change", "thread"},
        set(),
    ]
    assert [row for no in range(7) for row in chapter_change_rows(book(), no) if row.chapter != no] == []


def test_a_merge_and_a_relation_told_otherwise_are_changes_and_the_same_again_is_none() -> None:
    more: tuple[Fact, ...] = (
        *person("@8", "the Pilgrim", chapter=2),
        SameFact(entity="@8", same_as="@1", chapter=3),
        *(
            RelationFact(
                claim=f"k{no}", chapter=no, subject="@1", relation="sibling_of", object="@6", status=status,
                evidence=said(EN, no, 7),
            )
            for no, status in ((3, "current"), (4, "alleged"))
        ),
    )  # fmt: skip
    assert [row.told for row in chapter_change_rows(book(5, *more), 3) if row.what in ("same", "relation")] == [
        "@8 is @1"
    ]
    assert "sibling_of (alleged)" in [row.told for row in chapter_change_rows(book(5, *more), 4)]


def test_a_descriptor_is_no_new_name() -> None:
    fact = NameFact(entity="@1", surface="the woman", name_kind="descriptor", chapter=2)
    assert "name" not in {row.what for row in chapter_change_rows(book(2, fact), 2)}


def test_where_words_stand() -> None:
    assert where(3, said(EN, 3, 10)) == "3:10.1" and where(3, ()) == "3"
    assert where(4, said(EN, 3, 10)) == "4"  # words of another chapter are no place of this one
    assert in_book("3:10.1") == (3, 10, 1) and in_book("3") == (3, 0, 0)
