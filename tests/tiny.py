"""A tiny serial of three chapters with its own gold, written to a folder as a manuscript and gold files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analyzer.hashing import bytes_sha256

CHAPTERS = (
    (
        "The Weir",
        "Oda Marrin mended nets by the weir at Sallow. Her brother Ludo Marrin carried the baskets.",
        '"Ludo, you are late again," said Oda. Ludo only laughed and sat down beside her.',
        "Captain Hesk came along the bank of Sallow. Oda Marrin disliked Captain Hesk and turned her back on him.",
        "Captain Hesk lived in Sallow like the rest of them, and Ludo Marrin had worked for him since the spring.",
    ),
    (
        "The Lantern",
        "Oda lit the lantern. Ludo was not at home, and Captain Hesk knocked at the door of the house.",
        '"Ludo Marrin is my friend," said Captain Hesk. Oda did not believe a word of it.',
        "His daughter stood behind him in the rain. Her name was Pia Hesk, and Oda pitied her.",
        "Captain Hesk took his daughter by the arm. Pia Hesk looked back at Oda until the bend of the road.",
    ),
    (
        "The Ford",
        "Pia Hesk crossed the ford at night. Ludo Marrin was waiting there, and she ran to him.",
        '"Ludo," said Pia, "my father must not know." Ludo held her hands and promised it.',
        "Oda Marrin saw them from the weir at Sallow and said nothing. Ludo and Pia loved each other, that was plain.",
    ),
)
"""Title, then blocks."""

_WHO: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "oda": ("character", ("Oda Marrin", "Oda"), ()),
    "ludo": ("character", ("Ludo Marrin", "Ludo"), ("her brother",)),
    "hesk": ("character", ("Captain Hesk",), ("my father",)),
    "pia": ("character", ("Pia Hesk", "Pia"), ("his daughter",)),
    "sallow": ("place", ("Sallow",), ()),
}
_IN = ({"oda", "ludo", "hesk", "sallow"}, {"oda", "ludo", "hesk", "pia"}, {"oda", "ludo", "hesk", "pia", "sallow"})
_RELATIONS: tuple[tuple[tuple[str, str, str, str, dict[str, Any]], ...], ...] = (
    (
        ("oda", "sibling_of", "ludo", "Her brother Ludo Marrin carried", {"affinity": "+"}),
        ("oda", "enemy_of", "hesk", "Oda Marrin disliked", {"affinity": "-"}),
        ("hesk", "employs", "ludo", "Ludo Marrin had worked for him", {}),
        ("hesk", "lives_in", "sallow", "Captain Hesk lived in Sallow", {}),
    ),
    (("hesk", "parent_of", "pia", "His daughter stood behind him", {}),),
    (
        ("ludo", "lover_of", "pia", "Ludo and Pia loved each other", {"visibility": "secret", "affinity": "+"}),
        ("hesk", "parent_of", "pia", "my father must not know", {"again": True}),
    ),
)


def write_book(folder: Path, *, title: str = "tiny") -> Path:
    """Write `folder/title.txt` and `folder/gold/*.json`; return the manuscript."""
    text, spots = "", []
    for no, (name, *blocks) in enumerate(CHAPTERS, 1):
        text += f"Chapter {no}: {name}\n\n"
        start, starts = len(text), []
        for block in blocks:
            starts.append(len(text))
            text += block + "\n\n"
        spots.append((start, len(text), starts))
    folder.mkdir(parents=True, exist_ok=True)
    manuscript = folder / f"{title}.txt"
    manuscript.write_text(text, encoding="utf-8")
    for no, place in enumerate(spots, 1):
        (folder / "gold").mkdir(exist_ok=True)
        made = _gold(no, text, place)
        (folder / "gold" / f"chapter-{no}.json").write_text(json.dumps(made, ensure_ascii=False), encoding="utf-8")
    return manuscript


def _gold(no: int, text: str, place: tuple[int, int, list[int]]) -> dict[str, Any]:
    start, end, starts = place
    blocks = CHAPTERS[no - 1][1:]
    entities = [
        {"id": who, "kind": kind, "names": names, "descriptors": descriptors}
        for who, (kind, names, descriptors) in _WHO.items()
        if who in _IN[no - 1]
    ]
    relations = []
    for subject, kind, target, words, more in _RELATIONS[no - 1]:
        block_no = next(i for i, block in enumerate(blocks, 1) if words in block)
        at = blocks[block_no - 1].index(words)
        shown = {"block": block_no, "start": at, "end": at + len(words)}
        relations.append({"subject": subject, "kind": kind, "object": target, "evidence": [shown], **more})
    return {
        "book": "tiny",
        "chapter": no,
        "edition_chapter": no,
        "language": "en",
        "body_start": start,
        "body_end": end,
        "body_sha256": bytes_sha256(text[start:end].encode()),
        "block_starts": starts,
        "entities": entities,
        "relations": relations,
    }
