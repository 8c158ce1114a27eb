"""How far two readers of the same chapters agree: the bar no system can be asked to pass.

F1 takes one reader as gold and the other as said; both see all levels, since what is core is itself a judgement. *Core anywhere*: the
core items of each looked for among all of the other's. Kappa is over items both have, on fields with few closed values; where
a field helps to match (attribute, feature, stance) it is not reported, for it would agree by selection.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analyzer.errors import InputError
from analyzer.llm.transports.gold_book import MAX_GOLD_BYTES
from analyzer.models.base import Record
from analyzer.models.facts import RELATION_KINDS
from analyzer.models.gold import GoldChapter
from evals.files import read_text, record_of
from evals.goldset.convert import outside_blocks
from evals.reading import names_of, reading_of_gold
from evals.records import ItemClass, Reading
from evals.report.markdown import said
from evals.scoring.entities import Matched, match_entities
from evals.scoring.figures import CLASSES, HEADLINE, Pick, count
from evals.scoring.items import compare_items
from evals.scoring.outcomes import compare_matched
from evals.scoring.relations import LEVELS, compare_relations

_ITEM_FIELDS: Mapping[ItemClass, tuple[str, ...]] = {
    "change": ("op",),
    "identity": ("revealed_here",),
    "knowledge": ("via",),
    "plant": ("kind", "event"),
}
_RELATION_FIELDS = ("level", "status", "affinity", "source", "visibility")
Values = dict[str, list[tuple[str, str]]]


class Agreed(Record):
    """F1 of one class and level of match: hits and n of both sides. `f1` is None where a side has nothing."""

    of: str
    hit_a: int
    n_a: int
    hit_b: int
    n_b: int
    f1: float | None


class Kappa(Record):
    """Cohen's kappa of one closed field on `n` common items; `same` is the plain share, `kappa` None where only one value occurs."""

    of: str
    n: int
    same: float | None
    kappa: float | None


class Agreement(Record):
    """Two readers over some chapters."""

    chapters: tuple[str, ...]
    f1: tuple[Agreed, ...]
    kappa: tuple[Kappa, ...]


@dataclass
class _Counts:
    sides: dict[str, list[tuple[int, int, int, int]]] = field(default_factory=dict)
    values: Values = field(default_factory=dict)


def cohen(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Return Cohen's kappa (1960) of pairs of labels; None for no pairs or where chance alone would agree always."""
    n = len(pairs)
    if not n:
        return None
    labels = {label for pair in pairs for label in pair}
    same = sum(a == b for a, b in pairs) / n
    chance = sum(sum(a == x for a, _ in pairs) * sum(b == x for _, b in pairs) for x in labels) / n**2
    return None if chance >= 1 else (same - chance) / (1 - chance)


def agreement(pairs: Iterable[tuple[Reading, Reading]]) -> Agreement:
    """Return the agreement over chapters, each a pair of readings of the same text."""
    total = _Counts()
    names = []
    for a, b in pairs:
        names.append(f"{a.book} {a.chapter}")
        matched = match_entities(a, b)
        _count_sides(total, a, b, matched)
        _collect(total.values, a, b, matched)
    f1 = tuple(_agreed(of, rows) for of, rows in total.sides.items())
    kappa = tuple(
        Kappa(of=of, n=len(rows), same=sum(x == y for x, y in rows) / len(rows) if rows else None, kappa=cohen(rows))
        for of, rows in total.values.items()
    )
    return Agreement(chapters=tuple(names), f1=f1, kappa=kappa)


def _agreed(of: str, rows: Iterable[tuple[int, int, int, int]]) -> Agreed:
    hit_a, n_a, hit_b, n_b = (sum(column) for column in zip(*rows, strict=True))
    f1 = None
    if n_a and n_b:
        recall, precision = hit_a / n_a, hit_b / n_b
        f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
    return Agreed(of=of, hit_a=hit_a, n_a=n_a, hit_b=hit_b, n_b=n_b, f1=f1)


def _measures() -> Iterable[tuple[str, ItemClass, str, str]]:
    """Yield (title, class, measure, level) of every line of the table."""
    yield "entities, named", "entity", "named", ""
    yield "entities, unnamed", "entity", "described", ""
    for level in reversed(LEVELS):
        yield f"relations, {level}", "relation", level, ""
        yield f"relations, {level}, core anywhere", "relation", level, "core"
    for cls in CLASSES[2:]:
        yield cls, cls, HEADLINE[cls], ""


def _count_sides(total: _Counts, a: Reading, b: Reading, matched: Matched) -> None:
    outcomes = compare_matched(a, b, matched)
    for title, cls, measure, level in _measures():
        mine = count(outcomes, Pick(cls, "gold", measure, level))
        theirs = count(outcomes, Pick(cls, "said", measure, level))
        total.sides.setdefault(title, []).append((*mine, *theirs))


def _collect(values: Values, a: Reading, b: Reading, matched: Matched) -> None:
    """Add the values both readers gave to every closed field of what they both have."""
    by_id = {e.id: e for e in b.entities}
    for entity in a.entities:
        other = by_id.get(matched.first.get(entity.id, ""))
        if other is not None and "absent" not in (entity.presence, other.presence):
            for name in ("kind", "presence", "level"):
                values.setdefault(f"entity {name}", []).append((getattr(entity, name), getattr(other, name)))
    _collect_relations(values, a, b, matched)
    for row in compare_items(a, b, matched)[0]:
        if row.partner is not None:
            values.setdefault(f"{row.item.cls} level", []).append((row.item.level, row.partner.level))
            for name in _ITEM_FIELDS.get(row.item.cls, ()):
                pair = (str(row.item.fields.get(name)), str(row.partner.fields.get(name)))
                values.setdefault(f"{row.item.cls} {name}", []).append(pair)


def _collect_relations(values: Values, a: Reading, b: Reading, matched: Matched) -> None:
    seen: set[frozenset[str]] = set()
    rows = compare_relations(a, b, matched)[0]
    for row in sorted(
        rows, key=lambda r: (r.row.relation.level != "core", LEVELS.index(r.match) if r.match else len(LEVELS))
    ):
        mine, other = row.row.relation, row.partner.relation if row.partner else None
        if other is None:
            continue
        if row.match == "kind":
            for name in _RELATION_FIELDS:
                values.setdefault(f"relation {name}", []).append((getattr(mine, name), getattr(other, name)))
        pair = frozenset((mine.subject, mine.object))
        if pair not in seen:  # the strongest item of a common pair
            seen.add(pair)
            values.setdefault("relation kind of a common pair", []).append((mine.kind, other.kind))
            values.setdefault("relation family of a common pair", []).append((_family(mine.kind), _family(other.kind)))


def _family(kind: str) -> str:
    return RELATION_KINDS[kind].family if kind in RELATION_KINDS else kind


def read_folder(folder: Path) -> dict[tuple[str, int], GoldChapter]:
    """Return a folder's gold chapters by book and number; raises InputError where there is none or one is no gold chapter."""
    found: dict[tuple[str, int], GoldChapter] = {}
    for file in sorted(folder.glob("*.json")):
        text = read_text(file, most=MAX_GOLD_BYTES, what="gold chapter")
        gold = record_of(GoldChapter, text, str(file), what="gold chapter")
        faults = outside_blocks(gold)
        if faults:
            raise InputError(f"{file.name}: {faults[0]}", where=str(file))
        if found.setdefault((gold.book, gold.number), gold) is not gold:
            raise InputError(f"{file.name}: another file of {folder} is {gold.book} {gold.number} too", where=str(file))
    if not found:
        raise InputError(
            f"no gold chapters (*.json) in {folder}", hint="give the folder that holds one reader's chapters"
        )
    return found


def common_chapters(first: Path, second: Path, language: str = "") -> list[tuple[Reading, Reading]]:
    """Return the chapters both folders hold, as readings; raises InputError where they share none or read different texts."""
    a, b = read_folder(first), read_folder(second)
    shared = [
        key
        for key in sorted(a.keys() & b.keys())
        if not language or a[key].language.split("-")[0] == language.split("-")[0]
    ]
    if not shared:
        raise InputError(f"{first} and {second} share no chapter" + (f" in {language}" if language else ""))
    for key in shared:
        if a[key].body_sha256 != b[key].body_sha256:
            raise InputError(f"{key[0]} {key[1]}: the two readers had different texts (body_sha256 differs)")
    return [(_with_earlier(a, key), _with_earlier(b, key)) for key in shared]


def _with_earlier(chapters: Mapping[tuple[str, int], GoldChapter], key: tuple[str, int]) -> Reading:
    """Return a chapter's reading that knows the names of the book's chapters before it."""
    before = [chapters[k] for k in sorted(chapters) if k[0] == key[0] and k[1] < key[1]]
    return reading_of_gold(chapters[key], names_of(before))


def table(found: Agreement) -> str:
    """Return an agreement as Markdown."""
    rows = [
        f"Chapters: {', '.join(map(said, found.chapters))}",
        "",
        "| F1 of two readers | A found in B | B found in A | F1 |",
        "|---|---|---|---|",
    ]
    rows += [f"| {r.of} | {r.hit_a}/{r.n_a} | {r.hit_b}/{r.n_b} | {_two(r.f1)} |" for r in found.f1 if r.n_a or r.n_b]
    rows += ["", "| on items both have | n | same | kappa |", "|---|---|---|---|"]
    rows += [f"| {r.of} | {r.n} | {_two(r.same)} | {_two(r.kappa)} |" for r in found.kappa if r.n]
    return "\n".join(rows) + "\n"


def _two(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
