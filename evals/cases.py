"""The gold cases there are: the bundled serial always, public chapters where their folder is given."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from analyzer.hashing import bytes_sha256
from analyzer.models.gold import GoldChapter

BUNDLED = Path(__file__).parent.parent / "goldsets"


class Case(NamedTuple):
    """A manuscript with gold for some of its chapters (`chapters` as `--chapters` takes them, None: all)."""

    name: str
    manuscript: Path
    gold: Path
    language: str
    chapters: str | None


def bundled_cases() -> tuple[Case, ...]:
    """Return the project's own serials."""
    found = []
    for folder in sorted(p.parent for p in BUNDLED.glob("*/gold")):
        first = next(iter(sorted((folder / "gold").glob("*.json"))))
        gold = GoldChapter.model_validate_json(first.read_text("utf-8"))
        found.append(Case(folder.name, folder / "serial.txt", folder / "gold", gold.language, None))
    return tuple(found)


def public_cases(data: Path) -> tuple[Case, ...]:
    """Return one case for every public gold chapter under `data` whose edition lies beside it."""
    found = []
    for file in sorted((data / "gold").glob("*-chapters/*.json")):
        gold = GoldChapter.model_validate_json(file.read_text("utf-8"))
        text = _text(gold, data)
        if text is not None:
            found.append(Case(file.stem, text, file, gold.language, str(gold.number)))
    return tuple(found)


def _text(gold: GoldChapter, data: Path) -> Path | None:
    """Return the edition's text: the one whose chapter body has the hash the gold names."""
    for text in sorted((data / "texts").glob(f"*-{gold.language.split('-')[0]}/book.txt")):
        body = text.read_text("utf-8")[gold.body_start : gold.body_end]
        if bytes_sha256(body.encode()) == gold.body_sha256:
            return text
    return None


def find_cases(data: Path | None) -> tuple[Case, ...]:
    """Return bundled and, where a folder is given, public cases."""
    return (*bundled_cases(), *(public_cases(data) if data else ()))
