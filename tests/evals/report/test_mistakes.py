"""The list of errors: nothing is left out, and what was asked stands beside what it was asked about."""

from __future__ import annotations

from evals.report.mistakes import mistakes, votes_of
from tests.evals.report.results import asked, chapter, entity, relation, run


def test_every_missed_core_item_and_every_wrong_statement_is_listed() -> None:
    found = mistakes(run(chapter(missed=3, wrong=2)))
    assert sorted(m.kind for m in found) == ["missed"] * 3 + ["wrong"] * 2


def test_optional_gold_that_was_not_found_is_no_error() -> None:
    one = chapter()
    optional = relation("Oda", "serves", "Hesk", hit=False, level="optional")
    assert mistakes(run(one.model_copy(update={"outcomes": (*one.outcomes, optional)}))) == ()


def test_verdicts_move_items_out_of_the_errors_and_into_them() -> None:
    outcomes = (
        relation("Oda", "serves", "Hesk", side="said", hit=False, judged="right"),
        relation("Oda", "owes", "Hesk", side="said", hit=True, judged="wrong"),
        relation("Oda", "loves", "Hesk", side="said", hit=False, judged="debatable"),
        relation("Oda", "mentors", "Hesk", hit=False, judged="right"),
    )
    found = mistakes(run(chapter().model_copy(update={"outcomes": outcomes})))
    assert {(m.text, m.kind) for m in found} == {("Oda owes Hesk", "wrong"), ("Oda loves Hesk", "debatable")}


def test_a_relation_shows_what_was_asked_of_its_two_ends_with_the_votes_on_its_kind_first() -> None:
    questions = (
        asked("relation.select:bond [@1=Oda] ch1", "@2", about=("@1", "Oda"), line="@1 Oda"),
        asked("relation.select:kin [@1=Oda] ch1", about=("@1", "Oda"), status="none"),
        asked("relation.confirm:first:ally_of [@1=Oda + @2=Hesk] ch1", "for", step="relation_confirm"),
        asked("relation.confirm:first:friend_of [@2=Captain + @1=Oda] ch1", "deny", step="relation_confirm"),
        asked("relation.confirm:first:friend_of [@1=Oda + @9=Nobody] ch1", "for", step="relation_confirm"),
        asked("relation.detail:status:owes [@1=Oda + @2=Hesk] ch1", "current", step="relation_detail"),
    )
    [missed] = mistakes(run(chapter(missed=1), asked=questions))
    assert [e.ask for e in missed.exchanges] == [
        "relation.confirm:first:friend_of",
        "relation.confirm:first:ally_of",
        "relation.select:bond",
    ]
    assert votes_of(missed) == "friend_of: deny, ally_of: for"
    assert missed.exchanges[-1].picked == "@2 Hesk", "a handle is shown with whom it means"


def test_questions_of_another_case_or_chapter_are_not_shown() -> None:
    key = "relation.select:bond [@1=Oda] ch1"
    other = (asked(key, case="other"), asked(key).model_copy(update={"chapter": 2}))
    [missed] = mistakes(run(chapter(missed=1), asked=other))
    assert missed.exchanges == ()


def test_a_missed_name_shows_whether_it_was_ever_asked_about() -> None:
    outcomes = (entity("Oda", hit=False), entity("月の家", hit=False))
    questions = (asked("cast.kind [Oda at 1.1] ch1", status="none", step="cast_forms"),)
    one = chapter().model_copy(update={"outcomes": outcomes, "handles": {}})
    oda, house = mistakes(run(one, asked=questions))
    assert oda.exchanges[0].picked == "none of the options"
    assert house.why == "no question was asked about this name"


def test_a_missed_relation_names_the_end_that_is_not_in_the_cast() -> None:
    outcomes = (relation("Oda", "serves", "the ferryman", hit=False),)
    questions = (asked("relation.select:work [@1=Oda] ch1"),)
    [missed] = mistakes(run(chapter().model_copy(update={"outcomes": outcomes}), asked=questions))
    assert missed.why == "not in the cast: the ferryman"


def test_more_questions_than_fit_are_counted() -> None:
    questions = tuple(asked(f"relation.confirm:{i}:friend_of [@1=Oda + @2=Hesk] ch1", "for") for i in range(11))
    [missed] = mistakes(run(chapter(missed=1), asked=questions))
    assert (len(missed.exchanges), missed.n_more) == (8, 3)


def test_a_right_family_of_another_kind_and_a_duplicate_are_told_apart_from_misses() -> None:
    near = relation(
        "Oda",
        "serves",
        "Hesk",
        hits={"pair": True, "family": True, "kind": False},
        partner="relation | Oda | owes | Hesk",
    )
    twice = entity("Oda", side="said").model_copy(update={"hits": {"named": True, "single": False}})
    found = mistakes(run(chapter().model_copy(update={"outcomes": (near, twice)})))
    assert [(m.kind, m.why) for m in found] == [("duplicate", "same as Oda"), ("other kind", "said: Oda owes Hesk")]
