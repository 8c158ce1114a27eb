"""A case with every person and place renamed, written to a folder: manuscript, gold, and the mapping with what was left."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from analyzer.errors import InputError
from analyzer.llm.transports.gold_book import checked_gold, load_gold
from analyzer.models.gold import GoldChapter
from analyzer.models.text import Manuscript
from analyzer.text.languages import language_table
from analyzer.text.manuscript import read_manuscript
from analyzer.text.names import NameMatcher
from evals.files import check_new_folder, write_whole
from evals.goldset.cases import Case
from evals.goldset.convert import misplaced
from evals.goldset.writing import write_chapters
from evals.rename._edits import Moved
from evals.rename._gold import InGold, bearers_of, moved_chapter
from evals.rename._renaming import Renaming, renaming

SERIAL, GOLD, MAPPING = "serial.txt", "gold", "mapping.json"
DRAWS = 8
"""Times all names are drawn again where the new ones would be found in other places than the old ones."""
_LEAST_LEFT = 3
"""Letters of an old part from which it is looked for inside other words; shorter ones are in every text."""


class LeftName(NamedTuple):
    """An old name that still stands: `n` times, and why."""

    name: str
    n: int
    why: str


@dataclass(frozen=True)
class Renamed:
    """What was done to a case: `parts` old to new, `names` every printed name to its new form (also those that stay).

    `left` are old names or parts still in the text, `strays` places where the new names are found but the old were not, or the
    other way round; `n_mentions` are the mentions replaced.
    """

    case: Case
    seed: int
    parts: dict[str, str]
    names: dict[str, str]
    left: tuple[LeftName, ...]
    n_mentions: int
    strays: int

    def as_json(self) -> dict[str, Any]:
        """Return the mapping file's content."""
        return {
            "case": self.case.name,
            "seed": self.seed,
            "parts": self.parts,
            "names": self.names,
            "left": [one._asdict() for one in self.left],
            "n_mentions": self.n_mentions,
            "strays": self.strays,
            "adjustments": [],
        }


def renamed(case: Case, folder: Path, *, seed: int, cut: bool = False) -> Case:
    """Return a case with every person and place renamed, its manuscript and gold written to `folder`.

    The whole text is renamed, `case.chapters` still says what is read of it. With `cut` only the chapters with gold are
    written, as a small manuscript; what candidates know from a novel's other chapters is then lost too (in Chinese a third
    of the names of one chapter, with the old names as with the new), so that scores are no longer those of renaming alone.
    Raises InputError where the case's text is not here, is not its gold's, or the folder holds something or cannot be written.
    """
    return rename_case(case, folder, seed=seed, cut=cut).case


def rename_case(case: Case, folder: Path, *, seed: int, cut: bool = False) -> Renamed:
    """Do what `renamed` does and return all that there is to say about it; writes `mapping.json` beside the text."""
    check_new_folder(folder)
    read = read_manuscript(case.text(), language=case.language)
    golds = checked_gold(load_gold(case.gold), read)
    faults = [told for gold in golds.values() for told in misplaced(gold)]
    if faults:
        raise InputError(f"the gold of {case.name} has faults: {faults[0]}", hint="python -m evals goldset check")
    whole = not cut
    plan = _draw(read, golds, seed)
    kept = _chapters(read, golds, plan.moved, whole=whole)
    chapters = {
        f"chapter-{place.number:02d}.json": moved_chapter(
            _raw(case.gold, golds, number), golds[number], plan.moved, plan.names, base=place.base, number=place.number
        )
        for number, place in kept.places.items()
    }
    _write(folder, kept.text, chapters)
    numbers = tuple(place.number for place in kept.places.values())
    made = replace(
        case,
        name=f"{case.name}-renamed",
        manuscript=folder / SERIAL,
        gold=folder / GOLD,
        numbers=numbers,
        chapters=case.chapters if whole else ",".join(map(str, numbers)),
    )
    _check(made, len(kept.places) if not whole else len(read.chapters))
    ranges = [(0, len(read.text))] if whole else [(c.start, c.end) for c in read.chapters if c.no in golds]
    n_mentions = sum(start <= at < end for at in plan.mentions for start, end in ranges)
    return _told(made, seed, plan, n_mentions, folder, kept.text)


class _Plan(NamedTuple):
    names: Renaming
    other: tuple[str, ...]
    allowed: InGold
    moved: Moved
    strays: int
    mentions: tuple[int, ...]


def _draw(read: Manuscript, golds: dict[int, GoldChapter], seed: int) -> _Plan:
    """Return names that are found in the new text exactly where the old ones were, as nearly as eight draws come to it."""
    table = language_table(read.language)
    chapters = [golds[number] for number in sorted(golds)]
    bearers = bearers_of(chapters)
    other = tuple(name for bearer in bearers for name in bearer.names)
    found: list[_Plan] = []
    for again in range(DRAWS):
        try:
            names = renaming(bearers, read.text, table, seed=seed + again * 1_000_003)
        except ValueError as error:
            raise InputError(f"the names of {chapters[0].book} cannot be replaced: {error}") from error
        allowed = InGold(chapters, read.text, cased=names.lexicon.cased)
        moved = Moved(read.text, names.edits(read.text, allowed))
        plan = _Plan(names, other, allowed, moved, *strays(read.text, names, allowed, moved))
        if not plan.strays:
            return plan
        found.append(plan)
    return min(found, key=lambda plan: plan.strays)


def strays(text: str, names: Renaming, allowed: InGold, moved: Moved) -> tuple[int, tuple[int, ...]]:
    """Return at how many places old and new names are not found alike, and where the replaced mentions began."""
    replaced = [mention for mention, _, changes in names.mentions(text, allowed) if changes]
    old = {tuple(moved.span(mention.start, mention.end)) for mention in replaced}
    images = {names.image(s): form.bearers for s, form in names.forms.items() if form.renamed}
    matcher = NameMatcher.build(images, names.lexicon.table, all_caps=names.lexicon.cased)
    new = {(m.start, m.end) for m in matcher.find(moved.text)}
    return len(old ^ new), tuple(mention.start for mention in replaced)


class _Place(NamedTuple):
    number: int
    base: int


class _Kept(NamedTuple):
    text: str
    places: dict[int, _Place]


def _chapters(read: Manuscript, golds: dict[int, GoldChapter], moved: Moved, *, whole: bool) -> _Kept:
    """Return the renamed text, whole or the chapters with gold alone, and where each chapter now is."""
    if whole:
        return _Kept(moved.text, {number: _Place(number, 0) for number in sorted(golds)})
    pieces: list[str] = []
    places: dict[int, _Place] = {}
    size = 0
    for position, number in enumerate(sorted(golds), 1):
        chapter = read.chapters[number - 1]
        start, end = moved.at(chapter.start), moved.at(chapter.end, end=True)
        piece = moved.text[start:end].rstrip("\n") + "\n\n\n"
        places[number] = _Place(position, start - size)
        pieces.append(piece)
        size += len(piece)
    return _Kept("".join(pieces).rstrip("\n") + "\n", places)


def _raw(gold: Path, golds: dict[int, GoldChapter], number: int) -> dict[str, Any]:
    """Return a chapter's file as it is, with fields that the model leaves out."""
    files = sorted(gold.glob("*.json")) if gold.is_dir() else [gold]
    for file in files:
        raw: dict[str, Any] = json.loads(file.read_text("utf-8"))
        if (raw.get("edition_chapter") or raw["chapter"]) == golds[number].number:
            return raw
    raise InputError(f"{gold} has no chapter {number}")


def _write(folder: Path, text: str, chapters: dict[str, dict[str, Any]]) -> None:
    write_whole(folder / SERIAL, text)
    write_chapters(chapters, folder / GOLD)


def _check(made: Case, n_chapters: int) -> None:
    """Raise InputError where the renamed text is not cut as its gold says: then its headings do not stand alone."""
    read = read_manuscript(made.text(), language=made.language)
    checked_gold(load_gold(made.gold), read)
    if len(read.chapters) != n_chapters:
        raise InputError(f"{made.name}: the renamed text has {len(read.chapters)} chapters, {n_chapters} were expected")


def _told(made: Case, seed: int, plan: _Plan, n_mentions: int, folder: Path, text: str) -> Renamed:
    names = {s: plan.names.name(s) for s in sorted({*plan.names.forms, *plan.other})}
    told = Renamed(
        made, seed, plan.names.parts, names, left_names(plan.names, text, plan.other), n_mentions, plan.strays
    )
    write_whole(folder / MAPPING, json.dumps(told.as_json(), ensure_ascii=False, indent=1) + "\n")
    return told


def left_names(names: Renaming, text: str, other: Iterable[str] = ()) -> tuple[LeftName, ...]:
    """Return what still stands of the old names in a renamed text: names of words alone, words that are also names, parts of words."""
    kept = {s for s, form in names.forms.items() if not form.renamed} | {s for s in other if names.name(s) == s}
    found = [
        LeftName(s, _count(s, text, names), "no name of a person or place, or made of words") for s in sorted(kept)
    ]
    words = {s for s, form in names.forms.items() if form.word}
    found += [LeftName(s, n, "a word there") for s in sorted(words) if (n := _count(s, text, names))]
    composed = unicodedata.normalize("NFC", text)
    for part in sorted(set(names.parts) - words):
        least = _LEAST_LEFT if names.lexicon.cased else 2
        n = composed.count(part) + (composed.count(part.upper()) if names.lexicon.cased else 0)
        if len(part) >= least and n:
            found.append(LeftName(part, n, "inside another word or name"))
    return tuple(one for one in found if one.n)


def _count(surface: str, text: str, names: Renaming) -> int:
    return len(NameMatcher.build({surface: ("x",)}, names.lexicon.table).find(text))
