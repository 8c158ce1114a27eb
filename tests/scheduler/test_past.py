"""A step with a past waits for it, alone; parts can be switched off."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.bible import Bible
from analyzer.errors import ConfigError, DefinitionError
from analyzer.models.facts import Evidence, ThreadEventFact, ThreadFact
from analyzer.models.question import Pack
from analyzer.scheduler.graph import build_graph
from analyzer.scheduler.pastwaits import PastWaits
from analyzer.steps._registry import check_step, load_steps, switched
from analyzer.steps._step import Answered, ComputeStep, Effects, Unit
from analyzer.storage.store import Store
from tests.scheduler.tiny import ENTITIES, FORMS, Teller, analyse, book_of, numbered_step

TEXTS = tuple((f"Anna kept promise {word}.",) for word in ("one", "둘", "三", "quatre", "fünf"))


def _evidence(unit: Unit) -> tuple[Evidence, ...]:
    text = unit.chapter.blocks[0].text
    return (Evidence(chapter=unit.chapter.no, block=1, sentence=1, start=0, end=len(text), text=text),)


def _plant(answers: Sequence[Answered], unit: Unit, _view: Bible) -> Effects:
    words = unit.chapter.text
    fact = ThreadFact(
        thread=f"t{words}", chapter=unit.chapter.no, kind="promise", statement=words, evidence=_evidence(unit)
    )
    return Effects(((fact, (answers[0].answer_id,)),))


def _touch(unit: Unit, view: Bible) -> Effects:
    known = [f for f in view.of(ThreadFact) if isinstance(f, ThreadFact) and f.chapter < unit.chapter.no]
    return Effects(
        tuple(
            (
                ThreadEventFact(thread=t.thread, chapter=unit.chapter.no, event="reinforce", evidence=_evidence(unit)),
                (),
            )
            for t in known
        )
    )


PLANT = replace(
    numbered_step(1), name="plant", part="threads", writes=frozenset({"thread"}), effects=_plant, reads=frozenset()
)
TOUCH = ComputeStep(
    name="touch",
    part="threads",
    reads=frozenset(),
    writes=frozenset({"thread_event"}),
    past=frozenset({"thread"}),
    compute=_touch,
)


@given(st.data())
def test_the_past_is_there_exactly_when_all_writers_are_done_with_all_chapters_before(data: st.DataObject) -> None:
    chapters = data.draw(st.lists(st.integers(1, 40), unique=True, min_size=1, max_size=8).map(sorted))
    waits = PastWaits({"touch": frozenset({"plant", "say"}), "free": frozenset()}, chapters)
    left = {(writer, no) for writer in ("plant", "say") for no in chapters}
    told: set[int] = {no for no in chapters if waits.is_there("touch", no)}
    assert told == {chapters[0]} and all(waits.is_there("free", no) for no in chapters)
    for writer, no in data.draw(st.permutations(sorted(left))):
        left.remove((writer, no))
        fresh = [later for name, later in waits.settle(writer, no) if name == "touch"]
        assert not told & set(fresh)
        told |= set(fresh)
        there = {later for later in chapters if not any(at < later for _, at in left)}
        assert told == there == {later for later in chapters if waits.is_there("touch", later)}


async def _run(folder: Path, texts: Sequence[Sequence[str]], asker: Teller) -> int:
    outcome = await analyse(folder, asker, steps=[PLANT, TOUCH], manuscript=book_of(texts))
    assert outcome.exit_code == 0
    return outcome.n_answers


def _tasks(folder: Path) -> dict[tuple[str, int], str]:
    with Store.open(folder) as store:
        return {(t.step, t.chapter): t.input_hash for t in store.tasks()}


async def test_a_step_with_a_past_sees_all_earlier_chapters_though_they_are_answered_last_to_first(
    tmp_path: Path,
) -> None:
    async def slow_at_first(pack: Pack) -> None:
        while any(asked.chapter > pack.chapter for asked in open_now):
            await asyncio.sleep(0)
        open_now.remove(pack)

    open_now: list[Pack] = []

    async def wait(pack: Pack) -> None:
        open_now.append(pack)
        for _ in range(20):  # all five are asked at once: let them all arrive
            await asyncio.sleep(0)
        await slow_at_first(pack)
        order.append(pack.chapter)

    order: list[int] = []
    await _run(tmp_path, TEXTS, Teller(wait=wait))
    assert order == [5, 4, 3, 2, 1]
    with Store.open(tmp_path) as store:
        events = [s.chapter for s in store.facts() if isinstance(s.fact, ThreadEventFact)]
    assert [events.count(no) for no in range(1, 6)] == [0, 1, 2, 3, 4]


async def test_what_changes_in_the_past_runs_the_step_again_and_nothing_else(tmp_path: Path) -> None:
    await _run(tmp_path, TEXTS, Teller())
    before = _tasks(tmp_path)
    edited = (TEXTS[0], ("Anna broke promise 둘.",), *TEXTS[2:])
    assert await _run(tmp_path, edited, Teller()) == 1
    after = _tasks(tmp_path)
    assert {task for task in before if before[task] != after[task]} == {
        ("plant", 2),
        ("touch", 2),
        ("touch", 3),
        ("touch", 4),
        ("touch", 5),
    }


def test_the_rest_of_a_chapter_does_not_wait_for_the_past() -> None:
    graph = build_graph([PLANT, TOUCH, FORMS, ENTITIES])
    assert graph.past_writers == {"touch": frozenset({"plant"})}
    assert "touch" not in graph.opening and "plant" not in graph.opening


@pytest.mark.parametrize("change", [{"carries": True}, {"part": "cast"}])
def test_a_step_of_the_cast_or_one_that_carries_has_no_past(change: dict[str, object]) -> None:
    with pytest.raises(DefinitionError, match="past"):
        check_step(replace(TOUCH, **change))  # type: ignore[arg-type]


def test_a_part_switched_off_takes_along_who_reads_it_and_leaves_the_cast() -> None:
    steps = load_steps()
    left = switched(steps, ["relations"])
    assert {step.part for step in left} == {step.part for step in steps} - {"relations"}
    assert "relation_kind" not in {step.name for step in switched(steps, ["relation_select"])}
    assert switched(steps, []) == steps


@pytest.mark.parametrize("name", ["cast", "cast_forms", "weather", ""])
def test_the_cast_and_what_is_no_part_cannot_be_switched_off(name: str) -> None:
    with pytest.raises(ConfigError, match="switched off"):
        switched(load_steps(), [name])
