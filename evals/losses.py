"""`python -m evals.losses CASE [--answers noisy:0.05]`: where every core item that a run missed was lost, and what each check dropped.

A relation counts as lost where its kind is not found with its direction (`found` says what was: family, pair or nothing), an
entity where nobody of the cast bears a name of it, an item of the story where nothing said matches it. Every lost item has
exactly one reason.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from analyzer.errors import InputError
from analyzer.models.base import Record
from evals.answerers.named import ALLOWED, answerer_named
from evals.checking import Check, checks_of, pooled_checks
from evals.command import command, show, show_json, show_table
from evals.goldset.cases import Case, find_cases
from evals.records import ItemClass, Label, Outcome, SaidEntity, SaidRelation
from evals.runs import alone, run_book
from evals.scoring.figures import HEADLINE
from evals.scoring.outcomes import Thing, gold_outcomes
from evals.tracing import REASONS, Lost, Reason, lost_entity, lost_relation
from evals.tracing_story import lost_item
from evals.trail import Trail, trails


class Loss(Record):
    """A core gold item that was missed. `key` is its outcome's; `found` is how near the run came: "family", "pair" or "".

    `code` is a rule's issue code, or for a missing end why that end is missing.
    """

    case: str
    chapter: int
    cls: ItemClass
    key: str
    text: str
    group: str = ""
    found: str = ""
    step: str = ""
    reason: Reason
    code: str = ""
    detail: str = ""


class Losses(Record):
    """What a run of a case lost, item by item, and its checking steps (pooled over chapters)."""

    case: str
    label: Label
    losses: tuple[Loss, ...] = ()
    checks: tuple[Check, ...] = ()


def losses_of(case: Case, book: Path, label: Label) -> Losses:
    """Return what the run in `book` (as `run_case` and `run_book` leave it) lost of a case; `label` says who answered."""
    return losses_in(case, trails(case, book), label)


def losses_in(case: Case, told: Iterable[Trail], label: Label) -> Losses:
    """Return what these chapters of a case lost."""
    losses: list[Loss] = []
    checks: list[Check] = []
    for trail in told:
        rows = gold_outcomes(trail.wanted, trail.said, trail.matched)
        losses += [_loss(case, outcome, _lost(thing, trail)) for thing, outcome in rows if is_lost(outcome)]
        checks += checks_of(trail)
    return Losses(case=case.name, label=label, losses=tuple(losses), checks=pooled_checks(checks))


def is_lost(outcome: Outcome) -> bool:
    """Say whether a gold item is core, asked for, and was missed by its strictest measure (a relation's kind)."""
    measure = "kind" if outcome.cls == "relation" else HEADLINE[outcome.cls]
    return outcome.side == "gold" and outcome.level == "core" and outcome.hits.get(measure) is False


def _lost(thing: Thing, trail: Trail) -> Lost:
    if isinstance(thing, SaidRelation):
        return lost_relation(thing, trail)
    if isinstance(thing, SaidEntity):
        return lost_entity(thing, trail)
    return lost_item(thing, trail)


def _loss(case: Case, outcome: Outcome, lost: Lost) -> Loss:
    return Loss(
        case=case.name,
        chapter=outcome.chapter,
        cls=outcome.cls,
        key=outcome.key,
        text=outcome.text,
        group=outcome.group,
        found=outcome.match,
        step=lost.step,
        reason=lost.reason,
        code=lost.code,
        detail=lost.detail,
    )


def _tally(losses: Iterable[Loss]) -> list[tuple[str, ...]]:
    counts = Counter((loss.cls, loss.step or "–", loss.reason, loss.code) for loss in losses)
    ranked = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    return [(cls, step, REASONS[reason], code, str(n)) for (cls, step, reason, code), n in ranked]


def print_losses(found: Losses) -> None:
    """Print one case's losses and checks."""
    title = f"{found.case}, {found.label} answers"
    columns = ("class", "step", "why", "code", "n")
    show_table(columns, _tally(found.losses), title=f"{title}: core items missed", right=(4,))
    for loss in found.losses:
        if loss.reason != "no_step":
            said = f" [{loss.code}]" if loss.code else ""
            near = f" (found: {loss.found})" if loss.found else ""
            show(
                f"  {loss.chapter}: {loss.text}{near}: {loss.step}: {REASONS[loss.reason]}{said} {loss.detail}".rstrip()
            )
    rows = [check_row(check) for check in found.checks]
    show_table(CHECK_COLUMNS, rows, title=f"{title}: what each check let through", right=range(1, 8))


CHECK_COLUMNS = (
    "step",
    "true in",
    "true dropped",
    "false in",
    "false dropped",
    "recall",
    "precision",
    "precision before",
)


def check_row(check: Check) -> tuple[str, ...]:
    """Return a check as cells of `CHECK_COLUMNS`."""
    counts = (check.true_in, check.true_dropped, check.false_in, check.false_dropped)
    shares = (check.recall, check.precision, check.precision_before)
    return (check.step, *map(str, counts), *("–" if s is None else f"{s:.3f}" for s in shares))


@command
def main(words: Sequence[str] | None = None) -> int:
    """Run a case with the answerer named, print where its core items were lost."""
    parser = argparse.ArgumentParser(prog="python -m evals.losses", description="Where core gold items were lost.")
    parser.add_argument("case", help="a goldset's name")
    parser.add_argument("--answers", default="gold", help=ALLOWED)
    parser.add_argument("--texts", type=Path, help="a folder with the texts of public editions, found by hash")
    parser.add_argument("--json", action="store_true", help="print records instead of tables")
    options = parser.parse_args(words)
    answerer = answerer_named(options.answers)
    case = case_named(options.case, find_cases(options.texts))
    with tempfile.TemporaryDirectory() as folder:
        for one in alone([case]):
            found = losses_of(one, run_book(one, answerer, Path(folder)), answerer.label)
            if options.json:
                show_json(found)
            else:
                print_losses(found)
    return 0


def case_named(name: str, cases: Sequence[Case]) -> Case:
    """Return the case of this name; raises InputError for an unknown one or one without its text."""
    case = next((case for case in cases if case.name == name), None)
    if case is None:
        raise InputError(f"no case {name!r}; there are {', '.join(c.name for c in cases)}")
    case.text()
    return case


if __name__ == "__main__":
    sys.exit(main())
