"""Decides whether what was noticed is a secret, and which: kept, out, an open one, or none; must not decide who holds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.bible import Bible
from analyzer.models.question import Option, Question
from analyzer.prefix import quoted
from analyzer.steps._options import lettered
from analyzer.steps._secrets import CAST, PAST, SAME, Hidden, hidden_here, key_of, line_of, open_here, says
from analyzer.steps._step import Answered, AskStep, Effects, Unit

NATURES = (
    ("open", "no secret: everybody whom it matters to knows it"),
    ("kept", "a secret: kept from somebody at the end of this chapter too"),
    ("private", "only private: a thought or feeling that nobody is meant not to know"),
    ("out", "was a secret until now; in this chapter it comes out to those it was kept from"),
)


@dataclass(frozen=True)
class DoubtCandidate:
    """Something hidden, and what it may be: the same options for all of a chapter."""

    hidden: Hidden
    options: tuple[Option, ...]


def candidates(unit: Unit, bible: Bible) -> Sequence[DoubtCandidate]:
    """Return everything noticed in this chapter."""
    same = [
        (f"{SAME}{s.id}", f"the secret of before {quoted(s.fact.proposition)}", None) for s in open_here(unit, bible)
    ]
    options = lettered((*((key, text, None) for key, text in NATURES), *same))
    return [DoubtCandidate(one, options) for one in hidden_here(unit, bible)]


def question(candidate: DoubtCandidate, unit: Unit, bible: Bible) -> Question:
    """Return the sentence and who may keep it."""
    return Question(
        key=key_of(STEP.name, "secret.doubt", candidate.hidden, unit, bible),
        type="choice",
        text=line_of(candidate.hidden, bible),
        options=candidate.options,
        sentences=(candidate.hidden.place,),
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return what each is; none says that nothing is hidden there."""
    return says([item._replace(candidate=item.candidate.hidden) for item in answered], "check", unit)


STEP = AskStep(
    name="secret_doubt",
    part="secrets",
    reads=CAST | {"secret_notice"},
    writes=frozenset({"secret_say"}),
    past=PAST,
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="secret_doubt",
    pack_size=60,
)
