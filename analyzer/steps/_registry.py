"""Steps found by folder, and the edges their reads and writes make. There is no list to edit.

Every module of the folder whose name does not start with `_` exposes `STEP`.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Collection, Iterable, Sequence

from analyzer.errors import ConfigError, DefinitionError
from analyzer.models.facts import FACT_CLASSES
from analyzer.prompts import prompt_exists
from analyzer.steps._step import AskStep, ComputeStep, Step

CAST_CLASSES = frozenset({"entity", "name", "same"})
"""A compute step that writes one of these belongs to the cast stage of its chapter: the prefix shows what it wrote."""

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")


def load_steps(package: str = "analyzer.steps") -> tuple[Step, ...]:
    """Return the steps of `package`, each after all it waits for, ties by name.

    Raises DefinitionError where a module has no STEP, a name is taken twice, a prompt file is missing or a step's
    declaration breaks its contract. Steps that wait for each other in a circle come last, by name: the graph names them.
    """
    found: dict[str, tuple[Step, str]] = {}
    for module_name in _modules(package):
        step = _step_of(module_name)
        if step.name in found:
            raise DefinitionError(
                f"two steps are called {step.name!r}: in {found[step.name][1]} and in {module_name}",
                where=module_name,
                hint="rename one of them; a step's name is the name of its answers and facts in every book",
            )
        found[step.name] = (step, module_name)
    return in_order([step for step, _ in found.values()])


def switched(steps: Sequence[Step], off: Collection[str]) -> tuple[Step, ...]:
    """Return the steps that are left where `off` (parts, or names of steps) are switched off, in order.

    Whoever reads a class that nobody writes any more goes too; a past class that nobody writes is merely empty. Raises
    ConfigError for a name that is neither, and for the cast, which all else stands on.
    """
    known = {step.part for step in steps} | {step.name for step in steps}
    cast = {"cast"} | {step.name for step in steps if step.part == "cast"}
    for name in off:
        if name in cast or name not in known:
            why = "all else stands on the cast" if name in cast else "there is no such part or step"
            raise ConfigError(
                f"{name!r} cannot be switched off: {why}",
                where="off",
                hint=f"parts: {', '.join(dict.fromkeys(step.part for step in steps if step.part != 'cast'))}",
            )
    left = [step for step in steps if not {step.part, step.name} & set(off)]
    while True:
        written = frozenset(c for step in left for c in step.writes)
        kept = [step for step in left if step.reads <= written]
        if len(kept) == len(left):
            return tuple(kept)
        left = kept


def _modules(package: str) -> list[str]:
    folder = importlib.import_module(package)
    names = sorted(info.name for info in pkgutil.iter_modules(folder.__path__) if not info.name.startswith("_"))
    return [f"{package}.{name}" for name in names]


def _step_of(module_name: str) -> Step:
    step = getattr(importlib.import_module(module_name), "STEP", None)
    if not isinstance(step, AskStep | ComputeStep):
        raise DefinitionError(
            f"{module_name} exposes {type(step).__name__} as STEP, an AskStep or a ComputeStep was expected",
            where=module_name,
            hint="end the module with STEP = AskStep(...) or begin its file name with _",
        )
    check_step(step, where=module_name)
    return step


def check_step(step: Step, *, where: str = "") -> None:
    """Raise DefinitionError where one step's declaration cannot be right, whatever the other steps are."""
    problem = _problem(step)
    if problem:
        raise DefinitionError(f"step {step.name!r} {problem[0]}", where=where or step.name, hint=problem[1])


def _problem(step: Step) -> tuple[str, str] | None:
    """Return what is wrong and what to do, or None."""
    unknown = sorted((step.reads | step.writes | step.past) - set(FACT_CLASSES))
    if not _NAME.match(step.name):
        return "has a name that is not lower case letters, digits and _", "rename it"
    if unknown:
        return f"declares unknown fact classes {unknown!r}", f"known are {', '.join(FACT_CLASSES)}"
    if step.past and (step.part == "cast" or step.carries):
        return "looks at the past and holds up the next chapter", "take past from a step that is not of the cast"
    if "entity" in step.writes and not step.carries:
        return "writes entity but does not carry", "set carries=True: handles are given in the order of chapters"
    if isinstance(step, AskStep):
        if step.pack_size < 1:
            return f"has pack_size {step.pack_size}", "a pack holds at least one question"
        if not prompt_exists(step.prompt):
            return f"names the prompt {step.prompt!r}, and there is no such file", f"add prompts/{step.prompt}.md"
    return None


def cast_stage(steps: Iterable[Step]) -> frozenset[str]:
    """Return the names of the steps that work before the chapter's added cast is known.

    They are the ask steps of stage "chapter", the compute steps that write the cast, and the compute steps these wait for.
    """
    steps = tuple(steps)
    found = {
        s.name for s in steps if (s.stage == "chapter" if isinstance(s, AskStep) else bool(s.writes & CAST_CLASSES))
    }
    computes = [s for s in steps if isinstance(s, ComputeStep)]
    wanted = frozenset(c for s in steps if s.name in found for c in s.reads)
    while True:
        more = [s for s in computes if s.name not in found and s.writes & wanted]
        if not more:
            return frozenset(found)
        found.update(s.name for s in more)
        wanted = wanted.union(*(s.reads for s in more))


def edges(steps: Sequence[Step]) -> dict[str, dict[str, str]]:
    """Return for each step the steps of the same chapter it waits for, each with the reason in words.

    All writers of a class come before its readers, except the step itself; steps that see the added cast come after all
    that make it.
    """
    cast = cast_stage(steps)
    waits: dict[str, dict[str, str]] = {step.name: {} for step in steps}
    for step in steps:
        for writer in steps:
            if writer.name == step.name:
                continue
            if not step.reads.isdisjoint(writer.writes):
                waits[step.name][writer.name] = f"it reads {', '.join(sorted(step.reads & writer.writes))}"
            elif writer.name in cast and step.name not in cast:
                waits[step.name][writer.name] = "its prefix shows the cast this chapter adds"
    return waits


def in_order(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Return `steps` each after all it waits for, ties by name; what stands in a circle comes last, by name."""
    by_name = {step.name: step for step in steps}
    waits = {name: set(before) for name, before in edges(steps).items()}
    ordered: list[str] = []
    while waits:
        free = min((name for name, before in waits.items() if not before), default=None)
        if free is None:
            ordered.extend(sorted(waits))
            break
        ordered.append(free)
        del waits[free]
        for before in waits.values():
            before.discard(free)
    return tuple(by_name[name] for name in ordered)
