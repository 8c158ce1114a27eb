"""Answers by name: `gold`, `rules`, `adversary:KIND`, `replay:NAME`, and a run of cases with any of them.

The one table of answerers that `python -m evals` knows; a new kind is a line of `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from analyzer import pipeline
from analyzer.errors import ConfigError
from analyzer.llm.transports.scripted import ADVERSARIES, Hostile
from evals.goldset.cases import Case
from evals.recordings import RECORDINGS, Recorded, load_recording, with_open_questions
from evals.records import RunResult
from evals.runs import RULES, TRUTHFUL, Answerer, alone, run_cases


def _plain(answerer: Answerer) -> Callable[[str, str], Answerer]:
    def of(spec: str, rest: str) -> Answerer:
        if rest:
            raise ConfigError(f"--answers {spec!r}: {answerer.name} takes nothing behind a colon", where="--answers")
        return answerer

    return of


def _adversary(spec: str, rest: str) -> Answerer:
    if rest not in ADVERSARIES:
        hint = "one of: " + ", ".join(ADVERSARIES)
        raise ConfigError(f"--answers {spec!r} is no adversary", where="--answers", hint=hint)
    return Answerer(spec, "adversary", lambda _case: Hostile(rest))


KINDS: Mapping[str, Callable[[str, str], Answerer]] = {
    "gold": _plain(TRUTHFUL),
    "rules": _plain(RULES),
    "adversary": _adversary,
}
"""What stands before the colon -> the answerer of the whole name and of what stands behind it."""
REPLAY = "replay"


def answerer_named(spec: str) -> Answerer:
    """Return the answerer of a name; raises ConfigError for one nobody knows. Replays are made by `run_named`."""
    kind, _, rest = spec.partition(":")
    if kind not in KINDS:
        known = ", ".join([*KINDS, f"{REPLAY}:NAME"])
        raise ConfigError(f"--answers {spec!r} is nothing known", where="--answers", hint=f"known: {known}")
    return KINDS[kind](spec, rest)


def run_named(
    cases: Iterable[Case],
    spec: str,
    *,
    name: str = "",
    price_model: str = pipeline.DEFAULT_MODEL,
    recordings: Path = RECORDINGS,
    strict_wording: bool = False,
) -> RunResult:
    """Run cases with the answers a name stands for; a replay runs the chapters of its recording and no others.

    Raises ConfigError for an unknown name, InputError for a recording that is not there or is of none of these cases.
    """
    kind, _, rest = spec.partition(":")
    if kind != REPLAY:
        return run_cases(cases, answerer_named(spec), name=name, price_model=price_model)
    recording = load_recording(recordings / rest, name=rest)
    case = recording.case_of(tuple(alone(cases)))
    asker = Recorded(recording, strict_wording=strict_wording)
    wanted = replace(case, chapters=",".join(map(str, recording.about.chapters)))
    found = run_cases(
        (wanted,),
        Answerer(spec, recording.about.label, lambda _case: asker),
        name=name,
        price_model=price_model,
    )
    return with_open_questions(found, asker, recording.about.chapters)
