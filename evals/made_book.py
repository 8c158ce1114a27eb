"""A large book made by code as facts alone, for what shows books: no text, no answers, every class of the story, a late reveal.

Every word of a chapter's facts carries a word made from its number, so that whatever tells of a later chapter can be found.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from analyzer import pipeline
from analyzer.coverage import WRITERS
from analyzer.models.evidence import Evidence
from analyzer.models.facts import RELATION_KINDS, EntityFact, Fact, NameFact, PresenceFact, RelationFact, StoredFact
from analyzer.models.issue import Issue
from analyzer.models.rows import ChapterRow, RunRow, TaskRow
from analyzer.models.story import (
    READER,
    CardFact,
    ChangeFact,
    KnowledgeFact,
    RevealFact,
    SecretEventFact,
    SecretFact,
    ThreadEventFact,
    ThreadFact,
    TurnFact,
)
from analyzer.models.text import Place
from analyzer.storage.store import Store
from analyzer.storage.tasks import fact_id_of

_SYLLABLES = tuple(
    "ba ke lo mi nu ra so ti ve zu dan fer gol hir jas kun mor pel qui ros sten tal und vex wil yor".split()  # noqa: SIM905
)
_TIES = [kind for kind, rule in RELATION_KINDS.items() if rule.family in ("kin", "bond", "conflict", "work")]
_STATES = ("health", "mood", "goal", "occupation")
_LOOKS = ("appearance.hair", "appearance.clothing", "appearance.mark", "appearance.eyes")
_THREADS = ("object", "promise", "threat", "question", "deadline")
ON_PAGE, MENTIONED = 14, 16
"""People on the page and spoken of in a chapter. Source: the median of the given public novels' chapters, rounded up."""


@dataclass(frozen=True)
class MadeBook:
    """Facts as the store gives them, chapters, and the reveal that the author has confirmed (persona @2 is @3)."""

    stored: tuple[StoredFact, ...]
    chapters: tuple[ChapterRow, ...]
    handles: dict[str, str]
    confirmed: frozenset[str]

    def through(self, chapter: int) -> MadeBook:
        """Return the book as it is where it ends with a chapter."""
        kept = tuple(one for one in self.stored if one.chapter <= chapter)
        known = {one.fact.entity for one in kept if isinstance(one.fact, EntityFact)}
        handles = {anchor: handle for anchor, handle in self.handles.items() if handle in known}
        return MadeBook(kept, self.chapters[:chapter], handles, self.confirmed)


def word_of(chapter: int) -> str:
    """Return the word that every text of a chapter's facts carries; none of them is part of another."""
    return f"zz{chapter:04d}yy"


@dataclass
class _Maker:
    rng: random.Random
    n_chapters: int
    n_people: int
    names: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    ties: list[tuple[str, str, str]] = field(default_factory=list)
    open_threads: list[str] = field(default_factory=list)
    open_secrets: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    blocks: int = 0

    def quote(self, chapter: int, *, source: str = "narration") -> tuple[Evidence, ...]:
        self.blocks += 1
        text = " ".join(self.rng.choice(_SYLLABLES) for _ in range(self.rng.randint(12, 30))) + f" {word_of(chapter)}."
        block = self.blocks % 97 + 1
        return (
            Evidence(
                chapter=chapter, block=block, sentence=1, start=0, end=len(text), text=text,
                source=source,
            ),
        )  # fmt: skip

    def name(self, chapter: int) -> str:
        parts = ["".join(self.rng.choice(_SYLLABLES) for _ in range(2)).capitalize() for _ in range(2)]
        return f"{parts[0]} {parts[1]} {word_of(chapter)}"

    def enter(self, chapter: int, kind: str) -> Iterator[Fact]:
        handle = f"@{len(self.names) + 1}"
        label = self.name(chapter)
        self.names[handle], self.kinds[handle] = label, kind
        if kind == "place":
            self.places.append(handle)
        yield EntityFact(
            entity=handle, entity_kind=kind, label=label, anchor=f"name:{label}", chapter=chapter,
            evidence=self.quote(chapter),
        )  # fmt: skip
        yield NameFact(entity=handle, surface=label, name_kind="full", chapter=chapter)
        yield NameFact(
            entity=handle, surface=f"{label.split()[0]} of {word_of(chapter)}", name_kind="given", chapter=chapter
        )

    def chapter(self, no: int) -> Iterator[Fact]:
        goal = self.n_people * no // self.n_chapters
        while sum(kind == "character" for kind in self.kinds.values()) < max(4, goal):
            yield from self.enter(no, "character")
        for kind in ("place", "object", "group"):
            if no % 3 == 1 or not self.places:
                yield from self.enter(no, kind)
        people = [handle for handle, kind in self.kinds.items() if kind == "character"]
        here = self.rng.sample(people, min(ON_PAGE, len(people)))
        here = list(dict.fromkeys(("@1", *here)))
        spoken = self.rng.sample(people, min(MENTIONED, len(people)))
        for at, handle in enumerate((*here, *spoken, self.rng.choice(self.places))):
            how = "on_page" if handle in here or handle in self.places else "mentioned"
            if handle not in (*here, *spoken)[:at]:
                yield PresenceFact(
                    entity=handle, chapter=no, presence=how, n_mentions=self.rng.randint(1, 30), first=Place(at + 1, 1)
                )
        yield from self._relations(no, here)
        yield from self._states(no, here)
        yield from self._minds(no, here)
        yield from self._threads(no, here)
        yield CardFact(
            chapter=no, summary=f"{here[0]} meets {here[1]} in {word_of(no)}; @{len(self.names) + 5} is not there.",
            people=tuple(here), places=(self.rng.choice(self.places),), time=f"day {word_of(no)}", point_of_view=here[0],
        )  # fmt: skip

    def _relations(self, no: int, here: list[str]) -> Iterator[Fact]:
        for at in range(12):
            a, b = self.rng.sample(here, 2)
            kind = self.rng.choice(_TIES)
            if at % 3 and self.ties:
                a, kind, b = self.rng.choice(self.ties)
            else:
                self.ties.append((a, kind, b))
            yield RelationFact(
                claim=f"claim{no}.{at}", chapter=no, subject=a, relation=kind, object=b, evidence=self.quote(no),
                affinity=self.rng.choice("+0-"), votes=("for", "for"),
            )  # fmt: skip
        if no % 5 == 0:
            a, kind, b = self.rng.choice(self.ties)
            yield TurnFact(chapter=no, subject=a, relation=kind, object=b, turn="ends", evidence=self.quote(no))

    def _states(self, no: int, here: list[str]) -> Iterator[Fact]:
        for at, attribute in enumerate((*_STATES, "location", *_LOOKS, *_STATES, *_LOOKS)):
            handle = self.rng.choice(here)
            place = self.rng.choice(self.places) if attribute == "location" else ""
            yield ChangeFact(
                change=f"c{no}.{at}", chapter=no, entity=handle, attribute=attribute, op="set",
                to=self.names[place] if place else f"{self.rng.choice(_SYLLABLES)} {word_of(no)}", to_entity=place,
                evidence=self.quote(no),
            )  # fmt: skip

    def _minds(self, no: int, here: list[str]) -> Iterator[Fact]:
        if no % 2:
            name = f"s{no:08d}"
            hidden = (here[1], READER) if no % 4 == 1 else (here[1],)
            self.open_secrets.append(name)
            yield SecretFact(
                secret=name, chapter=no, proposition=f"{here[0]} hides {word_of(no)}", holders=(here[0],), hidden_from=hidden,
                evidence=self.quote(no),
            )  # fmt: skip
        elif self.open_secrets and no % 8 == 0:
            name = self.open_secrets.pop(0)
            yield SecretEventFact(
                secret=name, chapter=no, event="exposed", to=(READER, here[0], here[1]), evidence=self.quote(no)
            )
        for at, handle in enumerate(here[:6]):
            yield KnowledgeFact(
                chapter=no, piece=f"k{no}.{at}", knower=handle, proposition=f"{here[-1]} was at {word_of(no)}",
                stance="knows", via="told", told_by=here[(at + 1) % len(here)], evidence=self.quote(no, source="speech"),
            )  # fmt: skip

    def _threads(self, no: int, here: list[str]) -> Iterator[Fact]:
        for at in range(2):
            name = f"t{no}.{at}"
            self.open_threads.append(name)
            kind = self.rng.choice(_THREADS)
            yield ThreadFact(
                thread=name, chapter=no, kind=kind, statement=f"what of {here[0]} and {word_of(no)}",
                about=(here[0],), evidence=self.quote(no),
            )  # fmt: skip
            yield ThreadEventFact(thread=name, chapter=no, event="plant", evidence=self.quote(no))
        for _ in range(2):
            name = self.rng.choice(self.open_threads)
            if name.startswith(f"t{no}."):
                continue
            event = "payoff" if self.rng.random() < 0.4 else "reinforce"
            if event == "payoff":
                self.open_threads.remove(name)
            yield ThreadEventFact(thread=name, chapter=no, event=event, evidence=self.quote(no))


def made_book(n_chapters: int, n_people: int, seed: int = 7) -> MadeBook:
    """Return a book; same numbers, same book. Its reveal, of the second person who is the third, is told in the last chapter but two."""
    maker = _Maker(random.Random(seed), n_chapters, n_people)
    facts: list[Fact] = []
    for no in range(1, n_chapters + 1):
        facts += maker.chapter(no)
        if no == n_chapters - 2:
            facts.append(
                RevealFact(
                    reveal="r00000001",
                    chapter=no,
                    persona="@2",
                    behind="@3",
                    to=(READER, "@1"),
                    evidence=maker.quote(no),
                )
            )
    stored = tuple(
        StoredFact(fact_id=fact_id_of(f.fact, f.chapter, f), step=f.fact, chapter=f.chapter, fact=f) for f in facts
    )
    rows = tuple(
        ChapterRow(
            no=no, kind="chapter", label=str(no), title=f"Of {word_of(no)}", text_sha256="0" * 64, n_blocks=100, id=no
        )
        for no in range(1, n_chapters + 1)
    )
    handles = {f.anchor: f.entity for f in facts if isinstance(f, EntityFact)}
    return MadeBook(stored, rows, handles, frozenset({"r00000001"}))


def kept_book(folder: Path, made: MadeBook) -> Path:
    """Put a made book into a folder as a run would have left it, its text a line a chapter; return the book's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    text = "\n\n".join(f"Chapter {row.no}: {row.title}\n\n{word_of(row.no)} was there." for row in made.chapters)
    (folder / "made.txt").write_text(text, "utf-8")
    book = pipeline.init(folder / "made.txt", language="en")
    put_facts(book, made.stored)
    as_if_run(book, len(made.chapters))
    return book


def put_facts(book: Path, facts: Sequence[StoredFact], issues: Sequence[Issue] = ()) -> None:
    """Commit facts and issues to a book's store, those of each step and chapter as a task of its own."""
    with Store.open(book) as store:
        for (step, chapter), group in groupby(sorted(facts, key=_task), key=_task):
            found = list(group)
            odd = [issue for issue in issues if (issue.step, issue.chapter) == (step, chapter)]
            row = TaskRow(
                step=step, chapter=chapter, input_hash="h", n_answers=0, n_facts=len(found), n_issues=len(odd)
            )
            given = {s.fact.anchor: s.fact.entity for s in found if isinstance(s.fact, EntityFact)}
            store.commit_task(row, found, [(f"issue:{at:032x}", issue) for at, issue in enumerate(odd)], given)


def as_if_run(book: Path, through: int) -> None:
    """Leave in a book's store that a run read chapters 1..`through` to its end, with no part left out."""
    with Store.open(book) as store:
        for step, chapter in sorted((w.step, no) for w in set(WRITERS.values()) for no in range(1, through + 1)):
            row = TaskRow(step=step, chapter=chapter, input_hash="h", n_answers=0, n_facts=0, n_issues=0)
            store.commit_task(row, [], [], {})
        run = RunRow(run_id="r", model="gold", confirm_model="gold", answered_by="gold", cap_usd=None, started_at=1.0)
        store.open_run(run)
        store.close_run("r", ended_at=2.0, outcome="finished")


def _task(one: StoredFact) -> tuple[str, int]:
    return one.step, one.chapter
