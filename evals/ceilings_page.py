"""The page of the ceilings: scores as they are beside renamed, and the steps at which truthful answers lose what, by language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from evals.docs import ROOT, put, table_of
from evals.losses import Loss
from evals.records import ItemClass
from evals.tracing import REASONS, VOTES
from evals.tracing_story import stage_of

PAGE = ROOT / "docs" / "ceilings.md"
RENAMED, STEPS, STORY = "renamed", "ceilings", "story"
"""Names of the generated parts of the page; the rest is written by hand."""
PLACES = ("candidates", "cast", "select", "kind", "confirm", "rules", "unexplained")
"""Where an item may be lost, in order of its way."""
STORY_PLACES = ("candidates", "cast", "notice", "say", "doubt", "door", "unexplained")
"""Where an item of the story may be lost, in order of its way."""
BOUNDS = {"entity": 0.98, "relation": 0.95}
STORY_BOUND = 0.95
"""Of the core items of each class of the story."""
LABELS = {"truthful": "Truthful answers", "rules": "Rules"}
CLASSES = {"entity": "named entities", "relation": "relations, by kind and direction"}
STORY_CLASSES: Mapping[ItemClass, str] = {
    "change": "changes",
    "appearance": "looks",
    "identity": "identities",
    "secret": "secrets",
    "knowledge": "knowledge",
    "plant": "threads: plants and what comes of them",
}
_NEVER = frozenset({"never_a_candidate", "never_offered", "kind_not_offered", "never_asked"})
Counted = tuple[int, int]


class Pair(NamedTuple):
    """A figure as (hits, n) with the names as they are, and with others; or recall and precision."""

    plain: Counted
    renamed: Counted


class CaseRow(NamedTuple):
    """One goldset with one kind of answers."""

    name: str
    language: str
    label: str
    n_chapters: int
    n_replaced: int
    figures: Mapping[str, Pair]


@dataclass(frozen=True)
class Ceilings:
    """All tables: rows by goldset and answers; by (language, class) the core items asked for, and those lost.

    `story` has for each (language, class of the story) the core items found of all, and what was said rightly of all.
    """

    seed: int
    rows: tuple[CaseRow, ...]
    core: Mapping[tuple[str, str], int]
    losses: tuple[tuple[str, Loss], ...]
    story: Mapping[tuple[str, str], Pair] = field(default_factory=dict)
    unscored: tuple[str, ...] = ()


def place_of(loss: Loss) -> str:
    """Return where an item was lost: never offered by code, or at which kind of question, by votes, by a rule."""
    missing_end = loss.reason == "end_missing"
    if loss.reason in _NEVER or (missing_end and loss.code in _NEVER):
        return "candidates"
    if loss.reason == "refused" or (missing_end and loss.code == "refused"):
        return "rules"
    if loss.reason in ("unexplained", "no_step"):
        return "unexplained"
    known = {"relation_select": "select", "relation_kind": "kind", VOTES: "confirm"}
    return known.get(loss.step, "cast")


def story_place_of(loss: Loss) -> str:
    """Return where an item of the story was lost: never asked about, somebody missing, not noticed, or at which later stage."""
    if loss.reason in _NEVER or (loss.reason == "end_missing" and loss.code in _NEVER):
        return "candidates"
    if loss.reason == "end_missing":
        return "cast"
    if loss.reason in ("unexplained", "no_step"):
        return "unexplained"
    return stage_of(loss.step)


def write_page(found: Ceilings, command: str, *, write: bool = False, page: Path = PAGE) -> str:
    """Return all parts as Markdown; with `write` put them between the markers of docs/ceilings.md."""
    parts = {
        RENAMED: renamed_part(found, command),
        STEPS: steps_part(found, command),
        STORY: story_part(found, command),
    }
    if write:
        text = page.read_text("utf-8")
        for name, body in parts.items():
            text = put(text, name, body)
        page.write_text(text, "utf-8")
    return "\n\n".join(parts.values())


def renamed_part(found: Ceilings, command: str) -> str:
    """Return the table of scores with the names as they are and with others, truthful answers before rules."""
    figures = list(dict.fromkeys(name for row in found.rows for name in row.figures))
    labels = dict.fromkeys(row.label for row in found.rows)
    parts = [f"`{command}`"]
    for label in labels:
        rows = [row for row in found.rows if row.label == label]
        parts.append(f"*{LABELS[label]}, no model asked; names drawn with seed {found.seed}.*")
        parts.append(
            table_of(
                (f"goldset ({label})", "language", "chapters", "mentions replaced", *figures),
                [
                    (row.name, row.language, row.n_chapters, row.n_replaced, *(_pair(row.figures[f]) for f in figures))
                    for row in rows
                ],
            )
        )
    if found.unscored:
        parts.append("Not in the tables: " + "; ".join(found.unscored) + ".")
    return "\n\n".join(parts)


def _pair(pair: Pair) -> str:
    """Return "54/54" where nothing changed, "54/54 → 53/54" where it did; a dash where nothing counts."""
    plain, renamed = (f"{hit}/{n}" if n else "–" for hit, n in pair)
    return plain if plain == renamed else f"{plain} → {renamed}"


def steps_part(found: Ceilings, command: str) -> str:
    """Return how many core items of each language are lost where, with truthful answers, and every one of them with its reason."""
    counts: Counter[tuple[str, str, str]] = Counter(
        (language, loss.cls, place_of(loss)) for language, loss in found.losses
    )
    used = PLACES if any(cls in CLASSES and place == PLACES[-1] for _, cls, place in counts) else PLACES[:-1]
    rows = []
    for (language, cls), n in sorted(found.core.items(), key=lambda row: (row[0][1], row[0][0])):
        lost = [counts[language, cls, place] for place in used]
        kept = n - sum(lost)
        share = f"{kept / n:.3f}" if n else "–"
        mark = "" if not n or kept / n >= BOUNDS[cls] else f" (below {BOUNDS[cls]})"
        rows.append((CLASSES[cls], language, n, f"{kept}, {share}{mark}", *lost))
    listed = [
        (language, f"{loss.case} {loss.chapter}", _shown(loss), place_of(loss), _why(loss))
        for language, loss in sorted(found.losses, key=_order)
        if loss.cls in CLASSES
    ]
    return "\n\n".join(
        (
            f"`{command}`",
            "*Truthful answers: no answer errs, so what is missing was lost by code.*",
            table_of(("core (truthful)", "language", "n", "found", *(f"lost at {place}" for place in used)), rows),
            "*Truthful answers: every core item that is missing, and why.*" if listed else "*Nothing is missing.*",
            *([table_of(("language", "chapter", "missing (truthful)", "lost at", "why"), listed)] if listed else []),
        )
    )


def story_part(found: Ceilings, command: str) -> str:
    """Return recall, precision and losses of every class of the story by language, and every missing item with its reason."""
    kept = [(language, loss) for language, loss in found.losses if loss.cls in STORY_CLASSES]
    counts: Counter[tuple[str, str, str]] = Counter((lang, loss.cls, story_place_of(loss)) for lang, loss in kept)
    used = STORY_PLACES if any(place == STORY_PLACES[-1] for *_, place in counts) else STORY_PLACES[:-1]
    rows = []
    for cls, name in STORY_CLASSES.items():
        for (language, of), ((hit, n), (right, said)) in sorted(found.story.items()):
            if of == cls and (n or said):
                mark = "" if not n or hit / n >= STORY_BOUND else f" (below {STORY_BOUND})"
                lost = [counts[language, cls, place] for place in used]
                shares = [f"{a}, {a / b:.3f}" if b else "–" for a, b in ((hit, n), (right, said))]
                rows.append((name, language, n, shares[0] + mark, *lost, said, shares[1]))
    columns = ("core (truthful)", "language", "n", "found", *(f"lost at {p}" for p in used), "said", "right")
    listed = [
        (language, f"{loss.case} {loss.chapter}", f"{loss.cls}: {loss.text}", story_place_of(loss), _why(loss))
        for language, loss in sorted(kept, key=_order)
    ]
    caption = "*Truthful answers: every core item of the story that is missing, and why.*"
    return "\n\n".join(
        (
            f"`{command}`",
            "*Truthful answers: no answer errs, so what is missing was lost by code. Right: what an item of any level matches.*",
            table_of(columns, rows),
            caption if listed else "*Nothing is missing.*",
            *([table_of(("language", "chapter", "missing (truthful)", "lost at", "why"), listed)] if listed else []),
        )
    )


def _order(row: tuple[str, Loss]) -> tuple[str, str, int, str, str]:
    language, loss = row
    return language, loss.case, loss.chapter, loss.cls, loss.key


def _shown(loss: Loss) -> str:
    return f"{loss.text} (found as {loss.found})" if loss.found in ("family", "pair") else loss.text


def _why(loss: Loss) -> str:
    """Return step and reason; of a missing end why that is missing."""
    reasons: Mapping[str, str] = {str(reason): told for reason, told in REASONS.items()}
    told = REASONS[loss.reason]
    code = f" ({reasons.get(loss.code, loss.code)})" if loss.code else ""
    detail = f": {loss.detail}" if loss.detail else ""
    return f"`{loss.step}`: {told}{code}{detail}"
