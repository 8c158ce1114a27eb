"""A book whose store holds the tale of `tests.export.story_tale`, as a run would have left it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from analyzer import pipeline
from analyzer.coverage import WRITERS
from analyzer.models.facts import EntityFact, StoredFact
from analyzer.models.issue import Issue
from analyzer.models.rows import RunRow, TaskRow
from analyzer.storage.store import Store
from tests.export.story_tale import LAST, Words, stored, story


def tale_book(folder: Path, words: Words, *, through: int = LAST, issues: Sequence[Issue] = ()) -> Path:
    """Make a book of five chapters and put the facts of the first `through` into its store; return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    text = "\n\n".join(f"Chapter {no}\n\n{words.sentence.format(no)} {words.oda}." for no in range(1, LAST + 1))
    (folder / "tale.txt").write_text(text, encoding="utf-8")
    book = pipeline.init(folder / "tale.txt")
    facts = [fact for fact in stored(story(words)) if fact.chapter <= through]
    put(book, facts, issues)
    with Store.open(book) as store:
        for step, chapter in sorted((w.step, no) for w in set(WRITERS.values()) for no in range(1, through + 1)):
            row = TaskRow(step=step, chapter=chapter, input_hash="h", n_answers=0, n_facts=0, n_issues=0)
            store.commit_task(row, [], [], {})
        run = RunRow(run_id="r", model="gold", confirm_model="gold", answered_by="gold", cap_usd=None, started_at=1.0)
        store.open_run(run)
        store.close_run("r", ended_at=2.0, outcome="finished")
    return book


def put(book: Path, facts: Sequence[StoredFact], issues: Sequence[Issue] = ()) -> None:
    """Commit facts and issues, each class as a task of its own."""

    def task(one: StoredFact) -> tuple[str, int]:
        return one.step, one.chapter

    with Store.open(book) as store:
        for (step, chapter), group in groupby(sorted(facts, key=task), key=task):
            found = list(group)
            odd = [issue for issue in issues if (issue.step, issue.chapter) == (step, chapter)]
            row = TaskRow(
                step=step, chapter=chapter, input_hash="h", n_answers=0, n_facts=len(found), n_issues=len(odd)
            )
            given = {s.fact.anchor: s.fact.entity for s in found if isinstance(s.fact, EntityFact)}
            store.commit_task(row, found, [(f"issue:{at:032x}", issue) for at, issue in enumerate(odd)], given)
