"""A folder of gold chapters as something that can be asked: whom does this name mean, what holds between these two."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

from analyzer.errors import InputError
from analyzer.hashing import bytes_sha256
from analyzer.models.base import fault_of
from analyzer.models.facts import RELATION_KINDS
from analyzer.models.gold import GoldChapter, GoldEntity, GoldRelation
from analyzer.models.question import Ref
from analyzer.models.text import Chapter, Manuscript, Place
from analyzer.text.languages import LanguageTable
from analyzer.text.namefold import ARTICLES, core_name, fold_name

MAX_GOLD_BYTES = 20_000_000
"""Larger gold files are refused. Source: the largest known is 60 kB."""
_POSSESSIVES = frozenset(
    {
        "my",
        "your",
        "his",
        "her",
        "their",
        "our",
        "its",
        "mon",
        "ma",
        "mes",
        "son",
        "sa",
        "ses",
        "votre",
        "notre",
        "leur",
    }
)


def load_gold(folder: Path) -> dict[int, GoldChapter]:
    """Return gold chapters by their number in the edition; raises InputError naming file and fault."""
    files = sorted(folder.glob("*.json")) if folder.is_dir() else [folder]
    if not files or not files[0].is_file():
        raise InputError(
            f"no gold chapters (*.json) in {folder}",
            hint="give the folder that holds the gold files: --model gold:FOLDER",
        )
    found: dict[int, GoldChapter] = {}
    for file in files:
        if file.stat().st_size > MAX_GOLD_BYTES:
            raise InputError(
                f"{file.name} has {file.stat().st_size} bytes, at most {MAX_GOLD_BYTES} are read", where=str(file)
            )
        try:
            gold = GoldChapter.model_validate(json.loads(file.read_text("utf-8")))
        except OSError as error:
            raise InputError(f"{file.name} cannot be read: {error.strerror}", where=str(file)) from error
        except ValidationError as error:
            raise InputError(
                f"{file.name} is not a gold chapter: {fault_of(error)}", where=str(file), hint="see goldsets/README.md"
            ) from error
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"{file.name} is not a gold chapter: {error}",
                where=str(file),
                hint="see goldsets/README.md",
            ) from error
        _check_blocks(gold, file)
        found[gold.number] = gold
    return found


def _check_blocks(gold: GoldChapter, file: Path) -> None:
    """Raise InputError where evidence stands in a block the chapter has not."""
    n_blocks = len(gold.block_starts)
    for relation in gold.relations:
        for evidence in relation.evidence:
            if not 1 <= evidence.block <= n_blocks:
                what = f"{relation.subject} {relation.kind} {relation.object}"
                raise InputError(
                    f"{file.name}: evidence of {what!r} is in block {evidence.block}, there are {n_blocks}",
                    where=str(file),
                    hint="blocks are counted from 1, one for each of block_starts",
                )


def checked_gold(gold: dict[int, GoldChapter], manuscript: Manuscript) -> dict[int, GoldChapter]:
    """Return the gold whose text is this manuscript's; raises InputError where a chapter's body differs or ends behind it."""
    for number, chapter in gold.items():
        body = manuscript.text[chapter.body_start : chapter.body_end]
        differs = chapter.body_sha256 and bytes_sha256(body.encode()) != chapter.body_sha256
        if differs or chapter.body_end > len(manuscript.text):
            raise InputError(
                f"the gold of chapter {number} ({chapter.book}) was made for another text: the body's sha256 or end differs",
                hint="analyse the edition the gold file names, unchanged",
            )
    return gold


def bare(descriptor: str) -> str:
    """Return a description without its articles, demonstratives and possessives, folded."""
    words = fold_name(descriptor).split()
    while len(words) > 1 and (words[0] in ARTICLES or words[0] in _POSSESSIVES):
        words = words[1:]
    return " ".join(words)


def _inside(part: str, whole: str) -> bool:
    if part.isascii() or " " in whole:
        return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", whole) is not None
    return len(part) >= 2 and part in whole


@dataclass(frozen=True)
class GoldView:
    """One gold chapter against the manuscript's chapter.

    `ids` is shared by all chapters of a book: whom an unnamed entity's handle was found to mean, so that "a man" of one
    chapter is not taken for another man of the next.
    """

    gold: GoldChapter
    chapter: Chapter
    table: LanguageTable
    earlier: tuple[GoldChapter, ...] = ()
    ids: dict[str, str] = field(default_factory=dict)

    def names(self, entity: GoldEntity) -> tuple[str, ...]:
        """Return an entity's names here and in earlier gold chapters."""
        past = [n for g in self.earlier if entity.id in g.by_id for n in g.by_id[entity.id].names]
        return tuple(dict.fromkeys((*entity.names, *past)))

    def place(self, offset: int) -> Place | None:
        """Return the sentence of this chapter that holds a manuscript offset."""
        try:
            return self.chapter.place_of(offset)
        except ValueError:
            return None

    def places(self, relation: GoldRelation) -> tuple[Place, ...]:
        """Return the sentences of a relation's evidence, each once."""
        found: list[Place] = []
        for evidence in relation.evidence:
            span = self.gold.span(evidence)
            place = self.place(span.start)
            if place is not None and place not in found:
                found.append(place)
        return tuple(found)

    @cached_property
    def _by_name(self) -> dict[str, list[GoldEntity]]:
        return self._index(fold_name)

    @cached_property
    def _by_core(self) -> dict[str, list[GoldEntity]]:
        return self._index(lambda name: core_name(fold_name(name), self.table))

    def _index(self, key: Callable[[str], str]) -> dict[str, list[GoldEntity]]:
        found: dict[str, list[GoldEntity]] = {}
        for entity in self.gold.entities:
            for form in {key(name) for name in self.names(entity)}:
                found.setdefault(form, []).append(entity)
        return found

    @cached_property
    def _elsewhere(self) -> frozenset[str]:
        """Folded names that earlier chapters give only to entities this chapter's gold does not list."""
        named = (e for g in self.earlier for e in g.entities if e.id not in self.gold.by_id)
        return frozenset(fold_name(name) for entity in named for name in entity.names) - set(self._by_name)

    def absent(self, surfaces: Iterable[str]) -> bool:
        """Whether one of the surfaces is the name of somebody of an earlier chapter whom this chapter's gold does not list."""
        return any(fold_name(surface) in self._elsewhere for surface in surfaces)

    def named(self, surfaces: Iterable[str]) -> GoldEntity | None:
        """Return the entity most of the surfaces name, the first of them among equals: exactly, then without title and honorific."""
        wanted = dict.fromkeys(fold_name(s) for s in surfaces)
        exact = [entity for form in wanted for entity in self._by_name.get(form, ())]
        if exact:
            return max(exact, key=lambda e: sum(other is e for other in exact))
        if self.absent(wanted):
            return None
        cores = dict.fromkeys(core_name(s, self.table) for s in wanted)
        loose = {entity.id: entity for core in cores for entity in self._by_core.get(core, ())}
        one = next(iter(loose.values())) if len(loose) == 1 else None
        return None if one and any(self._shared(core, one) for core in cores) else one

    def _shared(self, core: str, bearer: GoldEntity) -> bool:
        """Whether a name is also the family name with which another person's full name begins, written together."""
        return not core.isascii() and any(
            entity.kind == "character" and fold_name(name)[: len(core)] == core and 1 < len(name) - len(core) < 3
            for entity in self.gold.entities
            for name in (self.names(entity) if entity is not bearer else ())
        )

    def described(self, surfaces: Sequence[str], places: Sequence[Place]) -> GoldEntity | None:
        """Return the entity a description means: by equal wording, then by one inside the other; the nearest of several."""
        wanted = [fold_name(s) for s in surfaces]
        for match in (self._equal, self._bare_equal, self._within):
            found = [
                e for e in self.gold.entities if any(match(w, fold_name(d)) for w in wanted for d in e.descriptors)
            ]
            if found:
                return min(found, key=lambda e: (bool(e.names) and len(found) > 1, self._distance(e, places)))
        return None

    @staticmethod
    def _equal(wanted: str, descriptor: str) -> bool:
        return wanted == descriptor

    @staticmethod
    def _bare_equal(wanted: str, descriptor: str) -> bool:
        return bare(wanted) == bare(descriptor)

    @staticmethod
    def _within(wanted: str, descriptor: str) -> bool:
        short, long = sorted((bare(wanted), bare(descriptor)), key=len)
        return (
            bool(short)
            and (short.count(" ") > 0 or not short.isascii() or long.split()[-1] == short)
            and _inside(short, long)
        )

    def _distance(self, entity: GoldEntity, places: Sequence[Place]) -> int:
        blocks = [e.block for r in self.gold.relations if entity.id in (r.subject, r.object) for e in r.evidence]
        blocks += list(entity.blocks)
        return min((abs(b - p.block) for b in blocks for p in places), default=10_000)

    @cached_property
    def _known(self) -> dict[tuple[object, ...], GoldEntity | None]:
        return {}

    def of(self, ref: Ref) -> GoldEntity | None:
        """Return the gold entity a reference means: by name, else as it was before, else by description or as the narrator."""
        key = (ref.handle, ref.names, ref.places, ref.tie == "narrator")
        if key not in self._known:
            self._known[key] = self._resolve(ref)
        return self._known[key]

    def _resolve(self, ref: Ref) -> GoldEntity | None:
        named = None if ref.tie == "narrator" else self.named(ref.names)
        if named is not None:
            return named
        if ref.handle in self.ids:
            return self.gold.by_id.get(self.ids[ref.handle])
        if self.absent(ref.names):
            return None
        found = self.narrator() if ref.tie == "narrator" else self.described(ref.names, ref.places)
        if found is not None and ref.handle:
            self.ids[ref.handle] = found.id
        return found

    def narrator(self) -> GoldEntity | None:
        """Return the first-person narrator."""
        words = {"i", "me", "나", "내", "我", "私", "僕", "わたし", "je", "narrator"}
        return next((e for e in self.gold.entities if {fold_name(d) for d in e.descriptors} & words), None)

    def between(self, a: str, b: str) -> tuple[GoldRelation, ...]:
        """Return the gold relations whose ends are these two, either way."""
        return tuple(r for r in self.gold.relations if {r.subject, r.object} == {a, b})

    def partners(self, entity: str, family: str) -> set[str]:
        """Return the ids with which an entity has a relation of the family."""
        found: set[str] = set()
        for relation in self.gold.relations:
            kinds = {relation.kind} if relation.kind in RELATION_KINDS else set()
            if any(RELATION_KINDS[k].family == family for k in kinds):
                if relation.subject == entity:
                    found.add(relation.object)
                elif relation.object == entity:
                    found.add(relation.subject)
        return found


def triples(relation: GoldRelation, *, alternates: bool = True) -> set[tuple[str, str, str]]:
    """Return every (subject, kind, object) that states the relation; symmetric kinds both ways."""
    found = {(relation.subject, relation.kind, relation.object)}
    if alternates:
        for other in relation.alternates:
            if other.startswith("~"):
                found.add((relation.object, other[1:], relation.subject))
            else:
                found.add((relation.subject, other, relation.object))
        found |= set(relation.alternate_triples)
    for subject, kind, target in tuple(found):
        rule = RELATION_KINDS.get(kind)
        if rule is not None and rule.symmetric:
            found.add((target, kind, subject))
    return found
