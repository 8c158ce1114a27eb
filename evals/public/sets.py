"""The public sets, and what is measured on each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

from analyzer.errors import InputError
from analyzer.models.base import Record
from evals.public.annotated import Document
from evals.public.measures import Counts, Error, by_sentence, candidates, entities, kinship, presence
from evals.public.novels import encounters, plays, sentences
from evals.public.readers import french, korean, litbank
from evals.public.runs import Answers, Said, read
from evals.records import Figure
from evals.scoring.figures import Counted, pooled

Column = Literal["candidates", "rules", "truthful"]
COLUMNS: tuple[Column, ...] = ("candidates", "rules", "truthful")
RUNS: tuple[Answers, ...] = ("rules", "truthful")
N_EXAMPLES = 4
"""Places told of every kind of error: enough to look at, few enough to read."""
Measure = Callable[[Said], Iterable[Counts]]


@dataclass(frozen=True)
class PublicSet:
    """A set under `gold/`: how it is read, and what is counted after a run. `unit` is what the bootstrap draws.

    `complete` sets annotate places and things as well as people.
    """

    name: str
    title: str
    language: str
    read: Callable[[Path], Iterator[Document]]
    measure: Measure
    unit: str = "texts"
    complete: bool = False


def _one(measure: Callable[[Said], Counts]) -> Measure:
    return lambda said: (measure(said),)


SETS = (
    PublicSet("litbank", "LitBank openings", "en", litbank, _one(entities), complete=True),
    PublicSet("fr-litbank", "fr-litbank excerpts", "fr", french, _one(entities), complete=True),
    PublicSet("koconovel", "KoCoNovel stories", "ko", korean, _one(partial(entities, complete=False))),
    PublicSet("dekker-sentences", "Dekker’s first chapters, by sentence", "en", sentences, _one(by_sentence)),
    PublicSet("sgb", "Knuth’s encounters of Les Misérables, by chapter", "en", encounters, presence, "chapters"),
    PublicSet("gerdracor", "German plays, relations of the cast lists", "de", plays, _one(kinship)),
)


class Line(Record):
    """A figure of a set: which measure, and who answered ("candidates": nobody was asked)."""

    column: Column
    measure: str
    figure: Figure


class Fault(Record):
    """A kind of error: how often, and some of its places."""

    column: Column
    kind: str
    n: int
    examples: tuple[str, ...]
    words: tuple[str, ...]


class SetResult(Record):
    """What a set gave; `forms` and `descriptions` are candidates per 1,000 words (2,000 characters without spaces)."""

    name: str
    title: str
    language: str
    unit: str
    n_documents: int
    forms: float
    descriptions: float
    lines: tuple[Line, ...]
    faults: tuple[Fault, ...]


@dataclass
class _Pool:
    counts: dict[tuple[Column, str], list[Counted]] = field(default_factory=dict)
    errors: dict[tuple[Column, str], list[Error]] = field(default_factory=dict)

    def add(self, column: Column, found: Counts) -> None:
        for measure, counted in found.by_measure.items():
            self.counts.setdefault((column, measure), []).append(counted)
        for error in found.errors:
            self.errors.setdefault((column, error.kind), []).append(error)


def folder_of(public: PublicSet, data: Path) -> Path:
    """Return where a set lies; raises InputError with one sentence where it does not."""
    folder = data / "gold" / public.name
    if not folder.is_dir():
        hint = "give the folder of public data: --data FOLDER, make eval-public DATA=FOLDER"
        raise InputError(f"the public set {public.name!r} is not here: no folder {folder}", hint=hint)
    return folder


def documents(public: PublicSet, data: Path) -> Iterator[Document]:
    """Yield a set's documents; raises InputError, saying after which one, where its files are not what they should be."""
    rows, last = public.read(folder_of(public, data)), "none"
    while True:
        try:
            document = next(rows)
        except StopIteration:
            return
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            told = f"{type(error).__name__}: {error}"
            raise InputError(f"the public set {public.name!r} cannot be read after document {last}: {told}") from error
        last = document.name
        yield document


def measure_set(public: PublicSet, data: Path) -> SetResult:
    """Read, run and count one set; asks no model."""
    pool, n, words, n_forms, n_descriptions = _Pool(), 0, 0.0, 0, 0
    for document in documents(public, data):
        n += 1
        found = candidates(document, complete=public.complete)
        words, n_forms = words + found.words / 1000, n_forms + found.n_forms
        n_descriptions += found.n_descriptions
        pool.add("candidates", found)
        for answers in RUNS:
            for counts in public.measure(read(document, answers)):
                pool.add(answers, counts)
    return SetResult(
        name=public.name,
        title=public.title,
        language=public.language,
        unit=public.unit,
        n_documents=n,
        forms=n_forms / (words or 1.0),
        descriptions=n_descriptions / (words or 1.0),
        lines=tuple(Line(column=c, measure=m, figure=pooled(found)) for (c, m), found in pool.counts.items()),
        faults=tuple(_fault(column, kind, found) for (column, kind), found in pool.errors.items()),
    )


def _fault(column: Column, kind: str, errors: list[Error]) -> Fault:
    step = max(1, len(errors) // N_EXAMPLES)
    shown = errors[::step][:N_EXAMPLES]
    common = Counter(error.text for error in errors).most_common(N_EXAMPLES * 3)
    return Fault(
        column=column,
        kind=kind,
        n=len(errors),
        examples=tuple(f"{error.document} {error.at}" for error in shown),
        words=tuple(f"{text} ({n})" if n > 1 else text for text, n in common),
    )
