"""A run of cases with answers by name: what `evals.answerers` makes (`gold`, `rules`, `noisy:…`, `adversary:KIND`), and `replay:NAME`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from analyzer import pipeline
from evals.answerers.named import ALLOWED as NAMED
from evals.answerers.named import answerer_named
from evals.goldset.cases import Case
from evals.recordings import RECORDINGS, Recorded, load_recording, unrecorded_parts, with_open_questions
from evals.records import RunResult
from evals.runs import Answerer, alone, run_cases
from evals.scoring.verdicts import conflicting, load_verdicts, unused

REPLAY = "replay"
ALLOWED = f"{NAMED}, replay:NAME"
"""What `--answers` takes."""
VERDICTS = Path(__file__).parent / "verdicts"
"""What was judged of statements that no gold item matches."""


def run_named(
    cases: Iterable[Case],
    spec: str,
    *,
    name: str = "",
    price_model: str = pipeline.DEFAULT_MODEL,
    recordings: Path = RECORDINGS,
    strict_wording: bool = False,
    off: tuple[str, ...] | None = None,
) -> RunResult:
    """Run cases with the answers a name stands for; a replay runs the chapters of its recording and no others.

    `off` are parts that are not asked and not scored; a replay leaves out what its recording knows nothing of.

    Raises ConfigError for an unknown name, InputError for a recording that is not there or is of none of these cases.
    """
    kind, _, rest = spec.partition(":")
    if kind != REPLAY:
        who = replace(answerer_named(spec), off=off)
        return run_cases(cases, who, name=name, price_model=price_model, verdicts=load_verdicts(VERDICTS))
    recording = load_recording(rest, recordings)
    case = recording.case_of(tuple(alone(cases)))
    asker = Recorded(recording, strict_wording=strict_wording)
    wanted = replace(case, chapters=",".join(map(str, recording.about.chapters)))
    found = run_cases(
        (wanted,),
        Answerer(spec, recording.about.label, lambda _case: asker, unrecorded_parts(recording)),
        name=name,
        price_model=price_model,
        verdicts=load_verdicts(VERDICTS),
    )
    return with_open_questions(found, asker, recording.about.chapters)


def on_verdicts(found: RunResult) -> tuple[str, ...]:
    """Return a line for every verdict on a chapter of a replay that its answers no longer need, and where judges differ."""
    if not found.answers.startswith(f"{REPLAY}:"):
        return ()
    run = {(row.case, row.chapter) for row in found.chapters}
    given = [verdict for verdict in load_verdicts(VERDICTS) if (verdict.case, verdict.chapter) in run]
    differ = (f"judges differ: {line}" for line in conflicting(given))
    return (*differ, *(f"a verdict on what is not said: {line}" for line in unused(given, found.chapters)))
