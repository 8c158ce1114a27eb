"""The graph of a book's steps: what waits for what, within a chapter and from chapter to chapter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from analyzer.errors import DefinitionError
from analyzer.steps._registry import cast_stage, check_step, edges, in_order
from analyzer.steps._step import Step


@dataclass(frozen=True)
class Graph:
    """Steps in order, and who waits for whom.

    `before[name]` are all steps of the same chapter whose facts `name` sees, in order; `n_waits[name]` and `after[name]`
    leave out what follows from others (nobody waits twice). `writers[class]` are step names.
    `carried` are the classes a later chapter may see (they have a carrying writer). `opening` are the steps of a chapter
    that the next chapter of the run waits for; empty where nothing carries. `cast_steps` make the cast a chapter adds.
    `past_writers[name]` are the steps that must be done with all earlier chapters before `name` may start at one.
    """

    steps: tuple[Step, ...]
    before: dict[str, tuple[str, ...]]
    after: dict[str, tuple[str, ...]]
    n_waits: dict[str, int]
    writers: dict[str, tuple[str, ...]]
    carried: frozenset[str]
    opening: frozenset[str]
    cast_steps: frozenset[str]
    past_writers: dict[str, frozenset[str]]


def build_graph(steps: Sequence[Step], spares: Collection[tuple[str, str]] = ()) -> Graph:
    """Return the graph of `steps`; raises DefinitionError naming the steps and the fix.

    `spares` are pairs (second, first) of steps of which the first may spare the second its questions, which then waits for it.

    Found here: a name taken twice, a read nobody writes, steps that wait for each other in a circle.
    """
    for step in steps:
        check_step(step)
    twice = sorted(name for name, n in Counter(step.name for step in steps).items() if n > 1)
    if twice:
        raise DefinitionError(f"two steps are called {twice[0]!r}", where=twice[0], hint="rename one of them")
    _check_reads(steps)
    waits = edges(steps)
    for second, first in spares:
        waits[second].setdefault(first, "it may be spared")
    ordered = in_order(steps)
    order = [step.name for step in ordered]
    place = {name: i for i, name in enumerate(order)}
    if any(place[writer] > place[name] for name, before in waits.items() for writer in before):
        raise _in_a_circle(waits)
    before = {name: tuple(sorted(waits[name], key=place.__getitem__)) for name in order}
    reduced = _reduced(before)
    carried = frozenset(c for step in steps if step.carries for c in step.writes)
    return Graph(
        steps=ordered,
        before=before,
        after={writer: tuple(name for name in order if writer in reduced[name]) for writer in order},
        n_waits={name: len(reduced[name]) for name in order},
        writers={c: tuple(s.name for s in ordered if c in s.writes) for s in ordered for c in s.writes},
        carried=carried,
        opening=frozenset(s.name for s in ordered if s.carries or s.writes & carried),
        cast_steps=cast_stage(ordered),
        past_writers={s.name: frozenset(w.name for w in ordered if w.writes & s.past) for s in ordered if s.past},
    )


def _check_reads(steps: Sequence[Step]) -> None:
    for step in steps:
        for read in sorted(step.reads):
            others = [s.name for s in steps if read in s.writes and (s.name != step.name or step.carries)]
            if not others:
                own = "only itself, in the same chapter" if read in step.writes else "nobody"
                raise DefinitionError(
                    f"step {step.name!r} reads {read!r}, which {own} writes",
                    where=step.name,
                    hint=f"add a step that writes {read!r}, or drop it from the reads of {step.name!r}",
                )


def ancestors(before: Mapping[str, Collection[str]]) -> dict[str, frozenset[str]]:
    """Return for each step all that must be done before it, directly or not; `before` is in order."""
    found: dict[str, frozenset[str]] = {}
    for name, direct in before.items():
        found[name] = frozenset(direct).union(*(found[writer] for writer in direct))
    return found


def _reduced(before: Mapping[str, Collection[str]]) -> dict[str, frozenset[str]]:
    """Return what each step waits for without what follows from others."""
    above = ancestors(before)
    return {
        name: frozenset(direct).difference(*(above[writer] for writer in direct)) for name, direct in before.items()
    }


def _in_a_circle(waits: Mapping[str, Mapping[str, str]]) -> DefinitionError:
    """Return the error that names one circle; networkx is imported for it only (0.1 s, which no run should wait for)."""
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(sorted(waits))
    graph.add_edges_from((writer, name) for name, before in waits.items() for writer in before)
    circle = [writer for writer, _ in nx.find_cycle(graph)]
    first, second = circle[0], circle[1]
    told = "; ".join(
        f"{name!r} waits for {writer!r} ({waits[name][writer]})"
        for writer, name in zip(circle, [*circle[1:], circle[0]], strict=True)
    )
    return DefinitionError(
        f"steps wait for each other in a circle: {told}",
        where=f"{first}, {second}",
        hint="take what an earlier chapter wrote from unit.start, which needs no declared read, or split one of the steps",
    )
