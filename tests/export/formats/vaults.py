"""An Obsidian vault as Obsidian reads it: front matter, notes by name, links."""

from __future__ import annotations

import re
import unicodedata
from typing import Any, NamedTuple

import yaml  # type: ignore[import-untyped]

LINK = re.compile(r"(?<!\\)\[\[([^\[\]|]*)\|?([^\[\]]*)\]\]")
TAG = re.compile(r"(?:^|\s)#[^\s#]")


class Note(NamedTuple):
    """A note: front matter, and the lines under it."""

    matter: dict[str, Any]
    body: str


def folded(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def notes_of(files: dict[str, bytes]) -> dict[str, Note]:
    """Return the notes by file name, after checks that hold of every vault: every link means one note, nothing breaks out."""
    found: dict[str, Note] = {}
    names = [folded(name.rpartition("/")[2].removesuffix(".md")) for name in files]
    assert len(set(names)) == len(names), "two notes of one name"
    for name, data in files.items():
        text = data.decode("utf-8")
        head, matter, body = re.split(r"^---$", text, maxsplit=2, flags=re.MULTILINE)
        assert head == "" and not re.search(r"^---", body, re.MULTILINE)
        fields = yaml.safe_load(matter)
        assert isinstance(fields, dict) and all(re.fullmatch(r"[a-z_]+", key) for key in fields)
        assert all(re.fullmatch(r"[a-z/-]+", tag) for tag in fields["tags"])
        for target, _ in LINK.findall(body):
            assert names.count(folded(target)) == 1, (name, target)
        unlinked = LINK.sub("", body)
        assert "[[" not in unlinked and "]]" not in unlinked
        assert not TAG.search(re.sub(r"^#{1,3} ", "", unlinked, flags=re.MULTILINE))
        assert "<" not in body and "`" not in re.sub(r"\\`", "", body) and "%%" not in body
        found[name] = Note(fields, body)
    return found
