"""Decisions taken in a book: by name and by handle, over edits, while others hold the book, and killed before the next run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.errors import AnalyzerError, ConfigError, StoreBusyError
from analyzer.models.facts import EntityFact, Fact, NameFact, RelationFact, SameFact, StoredFact
from analyzer.models.rows import DecisionRow, TaskRow
from analyzer.storage.store import Store
from analyzer.storage.tasks import fact_id_of
from evals.edits import run_once
from evals.made_serial import Story, World, chapter_text, story_of, world_of

ROOT = Path(__file__).parent.parent
WORLD = world_of(16)
STORY = story_of(WORLD, 5)


@pytest.fixture
def book(own: Path) -> Path:
    """A book of the tiny serial, to be decided about."""
    return own


def called(book: Path, handle: str, **how: object) -> str:
    [row] = [row for row in pipeline.show_cast(book, **how) if row.handle == handle]  # type: ignore[arg-type]
    return row.name


def handle_of(book: Path, name: str) -> str:
    [row] = [row for row in pipeline.show_cast(book) if name in row.names]
    return row.handle


# --- what is kept ------------------------------------------------------------------------------------------------------


def test_a_new_name_that_the_text_gives_is_dated_by_its_first_sentence(book: Path) -> None:
    made = pipeline.decide(book, "rename", ["Oda Marrin", "Oda"])
    assert (made.id, made.since, made.waits) == ("d1", 1, "")
    assert made.words == "Oda Marrin mended nets by the weir at Sallow."
    assert called(book, "@1") == "Oda" == called(book, "@1", plane="reader", as_of=1)


def test_a_name_the_text_does_not_give_waits_for_a_sentence_that_says_it(book: Path) -> None:
    waits = pipeline.decide(book, "rename", ["@1", "The Netmender"])
    assert waits.since == 0 and "--at" in waits.waits
    assert called(book, "@1") == "The Netmender" and called(book, "@1", plane="reader") == "Oda Marrin"
    with pytest.raises(ConfigError, match="does not say 'Pia'"):
        pipeline.decide(book, "rename", ["@1", "Pia"], at="1:1.1")
    dated = pipeline.decide(book, "rename", ["Pia Hesk", "his daughter"], at="2:3.1")
    assert dated.since == 2


@pytest.mark.parametrize("at", ["", "3", "9:1.1", "1:99.1", "1:1", "１:1.1", "0:1.1"])
def test_a_sentence_that_is_none_is_told(book: Path, at: str) -> None:
    with pytest.raises(ConfigError, match="names no sentence"):
        pipeline.decide(book, "merge", ["@1", "@3"], at=at)


def test_nothing_is_dated_before_both_are_known(book: Path) -> None:
    with pytest.raises(ConfigError, match="lies before chapter 2"):
        pipeline.decide(book, "merge", ["Oda", "Pia"], at="1:1.1")


def test_a_merge_is_seen_by_readers_from_its_sentence_on(book: Path) -> None:
    made = pipeline.decide(book, "merge", ["Oda", "Pia"], at="3:3.1")
    assert made.since == 3
    handles = [{row.handle for row in pipeline.show_cast(book, as_of=n, plane="reader")} for n in (2, 3)]
    assert "@5" in handles[0] and "@5" not in handles[1]
    assert "@5" not in {row.handle for row in pipeline.show_cast(book, as_of=2)}
    assert not [r for r in pipeline.show_relations(book) if "@5" in (r.subject, r.object)]


def test_reject_hides_a_relation_and_confirm_brings_it_back(book: Path) -> None:
    before = pipeline.show_relations(book)
    said = f"{before[0].subject} {before[0].relation} {before[0].object}"
    pipeline.decide(book, "reject", [said])
    assert len(pipeline.show_relations(book)) == len(before) - 1
    again = pipeline.decide(book, "confirm", said.split())
    assert again.told and "overrules d1" in again.told[0]
    assert pipeline.show_relations(book) == before
    assert [d.overruled_by for d in pipeline.decisions(book)] == ["d2", ""]
    assert [row.what.split(":")[0] for row in pipeline.review(book) if row.kind == "decision"] == ["d1"]


def test_why_says_who_rejected_a_fact_and_that_it_is_back(book: Path) -> None:
    one, other = pipeline.show_relations(book)[:2]
    said = f"{one.subject} {one.relation} {one.object}"
    pipeline.decide(book, "reject", [said])
    assert [(row.kept, row.rule) for row in pipeline.why(book, said)] == [(False, "the author rejected it (d1)")]
    assert all(row.kept for row in pipeline.why(book, f"{other.subject} {other.relation} {other.object}"))
    pipeline.decide(book, "confirm", said.split())
    assert all(row.kept for row in pipeline.why(book, said))
    pipeline.decide(book, "reject", [one.subject])
    for about in (one.subject, said):
        assert {(row.kept, row.rule) for row in pipeline.why(book, about)} == {(False, "the author rejected it (d3)")}


def test_the_same_decision_taken_twice_is_one(book: Path) -> None:
    first = pipeline.decide(book, "never-merge", ["@1", "@3"])
    again = pipeline.decide(book, "never-merge", ["@1", "@3"])
    assert (first.id, again.id) == ("d1", "d1") and "in force already" in again.told[0]
    assert len(pipeline.decisions(book)) == 1


def test_undo_takes_the_last_in_force_or_the_one_named_and_keeps_its_row(book: Path) -> None:
    for handle, name in (("@1", "A"), ("@3", "B"), ("@4", "C")):
        pipeline.decide(book, "rename", [handle, name])
    assert (pipeline.undo(book).id, pipeline.undo(book, "d1").id, pipeline.undo(book).id) == ("d3", "d1", "d2")
    assert [d.undone for d in pipeline.decisions(book)] == [True, True, True]
    assert called(book, "@1") == "Oda Marrin" and pipeline.verify(book) == []
    with pytest.raises(ConfigError, match="no decision is in force"):
        pipeline.undo(book)
    with pytest.raises(ConfigError, match="'d1' is in force"):
        pipeline.undo(book, "d1")


def test_split_names_become_somebody_with_a_handle_never_given_before(book: Path) -> None:
    with pytest.raises(ConfigError, match="no name would be left"):
        pipeline.decide(book, "split", ["@5", "Pia Hesk", "Pia"])
    with pytest.raises(ConfigError, match="is no name of @5"):
        pipeline.decide(book, "split", ["@5", "Oda"])
    pipeline.decide(book, "split", ["@5", "Pia"])
    assert handle_of(book, "Pia") == "@6" and called(book, "@5") == "Pia Hesk"
    assert pipeline.run(book, model="gold").exit_code == 0
    assert handle_of(book, "Pia") == "@6" and pipeline.verify(book) == []


WRONG: list[tuple[str, list[str]]] = [
    ("confirm", []), ("confirm", ["@1 loves @99"]), ("reject", ["f00"]), ("reject", ["@99"]), ("rename", ["@1"]),
    ("rename", ["@1", "  "]), ("rename", ["@1", "x" * 121]), ("rename", ["@1", "a\x1b[31m"]), ("rename", ["Nobody", "X"]),
    ("merge", ["@1"]), ("merge", ["@1", "@1"]), ("merge", ["@1", "@99"]), ("split", ["@1"]), ("split", ["@1", "@3"]),
    ("never-merge", ["@1", "@1"]), ("reveal", ["@1"]), ("hope", ["@1"]), ("reject", ["@1 hates @2"]),
]  # fmt: skip


@pytest.mark.parametrize(("verb", "words"), WRONG)
def test_what_makes_no_sense_is_one_sentence_and_leaves_nothing(book: Path, verb: str, words: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        pipeline.decide(book, verb, words)
    assert str(caught.value) and pipeline.decisions(book) == ()


@pytest.mark.parametrize(("verb", "how"), [("reject", {"at": "1:1.1"}), ("merge", {"rejected": True})])
def test_an_option_that_goes_with_another_verb_is_told(book: Path, verb: str, how: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        pipeline.decide(book, verb, ["@1", "@3"], **how)  # type: ignore[arg-type]


def test_while_another_holds_the_book_it_is_said_who(book: Path) -> None:
    with Store.open(book), pytest.raises(StoreBusyError) as caught:
        pipeline.decide(book, "never-merge", ["@1", "@3"])
    assert caught.value.pid == os.getpid()


def test_a_plan_tells_that_a_run_follows_decisions_and_not_after_it_did(book: Path) -> None:
    def reasons() -> set[str]:
        return {task.reason for task in pipeline.due(book, model=f"gold:{book.parent / 'gold'}")}

    assert reasons() == {"done"}
    pipeline.decide(book, "never-merge", ["@1", "@3"])
    assert "decided" in reasons()
    assert pipeline.run(book, model="gold").exit_code == 0
    assert reasons() == {"done"}
    pipeline.undo(book)
    assert "decided" in reasons()


def test_a_decision_that_cannot_be_read_is_named(book: Path) -> None:
    with Store.open(book) as store:
        store.add_decision(DecisionRow(decision_id="d1", kind="merge", payload="{}", decided_at=1.0))
    assert [line.split(":")[0] for line in pipeline.verify(book)] == ["decision_says_what_it_decides"]
    with pytest.raises(AnalyzerError, match="d1 does not hold a decision"):
        pipeline.show_cast(book)


def test_review_lists_split_votes_and_single_answers_with_the_command_to_type(book: Path) -> None:
    with Store.open(book) as store:
        stored = store.facts()
        changed = [
            s.model_copy(update={"fact": s.fact.model_copy(update={"votes": ("for", "deny", "for")})})
            if isinstance(s.fact, RelationFact) and s.fact.relation == "employs"
            else s
            for s in stored
        ]
        for task in store.tasks():
            mine = [s for s in changed if (s.step, s.chapter) == (task.step, task.chapter)]
            if task.step == "cast_unnamed_same" and task.chapter == 2:
                same = SameFact(entity="@5", same_as="@1", chapter=2)
                mine.append(
                    stored[0].model_copy(update={"fact": same, "step": task.step, "chapter": 2, "fact_id": "fact:x"})
                )
            kept = [
                (i, issue) for i, issue in store.issues() if (issue.step, issue.chapter) == (task.step, task.chapter)
            ]
            store.commit_task(task.model_copy(update={"n_facts": len(mine), "n_issues": len(kept)}), mine, kept)
    rows = {row.kind: row for row in pipeline.review(book)}
    assert rows["relation"].votes == "for deny for" and rows["relation"].words[0].text.startswith("Captain Hesk lived")
    assert rows["relation"].commands[1].endswith("reject '@4 employs @3'")
    assert rows["merge"].commands[1].endswith("never-merge @5 @1")
    pipeline.decide(book, "never-merge", ["@5", "@1"])
    pipeline.decide(book, "confirm", ["@4 employs @3"])
    assert pipeline.review(book) == ()
    assert "@5" in {row.handle for row in pipeline.show_cast(book)}


# --- edits -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A made serial after its run."""
    folder = tmp_path_factory.mktemp("serial")
    run_once(folder, STORY, WORLD)
    return folder


@pytest.fixture
def edited(serial: Path, tmp_path: Path) -> Path:
    shutil.copytree(serial, tmp_path / "edited")
    return tmp_path / "edited"


def names_of(person: int) -> tuple[str, str]:
    full, given = WORLD.people[person]
    return full, given


def taken(folder: Path) -> dict[str, str]:
    """Decide something of every kind and return the handles that matter."""
    book = folder / "serial.book"
    said = [f"{r.subject} {r.relation} {r.object}" for r in pipeline.show_relations(book)]
    cast = [
        r
        for r in pipeline.show_cast(book)
        if r.kind == "character" and r.named and r.handle not in " ".join(said).split()
    ]
    one, two, three, four, *_ = sorted(cast, key=lambda row: (-len(row.presence), -row.n_mentions))
    pipeline.decide(book, "rename", [one.handle, "The Weaver"])
    pipeline.decide(book, "merge", [two.handle, three.handle], at="4:1.1")
    pipeline.decide(book, "never-merge", [one.handle, four.handle])
    pipeline.decide(book, "reject", [said[0]])
    joined = sorted((two.handle, three.handle), key=lambda h: int(h[1:]))
    return {
        "weaver": one.handle,
        "joined": joined[0],
        "gone": joined[1],
        "rejected": said[0],
        "names": f"{two.name}|{three.name}",
    }


def holds(folder: Path, was: dict[str, str]) -> None:
    """Say that every decision does what it did."""
    book = folder / "serial.book"
    cast = {row.handle: row for row in pipeline.show_cast(book)}
    assert cast[was["weaver"]].name == "The Weaver"
    assert was["gone"] not in cast and was["gone"] in cast[was["joined"]].also
    assert was["rejected"] not in {f"{r.subject} {r.relation} {r.object}" for r in pipeline.show_relations(book)}
    assert pipeline.verify(book) == []


EDITS: dict[str, Story] = {
    "nothing": STORY,
    "a chapter before the first": [chapter_text(WORLD, 1, salt="before"), *STORY],
    "the first rewritten": [chapter_text(WORLD, 2, salt="again"), *STORY[1:]],
    "two merged": [STORY[0], STORY[1] + STORY[2], *STORY[3:]],
}


@pytest.mark.parametrize("name", EDITS)
def test_decisions_stay_over_edits(edited: Path, name: str) -> None:
    was = taken(edited)
    holds(edited, was)
    run_once(edited, EDITS[name], WORLD)
    holds(edited, was)
    since = {d.kind: d.since for d in pipeline.decisions(edited / "serial.book")}
    assert (
        since["merge"]
        == {"nothing": 4, "a chapter before the first": 5, "the first rewritten": 4, "two merged": 3}[name]
    )


def test_a_decision_follows_somebody_who_was_renamed_throughout(edited: Path) -> None:
    was = taken(edited)
    book = edited / "serial.book"
    person = next(p for p, (full, _) in WORLD.people.items() if full in was["names"].split("|"))
    full, given = names_of(person)
    story = [[b.replace(full, "Zelda Marchetti").replace(given, "Zelda") for b in blocks] for blocks in STORY]
    world = World(WORLD.people | {person: ("Zelda Marchetti", "Zelda")}, WORLD.ties)
    run_once(edited, story, world)
    holds(edited, was)
    assert "Zelda Marchetti" in {
        n for row in pipeline.show_cast(book) if row.handle == was["joined"] for n in row.names
    }


def test_words_that_are_gone_make_a_decision_wait_with_readers_and_come_back_with_them(edited: Path) -> None:
    was = taken(edited)
    book = edited / "serial.book"
    cut = [*STORY[:3], chapter_text(WORLD, 4, salt="other"), *STORY[4:]]
    run_once(edited, cut, WORLD)
    merge = next(d for d in pipeline.decisions(book) if d.kind == "merge")
    assert merge.since == 0 and "is gone" in merge.waits
    assert [
        row.what.split(":")[0] for row in pipeline.review(book) if row.kind == "decision" and "gone" in row.why
    ] == [merge.id]
    assert was["gone"] in {row.handle for row in pipeline.show_cast(book, plane="reader")}
    assert was["gone"] not in {row.handle for row in pipeline.show_cast(book)}
    run_once(edited, STORY, WORLD)
    assert next(d for d in pipeline.decisions(book) if d.kind == "merge").since == 4


def test_a_run_with_nothing_new_after_decisions_asks_nothing_twice(edited: Path) -> None:
    taken(edited)
    run_once(edited, STORY, WORLD)
    assert run_once(edited, STORY, WORLD).n_calls == 0


KILLED = """
import os, signal, sys
from analyzer import pipeline
pipeline.decide(sys.argv[1], "never-merge", ["@1", "@3"])
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_killed_between_deciding_and_running_nothing_is_lost(book: Path) -> None:
    child = subprocess.run([sys.executable, "-c", KILLED, str(book)], cwd=ROOT, check=False, timeout=120)
    assert child.returncode == -signal.SIGKILL
    assert [d.kind for d in pipeline.decisions(book)] == ["never_merge"]
    assert pipeline.run(book, model="gold").exit_code == 0 and pipeline.verify(book) == []
    assert [d.id for d in pipeline.decisions(book)] == ["d1"]


# --- languages ---------------------------------------------------------------------------------------------------------

SERIALS = {
    "ko": ("제1화\n\n김미라가 나루터로 내려왔다. 박도반이 김미라를 불렀다.\n\n제2화\n\n가면 쓴 이레나가 웃었다. 이레나는 김미라였다.\n",
           "김미라", "이레나"),
    "zh": ("第一章\n\n林米拉走到渡口。王托班看着林米拉。\n\n第二章\n\n赵丽娜戴着面具走来。原来赵丽娜就是林米拉。\n", "林米拉", "赵丽娜"),
    "ja": ("第一章\n\n田中花子は渡し場に下りた。佐藤さんは田中花子を呼んだ。\n\n第二章\n\n山本さんが笑った。山本さんは田中花子だった。\n",
           "田中花子", "山本"),
    "fr": ("CHAPITRE 1\n\nMira Voss descendit au port. Toban Harrow appela Mira Voss.\n\nCHAPITRE 2\n\n"
           "Selda Tesk souriait sous son masque. Selda Tesk était Mira Voss.\n", "Mira Voss", "Selda Tesk"),
}  # fmt: skip


@pytest.mark.parametrize("language", SERIALS)
def test_a_mask_falls_for_readers_with_the_sentence_in_every_language(tmp_path: Path, language: str) -> None:
    text, behind, persona = SERIALS[language]
    manuscript = tmp_path / "serial.txt"
    manuscript.write_text(text, "utf-8")
    book = pipeline.init(manuscript, language=language)
    with Store.open(book) as store:
        _cast_by_hand(store, behind, persona)
    made = pipeline.decide(book, "reveal", [persona, behind], at="2:1.2")
    assert made.since == 2 and behind in made.words
    reader = [[row.name for row in pipeline.show_cast(book, as_of=n, plane="reader")] for n in (1, 2)]
    assert reader == [[behind, persona], [behind]]
    pipeline.decide(book, "reveal", [persona, behind], rejected=True)
    assert len(pipeline.show_cast(book)) == 2


def _cast_by_hand(store: Store, behind: str, persona: str) -> None:
    """Leave two people in the store as an analysis of the first chapter would."""
    facts: list[Fact] = []
    for n, name in enumerate((behind, persona), 1):
        entity = EntityFact(entity=f"@{n}", entity_kind="character", label=name, anchor=f"name:{name}", chapter=1)
        facts += [entity, NameFact(entity=f"@{n}", surface=name, name_kind="full", chapter=1)]
    stored = [StoredFact(fact_id=fact_id_of("cast_same", 1, f), step="cast_same", chapter=1, fact=f) for f in facts]
    row = TaskRow(step="cast_same", chapter=1, input_hash="x", n_answers=0, n_facts=len(stored), n_issues=0)
    store.commit_task(row, stored, [], {f"name:{behind}": "@1", f"name:{persona}": "@2"})
