"""What a run must not fall below: figures, the core facts found, the false ones said, questions and cost, a file for each run.

`evals/baselines/CASE.ANSWERS.json` is written by `python -m evals accept` alone. **The rule.** Truthful answers, rules,
adversaries and replays are deterministic, so their noise is zero: a figure that falls, a core fact that is lost, a false one
that is new, questions left without an answer that were not are each a fall. Where a file's `noise` names a figure, that
figure may fall by so much (a share), and facts lost or false within it are told and pass. Calls and cents may rise by
`DEARER`. The order of options is drawn from what is asked, so it is held by its mean place, see `ORDER`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from analyzer.errors import InputError
from analyzer.models.base import Record
from evals.files import read_text, record_of, write_whole
from evals.records import Asked, ChapterResult, Count, ItemClass, Label, RunResult, Share, Total
from evals.scoring.figures import Pick, count, counted, precision_of, recall_of, scored

BASELINES = Path(__file__).parent / "baselines"
DEARER = 0.03
"""Calls and cents may rise by this share. Source: a new line in one prompt moves cents by less, a new step by more."""
CALLS_FREE = 2
"""Calls more that are never held against a run: one in a chapter of thirty is three per cent already."""
ORDER = 0.12
"""How far the mean place of what was picked (0 first, 1 last) may move where code draws the order. Source: in three chapters
of 150 confirmations the means lie within 0.06 of each other; an option that always stands first moves its step by 0.4."""
SPREAD = 0.45
"""Standard deviation of a place drawn evenly among two to four options; between 0.37 (four) and 0.5 (two)."""
OPEN = ("missing", "unparsed", "refused", "rejected")
"""What is said in `trouble` of questions without an answer."""
REPLAYED = ("stale", "unrecorded")
REPLAY_SHARE = 0.02
"""Share of a recording's questions that may have lost their answer, or its words, since the baseline was accepted."""
STORY_NAMES: Mapping[ItemClass, str] = {
    "change": "changes",
    "appearance": "looks",
    "identity": "identities",
    "secret": "secrets",
    "knowledge": "knowledge",
    "plant": "plants",
}
"""How the classes of the story are called in figures."""
FIGURES: Mapping[str, Pick] = {
    "entities named": recall_of("entity"),
    "entities right": precision_of("entity"),
    "relations paired": recall_of("relation", "pair"),
    "relations of family": recall_of("relation"),
    "relations of kind": recall_of("relation", "kind"),
    "relations right": precision_of("relation"),
    "status right": Pick("relation", "gold", "status", "core"),
    **{f"{name} found": recall_of(cls) for cls, name in STORY_NAMES.items()},
    **{f"{name} right": precision_of(cls) for cls, name in STORY_NAMES.items()},
}
"""What is held; the shares are those of docs/scoring.md. Where a part is off in a run, nothing of it counts (0 of 0)."""
STORY_FOUND = tuple(f"{name} found" for name in STORY_NAMES.values())
STORY_RIGHT = tuple(f"{name} right" for name in STORY_NAMES.values())
FACTS = ("entities named", "relations of family", "relations of kind", *STORY_FOUND)
"""Figures whose hits are kept by name."""
FALSE = ("entities right", "relations right", *STORY_RIGHT)
"""Figures whose misses are kept by name."""
LARGEST = 64 * 1024 * 1024
"""Bytes; the baseline of twenty chapters has a hundred thousand."""
Facts = dict[str, dict[str, tuple[str, ...]]]
"""Figure -> chapter ("monte-cristo-003 3") -> keys."""


class Baseline(Record):
    """One run of one case as accepted. `figures` are (hits, n); `order` is step -> (mean place of picks, n of them).

    `excused` says of an absolute bound that truthful answers miss why it was accepted.
    """

    case: str
    answers: str
    label: Label
    reason: str = ""
    price_model: str = ""
    chapters: tuple[str, ...] = ()
    figures: dict[str, tuple[Count, Count]] = Field(default_factory=dict)
    found: Facts = Field(default_factory=dict)
    false: Facts = Field(default_factory=dict)
    calls: Count = 0
    questions: Count = 0
    cents: Total = 0.0
    trouble: dict[str, Count] = Field(default_factory=dict)
    order: dict[str, tuple[Share, Annotated[Count, Field(ge=1)]]] = Field(default_factory=dict)
    noise: dict[str, Share] = Field(default_factory=dict)
    excused: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _are_shares(self) -> Baseline:
        for name, (hit, n) in self.figures.items():
            if hit > n:
                raise ValueError(f"figures.{name} has {hit} hits of {n}, no more hits than items were expected")
        return self

    @property
    def name(self) -> str:
        """Case and answers."""
        return f"{self.case} {self.answers}"

    def share(self, figure: str) -> float | None:
        """Return a figure's share, None where nothing counts."""
        hit, n = self.figures.get(figure, (0, 0))
        return hit / n if n else None


def baseline_of(case: str, found: RunResult) -> Baseline:
    """Return a run as it would be accepted; its unscored chapters are no part of it."""
    rows = scored(found.chapters)
    trouble: dict[str, int] = {}
    for row in rows:
        for name, n in row.trouble.items():
            trouble[name] = trouble.get(name, 0) + n
    return Baseline(
        case=case,
        answers=found.answers,
        label=found.label,
        price_model=found.price_model,
        chapters=tuple(map(place_of, rows)),
        figures={name: _sum(count(row.outcomes, pick) for row in rows) for name, pick in FIGURES.items()},
        found={name: _keys(rows, FIGURES[name], hit=True) for name in FACTS},
        false={name: _keys(rows, FIGURES[name], hit=False) for name in FALSE},
        calls=sum(row.n_calls for row in rows),
        questions=sum(row.n_questions for row in rows),
        cents=round(sum(row.usd for row in rows) * 100, 4),
        trouble=dict(sorted(trouble.items())),
        order=_order(found.asked),
    )


def place_of(row: ChapterResult) -> str:
    """Return how a chapter is called in a baseline."""
    return f"{row.case} {row.chapter}"


def _sum(counts: Iterable[tuple[int, int]]) -> tuple[int, int]:
    pairs = list(counts)
    return sum(hit for hit, _ in pairs), sum(n for _, n in pairs)


def _keys(rows: Sequence[ChapterResult], pick: Pick, *, hit: bool) -> dict[str, tuple[str, ...]]:
    found = {place_of(row): tuple(sorted(o.key for o in row.outcomes if counted(o, pick) is hit)) for row in rows}
    return {place: keys for place, keys in found.items() if keys}


def _order(asked: Iterable[Asked]) -> dict[str, tuple[float, int]]:
    """Return the mean place of single picks among options of which there are several, by step."""
    places: dict[str, list[float]] = {}
    for one in asked:
        if one.n_options > 1 and len(one.at) == 1 and one.status in ("answered", "stale"):
            places.setdefault(one.step, []).append(one.at[0] / (one.n_options - 1))
    return {step: (round(sum(found) / len(found), 4), len(found)) for step, found in sorted(places.items())}


class Verdict(Record):
    """A run held against its baseline, as sentences: `fell` fails, `better` and `told` do not."""

    name: str
    fell: tuple[str, ...] = ()
    better: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


def held(old: Baseline | None, new: Baseline, texts: Mapping[str, str] | None = None) -> Verdict:
    """Hold a run against its baseline (None: there is none, which fails); `texts` are outcomes' texts by key, for printing."""
    if old is None:
        return Verdict(name=new.name, fell=("has no baseline yet: python -m evals accept",))
    fell: list[str] = []
    better: list[str] = []
    told: list[str] = []
    if old.chapters != new.chapters or old.price_model != new.price_model:
        fell.append(f"is of other chapters or another price than its baseline: {_others(old, new)}")
    _shares(old, new, fell, better)
    forgiven = {name for name in FIGURES if old.noise.get(name) and not _beyond(old, new, name)}
    _facts(old, new, texts or {}, forgiven, fell, better, told)
    _costs(old, new, fell, better)
    _left(old, new, fell, better, told)
    _orders(old, new, fell)
    return Verdict(name=new.name, fell=tuple(fell), better=tuple(better), told=tuple(told))


def _others(old: Baseline, new: Baseline) -> str:
    if old.price_model != new.price_model:
        return f"{new.price_model} after {old.price_model}"
    return ", ".join(sorted(set(old.chapters) ^ set(new.chapters))) or "another order"


def _beyond(old: Baseline, new: Baseline, name: str) -> bool:
    before, after = old.share(name), new.share(name)
    if before is None:
        return False
    return after is None or before - after > old.noise.get(name, 0.0) + 1e-9


def _shares(old: Baseline, new: Baseline, fell: list[str], better: list[str]) -> None:
    for name in FIGURES:
        before, after = old.share(name), new.share(name)
        line = f"{name} {_figure(new, name)} after {_figure(old, name)}"
        if _beyond(old, new, name):
            fell.append(line)
        elif after is not None and (before is None or after > before + 1e-9):
            better.append(line)


def _figure(baseline: Baseline, name: str) -> str:
    hit, n = baseline.figures.get(name, (0, 0))
    return f"{hit}/{n}" + (f" ({hit / n:.1%})" if n else "")


def _facts(
    old: Baseline,
    new: Baseline,
    texts: Mapping[str, str],
    forgiven: set[str],
    fell: list[str],
    better: list[str],
    told: list[str],
) -> None:
    for name in FACTS:
        lost, gained = _differ(old.found.get(name, {}), new.found.get(name, {}))
        bad = told if name in forgiven else fell
        bad += [f"lost ({name}): {where}: {texts.get(key, key)}" for where, key in lost]
        better += [f"found ({name}): {where}: {texts.get(key, key)}" for where, key in gained]
    for name in FALSE:
        gone, came = _differ(old.false.get(name, {}), new.false.get(name, {}))
        bad = told if name in forgiven else fell
        bad += [f"false now: {where}: {texts.get(key, key)}" for where, key in came]
        better += [f"false no more: {where}: {key}" for where, key in gone]


def _differ(
    old: Mapping[str, Sequence[str]], new: Mapping[str, Sequence[str]]
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    before = {(where, key) for where, keys in old.items() for key in keys}
    after = {(where, key) for where, keys in new.items() for key in keys}
    return sorted(before - after), sorted(after - before)


def _costs(old: Baseline, new: Baseline, fell: list[str], better: list[str]) -> None:
    for what, before, after, free in (
        ("calls", old.calls, new.calls, CALLS_FREE),
        ("cents", old.cents, new.cents, 0.0),
    ):
        line = f"{what} {after:g} after {before:g}" + (f" ({after / before - 1:+.1%})" if before else "")
        if after > before * (1 + DEARER) and after - before > free:
            fell.append(f"dearer: {line}")
        elif after < before * (1 - DEARER):
            better.append(f"cheaper: {line}")


def _left(old: Baseline, new: Baseline, fell: list[str], better: list[str], told: list[str]) -> None:
    for name in sorted(old.trouble.keys() | new.trouble.keys()):
        before, after = old.trouble.get(name, 0), new.trouble.get(name, 0)
        if before == after or name in REPLAYED:
            continue
        line = f"{name} {after} after {before}"
        if name in OPEN and after > before:
            fell.append(f"questions left without an answer: {line}")
        elif name.startswith("rule:") and before and not after:
            fell.append(f"a rule that turned claims away turns none away any more: {line}")
        else:
            (better if name in OPEN else told).append(line)


def lost_answers(old: Baseline | None, new: Baseline) -> int:
    """Return how many of a replay's questions have lost their answer, or its words, beyond what is allowed; 0 where few."""
    before = sum(old.trouble.get(name, 0) for name in REPLAYED) if old else 0
    more = sum(new.trouble.get(name, 0) for name in REPLAYED) - before
    return more if more > REPLAY_SHARE * new.questions else 0


def _orders(old: Baseline, new: Baseline, fell: list[str]) -> None:
    """Add the steps whose picks stand elsewhere than chance explains: three standard errors of a place drawn evenly."""
    for step, (mean, n) in new.order.items():
        before, n_before = old.order.get(step, (mean, n))
        chance = 3 * SPREAD * sqrt(1 / n + 1 / n_before)
        if abs(mean - before) > max(ORDER, chance):
            fell.append(
                f"order of options: what is picked in {step} stands at {mean:.2f} of the list after {before:.2f}"
            )


def file_of(case: str, answers: str, root: Path = BASELINES) -> Path:
    """Return where a run's baseline is kept."""
    return root / f"{case}.{answers.replace(':', '-')}.json"


def load_baseline(case: str, answers: str, root: Path = BASELINES) -> Baseline | None:
    """Return the baseline of a run, None where there is none; raises InputError for a file that is none."""
    path = file_of(case, answers, root)
    if not path.is_file():
        return None
    hint = "bring it back from the repository, or remove it and run python -m evals accept"
    found = record_of(Baseline, read_text(path, most=LARGEST, what="baseline"), str(path), what="baseline", hint=hint)
    if (found.case, found.answers) != (case, answers):
        raise InputError(f"{path} is no baseline of {case} {answers}: it says {found.name}", where=str(path), hint=hint)
    return found


def write_baseline(baseline: Baseline, root: Path = BASELINES) -> Path:
    """Write a baseline, whole or not at all, and return its file."""
    text = json.dumps(baseline.model_dump(mode="json"), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    return write_whole(file_of(baseline.case, baseline.answers, root), text)
