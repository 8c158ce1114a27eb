"""An answerer by its name on the command line."""

from __future__ import annotations

from functools import partial
from typing import get_args

from analyzer.errors import ConfigError
from analyzer.llm.asker import Asker
from analyzer.llm.transports.scripted import ADVERSARIES, Adversary
from analyzer.text.manuscript import read_manuscript
from evals.answerers.hostile import STORY_ADVERSARIES, HostileAboutRelations, HostileAboutStory
from evals.answerers.noisy import NoisyAnswers
from evals.answerers.rates import HINT, LONGEST_SEED, Rates, read_rates
from evals.goldset.cases import Case
from evals.runs import RULES, TRUTHFUL, Answerer

STORY = "story-"
"""Begins the names of adversaries who mislead about the story alone."""
ALLOWED = (
    f"gold, rules, noisy:RATES, adversary:NAME ({', '.join(ADVERSARIES)}, "
    f"{', '.join(f'{STORY}{kind}' for kind in STORY_ADVERSARIES)}, {STORY}random:SEED)"
)


def answerer_named(text: str) -> Answerer:
    """Return the answerer `text` names; raises ConfigError saying what is allowed.

    `gold` (truthful), `rules`, `noisy:0.05` and its like (simulated, see `rates`), `adversary:first` and the other adversaries,
    who know the cast and mislead about all else, `adversary:story-first` and its like, who know the relations too.
    """
    kind, colon, rest = text.strip().partition(":")
    if kind == "gold" and not colon:
        return TRUTHFUL
    if kind == "rules" and not colon:
        return RULES
    if kind == "noisy" and rest.strip():
        return noisy(read_rates(rest), name=text.strip())
    adversary = next((one for one in get_args(Adversary) if one == rest), None)
    if kind == "adversary" and adversary is not None:
        return Answerer(f"adversary:{adversary}", "adversary", lambda case: HostileAboutRelations.of(adversary, case))
    hostile = _about_story(rest) if kind == "adversary" else None
    if hostile is not None:
        return hostile
    raise ConfigError(f"{text[:80]!r} names no answerer; allowed: {ALLOWED}", where="--answers", hint=HINT)


def _about_story(name: str) -> Answerer | None:
    """Return the adversary about the story that `story-KIND` or `story-random:SEED` names, None where it names none."""
    word, colon, seed = name.partition(":")
    kind = next((one for one in STORY_ADVERSARIES if f"{STORY}{one}" == word), None)
    numbered = seed.isdecimal() and len(seed) <= LONGEST_SEED
    if kind is None or (colon and not (kind == "random" and numbered)):
        return None
    of = partial(HostileAboutStory.of, kind, seed=int(seed or 0))
    return Answerer(f"adversary:{name}", "adversary", lambda case: of(case))


def noisy(rates: Rates, *, name: str = "noisy") -> Answerer:
    """Return the answerer that errs at these rates; a new transport for every case."""

    def of(case: Case) -> Asker:
        return NoisyAnswers.open(case.gold, read_manuscript(case.text(), language=case.language), rates)

    return Answerer(name, "simulated", of)
