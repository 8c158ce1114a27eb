"""Gold written by quoting: a folder of drafts and the serial they are about become gold chapters, or a list of faults.

A draft says what a chapter establishes and quotes the words that show it; here every quotation is found in exactly one
place and turned into offsets, and the quotations are not kept. All faults of all drafts are found in one go.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from analyzer.errors import InputError
from analyzer.hashing import bytes_sha256
from analyzer.models.facts import RELATION_KINDS
from analyzer.models.gold import GoldChapter
from analyzer.models.text import Chapter, Manuscript
from analyzer.text.languages import LanguageTable, language_table
from analyzer.wording import counted
from evals.goldset.places import blocks_of, find_quote, is_printed, nearest_form
from evals.goldset.vocabulary import SECTIONS, Draft, DraftEntity, DraftRelation, Shown, title_of
from evals.goldset.writing import write_chapters

LARGEST_DRAFT = 5_000_000
"""Bytes of one draft; a long chapter's has about 100 kB."""
_DROPPED = frozenset({"note", "quotes", "blocks_also", "blocks_not"})
_ALWAYS = frozenset(
    {"names", "descriptors", "modifier", "holders", "hidden_from", "exposed_to", "via"},
)
_NAMED_IDS = ("subject", "object", "entity", "is_", "knower", "persona_of")
_LISTED_IDS = ("holders", "hidden_from", "exposed_to")
_ID_LISTS = (*_LISTED_IDS, *(f"{field}_alternates" for field in _LISTED_IDS))
_ONE_WAY = frozenset({"parent_of", "grandparent_of", "aunt_uncle_of", "guardian_of"})
"""Kinds that never hold both ways between two people."""


class Fault(NamedTuple):
    """What is wrong with a draft: `file` and `item` say where, `text` what was found against what is allowed."""

    file: str
    item: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}: {self.item}: {self.text}" if self.item else f"{self.file}: {self.text}"


class Built(NamedTuple):
    """Gold chapters by file name, as they are written, and the faults; with any fault nothing is to be written."""

    chapters: dict[str, dict[str, Any]]
    faults: tuple[Fault, ...]


def build(folder: Path, serial: Manuscript) -> Built:
    """Return the gold of all drafts (`*.json`) of a folder; raises InputError where there are none."""
    drafts, faults = read_drafts(folder)
    table = language_table(serial.language)
    chapters: dict[str, dict[str, Any]] = {}
    numbers = {draft.chapter for draft in drafts.values()}
    held: dict[tuple[str, ...], str] = {}
    kinds: dict[str, tuple[str, str]] = {}
    for file, draft in sorted(drafts.items(), key=lambda one: (one[1].chapter, one[0])):
        name = f"chapter-{draft.chapter:02d}.json"
        chapter = serial.chapter(draft.chapter)
        if chapter is None:
            n_chapters = len(serial.chapters)
            faults.append(Fault(file, "", f"chapter {draft.chapter} is not in the serial, it has 1 to {n_chapters}"))
            continue
        if not chapter.blocks:
            faults.append(Fault(file, "", f"chapter {draft.chapter} of the serial has no text"))
            continue
        if name in chapters:
            faults.append(Fault(file, "", f"another draft is about chapter {draft.chapter} too"))
            continue
        complete = numbers.issuperset(range(1, draft.chapter))
        work = _Work(file, draft, chapter, table, held if complete else None)
        chapters[name] = work.gold(serial)
        faults += [*work.faults, *_changed_kinds(file, draft, kinds)]
        held |= {_key(relation): relation.status for relation in draft.relations}
    faults += _of_several_books(drafts)
    return Built(chapters, tuple(faults))


def read_drafts(folder: Path) -> tuple[dict[str, Draft], list[Fault]]:
    """Return the drafts that can be read by file name, and the faults of the others; raises InputError for no draft."""
    files = sorted(folder.glob("*.json")) if folder.is_dir() else []
    if not files:
        raise InputError(
            f"no drafts (*.json) in {folder}", hint="give the folder that holds one draft for each chapter"
        )
    drafts: dict[str, Draft] = {}
    faults: list[Fault] = []
    for file in files:
        raw = _json(file, faults)
        if raw is None:
            continue
        try:
            drafts[file.name] = Draft.model_validate_json(json.dumps(raw))
        except ValidationError as error:
            faults += _of_shape(file.name, raw, error)
    return drafts, faults


def _json(file: Path, faults: list[Fault]) -> dict[str, Any] | None:
    if not file.is_file():
        faults.append(Fault(file.name, "", "is no ordinary file"))
        return None
    size = file.stat().st_size
    if size > LARGEST_DRAFT:
        faults.append(Fault(file.name, "", f"has {size:,} bytes, at most {LARGEST_DRAFT:,} are read"))
        return None
    try:
        raw = json.loads(file.read_text("utf-8-sig"), object_pairs_hook=_once)
        json.dumps(raw, ensure_ascii=False).encode()  # a lone surrogate fails here
    except (ValueError, RecursionError) as error:
        faults.append(Fault(file.name, "", f"is not JSON in UTF-8: {error}"))
        return None
    if not isinstance(raw, dict):
        faults.append(Fault(file.name, "", f"holds a {type(raw).__name__}, an object in braces was expected"))
        return None
    return raw


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; raises ValueError where a key stands twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"{next(key for key in keys if keys.count(key) > 1)!r} stands twice in one object")
    return found


def _of_shape(file: str, raw: dict[str, Any], error: ValidationError) -> list[Fault]:
    """Return one fault for each field that has no allowed value."""
    found: dict[Fault, None] = {}
    for one in error.errors(include_url=False):
        fields: list[int | str] = [part for part in one["loc"] if isinstance(part, int) or "[" not in part]
        section = str(fields[0]) if fields else ""
        number = fields[1] if section in SECTIONS and len(fields) > 1 else None
        item = ""
        if isinstance(number, int):
            entry = raw[section][number]
            item = title_of(section, number + 1, entry if isinstance(entry, dict) else {})
            fields = fields[2:]
        field = ".".join(str(part + 1 if isinstance(part, int) else part) for part in fields)
        said = one["msg"].removeprefix("Value error, ")
        got = f", not {str(one['input'])[:60]!r}" if one["type"] in ("literal_error", "string_pattern_mismatch") else ""
        found[Fault(file, item, f"{field}: {said}{got}" if field else f"{said}{got}")] = None
    return list(found)


def _key(relation: DraftRelation) -> tuple[str, ...]:
    ends = [relation.subject, relation.object]
    return (relation.kind, *(sorted(ends) if RELATION_KINDS[relation.kind].symmetric else ends))


def _changed_kinds(file: str, draft: Draft, kinds: dict[str, tuple[str, str]]) -> list[Fault]:
    """Return ids that are another kind of entity than in an earlier chapter; `kinds` is added to."""
    found = []
    for number, entity in enumerate(draft.entities, 1):
        before, kind = kinds.setdefault(entity.id, (file, entity.kind))
        if kind != entity.kind:
            text = f"is a {entity.kind} here and a {kind} in {before}; an id is one entity in all chapters"
            found.append(Fault(file, title_of("entities", number, entity.model_dump()), text))
    return found


def _of_several_books(drafts: Mapping[str, Draft]) -> list[Fault]:
    first = next(iter(drafts.items()), None)
    if first is None:
        return []
    file, draft = first
    return [
        Fault(name, "", f"{field} is {getattr(other, field)!r}, in {file} it is {getattr(draft, field)!r}")
        for name, other in drafts.items()
        for field in ("book", "language")
        if getattr(other, field) != getattr(draft, field)
    ]


class _Work:
    """One draft being turned into gold; `held` is the status of every relation of the earlier chapters, None where unknown."""

    def __init__(
        self,
        file: str,
        draft: Draft,
        chapter: Chapter,
        table: LanguageTable,
        held: Mapping[tuple[str, ...], str] | None,
    ) -> None:
        self.faults: list[Fault] = []
        self._file, self._draft, self._chapter, self._table, self._held = file, draft, chapter, table, held
        self._kinds = {entity.id: entity.kind for entity in draft.entities}

    def gold(self, serial: Manuscript) -> dict[str, Any]:
        """Return the chapter's gold as it is written; what could not be made is in `faults`."""
        draft, blocks = self._draft, self._chapter.blocks
        start, end = blocks[0].start, blocks[-1].start + len(blocks[-1].text)
        gold: dict[str, Any] = {
            "book": draft.book,
            "chapter": draft.chapter,
            "edition": draft.book,
            "edition_chapter": draft.chapter,
            "language": draft.language,
            "n_blocks": len(blocks),
            "body_sha256": bytes_sha256(serial.text[start:end].encode()),
            "body_start": start,
            "body_end": end,
            "block_starts": [block.start for block in blocks],
            "entities": self._entities(),
        }
        self._check_relations()
        for section in SECTIONS[1:]:
            entries: Sequence[Shown] = getattr(draft, section)
            gold[section] = [self._shown(section, number, entry) for number, entry in enumerate(entries, 1)]
        GoldChapter.model_validate_json(json.dumps(gold))
        return gold

    def _fault(self, section: str, number: int, entry: Any, text: str) -> None:
        self.faults.append(Fault(self._file, title_of(section, number, entry.model_dump(by_alias=True)), text))

    def _entities(self) -> list[dict[str, Any]]:
        owners: dict[str, list[str]] = {}
        for entity in self._draft.entities:
            for name in dict.fromkeys(entity.names):
                owners.setdefault(name, []).append(entity.id)
        found = blocks_of(self._chapter, owners, self._table)
        written = []
        for number, entity in enumerate(self._draft.entities, 1):
            blocks = found.get(entity.id, ())
            for text in (
                *self._words_of(entity, owners),
                *self._standing(entity, number),
                *self._mended(entity, blocks),
            ):
                self._fault("entities", number, entity, text)
            blocks = tuple(sorted({*blocks, *entity.blocks_also} - set(entity.blocks_not)))
            written.append(_plain(entity) | {"blocks": list(blocks)})
        return written

    def _words_of(self, entity: DraftEntity, owners: Mapping[str, list[str]]) -> list[str]:
        """Return faults of names and descriptors: printed, and a name borne by one entity."""
        texts = [self._chapter.heading, *(block.text for block in self._chapter.blocks)]
        found = []
        for name in entity.names:
            if len(owners[name]) > 1:
                found.append(
                    f"the name {name!r} is given to {' and '.join(owners[name])}; a name belongs to one entity"
                )
            if not is_printed(name, texts, self._table):
                found.append(f"the name {name!r} is not printed in the chapter{nearest_form(name, self._chapter)}")
        for words in entity.descriptors:
            if not any(words.casefold() in text.casefold() for text in texts):
                found.append(
                    f"the descriptor {words!r} is not printed in the chapter{nearest_form(words, self._chapter)}"
                )
        return found

    def _standing(self, entity: DraftEntity, number: int) -> list[str]:
        """Return faults of ids: given twice, or a persona told of before its chapter."""
        found = []
        if any(other.id == entity.id for other in self._draft.entities[: number - 1]):
            found.append(f"the id {entity.id!r} stands twice; one entry for each entity")
        if entity.persona_of is not None and entity.persona_of not in self._kinds:
            found.append(f"persona_of names {entity.persona_of!r}, which is no id of this chapter")
        if entity.revealed_in is not None and entity.revealed_in > self._draft.chapter:
            found.append(f"revealed_in is {entity.revealed_in}: before that chapter the gold must not tell")
        return found

    def _mended(self, entity: DraftEntity, blocks: Sequence[int]) -> list[str]:
        """Return faults of `blocks_also` (no name stands there) and `blocks_not` (none was found there)."""
        found = []
        for no in entity.blocks_also:
            block = self._chapter.block(no)
            if block is None or not any(name in block.text for name in entity.names):
                found.append(f"blocks_also has {no}, where none of its names stands")
        found += [f"blocks_not has {no}, where no name of it was found" for no in entity.blocks_not if no not in blocks]
        return found

    def _check_relations(self) -> None:
        """Add the faults of relations: ends, kinds of ends, twice the same, `again` against the earlier chapters."""
        seen: dict[tuple[str, ...], int] = {}
        for number, relation in enumerate(self._draft.relations, 1):
            rule = RELATION_KINDS[relation.kind]
            if relation.subject == relation.object:
                self._fault("relations", number, relation, "subject and object are the same")
            for end, allowed in ((relation.subject, rule.subjects), (relation.object, rule.objects)):
                kind = self._kinds.get(end)
                if kind is not None and kind not in allowed:
                    text = f"{end} is a {kind}; this end of {relation.kind} is one of {', '.join(sorted(allowed))}"
                    self._fault("relations", number, relation, text)
            key = _key(relation)
            turned = (relation.kind, relation.object, relation.subject)
            if key in seen:
                self._fault("relations", number, relation, f"is the same as relations {seen[key]}")
            elif relation.kind in _ONE_WAY and turned in seen:
                self._fault(
                    "relations", number, relation, f"turns relations {seen[turned]} round; one of them is wrong"
                )
            seen[key] = number
            self._check_again(number, relation)

    def _check_again(self, number: int, relation: DraftRelation) -> None:
        if self._held is None:
            if relation.again is None:
                text = "again is missing: say true or false, since not all earlier chapters have drafts"
                self._fault("relations", number, relation, text)
        elif relation.again not in (None, self._again(relation)):
            now = (
                "the same pair, kind and status stand"
                if self._again(relation)
                else "pair, kind and status do not stand"
            )
            self._fault("relations", number, relation, f"again is {relation.again}, but {now} in an earlier chapter")

    def _again(self, relation: DraftRelation) -> bool:
        if self._held is None:
            return bool(relation.again)
        return self._held.get(_key(relation)) == relation.status

    def _shown(self, section: str, number: int, entry: Shown) -> dict[str, Any]:
        for id_ in _ids_of(entry):
            if id_ not in self._kinds:
                self._fault(section, number, entry, f"{id_!r} is no id of this chapter's entities")
        evidence = []
        for wanted in dict.fromkeys(entry.quotes):
            place = find_quote(self._chapter, wanted)
            if isinstance(place, str):
                self._fault(section, number, entry, place)
            else:
                evidence.append(place.model_dump())
        written = _plain(entry) | {"evidence": evidence}
        if isinstance(entry, DraftRelation):
            written["again"] = self._again(entry)
        return written


def _ids_of(entry: Shown) -> list[str]:
    """Return every entity id an entry names, each once."""
    found = [str(getattr(entry, field)) for field in _NAMED_IDS if getattr(entry, field, None)]
    found += [id_ for field in _ID_LISTS for id_ in getattr(entry, field, ())]
    for subject, _, target in getattr(entry, "alternate_triples", ()):
        found += [subject, target]
    found += [other.split(".")[0] for other in getattr(entry, "alternates", ()) if "." in other]
    return list(dict.fromkeys(found))


def _plain(entry: DraftEntity | Shown) -> dict[str, Any]:
    """Return an entry as gold keeps it: no quotations, no remarks, no empty optional fields."""
    said = entry.model_dump(mode="json", by_alias=True, exclude=set(_DROPPED))
    return {key: value for key, value in said.items() if key in _ALWAYS or value not in (None, "", [])}


def write_gold(built: Built, out: Path) -> tuple[Path, ...]:
    """Write every chapter into `out`, whole or not at all each; raises InputError where there are faults or it cannot."""
    if built.faults:
        raise InputError(f"the drafts have {counted(len(built.faults), 'fault')}; nothing was written")
    return write_chapters(built.chapters, out)
