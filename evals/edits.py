"""Edits to a serial made by code, and whether a book that was edited and run again is what a fresh run makes of it.

Answers come by key from a world (`made_serial.py`): a figure got with them is simulated.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from analyzer import pipeline
from analyzer.bible import Bible, fold
from analyzer.models.facts import ClaimFact, SameFact
from analyzer.scheduler.events import Unkept
from analyzer.settings import SETTINGS_FILE
from analyzer.storage.store import Store
from evals.made_serial import ByKey, Story, World, chapter_text, printed

# --- two stores -----------------------------------------------------------------------------------------------------

_HANDLE = re.compile(r"@[1-9][0-9]*")


def renamed(store: Store) -> Counter[str]:
    """Return all facts and issues as JSON with handles named by order of arrival: equal for two books that say the same.

    Ids follow from the rest, and what a handle was given for belongs to its history, as a handle given back does: they are left out.
    """
    stored = [s for s in store.facts() if not (isinstance(s.fact, SameFact) and not s.because)]
    bible = fold((s.fact for s in store.facts()), through=max((s.chapter for s in stored), default=0))
    steady = {handle: f"#{at}" for handle, at in bible.arrival.items()}
    claims = {
        s.fact.claim: " ".join(
            (_plain(s.fact.subject, bible, steady), s.fact.relation, _plain(s.fact.object, bible, steady))
        )
        for s in stored
        if isinstance(s.fact, ClaimFact)
    }
    found: Counter[str] = Counter()
    for s in stored:
        fields = s.fact.model_dump(mode="json")
        fields.pop("anchor", None)
        if "claim" in fields:
            fields["claim"] = claims[fields["claim"]]
        found[
            _plain(
                json.dumps([s.step, s.chapter, len(s.because), fields], ensure_ascii=False, sort_keys=True),
                bible,
                steady,
            )
        ] += 1
    for _, issue in store.issues():
        fields = issue.model_dump(mode="json", exclude={"because"})
        found[_plain(json.dumps(fields, ensure_ascii=False, sort_keys=True), bible, steady)] += 1
    return found


def _plain(text: str, bible: Bible, steady: Mapping[str, str]) -> str:
    return _HANDLE.sub(lambda hit: steady.get(bible.root(hit.group()), hit.group()), text)


def handles_by_name(store: Store) -> dict[str, str]:
    """Return the handle of everybody named, by label."""
    stored = store.facts()
    bible = fold((s.fact for s in stored), through=max((s.chapter for s in stored), default=0))
    return {entry.entity.label: handle for handle, entry in bible.cast.items() if entry.entity.named}


# --- scenarios ------------------------------------------------------------------------------------------------------


class Scenario(NamedTuple):
    """An edit: what the story and its world become, and the names that changed (old label -> new label)."""

    name: str
    story: Story
    world: World
    renamed: Mapping[str, str] = {}
    before: Story | None = None
    """What the book was read as before, where that is another story than the one all edits begin with."""


def scenarios(world: World, story: Story) -> list[Scenario]:
    """Return the edits that are measured."""
    middle, n = len(story) // 3, len(story)
    new = chapter_text(world, middle, salt="inserted")
    return [
        Scenario("nothing changed", story, world),
        Scenario("one paragraph", _with(story, middle, [*story[middle][:3], _paragraph(world, middle), *story[middle][4:]]), world),
        Scenario("one paragraph more", _with(story, middle, [*story[middle][:3], _paragraph(world, middle), *story[middle][3:]]), world),
        _renaming(world, story),
        Scenario("a chapter in the middle", [*story[:middle], new, *story[middle:]], world),
        Scenario("a chapter before the first", [chapter_text(world, 1, salt="before"), *story], world),
        Scenario("the first rewritten", [chapter_text(world, 2, salt="again"), *story[1:]], world),
        Scenario("one split in two", [*story[:middle], story[middle][:5], story[middle][5:], *story[middle + 1 :]], world),
        Scenario("two merged", [*story[:middle], story[middle] + story[middle + 1], *story[middle + 2 :]], world),
        Scenario("one moved to the end", [*story[:middle], *story[middle + 1 :], story[middle]], world),
        Scenario("one taken out", [*story[:middle], *story[middle + 1 : n]], world),
        Scenario("grown from the first half", story, world, before=story[: n // 2]),
        Scenario("three chapters appended", story, world, before=story[: n - 3]),
        Scenario("the last removed", story[: n - 1], world),
        Scenario("one repeated", [*story[: middle + 1], story[middle], *story[middle + 1 :]], world),
    ]  # fmt: skip


def _with(story: Story, at: int, blocks: list[str]) -> Story:
    return [*story[:at], blocks, *story[at + 1 :]]


def _paragraph(world: World, n: int) -> str:
    return chapter_text(world, n + 1, salt="paragraph")[0]


def _renaming(world: World, story: Story) -> Scenario:
    """Give one person another name throughout."""
    person = 7
    full, given = world.people[person]
    new_full, new_given = "Zelda Marchetti", "Zelda"
    text = json.dumps(story, ensure_ascii=False).replace(full, new_full)
    text = re.sub(rf"\b{given}\b", new_given, text)
    people = world.people | {person: (new_full, new_given)}
    return Scenario(
        "one person renamed", json.loads(text), World(people, world.ties), {full: new_full, given: new_given}
    )


@dataclass(frozen=True)
class Ran:
    """One run: `cents` as charged, `kept` says whether everybody known before has the handle of before."""

    n_calls: int
    cents: float
    seconds: float
    found: Counter[str] = field(repr=False)
    handles: dict[str, str] = field(repr=False)
    problems: tuple[str, ...] = ()
    unkept: tuple[Unkept, ...] = ()


def run_once(
    folder: Path,
    story: Story,
    world: World,
    *,
    head: str = "CHAPTER {}",
    chapters: str | None = None,
    off: tuple[str, ...] | None = None,
) -> Ran:
    """Write the story into the book of `folder`, run it and return what came of it; `off` are parts the book does without."""
    folder.mkdir(parents=True, exist_ok=True)
    manuscript = folder / "serial.txt"
    manuscript.write_text(printed(story, head), "utf-8")
    if off and not pipeline.book_folder(manuscript).exists():
        with (pipeline.init(manuscript) / SETTINGS_FILE).open("a", encoding="utf-8") as settings:
            settings.write(f"off = {json.dumps(off)}\n")
    asker = ByKey(world)
    started = time.perf_counter()
    outcome = pipeline.run(manuscript, asker=asker, concurrency=8, chapters=chapters)
    seconds = time.perf_counter() - started
    if outcome.error is not None:
        raise outcome.error
    with Store.open(pipeline.book_folder(manuscript)) as store:
        return Ran(
            len(asker.asked),
            outcome.spent_usd * 100,
            seconds,
            renamed(store),
            handles_by_name(store),
            tuple(store.verify()),
            outcome.unkept,
        )


class Measured(NamedTuple):
    """A scenario: the edited run beside a fresh one of the same text."""

    scenario: Scenario
    edited: Ran
    fresh: Ran
    lost: tuple[str, ...]

    @property
    def is_equal(self) -> bool:
        """Whether both stores say the same up to a renaming of handles."""
        return self.edited.found == self.fresh.found


def lost_handles(before: Mapping[str, str], after: Mapping[str, str], renamed_to: Mapping[str, str]) -> tuple[str, ...]:
    """Return those known before and after, by label, who have another handle."""
    return tuple(label for label, handle in before.items() if after.get(renamed_to.get(label, label), handle) != handle)


def measure(folder: Path, world: World, story: Story, wanted: Sequence[Scenario]) -> list[Measured]:
    """Run the story, then each edit of it over a copy of its book and afresh."""
    import shutil

    base = folder / "base"
    before = run_once(base, story, world)
    found = []
    for at, scenario in enumerate(wanted):
        copy = folder / f"edited-{at}"
        known = before
        if scenario.before is None:
            shutil.copytree(base, copy)
        else:
            known = run_once(copy, scenario.before, world)
        edited = run_once(copy, scenario.story, scenario.world)
        fresh = run_once(folder / f"fresh-{at}", scenario.story, scenario.world)
        lost = lost_handles(known.handles, edited.handles, scenario.renamed)
        found.append(Measured(scenario, edited, fresh, lost))
    return found
