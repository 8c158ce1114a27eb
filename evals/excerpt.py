"""The first blocks of gold chapters as a small manuscript of its own, with the gold cut to what stands in them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from analyzer.hashing import bytes_sha256
from analyzer.llm.transports.gold_book import load_gold
from analyzer.models.gold import GoldChapter, GoldEntity, GoldEvidence, GoldRelation
from evals.goldset.cases import Case


class Excerpt(NamedTuple):
    """A case of excerpts with the gold of its `chapters`; `n_blocks` says how many blocks of how many each holds."""

    case: Case
    chapters: tuple[GoldChapter, ...]
    n_blocks: tuple[tuple[int, int], ...]


def cut(gold: GoldChapter, text: str, n_blocks: int, *, number: int, start: int) -> tuple[GoldChapter, str]:
    """Return the gold of the first `n_blocks` blocks (0: all) as chapter `number` of a text where its body begins at `start`.

    A relation stays if all its evidence lies inside, becomes optional (neither miss nor error) if only some does, and goes if
    none does. An entity stays if it is named or described inside, or is an end of a relation that stays.
    """
    keep = n_blocks if 0 < n_blocks < len(gold.block_starts) else len(gold.block_starts)
    end = gold.block_starts[keep] if keep < len(gold.block_starts) else gold.body_end
    body = text[gold.body_start : end].rstrip()
    relations = tuple(kept for relation in gold.relations if (kept := _inside(relation, keep)) is not None)
    ends = {end for relation in relations for end in (relation.subject, relation.object)}
    entities = tuple(e for e in gold.entities if e.id in ends or _stands(e, body, keep))
    known = {entity.id for entity in entities}
    made = gold.model_copy(
        update={
            "chapter": number,
            "edition_chapter": number,
            "body_start": start,
            "body_end": start + len(body),
            "body_sha256": bytes_sha256(body.encode()),
            "block_starts": tuple(at - gold.body_start + start for at in gold.block_starts[:keep]),
            "entities": entities,
            "relations": tuple(r for r in relations if {r.subject, r.object} <= known),
            **{name: () for name in ("changes", "appearance", "identities", "secrets", "knowledge", "plants")},
        }
    )
    return made, body


def _inside(relation: GoldRelation, keep: int) -> GoldRelation | None:
    found: tuple[GoldEvidence, ...] = tuple(e for e in relation.evidence if e.block <= keep)
    if not found:
        return None
    level = relation.level if len(found) == len(relation.evidence) else "optional"
    return relation.model_copy(update={"evidence": found, "level": level})


def _stands(entity: GoldEntity, body: str, keep: int) -> bool:
    if entity.blocks:
        return any(block <= keep for block in entity.blocks)
    folded = body.casefold()
    return any(words.casefold() in folded for words in (*entity.names, *entity.descriptors))


def excerpt(case: Case, n_blocks: int, folder: Path, *, n_chapters: int = 0) -> Excerpt:
    """Write the first blocks (0: all) of the first `n_chapters` chapters with gold (0: all) of a case as a case of its own.

    Its chapters are numbered from 1, and it is called after its length ("goose-in-the-paper-first-12") unless it is whole: its
    figures are never taken for those of the case. Text and gold stand in `folder`. Raises InputError where the text is not here.
    """
    golds = [gold for _, gold in sorted(load_gold(case.gold).items())][: n_chapters or None]
    text = case.text().read_text("utf-8")
    is_cut = any(0 < n_blocks < len(gold.block_starts) for gold in golds)
    name = f"{case.name}-first-{n_blocks}" if is_cut else case.name
    (folder / f"{name}-gold").mkdir(parents=True, exist_ok=True)
    written, made = "", []
    for number, gold in enumerate(golds, 1):
        written += f"Chapter {number}\n\n\n"
        chapter, body = cut(gold, text, n_blocks, number=number, start=len(written))
        written += body + "\n\n\n"
        made.append(chapter)
        file = folder / f"{name}-gold" / f"chapter-{number:02d}.json"
        file.write_text(json.dumps(chapter.model_dump(mode="json"), ensure_ascii=False), encoding="utf-8")
    manuscript = folder / f"{name}.txt"
    manuscript.write_text(written, encoding="utf-8")
    part = replace(
        case,
        name=name,
        manuscript=manuscript,
        gold=folder / f"{name}-gold",
        numbers=tuple(range(1, len(made) + 1)),
        chapters=None,
    )
    sizes = tuple((len(m.block_starts), len(g.block_starts)) for m, g in zip(made, golds, strict=True))
    return Excerpt(part, tuple(made), sizes)
