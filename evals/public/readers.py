"""Public annotations of names and who bears them, as documents: LitBank (en), fr-litbank (fr), KoCoNovel (ko)."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analyzer.models.facts import EntityKind
from analyzer.text.namefold import fold_name
from evals.public.annotated import Chain, Document, Printed

KINDS: dict[str, tuple[EntityKind, ...]] = {
    "PER": ("character", "group"),
    "FAC": ("place", "object"),
    "GPE": ("place", "group"),
    "LOC": ("place",),
    "ORG": ("group", "place"),
    "VEH": ("object",),
}
"""The sets' classes, which they share, and the entity kinds that answer to them."""
_CLOSING = re.compile(r" ([,.;:!?’”)\]]|'s\b|’s\b|n't\b|'\w+)")
_LONGEST = 60
"""Code points of a longer mention: it is a clause, not a name."""


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON lines file."""
    for line in path.read_text("utf-8").splitlines():
        yield json.loads(line)


def untokenised(text: str) -> str:
    """Return tokens parted by spaces as running text."""
    joined = text.replace("`` ", "“").replace(" ''", "”").replace("( ", "(")
    return _CLOSING.sub(r"\1", joined)


def litbank(folder: Path) -> Iterator[Document]:
    """Yield the openings with everybody and everything that has a name, and the people who have none."""
    for row in json_lines(folder / "litbank.jsonl"):
        text = "\n".join(untokenised(s) for s in row["sentences"])
        chains = []
        for entity in row["entities"]:
            by_sort: dict[str, list[Printed]] = {"PROP": [], "NOM": [], "PRON": []}
            for sentence, first, _, last, words, sort in entity["mentions"]:
                by_sort[sort].append(Printed(untokenised(words), f"{sentence}:{first}-{last}"))
            if by_sort["PROP"] or (by_sort["NOM"] and entity["type"] == "PER"):
                kinds = KINDS[entity["type"]]
                chains.append(Chain(entity["id"], kinds, tuple(by_sort["PROP"]), tuple(by_sort["NOM"])))
        yield Document(row["doc"], text, "en", tuple(chains))


_UPPER = "A-ZÀÂÄÇÈÉÊËÎÏÔÖÙÛÜ"
_CAPITAL = re.compile(rf"(?:\b\w+[ '’-]){{0,2}}\b[{_UPPER}]\w+(?:[ '’-](?:d[eu]s?|la|l|d)?[ '’]?[{_UPPER}]\w+)*$")
_PRONOUNS = frozenset(
    [
        "je",
        "tu",
        "il",
        "elle",
        "on",
        "nous",
        "vous",
        "ils",
        "elles",
        "ce",
        "se",
        "ses",
        "son",
        "sa",
        "me",
        "te",
        "moi",
        "toi",
        "lui",
        "qui",
        "quel",
        "quelle",
        "leur",
        "leurs",
        "tous",
        "toutes",
        "tout",
        "les",
        "celui",
        "celle",
        "ceux",
        "celles",
        "mon",
        "ma",
        "mes",
        "ton",
        "ta",
        "tes",
        "notre",
        "votre",
        "cet",
        "cette",
        "ces",
        "l'un",
        "l'une",
        "un",
        "une",
        "le",
        "la",
    ]
)


def french(folder: Path) -> Iterator[Document]:
    """Yield the excerpts; a chain is named where a mention of at most five words ends in capitals inside a sentence."""
    for row in json_lines(folder / "fr-litbank.jsonl"):
        text, chains = row["text"], []
        for number, chain in enumerate(row["chains"]):
            if chain["type"] not in KINDS:
                continue
            spans = [(a, b) for a, b in chain["mentions"] if b - a < _LONGEST]
            proper = {text[a:b] for a, b in spans if _is_french_name(text[a:b], text)}
            names = tuple(Printed(text[a:b], f"{a}-{b}") for a, b in spans if text[a:b] in proper)
            others = tuple(
                Printed(text[a:b], f"{a}-{b}")
                for a, b in spans
                if text[a:b] not in proper and re.search(r"[ '’]", text[a:b])
            )
            if names or (others and chain["type"] == "PER"):
                chains.append(Chain(f"{chain['type']}-{number}", KINDS[chain["type"]], names, others))
        yield Document(row["doc"], text, "fr", tuple(chains))


def _is_french_name(words: str, text: str) -> bool:
    if not _CAPITAL.fullmatch(words) or fold_name(words) in _PRONOUNS:
        return False
    return any(w[:1].isupper() for w in words.split()[1:]) or text.count(f" {words}") > 1


_KOREAN_PRONOUNS = frozenset(
    [
        "당신",
        "당신네",
        "자기",
        "우리",
        "우리들",
        "그녀",
        "저희",
        "자신",
        "누구",
        "임자",
        "그이",
        "이이",
        "저이",
        "너희",
        "저것",
        "그것",
        "자네",
        "나",
        "내",
        "네",
        "너",
        "저",
        "제",
        "날",
        "난",
        "그",
        "그들",
        "서로",
        "모두",
        "여보",
        "그대",
    ]
)


def korean(folder: Path) -> Iterator[Document]:
    """Yield the novels; whose mentions hold a printed name is marked by hand in `korean_named.toml`, mentions are the set's."""
    named = tomllib.loads(Path(__file__).with_name("korean_named.toml").read_text("utf-8"))
    for path in sorted(folder.glob("[0-9]*.jsonl")):
        scenes = list(json_lines(path))
        people: dict[str, list[Printed]] = {}
        for scene in scenes:
            for label, mentions in scene["omniscient"].items():
                if "+" not in label:
                    at = f"{scene['part']}.{scene['scene']}"
                    people.setdefault(label, []).extend(Printed(m, f"{at}:{a}-{b}") for a, b, m in mentions)
        forms = {label: words.split("/") for label, words in named.get(path.stem, {}).items()}
        chains = tuple(_korean_chain(label, found, forms.get(label, [])) for label, found in people.items())
        text = "\n".join(s["text"] for s in scenes)
        yield Document(path.stem, text, "ko", tuple(c for c in chains if c.names or c.descriptions))


def _korean_chain(label: str, mentions: list[Printed], forms: list[str]) -> Chain:
    names = tuple(
        m for m in mentions if any(re.fullmatch(rf"{re.escape(f)}(?:이|아|야| ?씨| ?군|네)?", m.text) for f in forms)
    )
    others = tuple(m for m in mentions if m not in names and m.text not in _KOREAN_PRONOUNS and len(m.text) > 1)
    return Chain(label, ("character", "group"), names, others)
