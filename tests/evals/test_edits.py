"""An edited book run again: asked no more than what changed, equal to a fresh run, with everybody's handle kept."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from analyzer import pipeline
from analyzer.due import due_rows
from analyzer.storage.store import Store
from evals.edits import Ran, Scenario, lost_handles, renamed, scenarios
from evals.edits import run_once as run_whole
from evals.made_serial import ByKey, Story, World, printed, story_of, world_of
from evals.runs import STORY as PARTS

run_once = partial(run_whole, off=PARTS)
"""What is said of the story is derived as cast and relations are; the bench edits whole books."""

WORLD = world_of(16)
STORY = story_of(WORLD, 5)
SCENARIOS = {scenario.name: scenario for scenario in scenarios(WORLD, STORY)}
MOST = {
    "nothing changed": 0.0,
    "one paragraph": 0.6,
    "one paragraph more": 0.6,
    "one split in two": 0.75,
    "two merged": 0.75,
    "a chapter before the first": 0.8,
}
"""Largest share of a full run's calls: of five chapters one is a fifth, and the three after it show its people."""


class Base(NamedTuple):
    """The book as it was first run."""

    folder: Path
    ran: Ran


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    """The story, run once."""
    folder = tmp_path_factory.mktemp("base") / "book"
    return Base(folder, run_once(folder, STORY, WORLD))


@pytest.fixture
def copy(base: Base, tmp_path: Path) -> Path:
    """A copy of it that may be edited."""
    shutil.copytree(base.folder, tmp_path / "copy")
    return tmp_path / "copy"


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
def test_an_edited_book_says_what_a_fresh_run_says(scenario: Scenario, base: Base, copy: Path, tmp_path: Path) -> None:
    edited = run_once(copy, scenario.story, scenario.world)
    fresh = run_once(tmp_path / "fresh", scenario.story, scenario.world)
    assert edited.found == fresh.found
    assert edited.problems == ()
    assert lost_handles(base.ran.handles, edited.handles, scenario.renamed) == ()
    assert edited.n_calls <= MOST.get(scenario.name, 1.0) * fresh.n_calls
    assert run_once(copy, scenario.story, scenario.world).n_calls == 0


def test_an_edit_taken_back_asks_nothing(base: Base, copy: Path) -> None:
    run_once(copy, SCENARIOS["a chapter before the first"].story, WORLD)
    back = run_once(copy, STORY, WORLD)
    assert (back.n_calls, back.found) == (0, base.ran.found)


def test_a_run_of_the_new_chapter_alone_leaves_the_others_what_they_had_under_their_new_numbers(
    base: Base, copy: Path
) -> None:
    run_once(copy, SCENARIOS["a chapter before the first"].story, WORLD, chapters="1")
    with Store.open(pipeline.book_folder(copy / "serial.txt")) as store:
        facts = [s.fact for s in store.facts()]
        texts = pipeline.manuscript_of(store._db.path.parent)
        assert store.verify() == []
        assert {fact.chapter for fact in facts} == {1, 2, 3, 4, 5, 6}
        for fact in facts:
            for shown in getattr(fact, "evidence", ()):
                chapter = texts.chapters[shown.chapter - 1]
                assert shown.chapter == fact.chapter
                assert chapter.blocks[shown.block - 1].text[shown.start : shown.end] == shown.text


def test_what_stood_in_a_chapter_that_was_taken_out_is_gone_before_anything_is_asked(base: Base, copy: Path) -> None:
    story = STORY[:2]
    run_once(copy, story, WORLD, chapters="1")
    with Store.open(pipeline.book_folder(copy / "serial.txt")) as store:
        assert {s.chapter for s in store.facts()} == {1, 2}


def test_a_name_that_is_gone_from_the_text_is_gone_from_the_bible(copy: Path) -> None:
    scenario = SCENARIOS["one person renamed"]
    run_once(copy, scenario.story, scenario.world)
    with Store.open(pipeline.book_folder(copy / "serial.txt")) as store:
        said = " ".join(renamed(store))
    assert any(new in said for new in scenario.renamed.values())
    assert not any(f'"{old}"' in said for old in scenario.renamed)


# --- other languages -------------------------------------------------------------------------------------------------

TALES: dict[str, tuple[str, tuple[str, str, str], Story]] = {
    "ko": (
        "제{}화",
        ("김미라", "박도반", "이레나"),
        [
            ["김미라가 나루터로 내려왔다. 김미라는 배를 기다렸다.", "지붕 위로 비가 내렸다. 김미라가 웃었다."],
            [
                "박도반이 김미라를 불렀다. 박도반은 늘 늦었다.",
                "“앉아요.” 박도반이 김미라에게 말했다. 김미라는 박도반을 보았다.",
            ],
        ],
    ),
    "zh": (
        "第{}章",
        ("林米拉", "王托班", "赵丽娜"),
        [
            ["林米拉走到渡口。林米拉在等船。", "雨落在屋顶上。林米拉笑道：“来了。”"],
            ["王托班叫住林米拉。王托班总是迟到。", "“坐下。”王托班对林米拉说道。林米拉说：“好。”"],
        ],
    ),
    "ja": (
        "第{}話",
        ("ミラ", "トバン", "レナ"),
        [
            ["ミラは渡し場へ下りて来た。ミラは舟を待っていた。", "屋根に雨が降った。ミラが笑った。"],
            ["トバンはミラを呼んだ。トバンはいつも遅れる。", "「座れ」とトバンはミラに言った。"],
        ],
    ),
}


@pytest.mark.parametrize("language", TALES)
def test_handles_outlive_an_inserted_first_chapter_and_a_new_name_in_any_language(
    language: str, tmp_path: Path
) -> None:
    head, (mira, toban, lena), tale = TALES[language]
    world = World({0: (mira,), 1: (toban,)}, {(0, 1): "friend_of"}, ())
    first = run_once(tmp_path / "book", tale, world, head=head)
    assert first.handles == {mira: "@1", toban: "@2"}
    longer = [tale[1][:1], *tale]
    after = run_once(tmp_path / "book", longer, world, head=head)
    assert after.handles == first.handles
    assert after.found == run_once(tmp_path / "fresh", longer, world, head=head).found
    other = [[block.replace(mira, lena) for block in blocks] for blocks in longer]
    named = World({0: (lena,), 1: (toban,)}, world.ties, ())
    last = run_once(tmp_path / "book", other, named, head=head)
    assert last.handles == {lena: "@1", toban: "@2"}
    assert last.problems == ()


# --- why tasks run ---------------------------------------------------------------------------------------------------


def why(copy: Path, story: Story) -> list[tuple[str, str, str]]:
    """Return (chapters, reason, asks) of what would run, in short."""
    (copy / "serial.txt").write_text(printed(story), "utf-8")
    tasks = pipeline.due(copy / "serial.txt", model=pipeline.DEFAULT_MODEL)
    assert len(tasks) == len(story) * len({task.step for task in tasks})
    return [(row.chapters, row.reason, row.asks) for row in due_rows(tasks)]


def test_plan_says_why_every_task_would_run(copy: Path) -> None:
    new = SCENARIOS["a chapter in the middle"].story[1]
    changed = [*STORY[:2], [*STORY[2], "It was all over by noon, and the boats lay still."], *STORY[3:]]
    assert why(copy, STORY) == [("1-5", "done", "no")]
    assert why(copy, changed) == [("3", "text", "yes"), ("4-5", "earlier", "maybe")]
    assert why(copy, [STORY[0], new, *STORY[1:]]) == [("2", "new_chapter", "yes"), ("3-6", "earlier", "maybe")]
    assert why(copy, STORY[1:]) == [("1-4", "earlier", "maybe")]
    assert why(copy, STORY[:4]) == [("1-4", "done", "no")]
    split = [*STORY[:4], STORY[4][:6], STORY[4][6:]]
    assert {reason for _, reason, _ in why(copy, split)} == {"split", "text"}
    twice = [*STORY[:2], STORY[1], *STORY[2:]]
    assert ("repeated", "yes") in {(reason, asks) for _, reason, asks in why(copy, twice)}
    told = [
        task for task in pipeline.due(copy / "serial.txt", model=pipeline.DEFAULT_MODEL) if task.reason == "repeated"
    ]
    assert {task.detail for task in told} == {"it repeats words that another chapter has too (3)"}


def test_plan_by_rules_says_what_the_run_asks_and_what_it_takes_from_an_earlier_run(tmp_path: Path) -> None:
    path = tmp_path / "serial.txt"

    def planned(story: Story) -> set[tuple[str, str]]:
        path.write_text(printed(story), "utf-8")
        return {(task.reason, task.asks) for task in pipeline.due(path, model="rules") if task.step == "cast_forms"}

    rules_run(tmp_path, STORY[:4])
    rules_run(tmp_path, STORY)
    assert planned(STORY[:4]) == {("names", "maybe")}
    assert rules_run(tmp_path, STORY[:4])[0] == 0
    edited = [*STORY[:2], [*STORY[2], "It was all over by noon, and the boats lay still."], STORY[3]]
    assert planned(edited) == {("text", "yes"), ("names", "yes")}
    made = pipeline.plan(path, model="rules")
    n_calls, _ = rules_run(tmp_path, edited)
    assert 0 < n_calls <= made.n_calls + made.more_calls
    assert planned(edited) == {("done", "no")}


TITLES = {
    "en": ("Chapter {}: {}", "Chapter {}:  {}", "The Landing", "The Flood"),
    "ko": ("제{}화 {}", "제{}화  {}", "나루터 비", "강물 너머"),
    "zh": ("第{}章 {}", "第{}章　{}", "夜雨", "大水"),
    "ja": ("第{}話 {}", "第{}話　{}", "渡し場", "洪水"),
}


def titled(tale: Story, head: str, *titles: str) -> str:
    """Return the tale with these titles, in order."""
    return "\n\n\n".join(
        f"{head.format(n, title)}\n\n" + "\n\n".join(blocks)
        for n, (title, blocks) in enumerate(zip(titles, tale, strict=True), 1)
    )


@pytest.mark.parametrize("language", TITLES)
def test_a_new_title_is_a_reason_to_ask_its_chapter_and_is_told_and_another_gap_before_it_is_none(
    language: str, tmp_path: Path
) -> None:
    head, wider, old, new = TITLES[language]
    _, names, tale = TALES.get(language, ("", WORLD.people[0] + WORLD.people[1][:1], STORY[:2]))
    world = World({0: names[:1], 1: names[1:2]}, {(0, 1): "friend_of"}, ()) if language in TALES else WORLD
    path = tmp_path / "serial.txt"

    def due_and_asked(text: str) -> tuple[set[tuple[int, str, str]], set[int], list[str]]:
        path.write_text(text, "utf-8")
        tasks = pipeline.due(path, model=pipeline.DEFAULT_MODEL)
        told: list[str] = []
        if tasks:
            pipeline.show_cast(path, tell=told.append)
        asker = ByKey(world)
        outcome = pipeline.run(path, asker=asker)
        assert outcome.error is None
        why = {(task.chapter, task.detail, str(task.asks)) for task in tasks if task.asks == "yes"}
        return why, {pack.chapter for pack in asker.asked}, told

    _, asked, _ = due_and_asked(titled(tale, head, new, old))
    assert asked == {1, 2}
    assert [c.title for c in pipeline.manuscript_of(pipeline.book_folder(path)).chapters] == [new, old]
    assert due_and_asked(titled(tale, wider, new, old)) == (set(), set(), [])
    why, asked, told = due_and_asked(titled(tale, head, new, new))
    assert why == {(2, "its title changed", "yes")}
    assert asked == {2}
    assert len(told) == 1 and "title of chapter 2" in told[0]
    assert due_and_asked(titled(tale, head, new, new)) == (set(), set(), [])


def test_plan_tells_other_models_and_books_that_never_ran(copy: Path, tmp_path: Path) -> None:
    tasks = pipeline.due(copy / "serial.txt", model="claude-haiku-4-5")
    assert {task.reason for task in tasks if task.asks == "yes"} == {"model"}
    assert all(pipeline.DEFAULT_MODEL in task.detail for task in tasks if task.reason == "model")
    fresh = tmp_path / "fresh.txt"
    fresh.write_text(printed(STORY), "utf-8")
    assert pipeline.due(fresh) == ()
    assert {task.reason for task in pipeline.due(pipeline.init(fresh))} == {"never_run"}


# --- what the rest of the book decides -------------------------------------------------------------------------------

LONE = [
    ["Mira stood at the quay. Rain fell on the boats.", "Nobody spoke to Mira. The lamps were lit."],
    ["The boats lay still all day. Mira slept.", "The gulls were loud, and the river rose."],
    ["They saw Mira again, in rain and more rain.", "The rain had taken the quay."],
]
"""A word that opens a sentence in the first chapter, and is only told from a name by the last."""


def rules_run(folder: Path, story: Story) -> tuple[int, object]:
    """Run the story by rules and return the calls with what the book says then."""
    folder.mkdir(exist_ok=True)
    (folder / "serial.txt").write_text(printed(story), "utf-8")
    outcome = pipeline.run(folder / "serial.txt", model="rules")
    with Store.open(pipeline.book_folder(folder / "serial.txt")) as store:
        return outcome.n_calls, renamed(store)


@pytest.mark.parametrize("story", [STORY, LONE], ids=["made", "lone"])
def test_a_serial_that_grows_chapter_by_chapter_says_what_a_fresh_run_says(story: Story, tmp_path: Path) -> None:
    for n in range(1, len(story)):
        run_once(tmp_path / "grown", story[:n], WORLD)
        rules_run(tmp_path / "ruled", story[:n])
    grown = run_once(tmp_path / "grown", story, WORLD)
    _, by_rules = rules_run(tmp_path / "ruled", story)
    assert grown.found == run_once(tmp_path / "fresh", story, WORLD).found
    assert by_rules == rules_run(tmp_path / "fresh-ruled", story)[1]
    assert rules_run(tmp_path / "ruled", story)[0] == 0


def test_plan_says_that_names_elsewhere_changed_and_what_that_may_cost_on_top(tmp_path: Path) -> None:
    run_once(tmp_path, LONE[:2], WORLD)
    rows = why(tmp_path, LONE)
    made = pipeline.plan(tmp_path / "serial.txt", model=pipeline.DEFAULT_MODEL)
    assert [row for row in rows if row[1] == "names"] == [("1-2", "names", "maybe")]
    assert ("3", "new_chapter", "yes") in rows
    assert made.more_calls > 0 and made.more_usd and set(made.more_chapters) == {1, 2}
    run_once(tmp_path, LONE, WORLD)
    assert why(tmp_path, LONE) == [("1-3", "done", "no")]
    assert pipeline.plan(tmp_path / "serial.txt", model=pipeline.DEFAULT_MODEL).more_calls == 0


def test_calls_stay_within_what_plan_said_at_most(copy: Path) -> None:
    story = SCENARIOS["a chapter before the first"].story
    (copy / "serial.txt").write_text(printed(story), "utf-8")
    made = pipeline.plan(copy / "serial.txt", model=pipeline.DEFAULT_MODEL)
    ran = run_once(copy, story, WORLD)
    assert made.more_chapters == tuple(range(2, len(story) + 1))
    assert ran.n_calls <= made.n_calls + made.more_calls


def test_a_chapter_that_is_another_kind_under_the_same_title_is_not_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "serial.txt"
    asker = ByKey(WORLD)
    asks: set[str] = set()
    for head in ("Prologue: The Landing", "Chapter 1: The Landing"):
        text = f"{head}\n\n" + "\n\n".join(STORY[0]) + "\n\n\nChapter 2: The Flood\n\n" + "\n\n".join(STORY[1]) + "\n"
        path.write_text(text, "utf-8")
        asks = {task.asks for task in pipeline.due(path, model=pipeline.DEFAULT_MODEL)}
        asker = ByKey(WORLD)
        assert pipeline.run(path, asker=asker).error is None
    assert asks == {"no"}
    assert asker.asked == []


def test_chapters_that_are_gone_are_told_as_gone(copy: Path) -> None:
    (copy / "serial.txt").write_text(printed(STORY[:3]), "utf-8")
    told: list[str] = []
    pipeline.show_cast(copy / "serial.txt", tell=told.append)
    assert any("no longer there: chapters 4, 5" in words for words in told)
