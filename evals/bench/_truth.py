"""What is true of the chapter all contestants read, and who answers each in the form it asks for: from the same gold, no more, no less.

An entity is told where a name of it stands in the text shown, a relation where a sentence that shows it and a name of both do: so
somebody who cuts a chapter into pieces loses what stands across them, as with any model. Descriptions are the words of the text.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from analyzer.models.gold import GoldChapter, GoldItem
from tests.simulator.answerers import texts_of

PARTS = ("cast", "relations", "changes", "appearance", "identities", "secrets", "knowledge", "plants")
"""The sections of a story bible that a naive caller asks for one by one; the last six are gold's items."""
DESCRIBED_CHARS = 160
"""Code points of a description. Source: a choice; graph prompts ask for "comprehensive" ones of a sentence or two."""
MARK_PART, MARK_TEXT = "PART: ", "\nTEXT\n"
"""How the plain callers of this folder say what they want, and where the chapter begins."""
IN_ROWS = "One line each, fields parted by a bar, sentences by their number."
"""How one of them asks for rows instead of JSON."""
_LIGHTRAG = re.compile(r"---Input Text---\n```\n(.*?)\n```", re.DOTALL)
_GRAPHRAG = re.compile(r"-Real Data-\n#+\nEntity_types: .*?\nText: (.*?)\n#+\nOutput:", re.DOTALL)


class Truth(NamedTuple):
    """Gold of one chapter as plain data: entities with a printed name, relations between those (ends by index), items of other parts.

    What has no name is left out for all: nobody could tell whether two descriptions mean the same.
    """

    entities: list[dict[str, Any]]
    relations: list[dict[str, Any]]
    items: list[dict[str, Any]]
    replies: dict[str, str]

    @classmethod
    def of(cls, gold: GoldChapter, text: str, replies: Mapping[str, str]) -> Truth:
        """Return what gold says; `text` is the edition's, `replies` are the lines our own calls are answered with."""

        def quotes(evidence: Sequence[Any]) -> list[str]:
            spans = [gold.span(one) for one in evidence]
            return [" ".join(text[span.start : span.end].split()) for span in spans]

        named = [entity for entity in gold.entities if entity.names]
        at = {entity.id: n for n, entity in enumerate(named)}
        return cls(
            entities=[{"names": list(e.names), "kind": e.kind} for e in named],
            relations=[
                {
                    "a": at[r.subject],
                    "b": at[r.object],
                    "kind": r.kind,
                    "status": r.status,
                    "quotes": quotes(r.evidence),
                }
                for r in gold.relations
                if r.subject in at and r.object in at
            ],
            items=[
                {"part": part, "fields": _fields(item), "quotes": quotes(item.evidence)}
                for part in PARTS[2:]
                for item in getattr(gold, part)
            ],
            replies=dict(replies),
        )

    def write(self, file: Path) -> None:
        """Leave it where a process of its own finds it."""
        file.write_text(json.dumps(self._asdict(), ensure_ascii=False), "utf-8")


def read_truth(file: Path) -> Truth:
    """Return what `write` left."""
    return Truth(**json.loads(file.read_text("utf-8")))


def _fields(item: GoldItem) -> dict[str, Any]:
    kept = item.model_dump(mode="json", exclude={"evidence", "level", "annotators"})
    return {name: value for name, value in kept.items() if isinstance(value, str | int) and not name.startswith("_")}


def key_of(texts: Sequence[str]) -> str:
    """Return by what a request of ours is known: all its words."""
    return hashlib.sha256("".join(texts).encode("utf-8", "surrogatepass")).hexdigest()


class Told(NamedTuple):
    """What a text tells: entities as (name, kind, words about it), relations as (name, name, kind, status, quote)."""

    entities: list[tuple[str, str, str]]
    relations: list[tuple[str, str, str, str, str]]


class Truthful:
    """Answers every request of every contestant; raises ValueError for a request of a kind it does not know."""

    def __init__(self, truth: Truth) -> None:
        self._truth = truth

    def __call__(self, body: dict[str, Any]) -> str:
        """Return the reply."""
        texts = [text for _, text, _ in texts_of(body)]
        known = self._truth.replies.get(key_of(texts))
        if known is not None:
            return known
        last = texts[-1]
        for fits, answer in self._kinds():
            if fits in last or fits in texts[0]:
                return answer("".join(texts) if fits == MARK_PART else last)
        raise ValueError(f"nobody knows how to answer {last[:200]!r}")

    def _kinds(self) -> tuple[tuple[str, Callable[[str], str]], ...]:
        """Return what tells each kind of request, the narrower ones first, with who answers it."""
        return (
            (MARK_PART, self._plain),
            ("Based on the last extraction task", lambda _: "<|COMPLETE|>"),
            ("entities and relationships were missed", lambda _: "<|COMPLETE|>"),
            ("Answer Y if there are still", lambda _: "N"),
            ("-Real Data-", self._graphrag),
            ("---Input Text---", self._lightrag),
            ("report of a community", self._report),
            ("Description List", self._summary),
            ("responds in JSON format", self._langextract),
        )

    def told(self, text: str) -> Told:
        """Return what a stretch of the chapter tells."""
        flat = " ".join(text.split())
        shown: dict[int, tuple[str, str, str]] = {}
        for n, entity in enumerate(self._truth.entities):
            name = next((name for name in sorted(entity["names"], key=len, reverse=True) if name in flat), "")
            if name:
                shown[n] = (name, entity["kind"], _about(name, flat))
        relations = [
            (shown[r["a"]][0], shown[r["b"]][0], r["kind"], r["status"], quote)
            for r in self._truth.relations
            if r["a"] in shown and r["b"] in shown
            for quote in [next((q for q in r["quotes"] if q in flat), "")]
            if quote
        ]
        return Told(list(shown.values()), relations)

    def _plain(self, prompt: str) -> str:
        wanted = prompt.partition(MARK_PART)[2].partition("\n")[0].split(", ")
        told = self.told(prompt.partition(MARK_TEXT)[2])
        found: dict[str, list[dict[str, Any]]] = {}
        for part in wanted:
            if part == "cast":
                found[part] = [{"name": name, "kind": kind} for name, kind, _ in told.entities]
            elif part == "relations":
                found[part] = [
                    {"subject": a, "relation": kind, "object": b, "status": status, "evidence": quote}
                    for a, b, kind, status, quote in told.relations
                ]
            else:
                items = [item for item in self._truth.items if item["part"] == part]
                found[part] = [{**item["fields"], "evidence": (item["quotes"] or [""])[0]} for item in items]
        if IN_ROWS not in prompt:
            return json.dumps(found, ensure_ascii=False)
        rows = [{**row, "evidence": "12.1"} if "evidence" in row else row for part in wanted for row in found[part]]
        return "\n".join(" | ".join(map(str, row.values())) for row in rows)

    def _langextract(self, prompt: str) -> str:
        told = self.told(prompt.rpartition("\nQ: ")[2])
        entities = [{"entity": name, "entity_attributes": {"kind": kind}} for name, kind, _ in told.entities]
        relations = [
            {"relation": quote, "relation_attributes": {"subject": a, "kind": kind, "object": b, "status": status}}
            for a, b, kind, status, quote in told.relations
        ]
        return json.dumps({"extractions": [*entities, *relations]}, ensure_ascii=False)

    def _lightrag(self, prompt: str) -> str:
        found = _LIGHTRAG.search(prompt)
        told = self.told(found[1] if found else "")
        rows = [f"entity<|#|>{name}<|#|>{kind}<|#|>{words}" for name, kind, words in told.entities]
        rows += [f"relation<|#|>{a}<|#|>{b}<|#|>{kind}<|#|>{quote}" for a, b, kind, _, quote in told.relations]
        return "\n".join([*rows, "<|COMPLETE|>"])

    def _graphrag(self, prompt: str) -> str:
        found = _GRAPHRAG.search(prompt)
        told = self.told(found[1] if found else "")
        rows = [f'("entity"<|>{name.upper()}<|>{kind.upper()}<|>{words})' for name, kind, words in told.entities]
        rows += [
            f'("relationship"<|>{a.upper()}<|>{b.upper()}<|>{kind}: {quote}<|>8)'
            for a, b, kind, _, quote in told.relations
        ]
        return "\n##\n".join(rows) + "\n<|COMPLETE|>"

    def _summary(self, prompt: str) -> str:
        listed = prompt.rpartition("Description List:")[2]
        return " ".join(re.sub(r"[^\w\s.,’']", " ", listed).split())[: 3 * DESCRIBED_CHARS]

    def _report(self, prompt: str) -> str:
        rows = [line for line in prompt.rpartition("# Real Data")[2].splitlines() if "," in line][:6]
        words = [row[:DESCRIBED_CHARS] for row in rows] or ["a community of one"]
        findings = [{"summary": line[:60], "explanation": line} for line in words]
        return json.dumps(
            {
                "title": words[0][:60],
                "summary": " ".join(words)[: 2 * DESCRIBED_CHARS],
                "findings": findings,
                "rating": 5.0,
                "rating_explanation": "it matters to the story",
            }
        )


def _about(name: str, flat: str) -> str:
    """Return the words around a name's first place in a text, as its description."""
    at = flat.find(name)
    return flat[max(0, at - DESCRIBED_CHARS // 3) : at + 2 * DESCRIBED_CHARS // 3].replace("<", "").replace(")", "")
