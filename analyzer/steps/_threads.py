"""What the steps of the threads share: kinds in words, stretches of a chapter, notices put together, open threads beside it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, get_args

from analyzer.bible import Bible
from analyzer.models.facts import Evidence
from analyzer.models.question import Ref
from analyzer.models.story import Look, ThreadEventFact, ThreadFact, ThreadKind, ThreadNoticeFact, ThreadSayFact
from analyzer.models.text import Place
from analyzer.steps._scope import Mentions, cast_mentions, ref_of
from analyzer.steps._step import Unit
from analyzer.steps._story import story_id, words_of_evidence
from analyzer.text.names import NameMatcher
from analyzer.text.possible import possible_in
from analyzer.text.wordbags import word_bag
from analyzer.threads import Thread, fold_threads

KINDS: tuple[ThreadKind, ...] = get_args(ThreadKind)
KIND_WORDS: dict[ThreadKind, str] = {
    "object": "a thing",
    "promise": "a promise, plan or oath",
    "threat": "a danger or threat",
    "prophecy": "an omen or foretelling",
    "secret": "a secret",
    "fear": "a fear",
    "skill": "a skill",
    "question": "an open question",
    "deadline": "a date or term",
    "anomaly": "something odd",
}
"""Each kind as a line says it; what belongs to it stands in the prompts."""
MAX_NOTICED = 120
"""Most candidates of a chapter. Source: the fullest gold chapter has 45 items; who notices more has not read."""
MAX_KINDS = 4
"""Most kinds under which one sentence is a candidate. Source: no sentence of the gold chapters has more items."""
STATEMENT_SIGNS = 120
"""Most signs of a statement: fourteen words seldom have 100."""
CHAPTER_SHARE = 0.1
"""Share of a chapter's blocks from which on a word tells nothing of where a thread is touched. Source: a choice."""


_QUOTES = frozenset(
    {('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("「", "」"), ("『", "』"), ("«", "»"), ("„", "“"), ("»", "«")}
)


class Stretch(NamedTuple):
    """Blocks `first` to `last` of a chapter."""

    first: int
    last: int

    @property
    def words(self) -> str:
        """The stretch as a line says it."""
        return f"[{self.first}]" if self.first == self.last else f"[{self.first}]-[{self.last}]"


def stretches(unit: Unit, n_sentences: int, most: int) -> tuple[Stretch, ...]:
    """Return the chapter cut into even stretches of whole blocks with about `n_sentences` sentences or fewer each, at most `most`."""
    blocks = unit.chapter.blocks
    total = sum(len(block.sentences) for block in blocks)
    wanted = total / min(most, max(1, math.ceil(total / n_sentences)))
    found: list[Stretch] = []
    first, seen = 0, 0
    for at, block in enumerate(blocks):
        seen += len(block.sentences)
        if seen >= wanted * (len(found) + 1) - 0.5 or at == len(blocks) - 1:
            found.append(Stretch(blocks[first].no, block.no))
            first = at + 1
    return tuple(found)


@dataclass(frozen=True)
class Noticed:
    """A candidate: a sentence (the first of `evidence`) and a kind, with who noticed it."""

    thread: str
    kind: ThreadKind
    evidence: tuple[Evidence, ...]
    looks: tuple[Look, ...]

    @property
    def place(self) -> Place:
        """Its sentence."""
        return self.evidence[0].place


def notice(chapter: int, kind: ThreadKind, found: Evidence, look: Look) -> ThreadNoticeFact:
    """Return the notice of one sentence under one kind; its id is made from both."""
    thread = story_id("t", kind, words_of_evidence((found,)))
    return ThreadNoticeFact(chapter=chapter, thread=thread, kind=kind, look=look, evidence=(found,))


def noticed(unit: Unit, bible: Bible) -> tuple[Noticed, ...]:
    """Return the chapter's candidates in the order of the text, each sentence and kind once, within bounds.

    What both looks noticed is kept before what one did; the same words of one kind said twice are one.
    """
    found: dict[str, Noticed] = {}
    for fact in bible.of(ThreadNoticeFact):
        if isinstance(fact, ThreadNoticeFact) and fact.chapter == unit.chapter.no and fact.evidence:
            known = found.get(fact.thread)
            looks = tuple(sorted({*(known.looks if known else ()), fact.look}))
            first = min([fact.evidence, *([known.evidence] if known else [])], key=lambda e: e[0].place)
            found[fact.thread] = Noticed(fact.thread, fact.kind, first, looks)
    ranked = sorted(found.values(), key=lambda n: (-len(n.looks), n.place, KINDS.index(n.kind)))
    kept: list[Noticed] = []
    kinds: Counter[Place] = Counter()
    for one in ranked:
        kinds[one.place] += 1
        if kinds[one.place] <= MAX_KINDS and len(kept) < MAX_NOTICED:
            kept.append(one)
    return tuple(sorted(kept, key=lambda n: (n.place, KINDS.index(n.kind))))


def threads_before(unit: Unit, bible: Bible) -> dict[str, Thread]:
    """Return the threads of earlier chapters, folded as they stand before this one."""
    return fold_threads(bible.of(ThreadFact, ThreadEventFact), through=unit.chapter.no - 1)


def checks_of(unit: Unit, bible: Bible) -> dict[str, str]:
    """Return what was answered to the doubt about each candidate."""
    return _said(unit, bible, "check")


def statements_of(unit: Unit, bible: Bible) -> dict[str, str]:
    """Return the statements given to candidates."""
    return _said(unit, bible, "statement")


def _said(unit: Unit, bible: Bible, what: str) -> dict[str, str]:
    return {
        fact.thread: fact.value
        for fact in bible.of(ThreadSayFact)
        if isinstance(fact, ThreadSayFact) and fact.chapter == unit.chapter.no and fact.what == what
    }


def clean_statement(words: str) -> str:
    """Return a note as a statement: one line without quotes around it, cut at a word where it runs on; "" without a letter."""
    line = " ".join(words.split())
    while len(line) > 1 and (line[0], line[-1]) in _QUOTES and line[-1] not in line[1:-1]:
        line = line[1:-1].strip()
    if len(line) > STATEMENT_SIGNS:
        line = line[:STATEMENT_SIGNS].rpartition(" ")[0] or line[:STATEMENT_SIGNS]
    return line if any(sign.isalnum() for sign in line) else ""


def thread_ref(thread: Thread) -> Ref:
    """Return what stands for a thread in keys and options: its statement as a name, its kind."""
    return Ref(names=(thread.fact.statement,), kind=thread.fact.kind)


def people_refs(thread: Thread, bible: Bible) -> tuple[Ref, ...]:
    """Return those of the cast a thread is about."""
    roots = dict.fromkeys(bible.root(handle) for handle in thread.fact.about)
    return tuple(ref_of(bible.cast[handle], bible) for handle in roots if handle in bible.cast)


def named_in(words: str, unit: Unit, bible: Bible) -> tuple[str, ...]:
    """Return the handles of the cast that are named in some words, each once; names of several count for nobody."""
    bearers = bible.bearers
    possible = {surface: bearers[surface] for surface in possible_in(words, bearers)}
    if not possible:
        return ()
    found = NameMatcher.build(possible, unit.table, text=words).find(words)
    return tuple(dict.fromkeys(m.handles[0] for m in found if len(m.handles) == 1))


def standing_in(evidence: Iterable[Evidence], unit: Unit, mentions: Mentions) -> tuple[str, ...]:
    """Return the handles mentioned in these sentences, in the order in which they stand there."""
    places = {e.place for e in evidence if e.chapter == unit.chapter.no}
    spots = [(spot.offset, handle) for handle, own in mentions.spots.items() for spot in own if spot.place in places]
    return tuple(dict.fromkeys(handle for _, handle in sorted(spots)))


class Beside:
    """Threads beside a chapter: how much of each stands in it. Only an order comes of it, never a fact."""

    def __init__(self, unit: Unit, bible: Bible, threads: Sequence[Thread]) -> None:
        self._unit, self._bible = unit, bible
        self._threads = tuple(threads)
        self._mentions = cast_mentions(unit, bible)
        self._bags = {t.fact.thread: _bag_of(t) for t in threads}
        self._about = {t.fact.thread: _about(t, bible) for t in threads}
        words = Counter(word for bag in self._bags.values() for word in bag)
        handles = Counter(handle for about in self._about.values() for handle in about)
        self._weight = {word: math.log1p(len(threads) / n) * self._rarity(word) for word, n in words.items()}
        self._known = {handle: math.log1p(len(threads) / n) for handle, n in handles.items()}

    @cached_property
    def _in_blocks(self) -> Counter[str]:
        return Counter(word for block in self._unit.chapter.blocks for word in word_bag(block.text))

    def _rarity(self, word: str) -> float:
        """Return 1 for a word that one block has, less and less for one of many, 0 from a tenth of the blocks on."""
        n, n_blocks = self._in_blocks[word], len(self._unit.chapter.blocks)
        if not n or n > max(2, CHAPTER_SHARE * n_blocks):
            return 0.0
        return 1.0 / math.sqrt(n)

    def in_chapter(self, thread: Thread) -> float:
        """Return how much of a thread stands in the chapter: 0 where neither its people and things nor its rare words do."""
        name = thread.fact.thread
        people = sum(self._known[h] for h in self._about[name] if self._mentions.n(h))
        return people + sum(self._weight[word] for word in self._bags[name])


def _bag_of(thread: Thread) -> frozenset[str]:
    return word_bag(thread.fact.statement).union(*(word_bag(e.text) for e in thread.evidence[:4]))


def _about(thread: Thread, bible: Bible) -> tuple[str, ...]:
    return tuple(dict.fromkeys(bible.root(handle) for handle in thread.fact.about))
