"""What an author decided outlives every edit, in any language; where its words are gone it waits, and comes back with them."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from analyzer import pipeline
from evals.edits import run_once as run_whole
from evals.made_serial import Story, World
from evals.runs import STORY

run_once = partial(run_whole, off=STORY)
"""What is said of the story changes nothing here."""


class Tongue(NamedTuple):
    """Eleven people by name, the last by a short name too; two ways to tell of somebody, and somebody never named before."""

    head: str
    names: tuple[str, ...]
    short: str
    said: str
    again: str
    stranger: str


TONGUES = {
    "en": Tongue(
        "Chapter {}",
        ("Mira", "Toban", "Selda", "Corin", "Ulla", "Besmer", "Hanno", "Tilda", "Ravik", "Odile", "Jorun Farrow"),
        "Jorun",
        "At noon {0} came. Rain fell on {0}. Nobody saw {0} leave.",
        "Long before that, {0} had been ill. Then the bells rang for {0}. All knew {0} by sight.",
        "Zelda",
    ),
    "ko": Tongue(
        "제{}화",
        ("김미라", "최민수", "이소라", "정소미", "강유리", "윤보라", "임지우", "조은서", "오나래", "신아라", "한세미"),
        "세미",
        "{0}가 왔다. 비가 {0}를 적셨다. {0}는 웃었다.",
        "{0}는 오래 앓았다. 사람들이 {0}를 보았다. {0}가 말했다.",
        "서두리",
    ),
    "zh": Tongue(
        "第{}章",
        ("林米拉", "王大山", "李小云", "张文远", "陈明德", "赵丽娜", "吴家豪", "孙志平", "马建国", "胡春生", "周子安"),
        "子安",
        "{0}走到渡口。{0}笑道：“来了。”众人看着{0}。",
        "{0}病了很久。{0}说：“好。”大家都认识{0}。",
        "郭海涛",
    ),
    "ja": Tongue(
        "第{}話",
        ("ミラ", "トバン", "セルダ", "コリン", "ベスマー", "ハンノ", "ティルダ", "ラヴィク", "オディル", "ヨルン", "佐藤健介"),
        "健介",
        "{0}は渡し場へ来た。{0}が笑った。{0}は黙った。",
        "{0}は長く病んでいた。みんなが{0}を見た。{0}が言った。",
        "ガルダ",
    ),
}  # fmt: skip
WHERE = ((0, 1, 4), (2, 3), (5, 6, 7), (8, 9, 0), (10, 4, 7))
"""Who is in which chapter, by number."""
LABEL = "W. Ж. 米"


def world_of(tongue: Tongue, **other: str) -> World:
    """Return who is who and three ties; `other` gives people other names (`p7` the eighth)."""
    people: dict[int, tuple[str, ...]] = {n: (other.get(f"p{n}", name),) for n, name in enumerate(tongue.names)}
    people[10] = (tongue.names[10], tongue.short)
    people[11] = (tongue.stranger,)
    return World(people, {(0, 1): "friend_of", (2, 3): "enemy_of"}, ())


def told(tongue: Tongue, said: str, *people: int) -> list[str]:
    """Return a chapter about these people, a paragraph each."""
    return [said.format(name) for n in people for name in (tongue.names[n], *([tongue.short] if n == 10 else []))]


def story_of(tongue: Tongue) -> Story:
    return [told(tongue, tongue.said, *people) for people in WHERE]


class Book(NamedTuple):
    """A book with a decision of every kind, and the handles by number of the person."""

    folder: Path
    handles: dict[int, str]


@pytest.fixture(scope="module", params=TONGUES)
def decided(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Tongue, Book]:
    tongue = TONGUES[request.param]
    folder = tmp_path_factory.mktemp("decided")
    ran = run_once(folder, story_of(tongue), world_of(tongue), head=tongue.head)
    handles = {n: ran.handles[name] for n, name in enumerate(tongue.names)}
    book = folder / "serial.book"

    def decide(verb: str, *words: str, at: str | None = None) -> None:
        pipeline.decide(book, verb, list(words), at=at)

    decide("confirm", f"{handles[0]} friend_of {handles[1]}")
    decide("reject", f"{handles[2]} enemy_of {handles[3]}")
    decide("rename", handles[4], LABEL)
    decide("merge", handles[5], handles[6], at="3:2.1")
    decide("never-merge", handles[4], handles[7])
    decide("reveal", handles[8], handles[9], at="4:2.2")
    decide("split", handles[10], tongue.short)
    run_once(folder, story_of(tongue), world_of(tongue), head=tongue.head)
    holds(Book(folder, handles), tongue)
    return tongue, Book(folder, handles)


@pytest.fixture
def own(decided: tuple[Tongue, Book], tmp_path: Path) -> tuple[Tongue, Book]:
    """A copy of it."""
    tongue, book = decided
    shutil.copytree(book.folder, tmp_path / "copy")
    return tongue, Book(tmp_path / "copy", book.handles)


def holds(book: Book, tongue: Tongue, *, merged: bool = True) -> None:
    """Say that every decision does for its author what it did when it was taken."""
    path, h = book.folder / "serial.book", book.handles
    cast = {row.handle: row for row in pipeline.show_cast(path)}
    said = {f"{r.subject} {r.relation} {r.object}" for r in pipeline.show_relations(path)}
    assert {f"{h[0]} friend_of {h[1]}", f"{h[1]} friend_of {h[0]}"} & said
    assert not {f"{h[2]} enemy_of {h[3]}", f"{h[3]} enemy_of {h[2]}"} & said and {h[2], h[3]} <= cast.keys()
    assert cast[h[4]].name == LABEL
    assert {h[5], h[6]} & cast.keys() == {h[5]} and h[6] in cast[h[5]].also
    assert {h[4], h[7]} <= cast.keys()
    assert len({h[8], h[9]} & cast.keys()) == 1
    bearers = [row.handle for row in cast.values() if tongue.short in row.names]
    assert tongue.names[10] in cast[h[10]].names
    assert bearers and h[10] not in bearers
    waits = {d.kind: d.waits for d in pipeline.decisions(path)}
    assert len(waits) == 7
    expected = {"rename": True, "merge": not merged}
    assert {kind: bool(words) for kind, words in waits.items()} == {k: expected.get(k, False) for k in waits}
    assert pipeline.verify(path) == []


def edits(tongue: Tongue) -> dict[str, tuple[Story, World]]:
    """Return what may be done to the story."""
    story, world = story_of(tongue), world_of(tongue)
    other = world_of(tongue, p7=tongue.stranger)
    renamed = [[block.replace(tongue.names[7], tongue.stranger) for block in blocks] for blocks in story]
    strange = tongue.said.format(tongue.stranger)
    return {
        "a paragraph": ([story[0], [*story[1], strange], *story[2:]], world),
        "somebody renamed": (renamed, World({**other.people, 11: ("-",)}, other.ties, ())),
        "a chapter before the first": ([told(tongue, tongue.again, 1, 9, 3), *story], world),
        "the first rewritten": ([told(tongue, tongue.again, 1, 0, 4), *story[1:]], world),
        "one moved to the end": ([*story[:2], *story[3:], story[2]], world),
        "one moved to the front": ([story[3], *story[:3], story[4]], world),
    }


@pytest.mark.parametrize("name", edits(TONGUES["en"]))
def test_a_decision_of_every_kind_holds_after_an_edit_and_after_it_is_taken_back(
    own: tuple[Tongue, Book], name: str
) -> None:
    tongue, copy = own
    story, world = edits(tongue)[name]
    after = run_once(copy.folder, story, world, head=tongue.head)
    assert after.unkept == ()
    holds(copy, tongue)
    run_once(copy.folder, story_of(tongue), world_of(tongue), head=tongue.head)
    holds(copy, tongue)


def test_where_its_words_are_gone_a_decision_waits_with_readers_and_comes_back_with_them(
    own: tuple[Tongue, Book],
) -> None:
    tongue, copy = own
    path, story = copy.folder / "serial.book", story_of(tongue)
    two = {copy.handles[5], copy.handles[6]}

    def readers() -> set[str]:
        return two & {row.handle for row in pipeline.show_cast(path, plane="reader")}

    assert readers() == {copy.handles[5]}
    gone = [*story[:2], told(tongue, tongue.again, *WHERE[2]), *story[3:]]
    run_once(copy.folder, gone, world_of(tongue), head=tongue.head)
    holds(copy, tongue, merged=False)
    assert readers() == two
    waiting = [row for row in pipeline.review(path) if row.kind == "decision"]
    assert any("is gone" in row.why for row in waiting)
    run_once(copy.folder, story, world_of(tongue), head=tongue.head)
    holds(copy, tongue)
    assert readers() == {copy.handles[5]}


def test_a_decision_about_somebody_who_is_gone_waits_and_means_nobody_else(own: tuple[Tongue, Book]) -> None:
    tongue, copy = own
    path, story = copy.folder / "serial.book", story_of(tongue)
    without = [[b for b in blocks if tongue.names[4] not in b] for blocks in story]
    without[0].append(tongue.again.format(tongue.stranger))
    run_once(copy.folder, without, world_of(tongue), head=tongue.head)
    rename = next(d for d in pipeline.decisions(path) if d.kind == "rename")
    assert "nobody of the book" in rename.waits
    assert LABEL not in {row.name for row in pipeline.show_cast(path)}
    run_once(copy.folder, story, world_of(tongue), head=tongue.head)
    holds(copy, tongue)
