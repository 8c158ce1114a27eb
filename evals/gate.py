"""The gate: own serials (and public chapters where asked for) through the pipeline, held against committed baselines.

Deterministic answers only: truthful ones from gold, rules, one that always takes the first option, truth with errors of a fixed
seed, recordings. Nothing is asked of anybody and nothing depends on this machine's cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from analyzer.errors import InputError
from analyzer.wording import counted
from evals.answering import REPLAY, on_verdicts, run_named
from evals.baselines import (
    BASELINES,
    FIGURES,
    STORY_FOUND,
    STORY_RIGHT,
    Baseline,
    Verdict,
    baseline_of,
    held,
    load_baseline,
    lost_answers,
    write_baseline,
)
from evals.command import chosen
from evals.goldset.cases import NO_TEXT, Case, find_cases
from evals.needs import needs
from evals.recordings import RECORDINGS, load_recording, recordings
from evals.records import RunResult
from evals.runs import STORY, alone

NOISY = "noisy:0.05"
"""Truth with every kind of error at this rate, seed 0: what the third vote and the rules at the door are for."""
ANSWERS = ("gold", "rules", "adversary:first", NOISY)
"""Whose answers every own serial gets: the truth (are candidates, options and rules there?), no model, one who always takes the
first option (does what such a one says stay outside?), and one who errs (do votes and rules mend what they are to mend?)."""
PUBLIC_ANSWERS = ("gold", "rules")
STORY_ANSWERS = ("gold", NOISY)
"""Whose answers the parts beside cast and relations get: rules know nothing of them, and an adversary's one mark for everything is
known as such and read as no answer (tests try the doors of the story with adversaries who vary)."""
SHORT = 3
"""Most chapters of an own serial whose story is asked with errors too. Source: so the gate stays under three minutes."""
BOUNDS = {
    "entities named": 0.98,
    "relations of family": 0.95,
    "relations right": 0.98,
    **dict.fromkeys((*STORY_FOUND, *STORY_RIGHT), 0.95),
}
"""Absolute bounds on truthful answers, pooled by language. Source: the project's promise."""
PRICE_MODEL = "gpt-6-luna"
"""At whose price runs of the gate are counted, whatever the default model becomes."""
Say = Callable[[str], None]


class Run(NamedTuple):
    """One run of the gate: these cases (chapters of one public edition, or one own serial) under one name."""

    case: str
    answers: str
    cases: tuple[Case, ...]

    @property
    def name(self) -> str:
        """Case and answers."""
        return f"{self.case} {self.answers}"

    @property
    def off(self) -> tuple[str, ...]:
        """The parts it leaves out; a replay goes by its recording."""
        told = self.answers in STORY_ANSWERS and (
            self.answers == STORY_ANSWERS[0] or sum(len(case.numbers) for case in self.cases) <= SHORT
        )
        return () if told else STORY


@dataclass(frozen=True)
class Sources:
    """Where the gate reads, and whose answers own serials get: `texts` None leaves public chapters out. Tests give their own."""

    texts: Path | None = None
    baselines: Path = BASELINES
    recordings: Path = RECORDINGS
    cases: Callable[[Path | None], Sequence[Case]] = find_cases
    answers: tuple[str, ...] = ANSWERS


@dataclass(frozen=True)
class Held:
    """A run with its baseline and what came of holding one against the other."""

    run: Run
    language: str
    result: RunResult
    new: Baseline
    old: Baseline | None
    verdict: Verdict


class Missed(NamedTuple):
    """An absolute bound that truthful answers miss in a language; `excuse` says why that was accepted, "" where it was not."""

    language: str
    figure: str
    line: str
    excuse: str


@dataclass
class Report:
    """All runs; `unscored` says what is not here, `missed` which absolute bounds are missed."""

    held: list[Held] = field(default_factory=list)
    unscored: list[str] = field(default_factory=list)
    missed: list[Missed] = field(default_factory=list)

    @property
    def bounds(self) -> list[Missed]:
        """Bounds missed that nobody accepted."""
        return [one for one in self.missed if not one.excuse]

    @property
    def failed(self) -> bool:
        """Whether anything fell."""
        return bool(self.bounds) or any(one.verdict.fell for one in self.held)


def plan(sources: Sources, only: str | None = None) -> tuple[list[Run], list[str]]:
    """Return the runs of the gate and what cannot be run; `only` are parts of a run's name, None is all."""
    cases = sources.cases(sources.texts)
    runs: list[Run] = []
    unscored: list[str] = []
    for case in cases:
        here = case.manuscript is not None and (not case.public or sources.texts is not None)
        if not here:
            unscored.append(f"{case.name}: {NO_TEXT}, unscored")
            continue
        runs += [Run(case.name, answers, (case,)) for answers in (PUBLIC_ANSWERS if case.public else sources.answers)]
    for name in recordings(sources.recordings):
        about = load_recording(name, sources.recordings).about
        known = {one.name: one for one in alone(cases)}
        case_of = known.get(about.case)
        if case_of is None:
            raise InputError(f"recording {name} is of {about.case!r}, which is no case", where=str(sources.recordings))
        if case_of.manuscript is None or (case_of.public and sources.texts is None):
            unscored.append(f"recording {name} of {about.case}: {NO_TEXT}, unscored")
        else:
            runs.append(Run(about.case, f"{REPLAY}:{name}", (case_of,)))
    names = chosen("--only", only, [run.name for run in runs])
    return [run for run in runs if run.name in names], unscored


def go(sources: Sources, *, only: str | None = None, say: Say = lambda _line: None, n_jobs: int = 1) -> Report:
    """Run everything, `n_jobs` at a time, and hold it against its baselines; `say` hears how far it is. Raises what stopped a run."""
    runs, unscored = plan(sources, only)
    report = Report(unscored=unscored)
    if not runs:
        raise InputError("there is nothing to run")
    with ExitStack() as stack:
        if n_jobs > 1:
            pool = stack.enter_context(ProcessPoolExecutor(n_jobs, mp_context=get_context("spawn")))
            done = pool.map(hold, runs, [sources] * len(runs))
        else:
            done = map(hold, runs, [sources] * len(runs))
        for at, run in enumerate(runs, 1):
            say(f"[{at}/{len(runs)}] {run.name}")
            report.held.append(next(done))
    report.missed = list(_missed(report.held))
    return report


def hold(run: Run, sources: Sources) -> Held:
    """Run one and hold it against its baseline."""
    result = run_named(run.cases, run.answers, price_model=PRICE_MODEL, recordings=sources.recordings, off=run.off)
    new, old = baseline_of(run.case, result), load_baseline(run.case, run.answers, sources.baselines)
    texts = {o.key: o.text for row in result.chapters for o in row.outcomes}
    verdict = held(old, new, texts)
    n_lost = lost_answers(old, new)
    if n_lost:
        lacking = [one for one in result.asked if one.status in ("unrecorded", "stale")]
        line = f"prompts changed since recorded: {counted(n_lost, 'question')} without a recorded answer in these words"
        would = f"{line}; all {len(lacking)} that lack one would need {needs(result, lacking, PRICE_MODEL).words}"
        verdict = verdict.model_copy(update={"fell": (*verdict.fell, would)})
    verdict = verdict.model_copy(update={"told": (*verdict.told, *on_verdicts(result))})
    return Held(run, run.cases[0].language, result, new, old, verdict)


def _missed(rows: Sequence[Held]) -> Iterator[Missed]:
    truthful = [row for row in rows if row.run.answers == "gold"]
    for language in sorted({row.language for row in truthful}):
        of = [row for row in truthful if row.language == language]
        for figure, bound in BOUNDS.items():
            hit = sum(one.new.figures[figure][0] for one in of)
            n = sum(one.new.figures[figure][1] for one in of)
            if n and hit / n < bound:
                line = f"{language}: {figure} {hit}/{n} ({hit / n:.1%}) is below {bound:.0%} with truthful answers"
                excuses = {one.old.excused[figure] for one in of if one.old and figure in one.old.excused}
                yield Missed(language, figure, line, "; ".join(sorted(excuses)))


def accept(report: Report, *, reason: str, root: Path = BASELINES) -> list[Path]:
    """Write what a run found as the new baselines, with the reason; what is as it was stays untouched.

    Raises InputError, before anything is written, where an absolute bound is missed and no reason is given, or where nothing
    was run.
    """
    if not report.held:
        raise InputError("nothing was run, so nothing can be accepted")
    lowered = [one for one in report.held if one.verdict.fell and one.old is not None]
    if (lowered or report.bounds) and not reason.strip():
        names = [one.run.name for one in lowered] + [one.line for one in report.bounds]
        raise InputError(
            f"this lowers or excuses {'; '.join(names)}", hint="say why: python -m evals accept --reason TEXT"
        )
    written = []
    for one in report.held:
        why = reason.strip()
        excused = {m.figure: m.excuse or why for m in report.missed if _is_of(m, one)}
        kept = {"noise": one.old.noise, "reason": one.old.reason} if one.old else {}
        fresh = one.new.model_copy(update={**kept, "excused": excused})
        if fresh != one.old:
            written.append(write_baseline(fresh.model_copy(update={"reason": why or "better, or new"}), root))
    return written


def _is_of(missed: Missed, one: Held) -> bool:
    return one.run.answers == "gold" and one.language == missed.language


def shown(report: Report) -> Iterable[str]:
    """Yield the report as lines: a table of figures, then what fell and what got better, run by run."""
    width = max(len(one.run.name) for one in report.held)
    for one in report.held:
        figures = _told(one.new, (name for name in FIGURES if name not in STORY_SHOWN))
        cost = f"{counted(one.new.calls, 'call')}, {counted(one.new.questions, 'question')}, {one.new.cents:.2f} cents"
        mark = "FELL" if one.verdict.fell else "ok"
        yield f"{mark:4} {one.run.name:{width}}  [{one.new.label}]  {figures}  {cost}"
        story = _told(one.new, STORY_SHOWN)
        if story:
            yield f"{'':4} {'':{width}}  {story}"
    for one in report.held:
        if one.verdict.fell or one.verdict.better or one.verdict.told:
            yield ""
            yield f"{one.run.name}:"
            yield from (f"  FELL  {line}" for line in one.verdict.fell)
            yield from (f"  better  {line}" for line in one.verdict.better)
            yield from (f"  changed  {line}" for line in one.verdict.told)
    yield ""
    for missed in report.missed:
        yield (
            f"below its bound, as accepted ({missed.excuse}): {missed.line}"
            if missed.excuse
            else f"BELOW ITS BOUND  {missed.line}"
        )
    yield from report.unscored
    fallen = sum(bool(one.verdict.fell) for one in report.held)
    better = sum(bool(one.verdict.better) for one in report.held)
    if report.failed:
        bounds = counted(len(report.bounds), "bound")
        yield f"{fallen} of {counted(len(report.held), 'run')} fell below the baseline, {bounds} missed"
    else:
        yield f"{counted(len(report.held), 'run')} at the baseline or better" + (
            f"; better: {better}; python -m evals accept keeps that" if better else ""
        )


STORY_SHOWN = tuple(name for pair in zip(STORY_FOUND, STORY_RIGHT, strict=True) for name in pair)


def _told(baseline: Baseline, names: Iterable[str]) -> str:
    return "  ".join(f"{name} {_share(baseline, name)}" for name in names if baseline.figures[name][1])


def _share(baseline: Baseline, figure: str) -> str:
    hit, n = baseline.figures[figure]
    return f"{hit}/{n}"


def as_json(report: Report) -> dict[str, object]:
    """Return the report as JSON: a row for each run, its figures as (hits, n), what fell and what got better."""
    return {
        "failed": report.failed,
        "runs": [
            {
                "case": one.run.case,
                "answers": one.run.answers,
                "label": one.new.label,
                "language": one.language,
                "figures": one.new.figures,
                "calls": one.new.calls,
                "questions": one.new.questions,
                "cents": one.new.cents,
                "trouble": one.new.trouble,
                **one.verdict.model_dump(exclude={"name"}),
            }
            for one in report.held
        ],
        "bounds": [missed._asdict() for missed in report.missed],
        "unscored": report.unscored,
    }
