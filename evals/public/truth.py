"""Truthful answers from public annotations: a folder of gold chapters that `--model gold:FOLDER` answers from.

Kinds and who is the same come from the chains, presence from the list of the chapter where there is one, relations from the
list of people. What a set does not say is answered with "none", so that only what it does say may be scored.
"""

from __future__ import annotations

from pathlib import Path

from analyzer.models.gold import GoldChapter, GoldEntity, GoldEvidence, GoldRelation
from analyzer.models.text import Chapter, Manuscript
from evals.public.annotated import Document


def write_gold(document: Document, manuscript: Manuscript, folder: Path) -> None:
    """Write one gold chapter for every chapter of the manuscript."""
    present = {chapter_at(manuscript, start): people for start, people in document.present.items()}
    for chapter in manuscript.chapters:
        gold = _gold(document, chapter, present.get(chapter.no))
        (folder / f"chapter-{chapter.no:03}.json").write_text(gold.model_dump_json(), "utf-8")


def chapter_at(manuscript: Manuscript, offset: int) -> int:
    """Return the number of the chapter that holds a code point of the text, 0 for none."""
    return next((c.no for c in manuscript.chapters if c.start <= offset < c.end), 0)


def _gold(document: Document, chapter: Chapter, present: frozenset[str] | None) -> GoldChapter:
    text = chapter.text
    entities = []
    for chain in document.chains:
        names = tuple(dict.fromkeys(name.text for name in chain.names if name.text in text))
        described = tuple(dict.fromkeys(d.text for d in chain.descriptions if d.text in text))
        if names or described:
            there = present is None or chain.id in present
            entities.append(
                GoldEntity(
                    id=chain.id,
                    kind=chain.kinds[0],
                    names=names,
                    descriptors=described,
                    presence="on_page" if there else "mentioned_only",
                )
            )
    starts = tuple(block.start for block in chapter.blocks)
    known = {entity.id for entity in entities}
    return GoldChapter(
        book=document.name,
        chapter=chapter.no,
        language=document.language,
        body_start=chapter.body_start,
        body_end=chapter.end,
        block_starts=starts,
        entities=tuple(entities),
        relations=_relations(document, chapter, known),
    )


def _relations(document: Document, chapter: Chapter, known: set[str]) -> tuple[GoldRelation, ...]:
    """Return the relations whose line stands in the chapter and whose ends it names."""
    found = []
    for kinship in document.kinships:
        start, end = kinship.stated
        block = next((b for b in chapter.blocks if b.start <= start < b.start + len(b.text)), None)
        if block is None or not {kinship.subject, kinship.object} <= known:
            continue
        evidence = GoldEvidence(block=block.no, start=start - block.start, end=end - block.start)
        found.append(
            GoldRelation(
                subject=kinship.subject,
                kind=kinship.kinds[0],
                object=kinship.object,
                alternates=kinship.kinds[1:],
                evidence=(evidence,),
            )
        )
    return tuple(found)
