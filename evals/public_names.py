"""`python -m evals.public_names --data FOLDER`: how many names of public annotations are among the candidates, and how many there are.

No model is asked and nothing is tuned here: recall says what a model could be asked about, candidates per 1,000 words
(2,000 characters in scripts without spaces) what that costs.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from analyzer.cli._screen import print_table
from analyzer.models.text import Chapter, Manuscript
from analyzer.text.candidates import BookStats, descriptors, new_forms
from analyzer.text.candidates.forms import FormCandidate
from analyzer.text.candidates.lexicon import word_list
from analyzer.text.languages import language_table
from analyzer.text.manuscript import manuscript_from_text
from analyzer.text.namefold import core_name, fold_name

_WORDS = 1000
_JOINED = 2
"""Characters of a script without spaces that count as one word."""
_NAMED = {"PER", "FAC", "GPE", "LOC", "ORG", "VEH"}
_CASES = {"ru": 2, "de": 2, "es": 1}
"""Letters by which an inflected name may differ at its end, for texts whose names are given in one case."""


class Wanted(NamedTuple):
    """A text and the names in it: each is a set of forms of which one is enough."""

    text: str
    language: str
    named: tuple[frozenset[str], ...]
    described: tuple[frozenset[str], ...] = ()


class Row(NamedTuple):
    """What one set gave: names found of names, descriptions found of descriptions, candidates of each per 1,000 words."""

    name: str
    n_texts: int
    named: str
    forms: str
    described: str
    descriptions: str


def _chapter(text: str, language: str) -> tuple[Manuscript, tuple[Chapter, ...]]:
    manuscript = manuscript_from_text(text, title="", language=language)
    return manuscript, manuscript.chapters


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text("utf-8").splitlines():
        yield json.loads(line)


_CLOSING = re.compile(r" ([,.;:!?’”)\]]|'s\b|’s\b|n't\b|'\w+)")


def untokenised(text: str) -> str:
    """Return tokens parted by spaces as running text."""
    joined = text.replace("`` ", "“").replace(" ''", "”").replace("( ", "(")
    return _CLOSING.sub(r"\1", joined)


def litbank(folder: Path) -> Iterator[Wanted]:
    """Yield the openings with every entity that has a name, and those that have none."""
    for row in _lines(folder / "litbank.jsonl"):
        text = "\n".join(untokenised(s) for s in row["sentences"])
        named, described = [], []
        for entity in row["entities"]:
            proper = {untokenised(m[4]) for m in entity["mentions"] if m[5] == "PROP"}
            nominal = {untokenised(m[4]) for m in entity["mentions"] if m[5] == "NOM"}
            if proper:
                named.append(frozenset(proper))
            elif nominal and entity["type"] == "PER":
                described.append(frozenset(nominal))
        yield Wanted(text, "en", tuple(named), tuple(described))


_CAPITAL = re.compile(
    r"(?:\b\w+[ '’-]){0,2}\b[A-ZÀÂÄÇÈÉÊËÎÏÔÖÙÛÜ]\w+(?:[ '’-](?:d[eu]s?|la|l|d)?[ '’]?[A-ZÀÂÄÇÈÉÊËÎÏÔÖÙÛÜ]\w+)*$"
)


_KOREAN_PRONOUNS = frozenset(
    word_list({"words": "당신 자기 우리 그녀 저희 자신 누구 임자 그이 이이 저이 너희 저것 그것 자네"}, "words")
)
_FRENCH_PRONOUNS = frozenset(
    word_list({"words": "je tu il elle on nous vous ils elles ce se ses son sa me te moi toi lui qui"}, "words")
)


def french(folder: Path) -> Iterator[Wanted]:
    """Yield the excerpts; a chain is named where a mention of at most five words ends in capitals inside a sentence."""
    for row in _lines(folder / "fr-litbank.jsonl"):
        text, named, described = row["text"], [], []
        for chain in row["chains"]:
            if chain["type"] not in _NAMED:
                continue
            spans = [(a, b) for a, b in chain["mentions"] if b - a < 60]
            proper = {text[a:b] for a, b in spans if _CAPITAL.fullmatch(text[a:b]) and text[b - 1 :][:1].isalpha()}
            proper = {p for p in proper if any(w[:1].isupper() for w in p.split()[1:]) or text.count(f" {p}") > 1}
            proper = {p for p in proper if fold_name(p) not in _FRENCH_PRONOUNS}
            if proper:
                named.append(frozenset(proper))
            elif chain["type"] == "PER":
                nominal = {text[a:b] for a, b in spans if " " in text[a:b] or "'" in text[a:b]}
                if nominal:
                    described.append(frozenset(nominal))
        yield Wanted(text, "fr", tuple(named), tuple(described))


def korean(folder: Path) -> Iterator[Wanted]:
    """Yield the novels with the three commonest mentions of every labelled person."""
    for path in sorted(folder.glob("[0-9]*.jsonl")):
        scenes = list(_lines(path))
        people: dict[str, dict[str, int]] = {}
        for scene in scenes:
            for label, mentions in scene["omniscient"].items():
                for _, _, mention in mentions:
                    counts = people.setdefault(label, {})
                    counts[mention] = counts.get(mention, 0) + 1
        forms = [
            frozenset(
                sorted((m for m in counts if m not in _KOREAN_PRONOUNS and len(m) > 1), key=lambda m: -counts[m])[:3]
            )
            for label, counts in people.items()
            if len(label) == 1
        ]
        yield Wanted("\n".join(s["text"] for s in scenes), "ko", tuple(f for f in forms if f))


def sentences(folder: Path) -> Iterator[Wanted]:
    """Yield first chapters with their canonical names."""
    for path in sorted(folder.glob("*.jsonl")):
        rows = list(_lines(path))
        text = "\n".join(untokenised(row["text"]) for row in rows)
        names = {name for row in rows for name in row["named"]}
        yield Wanted(text, "en", tuple(frozenset({name, *name.split()}) for name in sorted(names)))


def novel(folder: Path) -> Iterator[Wanted]:
    """Yield Les Misérables with the people of its encounters, by the last word of their names."""
    people = json.loads((folder / "jean.derived.json").read_text("utf-8"))["characters"]
    text = (folder.parent.parent / "texts" / "les-miserables-en" / "book.txt").read_text("utf-8")
    names = [p["name"].split(",")[0] for p in people]
    yield Wanted(
        text, "en", tuple(frozenset({name, name.split()[-1]}) for name in names if name.split()[-1][:1].isupper())
    )


def plays(folder: Path) -> Iterator[Wanted]:
    """Yield German plays with the names of their people."""
    for path in sorted(folder.glob("*.json")):
        cast = json.loads(path.read_text("utf-8"))
        named = [frozenset(p["names"]) for p in cast["people"] if not p["group"] and p["names"]]
        yield Wanted(path.with_suffix(".txt").read_text("utf-8"), "de", tuple(named))


SETS = {
    "litbank": litbank,
    "fr-litbank": french,
    "koconovel": korean,
    "dekker-sentences": sentences,
    "gerdracor": plays,
    "sgb": novel,
}


def _key(surface: str, language: str) -> str:
    return core_name(fold_name(surface), language_table(language))


def _tail(form: str) -> str:
    """Return the capitalised words a form ends in ("the judicious Hooker": "Hooker"), all of it where there are none."""
    words = form.split()
    at = len(words)
    while at and words[at - 1][:1].isupper():
        at -= 1
    return " ".join(words[at:]) or form


def _has(forms: frozenset[str], found: set[str], language: str) -> bool:
    keys = {_key(form, language) for form in forms} | {_key(_tail(form), language) for form in forms}
    cut = _CASES.get(language, 0)
    if keys & found:
        return True
    stems = {key[: len(key) - cut] for key in keys if len(key) > cut + 2} if cut else set()
    return any(f.startswith(stem) and len(f) <= len(stem) + cut + 2 for stem in stems for f in found)


def _present(forms: frozenset[str], text: str) -> bool:
    return any(form in text for form in forms)


class Tally:
    """Counts of one set."""

    def __init__(self) -> None:
        self.hit = self.n = self.d_hit = self.d_n = self.forms = self.descriptions = 0
        self.words = 0.0
        self.missed: list[str] = []

    def add(self, wanted: Wanted) -> None:
        """Read one text chapter by chapter, what earlier chapters gave left out."""
        table = language_table(wanted.language)
        manuscript, chapters = _chapter(wanted.text, wanted.language)
        book = BookStats.of(manuscript, table)
        seen: set[str] = set()
        heads: set[str] = set()
        for chapter in chapters:
            forms: Sequence[FormCandidate] = new_forms(chapter, table, seen, book)
            described = descriptors(chapter, table)
            self.forms += len(forms)
            self.descriptions += len(described)
            seen |= {form.surface for form in forms}
            heads |= {fold_name(surface) for d in described for surface in (*d.surfaces, d.head)}
        self.words += len(wanted.text.split()) if " " in wanted.text[:400] else len(wanted.text) / _JOINED
        keys = {_key(surface, wanted.language) for surface in seen} | heads
        for group in wanted.named:
            if _present(group, wanted.text):
                found = _has(group, keys, wanted.language)
                self.n += 1
                self.hit += found
                if not found:
                    self.missed.append(" / ".join(sorted(group)))
        for group in wanted.described:
            self.d_n += 1
            self.d_hit += any(head.split()[-1] in fold_name(form).split() for form in group for head in heads)

    def row(self, name: str, n_texts: int) -> Row:
        """Return the counts as shown."""
        per = self.words / _WORDS or 1.0
        return Row(
            name,
            n_texts,
            f"{self.hit}/{self.n} {self.hit / (self.n or 1):.3f}",
            f"{self.forms / per:.1f}",
            f"{self.d_hit}/{self.d_n} {self.d_hit / (self.d_n or 1):.3f}",
            f"{self.descriptions / per:.1f}",
        )


def measure(texts: Iterable[Wanted]) -> tuple[Tally, int]:
    """Return the tally of a set and how many texts it has."""
    tally, n = Tally(), 0
    for wanted in texts:
        tally.add(wanted)
        n += 1
    return tally, n


def main(words: Sequence[str] | None = None) -> int:
    """Measure every set that lies under the folder."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.public_names", description="Candidates against public names."
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder of public texts and gold")
    parser.add_argument("--only", default="", help="only sets whose name contains this")
    parser.add_argument("--missed", type=int, default=0, help="print so many missed names of each set")
    options = parser.parse_args(words)
    rows = []
    for name, read in SETS.items():
        folder = options.data / "gold" / name
        if options.only not in name or not folder.is_dir():
            continue
        tally, n = measure(read(folder))
        rows.append(tally.row(name, n))
        for missed in tally.missed[: options.missed]:
            print(f"  {name}: missed {missed}")
    columns = ("set", "texts", "names found", "forms / 1,000 words", "unnamed found", "descriptions / 1,000 words")
    print_table(columns, rows, title="names of public annotations among the candidates", right=range(1, 6))
    return 0


if __name__ == "__main__":
    sys.exit(main())
