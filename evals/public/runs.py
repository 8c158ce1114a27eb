"""A document through the real pipeline, with rules or with truthful answers: who is in the cast, where, and how related."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from analyzer import pipeline
from analyzer.export.show import CastRow, RelationRow
from analyzer.models.text import Manuscript
from evals.public.annotated import Chain, Document, key_of, keys_of
from evals.public.truth import write_gold
from evals.scoring.names import plain

Answers = Literal["rules", "truthful"]


@dataclass(frozen=True)
class Said:
    """What a run left of a document."""

    document: Document
    manuscript: Manuscript
    cast: tuple[CastRow, ...]
    relations: tuple[RelationRow, ...]

    @cached_property
    def named(self) -> tuple[CastRow, ...]:
        """The cast rows that have a printed name."""
        return tuple(row for row in self.cast if row.named)

    @cached_property
    def _by_plain(self) -> dict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for row in self.named:
            for name in dict.fromkeys(map(plain, row.names)):
                found[name].append(row.handle)
        return found

    @cached_property
    def _by_key(self) -> dict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for row in self.named:
            for key in dict.fromkeys(key_of(name, self.document.language) for name in row.names):
                found[key].append(row.handle)
        return found

    def handle_of(self, form: str) -> str:
        """Return the handle a printed name stands for: by the whole form, then without title and article; "" for none."""
        language = self.document.language
        whole = self._by_plain.get(plain(form))
        if whole:
            return whole[0]
        keys = [key_of(form, language), *sorted(keys_of((form,), language), key=lambda key: (-len(key), key))]
        return next((self._by_key[key][0] for key in keys if key in self._by_key), "")

    @cached_property
    def chain_of(self) -> dict[str, str]:
        """Handle -> the chain most of its names belong to, exact forms before others; handles without one are not in it."""
        exact: defaultdict[str, list[Chain]] = defaultdict(list)
        loose: defaultdict[str, list[Chain]] = defaultdict(list)
        for chain in self.document.chains:
            for form in sorted(chain.forms):
                exact[plain(form)].append(chain)
                loose[key_of(form, self.document.language)].append(chain)
        found = {}
        for row in self.named:
            weight: defaultdict[str, int] = defaultdict(int)
            for name in row.names:
                for chain in {c.id: c for c in exact.get(plain(name), ())}.values():
                    weight[chain.id] += 2
                near = {c.id for c in loose.get(key_of(name, self.document.language), ())}
                if len(near) == 1:
                    weight[near.pop()] += 1
            if weight:
                found[row.handle] = max(weight, key=lambda chain: weight[chain])
        return found


def read(document: Document, answers: Answers) -> Said:
    """Run a document in a folder of its own, which is gone afterwards; asks no model. Raises what the run ended with."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = folder / "text.txt"
        text.write_text(document.text, "utf-8")
        book = pipeline.init(text, book=folder / "book", language=document.language)
        manuscript = pipeline.manuscript_of(book)
        model = "rules"
        if answers == "truthful":
            gold = folder / "gold"
            gold.mkdir()
            write_gold(document, manuscript, gold)
            model = f"gold:{gold}"
        outcome = pipeline.run(book, model=model)
        if outcome.error is not None:
            raise outcome.error
        cast, relations = pipeline.show_cast(book), pipeline.show_relations(book, hidden=True)
        return Said(document, manuscript, cast, relations)
