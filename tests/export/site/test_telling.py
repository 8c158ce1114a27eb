"""How a site tells: names as full as they are known, states of life by their words, threads without a hint, text without handles."""

from __future__ import annotations

import json

import pytest

from analyzer.export.site.rows import life_of
from analyzer.export.site.snapshot import QUIET, Shown
from analyzer.export.site.telling import Teller, fuller
from analyzer.models.facts import EntityFact, Fact, NameFact
from analyzer.models.story import ChangeFact, RevealFact, ThreadEventFact, ThreadFact
from tests.export.site.sites import AUTHOR, chapters, snapshots, value_of, views
from tests.export.site.sites import site as site_of
from tests.export.story_tale import LANGUAGES, said, stored

EN, KO = LANGUAGES["en"], LANGUAGES["ko"]


@pytest.mark.parametrize(
    ("name", "others", "shown"),
    [
        ("Sol", ["Absalom", "Sol Ruddock"], "Sol Ruddock"),
        ("伊作", ["榊原伊作"], "榊原伊作"),
        ("만석", ["한만석", "만석 오빠"], "한만석"),
        ("怀德", ["顾怀德"], "顾怀德"),
        ("Мира", ["Мира Восс"], "Мира Восс"),
        ("Vinnie", ["cousin Vinnie", "Miss Vinnie", "Vinnie the clerk"], "Vinnie"),
        ("Keziah Ruddock", ["Miss Keziah Ruddock", "Keziah Ruddock Amory"], "Keziah Ruddock"),
        ("도영", ["도영 오빠", "우리 도영", "마을 사람 도영"], "도영"),
        ("直人", ["narrator:直人", "直人さん"], "直人"),
        ("Ballard", ["Judge Ballard"], "Ballard"),
        ("Sol", ["Sol </script>", "Sol R2"], "Sol"),
    ],
)
def test_a_name_is_shown_as_full_as_it_is_known_and_titles_make_none_fuller(
    name: str, others: list[str], shown: str
) -> None:
    assert fuller(name, others) == shown


def test_a_fuller_name_is_shown_from_the_chapter_that_gives_it_and_not_before() -> None:
    facts: list[Fact] = [
        EntityFact(entity="@1", entity_kind="character", label="만석", anchor="만석", chapter=1, evidence=said(KO, 1)),
        NameFact(entity="@1", surface="만석", name_kind="full", chapter=1),
        RevealFact(reveal="r1", chapter=2, persona="@1", behind="@1", called="한만석", evidence=said(KO, 2)),
    ]
    shown = [[row["name"] for row in rows["entity"].values()] for rows in snapshots(views(stored(facts)), chapters(2))]
    assert shown == [["만석"], ["한만석"]]
    assert "한만석" not in site_of(views(stored(facts)), chapters(2))[0].script


@pytest.mark.parametrize(
    ("tie", "name", "shown"),
    [
        ("father", "Oda", "father (Oda)"),
        ("아버지", "오다", "오다의 아버지"),
        ("爹", "小满", "小满的爹"),
        ("母", "ナオ", "ナオの母"),
    ],
)
def test_somebody_without_a_name_is_told_by_whose_kin_they_are(tie: str, name: str, shown: str) -> None:
    facts: list[Fact] = [
        EntityFact(entity="@1", entity_kind="character", label=name, anchor="1", chapter=1, evidence=said(EN, 1)),
        EntityFact(
            entity="@2", entity_kind="character", label=f"my {tie}", anchor="2", chapter=1, named=False, tie=tie,
            tied_to="@1", evidence=said(EN, 1, 2),
        ),
    ]  # fmt: skip
    [rows] = snapshots(views(stored(facts)), chapters(1))
    assert {row["name"] for row in rows["entity"].values()} == {name, shown}


def change(to: str, **more: str) -> ChangeFact:
    return ChangeFact(
        change="c1", chapter=1, entity="@1", attribute=more.pop("attribute", "life_status"), op="set", to=to,
        evidence=said(EN, 1), **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("to", "life"),
    [
        ("dead: drowned", ("dead", "drowned")),
        ("thought_dead", ("thought_dead", "")),
        ("asleep: long", ("", "asleep: long")),
        ("", ("", "")),
    ],
)
def test_a_state_of_life_is_told_apart_from_its_words(to: str, life: tuple[str, str]) -> None:
    assert life_of(change(to)) == life
    assert life_of(change(to, attribute="mood")) == ("", to)


def test_readers_are_told_the_words_of_a_death_and_not_what_the_analysis_thinks_of_it() -> None:
    facts: list[Fact] = [
        EntityFact(entity="@1", entity_kind="character", label="Oda", anchor="1", chapter=1, evidence=said(EN, 1)),
        change("thought_dead: lost at sea", before="alive: at home"),
    ]
    for plane, author in ((None, False), (AUTHOR, True)):
        view_of = views(stored(facts), plane=plane) if plane else views(stored(facts))
        [row] = snapshots(view_of, chapters(1), Shown(author=author))[0]["change"].values()
        assert row["value"] == ["lost at sea"] and row["before"] == ["at home"]
        assert row.get("life") == ("thought_dead" if author else None)


def thread(kind: str, name: str) -> list[Fact]:
    return [
        ThreadFact(thread=name, chapter=1, kind=kind, statement=f"of {name}", evidence=said(EN, 1)),
        ThreadEventFact(thread=name, chapter=1, event="plant", evidence=said(EN, 1)),
        ThreadEventFact(thread=name, chapter=2, event="reinforce", evidence=said(EN, 2)),
        ThreadEventFact(thread=name, chapter=3, event="payoff", evidence=said(EN, 3)),
    ]


def test_what_was_set_up_unseen_is_no_thread_for_readers_before_it_is_paid() -> None:
    book = stored([*thread("object", "t1"), *thread("promise", "t2"), *thread("skill", "t3")])
    kinds = [[row["kind"] for row in rows["thread"].values()] for rows in snapshots(views(book), chapters(3))]
    assert [sorted(one) for one in kinds] == [["promise"], ["promise"], ["object", "promise", "skill"]]
    steps = [{row["event"] for row in rows["step"].values()} for rows in snapshots(views(book), chapters(3))]
    assert steps == [{"plant"}, {"plant", "reinforce"}, {"plant", "reinforce", "payoff"}]
    every = snapshots(views(book), chapters(3), Shown(quiet=frozenset()))[0]
    assert len(every["thread"]) == 3 and {"object", "skill"} <= QUIET


def test_a_note_is_told_with_ids_for_handles_and_names_for_what_is_hidden() -> None:
    tell = Teller({"@1": "eone", "@12": "etwelve"}, hidden={"@2": "Sallow"})
    assert tell.text("@1 goes from @2 to @12, not @3.") == [
        "",
        "eone",
        " goes from Sallow to ",
        "etwelve",
        ", not ",
        "?",
        ".",
    ]
    assert tell.text("@1은 @12를") == ["", "eone", "은 ", "etwelve", "를"]
    assert tell.text("no handle") == ["no handle"] and tell.text("") == [""]


def test_whom_words_meant_is_told_to_the_author_alone() -> None:
    facts: list[Fact] = [
        EntityFact(entity="@1", entity_kind="character", label="Oda", anchor="1", chapter=1, evidence=said(EN, 1)),
        RevealFact(reveal="r1", chapter=1, persona="@1", behind="@1", called="the stranger", evidence=said(EN, 1)),
    ]
    assert "reveal" not in snapshots(views(stored(facts)), chapters(1))[0]
    rows = snapshots(views(stored(facts), plane=AUTHOR), chapters(1), Shown(author=True))[0]
    assert [row["called"] for row in rows["reveal"].values()] == ["the stranger"]
    assert json.dumps(value_of(site_of(views(stored(facts)), chapters(1))[0]))
