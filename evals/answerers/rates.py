"""How often an answerer errs, and how: read from one string, `0.05` or `miss=0.1,invent=0.02,steps=relation_confirm:0.2,seed=3`.

    0.05                    every kind of error at this rate, at every step
    miss=0.1,wrong_kind=0   this kind at this rate, at every step
    steps=NAME:0.2          every kind at this step; `NAME.miss:0.2` one kind at one step; several joined by `+`
    correlation=0.5         how often a vote repeats the error made before on the same claim
    votes=none|one|two|all  which confirmations are asked; one not asked is answered as if it were not there
    seed=3

What is narrower wins, whatever the order; a kind nobody names has rate 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from analyzer.errors import ConfigError
from analyzer.steps._registry import load_steps
from analyzer.steps._step import AskStep

ErrorKind = Literal["miss", "invent", "wrong_kind", "wrong_direction", "wrong_evidence", "drop_line"]
ERROR_KINDS: tuple[ErrorKind, ...] = get_args(ErrorKind)
"""None where gold says something; something where gold says none; another option; ends swapped; another sentence; no line."""
LONGEST_SEED = 18
"""Digits."""
Votes = Literal["none", "one", "two", "all"]
VOTES: tuple[Votes, ...] = get_args(Votes)
"""No confirmation; `relation_confirm` alone; with `relation_confirm_again`; with `relation_third` too."""
HINT = "for instance noisy:0.05 or noisy:miss=0.1,invent=0.02,steps=relation_confirm:0.2+relation_kind.miss:0.1,seed=3"


@dataclass(frozen=True)
class Rates:
    """Shares in 0..1: `every` for all kinds and steps, then `kinds`, `steps`, and `pairs` of (step, kind); the narrowest holds."""

    every: float = 0.0
    kinds: Mapping[str, float] = field(default_factory=dict)
    steps: Mapping[str, float] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str], float] = field(default_factory=dict)
    correlation: float = 0.0
    votes: Votes = "all"
    seed: int = 0

    def of(self, step: str, kind: ErrorKind) -> float:
        """Return the rate of a kind of error at a step."""
        if (step, kind) in self.pairs:
            return self.pairs[step, kind]
        return self.steps.get(step, self.kinds.get(kind, self.every))


def step_names() -> tuple[str, ...]:
    """Return the steps that ask, in order."""
    return tuple(step.name for step in load_steps() if isinstance(step, AskStep))


def read_rates(text: str) -> Rates:
    """Return the rates a string says; raises ConfigError naming the part it cannot read."""
    every, correlation, seed = 0.0, 0.0, 0
    votes: Votes = "all"
    kinds: dict[str, float] = {}
    steps: dict[str, float] = {}
    pairs: dict[tuple[str, str], float] = {}
    for part in (p.strip() for p in text.split(",") if p.strip()):
        name, given, value = (w.strip() for w in part.partition("="))
        if not given:
            every = _share(part, part)
        elif name in ERROR_KINDS:
            kinds[name] = _share(value, part)
        elif name == "correlation":
            correlation = _share(value, part)
        elif name == "seed" and value.isdecimal() and len(value) <= LONGEST_SEED:
            seed = int(value)
        elif name == "votes" and value in VOTES:
            votes = next(v for v in VOTES if v == value)
        elif name == "steps":
            for step, kind, rate in _steps(value, part):
                if kind:
                    pairs[step, kind] = rate
                else:
                    steps[step] = rate
        else:
            raise _unread(part, f"known are a rate, {', '.join(ERROR_KINDS)}, steps, correlation, votes, seed")
    return Rates(every, kinds, steps, pairs, correlation, votes, seed)


def _steps(value: str, part: str) -> Iterator[tuple[str, str, float]]:
    for one in value.split("+"):
        where, colon, rate = one.strip().partition(":")
        step, dot, kind = where.partition(".")
        if not colon or step not in step_names():
            raise _unread(part, f"a step and its rate were expected, steps are {', '.join(step_names())}")
        if dot and kind not in ERROR_KINDS:
            raise _unread(part, f"{kind!r} is no kind of error, known are {', '.join(ERROR_KINDS)}")
        yield step, kind, _share(rate, part)


def _share(text: str, part: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise _unread(part, "a rate is a number from 0 to 1")
    return share


def _unread(part: str, why: str) -> ConfigError:
    return ConfigError(f"{part[:80]!r} cannot be read: {why}", where="noisy", hint=HINT)
