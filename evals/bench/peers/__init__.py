"""The same chapter read by this tool and by others, against the same simulated provider, answered from the same gold.

One module a contestant (`PACKAGE`: the distribution it needs, "" for none; `run(text, url, model, folder)`), found by itself. Each runs
in a process of its own, with its own defaults and no reasoning asked of the model. What is printed is what each used, beside what
this tool used for the same chapter, and what each found: the ratios are the figures, seconds and megabytes those of one machine.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NamedTuple

from analyzer import pipeline
from analyzer.bible import fold
from analyzer.llm.transports.gold import GoldAnswers
from analyzer.llm.transports.gold_book import load_gold
from analyzer.models.facts import RelationFact
from analyzer.models.gold import GoldChapter
from analyzer.storage.store import Store
from evals.bench import Row
from evals.bench._measured import AS_INSTALLED, measured
from evals.bench._serving import TRUTH, served
from evals.bench._truth import Truth
from evals.bench.peers._found import Found, Score, score
from evals.bench.peers._recorded import Recorded
from evals.goldset.cases import Case, find_cases, own_case

PUBLIC = ("monte-cristo", 6)
"""The chapter read where there is a folder of texts: 4,000 words. Without one it is the first of the bundled serial."""
SLOW = {"latency.base_s": 0.1, "latency.prefill_tps": 80_000.0, "latency.output_tps": 480.0}
"""A provider that takes its time, so that waiting in a row shows; four times as fast as that of `evals.simulated`, so that this ends."""
TIMEOUT_S = 900.0
OURS = "analyzer"


class Used(NamedTuple):
    """What one contestant used of provider and machine, and what it found."""

    totals: Mapping[str, Any]
    wall_s: float
    cpu_s: float
    peak_mb: float
    score: Score

    @property
    def cents(self) -> float:
        """What the provider charged, in US cents."""
        return float(self.totals["cost_nano"]) / 1e7


def contestants() -> dict[str, str]:
    """Return every contestant's module with the package it needs, those that need none first."""
    names = [module.name for module in iter_modules(__path__) if not module.name.startswith("_")]
    packages = {name: import_module(f"{__name__}.{name}").PACKAGE for name in names}
    return dict(sorted(packages.items(), key=lambda item: (bool(item[1]), item[0])))


def installed(package: str) -> str | None:
    """Return a package's version, "" where none is needed, None where it is not installed."""
    try:
        return version(package) if package else ""
    except PackageNotFoundError:
        return None


def bench_peers(data: Path | None) -> list[Row]:
    """Let everybody who is installed read one chapter: Monte Cristo 6 with a folder of texts, else the first of the bundled serial."""
    case, no = _case(data)
    gold = next(one for one in load_gold(case.gold).values() if one.number == no)
    rows: list[Row] = []
    versions = {name: installed(package) for name, package in contestants().items()}
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        truth = truth_of(case, gold, folder)
        ours = _ours(case, gold, truth, folder)
        rows += rows_of(OURS, ours, ours)
        for name, has in versions.items():
            title = f"{name} {has or ''}".strip()
            if has is None:
                rows.append(Row(f"peers: {name}: not installed (make bench-peers)", math.nan, ""))
                continue
            used = peer(name, gold, case, truth, folder)
            rows += (
                rows_of(title, used, ours) if isinstance(used, Used) else [Row(f"peers: {title}: {used}", math.nan, "")]
            )
    return rows


def _case(data: Path | None) -> tuple[Case, int]:
    if data is None:
        case = own_case()
        return case, case.numbers[0]
    name, no = PUBLIC
    return next(case for case in find_cases(data) if case.name == name), no


def truth_of(case: Case, gold: GoldChapter, folder: Path) -> Truth:
    """Return what is true of a chapter, our own true replies with it: those of a run that asks gold in the very same words."""
    book = pipeline.init(case.text(), book=folder / "recorded", language=case.language)
    manuscript = pipeline.manuscript_of(book)
    asker = Recorded(GoldAnswers.open(case.gold, manuscript))
    outcome = pipeline.run(book, asker=asker, chapters=str(gold.number), allow_unpriced=True)
    if outcome.error is not None:
        raise outcome.error
    truth = Truth.of(gold, manuscript.text, asker.replies)
    truth.write(folder / "truth.json")
    return truth


def _ours(case: Case, gold: GoldChapter, truth: Truth, folder: Path) -> Used:
    book = pipeline.init(case.text(), book=folder / "ours", language=case.language)
    with served(f"{TRUTH}{folder / 'truth.json'}", SLOW) as provider:
        run = measured("run", str(book), provider.base_url, str(gold.number), "8")
    return Used(provider.totals, run.last.wall_s, run.last.cpu_s, run.last.peak_mb, score(found_of(book), truth))


def found_of(book: Path) -> Found:
    """Return what a run of ours left in a book: names, relations of any status, and facts a chapter's other parts came to."""
    with Store.open(book) as store:
        facts = [row.fact for row in store.facts()]
    bible = fold(facts, through=max((fact.chapter for fact in facts), default=0))
    names = {handle: entry.surfaces or (entry.entity.label,) for handle, entry in bible.cast.items()}
    ends = [(fact.subject, fact.object) for fact in facts if isinstance(fact, RelationFact)]
    pairs = [(a, b) for x, y in ends for a in names.get(x, ()) for b in names.get(y, ())]
    others = ("change", "speech", "secret", "knowledge", "thread", "reveal", "card")
    return Found(
        tuple(name for held in names.values() for name in held), tuple(pairs), sum(f.fact in others for f in facts)
    )


def peer(name: str, gold: GoldChapter, case: Case, truth: Truth, folder: Path) -> Used | str:
    """Let one contestant read the chapter; returns in one sentence why it could not where it failed."""
    file = folder / f"{name}.txt"
    manuscript = pipeline.manuscript_of(folder / "recorded")
    file.write_text(manuscript.chapters[gold.number - 1].text, "utf-8")
    place = folder / name
    place.mkdir()
    with served(f"{TRUTH}{folder / 'truth.json'}", SLOW) as provider:
        words = [name, str(file), provider.base_url, pipeline.DEFAULT_MODEL, str(place)]
        done = subprocess.run(
            [sys.executable, "-m", "evals.bench.peers._child", *words],
            env={**AS_INSTALLED, "OPENAI_API_KEY": "unused"},
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
        )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        return f"failed: {last[:200]}"
    found, wall_s, cpu_s, peak_mb = json.loads(done.stdout.splitlines()[-1])
    names, pairs, n_others = found
    kept = Found(tuple(names), tuple((a, b) for a, b in pairs), n_others)
    return Used(provider.totals, wall_s, cpu_s, peak_mb, score(kept, truth))


def rows_of(title: str, used: Used, ours: Used) -> list[Row]:
    """Return what a contestant used, each figure beside ours, and what it found."""
    totals, own = used.totals, ours.totals

    def row(what: str, value: float, unit: str, beside: float) -> Row:
        return Row(f"peers: {title}: {what}", value, unit, value / beside if beside else None)

    return [
        row("calls", totals["requests"], "", own["requests"]),
        *(row(f"{words} tokens", totals[name], "", own[name]) for name, words in CLASSES.items()),
        row("money", used.cents * 1000, "cent/1000", ours.cents * 1000),
        row("wall", used.wall_s, "s", ours.wall_s),
        row("CPU", used.cpu_s, "s", ours.cpu_s),
        row("peak memory", used.peak_mb, "MB", ours.peak_mb),
        row("entities found", used.score.names * 100, "%", ours.score.names * 100),
        row("related pairs found", used.score.pairs * 100, "%", ours.score.pairs * 100),
        Row(f"peers: {title}: other facts", used.score.n_others, ""),
    ]


CLASSES = {"input": "input", "read": "read", "write": "written", "output": "output"}
"""Classes of tokens in the provider's books, and in words."""
