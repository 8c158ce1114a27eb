"""Public annotations of chapters, sentences and plays, as documents: Knuth's encounters, Dekker's sentences, GerDraCor's plays."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.public.annotated import Chain, Document, Kinship, Printed, Sentence
from evals.public.readers import json_lines, untokenised

SKIPPED_BOOKS = ("2.6.", "3.1.", "5.6.")
"""Books that Knuth's edition divides otherwise; source: the set's README."""
_TITLES = r"(?:M\.|Monsieur|Mme\.?|Madame|Mlle\.?|Mademoiselle|Mother|Sister|Lieutenant|Father)"
_ACCENTS = {r"\^o": "ô", r"\'e": "é", r"\`e": "è", r"\c{c}": "ç", "Madamoiselle": "Mademoiselle"}
_PRINTED = {
    "AZ": ("Azelma",),
    "BU": ("Ma’am Bougon", "Bougon"),
    "CL": ("Madame la Comtesse de Lô", "Comtesse de Lô"),
    "GP": ("Georges Pontmercy", "Colonel Pontmercy", "Pontmercy"),
    "MY": ("Charles-François-Bienvenu Myriel",),
    "PG": ("Petit Gervais", "Little Gervais"),
    "PL": ("Mother Plutarque", "Plutarque"),
    "TG": ("Lieutenant Théodule", "Théodule"),
}
"""Forms the English edition prints of people whom the list spells otherwise."""
_UNNAMED = re.compile(r"\d$|--|\*|^Judge|^Old ")
"""People of the list without a name that could be printed ("Old woman 2", "G--", "Count ***")."""


def sentences(folder: Path) -> Iterator[Document]:
    """Yield first chapters with the people each sentence speaks of; a canonical name's parts are forms where nobody shares them."""
    for path in sorted(folder.glob("*.jsonl")):
        rows = list(json_lines(path))
        text, found, at = "", [], 0
        for row in rows:
            line = untokenised(row["text"])
            found.append(Sentence(at, at + len(line), frozenset(row["named"]), f"sentence {row['sentence']}"))
            text += line + "\n"
            at = len(text)
        names = sorted({name for row in rows for name in row["named"]})
        parts = Counter(part for name in names for part in set(name.split()) if part[-1] != ".")
        chains = tuple(
            Chain(name, ("character", "group"), tuple(Printed(f, name) for f in _canonical_forms(name, parts, text)))
            for name in names
        )
        yield Document(path.stem, text.rstrip("\n"), "en", chains, sentences=tuple(found))


def _canonical_forms(name: str, parts: Mapping[str, int], text: str) -> list[str]:
    forms = [name, *(part for part in name.split() if parts[part] == 1)]
    return [form for form in dict.fromkeys(forms) if form in text] or [name]


def encounters(folder: Path) -> Iterator[Document]:
    """Yield Les Misérables with who takes part in each chapter; chapters of the books that are numbered otherwise are left out."""
    jean = json.loads((folder / "jean.derived.json").read_text("utf-8"))
    place = folder.parent.parent / jean["text"]
    text = (place / "book.txt").read_text("utf-8")
    starts = _chapter_ids(json.loads((place / "chapters.json").read_text("utf-8"))["chapters"])
    people = _people(jean["characters"], text)
    known = {chain.id for chain in people}
    present = {
        starts[row["chapter"]]: frozenset(row["present"]) & known
        for row in jean["chapters"]
        if row["chapter"] in starts and not row["chapter"].startswith(SKIPPED_BOOKS)
    }
    yield Document("les-miserables", text, "en", people, present=present)


def _chapter_ids(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return where each chapter's body starts by its id "volume.book.chapter": numbered in the order of the text."""
    found: dict[str, int] = {}
    volume, book, chapter, part = 0, 0, 0, ""
    for row in rows:
        if row["kind"] != "chapter" or not row["part"]:
            continue
        if row["part"] != part:
            old, new = part.split(" / ")[0], row["part"].split(" / ")[0]
            volume, book = (volume + 1, 1) if old != new else (volume, book + 1)
            part, chapter = row["part"], 0
        chapter += 1
        found[f"{volume}.{book}.{chapter}"] = row["body_start"]
    return found


def _people(rows: Sequence[Mapping[str, str]], text: str) -> tuple[Chain, ...]:
    """Return the list's people with every form of their names that the text prints; a bare surname is who has no title in the list."""
    plain = {unaccented(w): w for w in sorted(set(re.findall(r"[^\W\d_]+", text))) if w[:1].isupper()}
    lasts = Counter(_last(row["name"]) for row in rows)
    chains = []
    for row in rows:
        if _UNNAMED.search(row["name"]):
            continue
        name = row["name"]
        for tex, letter in _ACCENTS.items():
            name = name.replace(tex, letter)
        forms = []
        for one in filter(None, re.split(r" \(|\)", name)):
            last = _last(one)
            printed = plain.get(unaccented(last), last)
            titles = re.match(_TITLES, one)
            forms += [f"{t} {printed}" for t in _same_titles(titles.group() if titles else "")]
            forms += [printed] if lasts[last] == 1 or not titles else []
            forms += [re.sub(rf"^{_TITLES} ", "", one)]
        forms = [f for f in dict.fromkeys((*forms, *_PRINTED.get(row["code"], ()))) if f in text] or [name]
        chains.append(Chain(row["code"], ("character",), tuple(Printed(f, row["code"]) for f in forms)))
    return tuple(chains)


def _last(name: str) -> str:
    return name.split(" (")[0].split()[-1]


def _same_titles(title: str) -> tuple[str, ...]:
    groups = (("M.", "Monsieur"), ("Madame", "Mme."), ("Mademoiselle", "Mlle."))
    return next((g for g in groups if title in g), (title,) if title else ())


def unaccented(word: str) -> str:
    """Return a word without accents and case."""
    return "".join(c for c in unicodedata.normalize("NFD", word.casefold()) if not unicodedata.combining(c))


_RELATIONS: dict[str, tuple[str, ...]] = {
    "parent_of": ("parent_of",),
    "siblings": ("sibling_of",),
    "spouses": ("spouse_of",),
    "lover_of": ("lover_of", "loves"),
    "friends": ("friend_of",),
    "related_with": (
        "cousin_of",
        "sibling_of",
        "parent_of",
        "aunt_uncle_of",
        "grandparent_of",
        "in_law_of",
        "guardian_of",
    ),
}
"""The set's relations and the kinds that answer to them; `associated_with` says too little for any."""


def plays(folder: Path) -> Iterator[Document]:
    """Yield German plays, the printed list of people under the first heading, with the relations of the list.

    Where a line is nothing but a name (a brace stood beside it in print) its relation is not stated: it counts neither way.
    """
    for path in sorted(folder.glob("*.json")):
        play = json.loads(path.read_text("utf-8"))
        listed = "\n\n".join(line.rstrip(",") if line.endswith(",") else line for line in play["cast"])
        heading, _, rest = path.with_suffix(".txt").read_text("utf-8").partition("\n")
        text = f"{heading}\n\n{listed}\n\n{rest}"
        people = [
            p
            for p in play["people"]
            if not p["group"] and p["names"] and p["names"][0][:3] not in ("Ein", "And", "Der")
        ]
        chains = tuple(_player(p, play["cast"], text) for p in people)
        known = {chain.id for chain in chains}
        text_forms = {form for chain in chains for form in chain.forms}
        kinships, unlisted = [], set()
        for number, row in enumerate(play["relations"]):
            ends = [(a, b) for a in row.get("active", ()) for b in row.get("passive", ())]
            mutual = row.get("mutual", ())
            ends += [(a, b) for i, a in enumerate(mutual) for b in mutual[i + 1 :]]
            for a, b in ends:
                if not {a, b} <= known:
                    continue
                spot = _line_of((a, b), chains, listed, text)
                if row["name"] in _RELATIONS and text[slice(*spot)] not in text_forms:
                    kinships.append(Kinship(a, _RELATIONS[row["name"]], b, spot, f"relations[{number}]"))
                else:
                    unlisted.add(frozenset((a, b)))
        yield Document(path.stem, text, "de", chains, kinships=tuple(kinships), unlisted=frozenset(unlisted))


def _player(person: Mapping[str, Any], cast: Sequence[str], text: str) -> Chain:
    names = [part for name in person["names"] for part in name.split("/")]
    listed = [re.split(r"[,.](?: |$)", line)[0] for line in cast]
    names += [line for line in listed if any(re.search(rf"\b{re.escape(name)}$", line) for name in names)]
    forms = [name for name in dict.fromkeys(names) if name in text] or names[:1]
    return Chain(person["id"], ("character",), tuple(Printed(form, person["id"]) for form in forms))


def _line_of(ends: tuple[str, str], chains: Sequence[Chain], listed: str, text: str) -> tuple[int, int]:
    """Return the line of the list that brings in the later of the two, where its relation is told."""
    base = text.index(listed)
    lines = [(m.start(), m.end()) for m in re.finditer(r"[^\n]+", listed)]
    found = [
        (start, end)
        for start, end in lines
        for chain in chains
        if chain.id in ends and any(listed[start:end].startswith(form) for form in chain.forms)
    ]
    start, end = max(found, default=lines[0])
    return base + start, base + end
