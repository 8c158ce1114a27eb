"""Broken steps are found before anything is sent, and the message says which and what to do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.bible import Bible
from analyzer.errors import DefinitionError
from analyzer.models.facts import ClaimFact, FormFact
from analyzer.models.text import Place
from analyzer.scheduler.graph import ancestors, build_graph
from analyzer.steps._registry import cast_stage, edges, in_order, load_steps
from analyzer.steps._step import ComputeStep, Effects, Step, Unit
from tests.scheduler.tiny import ENTITIES, FORMS, PRESENCE, STEPS, Teller, analyse

BROKEN = "tests.broken_steps"


def compute(name: str, reads: str = "", writes: str = "", **more: object) -> ComputeStep:
    return ComputeStep(
        name=name,
        reads=frozenset(reads.split()),
        writes=frozenset(writes.split()),
        compute=lambda _unit, _view: Effects(),
        **more,  # type: ignore[arg-type]
    )


def test_steps_of_a_folder_come_in_the_order_of_reads_and_writes_and_private_modules_are_left_out() -> None:
    assert [step.name for step in load_steps(f"{BROKEN}.fine")] == ["z_writer", "a_reader"]


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        ("twice", ("same_name", "twice.first", "twice.second")),
        ("nothing", ("nothing.empty", "STEP")),
        ("mute", ("asker", "no_such_prompt")),
    ],
)
def test_a_folder_with_a_broken_step_is_refused_by_name(folder: str, words: tuple[str, ...]) -> None:
    with pytest.raises(DefinitionError) as caught:
        load_steps(f"{BROKEN}.{folder}")
    assert all(word in str(caught.value) for word in words)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("folder", "words"),
    [("loop", ("'hen'", "'egg'", "reads claim", "reads form")), ("unread", ("'reader'", "'vote'", "nobody"))],
)
def test_a_broken_graph_is_refused_naming_the_steps_and_the_fix(folder: str, words: tuple[str, ...]) -> None:
    with pytest.raises(DefinitionError) as caught:
        build_graph(load_steps(f"{BROKEN}.{folder}"))
    assert all(word in str(caught.value) for word in words)
    assert caught.value.hint


CLASSES = ("same", "presence", "form", "proposal", "claim", "detail", "vote", "relation")


@st.composite
def some_steps(draw: st.DrawFn) -> list[ComputeStep]:
    """Steps that write a class each and read some; half of the time only of steps before them, so without a circle."""
    names = draw(st.permutations([f"step_{letter}" for letter in "hgfedcba"]))
    n_steps = draw(st.integers(1, len(CLASSES)))
    forward = draw(st.booleans())
    steps = []
    for at in range(n_steps):
        readable = [c for i, c in enumerate(CLASSES[: at if forward else n_steps]) if i != at]
        reads = draw(st.sets(st.sampled_from(readable))) if readable else set()
        steps.append(compute(names[at], " ".join(reads), CLASSES[at], carries=draw(st.booleans())))
    return steps


@given(some_steps())
@settings(max_examples=150, deadline=None)
def test_order_waits_and_circles_are_those_of_a_library_for_graphs(steps: list[ComputeStep]) -> None:
    known: nx.DiGraph[str] = nx.DiGraph()
    known.add_nodes_from(step.name for step in steps)
    known.add_edges_from((writer, name) for name, before in edges(steps).items() for writer in before)
    if not nx.is_directed_acyclic_graph(known):
        with pytest.raises(DefinitionError, match="in a circle"):
            build_graph(steps)
        return
    graph, reduced = build_graph(steps), nx.transitive_reduction(known)
    order = list(nx.lexicographical_topological_sort(known))
    assert [step.name for step in graph.steps] == list(graph.before) == order
    for name in order:
        assert graph.before[name] == tuple(sorted(known.predecessors(name), key=order.index))
        assert graph.after[name] == tuple(sorted(reduced.successors(name), key=order.index))
        assert graph.n_waits[name] == reduced.in_degree(name)
        assert ancestors(graph.before)[name] == nx.ancestors(known, name)


def test_a_step_may_read_its_own_earlier_chapters_only_if_it_carries() -> None:
    build_graph([compute("diary", "claim", "claim", carries=True)])
    with pytest.raises(DefinitionError, match="only itself"):
        build_graph([compute("diary", "claim", "claim")])


def test_all_writers_of_a_class_come_before_its_readers_except_the_reader_itself() -> None:
    first = compute("first", "", "entity", carries=True)
    second = compute("second", "entity", "entity", carries=True)
    reader = compute("a_reader", "entity", "claim")
    graph = build_graph([reader, second, first])
    assert graph.before["a_reader"] == ("first", "second")
    assert (graph.before["second"], graph.before["first"]) == (("first",), ())
    assert graph.after["first"] == ("second",)
    assert graph.n_waits == {"first": 0, "second": 1, "a_reader": 1}


def test_handles_are_given_by_carrying_steps_only() -> None:
    with pytest.raises(DefinitionError, match="does not carry"):
        build_graph([compute("loose", "", "entity")])


def test_an_unknown_fact_class_is_refused() -> None:
    with pytest.raises(DefinitionError, match="dragons"):
        build_graph([compute("odd", "", "dragons")])


def test_steps_that_see_the_added_cast_wait_for_all_cast_steps() -> None:
    graph = build_graph(STEPS)
    assert graph.cast_steps == {"forms", "entities"}
    assert set(graph.before["presence"]) == {"forms", "entities"}
    assert graph.opening == {"forms", "entities"}
    assert graph.carried == {"form", "entity", "name"}


def test_a_compute_step_a_cast_step_waits_for_belongs_to_the_cast_stage() -> None:
    early, late = compute("early", "", "proposal"), compute("late", "proposal", "claim")
    needs = replace(ENTITIES, reads=frozenset({"form", "proposal"}))
    assert cast_stage([early, late, needs, FORMS]) == {"early", "entities", "forms"}


def test_the_order_of_steps_does_not_depend_on_the_order_they_are_given_in() -> None:
    names = [step.name for step in in_order(STEPS)]
    assert (
        names == [step.name for step in in_order(tuple(reversed(STEPS)))] == [s.name for s in build_graph(STEPS).steps]
    )


def _claims_undeclared(unit: Unit, _view: Bible) -> Effects:
    form = FormFact(surface="x", entity_kind="place", chapter=unit.chapter.no, first=Place(1, 1), n_mentions=1)
    return Effects(((form, ()),))


def _reads_undeclared(unit: Unit, view: Bible) -> Effects:
    view.forms(unit.chapter.no)
    return Effects()


def _reads_cast(_unit: Unit, view: Bible) -> Effects:
    view.cast  # noqa: B018
    return Effects()


def _reads_of(_unit: Unit, view: Bible) -> Effects:
    view.of(ClaimFact)
    return Effects()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (_claims_undeclared, "wrote 'form', which it did not declare"),
        (_reads_undeclared, "reads 'form', which it did not declare"),
        (_reads_cast, "reads 'entity', which it did not declare"),
        (_reads_of, "reads 'claim', which it did not declare"),
    ],
)
async def test_a_step_that_reads_or_writes_what_it_did_not_declare_stops_the_run(
    tmp_path: Path, body: object, words: str
) -> None:
    sly: Step = replace(compute("sly", "", "vote"), compute=body)  # type: ignore[arg-type]
    outcome = await analyse(tmp_path, Teller(), steps=[*STEPS[:0], FORMS, ENTITIES, PRESENCE, sly])
    assert outcome.exit_code == 3
    assert outcome.error is not None
    assert words in str(outcome.error)
    assert "sly" in outcome.error.hint
