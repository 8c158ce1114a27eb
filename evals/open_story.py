"""Puts open threads and open secrets into a book's store before a chapter, as if chapters before had brought them.

They are made from the people of the chapter's own gold, so that each has somebody in it; their words are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import get_args

from analyzer.hashing import content_hash
from analyzer.models.evidence import Evidence
from analyzer.models.facts import EntityFact, Fact, NameFact, StoredFact
from analyzer.models.rows import TaskRow
from analyzer.models.story import READER, SecretFact, ThreadEventFact, ThreadFact, ThreadKind
from analyzer.models.text import Chapter
from analyzer.steps._story import story_id
from analyzer.storage.store import Store

STATEMENTS = (
    "whether {a} keeps the promise given to {b} on the stairs",
    "the sealed letter {a} has carried since leaving {b}",
    "what {b} will do on learning who paid the debts of {a}",
    "{a} must pay {b} before the last day of the month",
    "why {a} turned pale at the name of {b}",
    "the old threat of {b} to bring {a} before the court",
    "who wrote the unsigned note that {a} burnt before {b} came in",
    "{a} fears that {b} still has the key to the drawer",
)
PROPOSITIONS = (
    "{a} has met {b} before under another name",
    "{a} took the money that {b} believes to be lost",
    "{a} knows who denounced {b} and says nothing of it",
    "{a} has been writing to {b}'s family for a year",
)
SPREAD = 3
"""Sentences of the chapter before that stand between the words of two threads."""


def put_open_story(store: Store, chapter: Chapter, *, n_threads: int, n_secrets: int) -> int:
    """Commit open threads and secrets as facts of `chapter`, about people its cast already has; return how many.

    Raises ValueError where the store's cast has fewer than two named people, or the chapter no words.
    """
    with_names = _people(store)
    evidence = list(_sentences(chapter))[::SPREAD] or list(_sentences(chapter))
    if len(with_names) < 2 or not evidence:
        raise ValueError("two named people and a sentence are needed")
    pairs = list(permutations(with_names, 2))
    kinds = get_args(ThreadKind)
    threads: list[Fact] = []
    for at in range(n_threads):
        a, b = pairs[at * len(STATEMENTS) % len(pairs)] if len(pairs) > 1 else pairs[0]
        kind: ThreadKind = kinds[at % len(kinds)]
        words = f"{STATEMENTS[at % len(STATEMENTS)].format(a=a[1], b=b[1])}{_again(at, len(STATEMENTS))}"
        thread, shown = story_id("t", kind, words), (evidence[at % len(evidence)],)
        about = (a[0], b[0])
        threads += [
            ThreadFact(thread=thread, chapter=chapter.no, kind=kind, statement=words, about=about, evidence=shown),
            ThreadEventFact(thread=thread, chapter=chapter.no, event="plant", evidence=shown),
        ]
    secrets: list[Fact] = []
    for at in range(n_secrets):
        a, b = pairs[at * (len(PROPOSITIONS) + 1) % len(pairs)]
        words = f"{PROPOSITIONS[at % len(PROPOSITIONS)].format(a=a[1], b=b[1])}{_again(at, len(PROPOSITIONS))}"
        secrets.append(
            SecretFact(
                secret=story_id("s", words),
                chapter=chapter.no,
                proposition=words,
                holders=(a[0],),
                hidden_from=(b[0], READER),
                evidence=(evidence[-1 - at % len(evidence)],),
            )
        )
    _commit(store, "threads", chapter.no, threads)
    _commit(store, "secrets", chapter.no, secrets)
    return n_threads + n_secrets


def _again(at: int, n: int) -> str:
    """Return what tells two that were made from the same words apart."""
    return "" if at < n else f", for the {at // n + 1}. time"


def _people(store: Store) -> list[tuple[str, str]]:
    """Return handle and first name of the named people of a store, in order of arrival."""
    facts = [row.fact for row in store.facts()]
    people = [f.entity for f in facts if isinstance(f, EntityFact) and f.entity_kind == "character"]
    names: dict[str, str] = {}
    for fact in facts:
        if isinstance(fact, NameFact) and fact.entity in people:
            names.setdefault(fact.entity, fact.surface)
    return list(names.items())


def _sentences(chapter: Chapter) -> Iterator[Evidence]:
    for block in chapter.blocks:
        for n, span in enumerate(block.sentences, 1):
            words = block.text[span.start : span.end]
            yield Evidence(chapter=chapter.no, block=block.no, sentence=n, start=span.start, end=span.end, text=words)


def _commit(store: Store, step: str, chapter: int, facts: Sequence[Fact]) -> None:
    stored = [
        StoredFact(
            fact_id=content_hash("fact", [step, chapter, fact.model_dump(mode="json")]),
            step=step,
            chapter=chapter,
            fact=fact,
        )
        for fact in facts
    ]
    row = TaskRow(step=step, chapter=chapter, input_hash="given", n_answers=0, n_facts=len(stored), n_issues=0)
    store.commit_task(row, stored, (), {})
