"""How fast a long serial goes where the provider takes no time, what each chapter and call costs this machine, and what memory.

The provider simulator runs in a process of its own, its work is told apart. It answers as often and as long as gold does
(`_plausible`). CPU and memory are the operating system's own figures of the run's process; where others use the machine the
wall's seconds grow with their work, the ratio to the reference does not: it is sent within the same minute.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from analyzer import pipeline
from analyzer.storage.store import Store
from evals.bench import Row
from evals.bench._measured import Measured, Moment, measured
from evals.bench._serving import served
from evals.made_serial import printed, story_of, world_of

N_CHAPTERS = 117
"""Chapters of the run; those of Monte Cristo, and as many of the serial made here."""
PUBLIC = Path("texts", "count-of-monte-cristo-en", "book.txt")
CHAPTER_S, CALL_S = 0.1, 0.004
"""CPU seconds a chapter and a call may cost. Source: the project's promise, as are the next three."""
PEAK_MB = 350.0
GROWTH = 1.10
WALL_S = 60.0
REFERENCE = 1.10
"""Wall of a run over that of the streamed reference."""
AT = (40, 80, N_CHAPTERS)
"""Chapters at which memory is told."""
WINDOW = 9
"""Chapters of one point of the regression of CPU over calls: those that overlap are not told apart one by one."""
SLOW = {"latency.base_s": 0.4, "latency.prefill_tps": 20_000.0, "latency.output_tps": 120.0}
"""Latencies of the run that is held against the reference. Source: `evals.simulated`."""
SLOW_CHAPTERS, SLOW_SLOTS = 6, 8
"""How many chapters that run has, and how many calls are in flight at a time."""


def bench_speed(data: Path | None) -> list[Row]:
    """Measure a run of 117 chapters and one beside the streamed reference: Monte Cristo with a folder, else a serial made here."""
    with tempfile.TemporaryDirectory() as folder:
        book = _book(data, Path(folder))
        with served() as provider:
            long = measured("run", str(book), provider.base_url, f"1-{N_CHAPTERS}", "16")
        again = _book(data, Path(folder) / "again")
        ours, reference = _beside_reference(again, Path(folder) / "requests")
        with Store.open(book) as store:
            n_facts = len(store.facts())
    facts = Row("speed: facts a chapter", n_facts / long.last.n_chapters, "")
    return [*rows_of(long, provider.cpu_s), facts, *_wall_rows(ours, reference)]


def _book(data: Path | None, folder: Path) -> Path:
    source = data / PUBLIC if data is not None else folder / "serial.txt"
    if data is None:
        folder.mkdir(exist_ok=True)
        source.write_text(printed(story_of(world_of(60), N_CHAPTERS)), "utf-8")
    return pipeline.init(source, book=folder / "book", language="en")


def _beside_reference(book: Path, kept: Path) -> tuple[Measured, Measured]:
    """Run the first chapters against a provider that takes its time, then send the very same requests as the reference does."""
    with served(settings=SLOW) as provider:
        ours = measured("run", str(book), provider.base_url, f"1-{SLOW_CHAPTERS}", str(SLOW_SLOTS), str(kept))
    with served(settings=SLOW) as provider:
        return ours, measured("reference", str(kept), provider.base_url, str(SLOW_SLOTS))


def rows_of(run: Measured, provider_cpu_s: float) -> list[Row]:
    """Return what a long run used, each figure beside what it may."""
    first, last = run.moments[0], run.last
    n = last.n_chapters
    due = CHAPTER_S * n + CALL_S * last.n_calls
    a_chapter, a_call = fixed_and_each(run.moments)
    peaks = {at: next((m.peak_mb for m in run.moments if m.n_chapters >= at), last.peak_mb) for at in AT}
    growth = peaks[AT[-1]] / peaks[AT[0]]
    return [
        Row(f"speed: wall of {n} chapters, no latency", last.wall_s, "s", last.wall_s / WALL_S),
        Row(f"speed: CPU of {n} chapters", last.cpu_s, "s", last.cpu_s / due),
        Row("speed: calls a chapter", last.n_calls / n, ""),
        Row("speed: CPU before the first chapter", first.cpu_s, "s"),
        Row("speed: CPU a chapter, its calls apart", a_chapter, "s", a_chapter / CHAPTER_S),
        Row("speed: CPU a call", a_call * 1000, "ms", a_call / CALL_S),
        Row("speed: CPU of the simulated provider", provider_cpu_s, "s"),
        *(Row(f"speed: peak memory at chapter {at}", peak, "MB", peak / PEAK_MB) for at, peak in peaks.items()),
        Row(f"speed: peak at {AT[-1]} over that at {AT[0]}", growth, "x", growth / GROWTH),
    ]


def fixed_and_each(moments: Sequence[Moment]) -> tuple[float, float]:
    """Return CPU seconds a chapter and a call: the line through windows of chapters, neither figure below nothing.

    Where chapters have about the same number of calls no line tells the two apart: then all is the calls'.
    """
    windows = [(after, before) for before, after in pairwise(moments[::WINDOW])]
    calls = [(a.n_calls - b.n_calls) / (a.n_chapters - b.n_chapters) for a, b in windows]
    spent = [(a.cpu_s - b.cpu_s) / (a.n_chapters - b.n_chapters) for a, b in windows]
    all_calls = statistics.fmean(spent) / statistics.fmean(calls) if any(calls) else 0.0
    if len(set(calls)) < 2:
        return 0.0, all_calls
    each, fixed = statistics.linear_regression(calls, spent)
    return (fixed, each) if fixed >= 0 <= each else (0.0, all_calls)


def _wall_rows(ours: Measured, reference: Measured) -> list[Row]:
    first, last = ours.moments[0], ours.last
    wall_s = last.wall_s - first.wall_s
    ratio = wall_s / reference.last.wall_s
    return [
        Row(f"speed: {last.n_chapters} chapters, {last.n_calls} calls, slow provider", wall_s, "s"),
        Row("speed: the same requests, streamed reference", reference.last.wall_s, "s"),
        Row("speed: ours over the reference", ratio, "x", ratio / REFERENCE),
    ]
