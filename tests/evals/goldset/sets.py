"""A small public and a small own goldset, made in a folder of the test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from analyzer.hashing import bytes_sha256
from analyzer.text.manuscript import read_manuscript
from evals.goldset.draft import build, write_gold
from tests.evals.goldset.tales import ENGLISH, Tale, write

TAIL = """
[made]
readings = ["A", "B"]
adjudicated = true
how = "by two readers"

[agreement]
relation_families = 0.8

[use]
tuned_on = false
widely_known = true
note = "never looked at"
"""


def head(name: str, language: str) -> str:
    return f'name = "{name}"\ntitle = "A Tale"\nlanguage = "{language}"\nlicence = "CC0 1.0"\n\n[text]\n'


def make_gold(folder: Path, tale: Tale) -> bytes:
    """Write the tale's gold into `folder/gold`; return the serial's bytes."""
    folder.mkdir(parents=True)
    work = folder / "work"
    work.mkdir()
    home, serial = write(work, tale)
    write_gold(build(home, read_manuscript(serial, language=tale.language)), folder / "gold")
    return serial.read_bytes()


def own(root: Path, name: str = "own-tale", tale: Tale = ENGLISH) -> Path:
    """Make an own goldset with its text; return its folder."""
    folder = root / name
    (folder.parent).mkdir(parents=True, exist_ok=True)
    data = make_gold(folder, tale)
    (folder / "serial.txt").write_bytes(data)
    (folder / "goldset.toml").write_text(f'{head(name, tale.language)}file = "serial.txt"\n{TAIL}', "utf-8")
    return folder


def public(root: Path, name: str = "tale", tale: Tale = ENGLISH, **more: Any) -> tuple[Path, bytes]:
    """Make a goldset of a public edition without its text; return its folder and the bytes of the text."""
    folder = root / "public" / name
    data = make_gold(folder, tale)
    said = {
        "edition": "ours",
        "title": "A Tale",
        "sha256": bytes_sha256(data),
        "n_bytes": len(data),
        "source": "made up",
    }
    lines = [f"{key} = {value!r}".replace('"', "'") for key, value in (said | more).items()]
    (folder / "goldset.toml").write_text(head(name, tale.language) + "\n".join(lines) + "\n" + TAIL, "utf-8")
    return folder, data
