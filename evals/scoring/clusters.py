"""B-cubed over printed names: are the names of one person together, and nobody else's with them."""

from __future__ import annotations

from collections.abc import Iterable

from evals.records import BCubed, Reading, SaidEntity
from evals.scoring.names import plain


def _clusters(entities: Iterable[SaidEntity]) -> dict[str, set[str]]:
    """Return for each printed name the ids it stands for."""
    found: dict[str, set[str]] = {}
    for entity in entities:
        for name in entity.names:
            found.setdefault(plain(name), set()).add(entity.id)
    return found


def b_cubed(gold: Reading, said: Reading) -> BCubed:
    """Return B-cubed sums over names (clusters of printed names; the extended form, since a name may stand for two people).

    Recall is over every name gold prints: one that is not said at all counts 0. Precision is over said names that gold prints
    too, and looks only at such names: whether a further name is true is another question, which entity precision answers.
    """
    true, mine = _clusters(gold.entities), _clusters(said.entities)
    shared = {name: ids for name, ids in mine.items() if name in true}
    return BCubed(
        precision_sum=sum(_share(name, shared, true) for name in sorted(shared)),
        n_said=len(shared),
        recall_sum=sum(_share(name, true, shared) for name in sorted(true) if name in shared),
        n_gold=len(true),
    )


def _share(name: str, own: dict[str, set[str]], other: dict[str, set[str]]) -> float:
    """Return over the names that share a cluster of `own` with this one how many share as many of `other` (at most all of them)."""
    total, n = 0.0, 0
    for second, ids in own.items():
        together = len(ids & own[name])
        if together:
            there = len(other.get(second, set()) & other.get(name, set()))
            total += min(together, there) / together
            n += 1
    return total / n if n else 0.0
