"""Answers by code alone: what cues of the text decide; a hyphen elsewhere. No model is asked.

Kinds of names follow the cues the candidates were found by; names are put together across title and surname only where
no other reading is left; kin is answered where a single sentence states it. Everything else is beyond rules.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from analyzer.hashing import bytes_sha256, content_hash
from analyzer.llm.asker import Profile
from analyzer.llm.formats import write_line
from analyzer.llm.meter import Meter
from analyzer.models.facts import RELATION_KINDS
from analyzer.models.question import Answer, Pack, Question, Ref
from analyzer.models.run import Reply
from analyzer.models.text import Chapter, Manuscript, Place
from analyzer.text.candidates.book import BookStats
from analyzer.text.candidates.forms import readings
from analyzer.text.candidates.found import Reading
from analyzer.text.candidates.lexicon import method_of
from analyzer.text.candidates.placing import book_speech_spans
from analyzer.text.kinship import KinStatement, Named, kin_statements
from analyzer.text.languages import LanguageTable, language_table
from analyzer.text.namebook import LAST, NameBook, sameness
from analyzer.text.namekinds import kind_of
from analyzer.text.names import NameMatcher
from analyzer.text.possible import possible_in
from analyzer.text.quotes import quotation_spans

NOBODY = Answer(status="none")
RELATION_ASKS = frozenset({"relation.select", "relation.kind", "relation.confirm", "relation.detail"})
"""What a sentence that states a relation answers; whether one takes a turn no rule tells."""
BEINGS = frozenset({"character", "group"})
ON_PAGE_SHARE = 0.2
"""From this share of the mentions of whom the narrator names most a being is taken to be there, not only spoken of. Source: over
a long novel with its people listed by chapter, precision .51 became .66 and recall .77 became .67 against naming once."""


class Here(NamedTuple):
    """What a chapter says of those asked about: who is named by the narrator, and what sentences state between two."""

    narrated: frozenset[str]
    stated: tuple[KinStatement, ...]

    @classmethod
    def of(cls, refs: Iterable[Ref], chapter: Chapter, table: LanguageTable) -> Here:
        """Return what `chapter` says of `refs` by their names."""
        known = tuple(refs)
        names = _named(known, chapter, table)
        beings = {ref.handle for ref in known if ref.kind in BEINGS}
        narrated = on_page(n for n in narrated_handles(chapter, table, names).items() if n[0] in beings)
        return cls(narrated, kin_statements(chapter, table, names))


WEIGHING = frozenset({"cast_forms", "cast_same"})
"""The steps whose answers rest on the whole book; those to all others rest on the chapter and on who is asked about in it."""


def whole_book(manuscript: Manuscript) -> str:
    """Return a hash of what answers by rules to some steps rest on: a name is weighed by all its places and chapters."""
    chapters = [[chapter.start, chapter.language] for chapter in manuscript.chapters]
    return content_hash("rules", [bytes_sha256(manuscript.text.encode()), manuscript.language, chapters])


class RuleAnswers:
    """A transport that answers by rules."""

    answered_by = "rules"

    def __init__(self, manuscript: Manuscript) -> None:
        self.model = "rules"
        self.profile = Profile(name="rules", release="at_once", priced=False, concurrency=8, instant=True)
        self.params: dict[str, object] = {}
        self._whole_book = whole_book(manuscript)
        self._manuscript = manuscript
        self._meter = Meter()
        self._books: dict[str, BookNames] = {}
        self._refs: dict[int, dict[str, Ref]] = {}
        self._chapters: dict[int, Here] = {}
        self._read: Pack | None = None

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Return one line per question; a hyphen where no cue decides."""
        chapter = self._manuscript.chapters[pack.chapter - 1]
        table = language_table(chapter.language)
        lines = [write_line(n, q, self._answer(q, pack, chapter, table)) for n, q in enumerate(pack.questions, 1)]
        text = "\n".join(lines)
        if on_first_event is not None:
            on_first_event()
        return Reply(text=text, usage=self._meter.usage(pack, text), model=self.model, answered_by="rules")

    def rests_on(self, step: str) -> str:
        """Return the hash of the book for the steps that weigh names over all of it; "" for all others."""
        return self._whole_book if step in WEIGHING else ""

    async def close(self) -> None:
        """Hold nothing."""

    def _answer(self, question: Question, pack: Pack, chapter: Chapter, table: LanguageTable) -> Answer:
        ask = question.key.ask
        if ask == "cast.kind":
            return _kind(question, self._book(table))
        if ask == "cast.same":
            return _same(question, self._book(table))
        if ask == "cast.narrator":
            return _narrator(question)
        if ask == "cast.presence":
            return self._presence(question, pack, chapter, table)
        if ask in RELATION_ASKS:
            return self._relation(question, pack, chapter, table)
        return NOBODY

    def _book(self, table: LanguageTable) -> BookNames:
        if table.tag not in self._books:
            self._books[table.tag] = BookNames.of(self._manuscript, table)
        return self._books[table.tag]

    def _presence(self, question: Question, pack: Pack, chapter: Chapter, table: LanguageTable) -> Answer:
        """Say on the page whom the narrator names often for this chapter; named in passing, or only by others, one may be anywhere."""
        ref = question.key.about[0]
        if ref.kind not in BEINGS or not question.option_by_key("on_page"):
            return NOBODY
        return _pick("on_page") if ref.handle in self._here(pack, chapter, table).narrated else NOBODY

    def _here(self, pack: Pack, chapter: Chapter, table: LanguageTable) -> Here:
        """Return what the chapter says of all that its packs named so far; read again where a pack names more."""
        if self._read is not pack:
            self._read = pack
            known = self._refs.setdefault(chapter.no, {})
            fresh = {r.handle: r for q in pack.questions for r in _refs(q) if r.handle}
            if fresh.keys() - known.keys() or chapter.no not in self._chapters:
                known.update(fresh)
                self._chapters[chapter.no] = Here.of(known.values(), chapter, table)
        return self._chapters[chapter.no]

    def _relation(self, question: Question, pack: Pack, chapter: Chapter, table: LanguageTable) -> Answer:
        ask = question.key.ask
        if ask == "relation.detail":
            return _pick("current") if question.option_by_key("current") else NOBODY
        statements = self._here(pack, chapter, table).stated
        if ask == "relation.select":
            me, family = question.key.about[0].handle, question.key.detail
            own = [s for s in statements if me in (s.subject, s.object) and RELATION_KINDS[s.relation].family == family]
            others = {s.object if s.subject == me else s.subject for s in own}
            return _pick(*[o.key for o in question.options if o.key in others][: question.max_picks])
        ends = tuple(ref.handle for ref in question.key.about)
        stated = [s for s in statements if {s.subject, s.object} == set(ends)]
        return _stated_kind(question, stated, ends) if ask == "relation.kind" else _confirmed(question, stated, ends)


def _refs(question: Question) -> Iterable[Ref]:
    yield from question.key.about
    yield from (o.ref for o in question.options if o.ref is not None)


def _pick(*keys: str, places: Sequence[Place] = ()) -> Answer:
    return Answer(status="answered", picked=keys, sentences=tuple(places)) if keys else NOBODY


def _kind(question: Question, book: BookNames) -> Answer:
    ref = question.key.about[0]
    kind = book.kind(ref.names[0], ref.kind)
    return _pick(kind) if question.option_by_key(kind) else NOBODY


def _narrator(question: Question) -> Answer:
    known = next(
        (o.key for o in question.options if o.key.startswith("is:") and o.ref and o.ref.tie == "narrator"), None
    )
    return _pick(known or "own")


def _named(refs: Iterable[Ref], chapter: Chapter, table: LanguageTable) -> tuple[Named, ...]:
    bearers: dict[str, list[str]] = {}
    for ref in refs:
        if not ref.tie:
            for name in ref.names:
                bearers.setdefault(name, []).append(ref.handle)
    possible = {name: bearers[name] for name in possible_in(chapter.text, bearers)}
    if not possible:
        return ()
    found = NameMatcher.build(possible, table, text=chapter.text).find(chapter.text)
    return tuple(Named(m.start, m.end, m.handles[0]) for m in found if len(m.handles) == 1)


def narrated_handles(chapter: Chapter, table: LanguageTable, names: Sequence[Named]) -> dict[str, int]:
    """Return how often each handle stands outside quotations, once at least; `names` in text order."""
    found: Counter[str] = Counter()
    at = 0
    for block, base in zip(chapter.blocks, chapter.block_offsets, strict=True):
        spans = quotation_spans(block.text, table)
        while at < len(names) and names[at].start < base + len(block.text):
            start = names[at].start - base
            found[names[at].handle] += not any(span.start <= start < span.end for span in spans)
            at += 1
    return {handle: n for handle, n in found.items() if n}


def on_page(narrated: Iterable[tuple[str, int]]) -> frozenset[str]:
    """Return those of (handle, times named by the narrator) who are there: named at least `ON_PAGE_SHARE` as often as the first."""
    counts = dict(narrated)
    fewest = ON_PAGE_SHARE * max(counts.values(), default=0)
    return frozenset(handle for handle, n in counts.items() if n >= fewest)


def _stated_kind(question: Question, stated: Sequence[KinStatement], ends: tuple[str, ...]) -> Answer:
    picked, places = [], []
    for statement in stated:
        symmetric = RELATION_KINDS[statement.relation].symmetric
        key = f"{statement.relation}:{'ab' if symmetric or statement.subject == ends[0] else 'ba'}"
        if question.option_by_key(key) and key not in picked:
            picked.append(key)
            places.append(statement.place)
    return _pick(*picked[: question.max_picks], places=places[: question.max_picks])


def _confirmed(question: Question, stated: Sequence[KinStatement], ends: tuple[str, ...]) -> Answer:
    kind = question.key.detail.partition(":")[2]
    for statement in stated:
        if statement.relation == kind:
            same = RELATION_KINDS[kind].symmetric or (statement.subject, statement.object) == ends
            return _pick("for" if same else "reverse", places=(statement.place,))
    return _pick("deny")


def _same(question: Question, book: BookNames) -> Answer:
    """Return the one option a new name must be the same as, by its parts; none where two could be or none is."""
    surface = question.key.about[0].names[0]
    new = book.names.parts(surface)
    strengths = {
        o.key: sameness(new, book.names.bearer(o.ref.names), book.names)
        for o in question.options
        if o.ref is not None and o.key != f"form:{surface}"
    }
    known = {key: strength for key, strength in strengths.items() if key.startswith("@") and strength}
    forms = {key: strength for key, strength in strengths.items() if not key.startswith("@") and strength}
    best = max(known.values(), default=0)
    if best > LAST or (best and not forms):
        return _only([key for key, strength in known.items() if strength == best])
    likely = [key for key, strength in forms.items() if strength > LAST]
    if likely:
        return _pick(min(likely, key=lambda key: (-len(book.names.parts(key[len("form:") :]).core), key)))
    return _only([*known, *forms])


def _only(keys: Sequence[str]) -> Answer:
    return _pick(keys[0]) if len(keys) == 1 else NOBODY


@dataclass(frozen=True)
class BookNames:
    """What the whole book tells about the names of one language: their places and cues, and what they are made of."""

    found: Mapping[str, Reading]
    names: NameBook
    text: str

    @classmethod
    def of(cls, manuscript: Manuscript, table: LanguageTable) -> BookNames:
        """Return what `manuscript` tells. Cost: 1 s a million characters of spaced script, 18 s of Chinese."""
        text = manuscript.text
        speech = book_speech_spans(manuscript, table) if method_of(table, text) == "capitals" else ()
        found = readings(text, table, BookStats.of_text(text, table), speech)
        starts = [chapter.start for chapter in manuscript.chapters]
        people = {surface: r for surface, r in found.items() if r.kind in ("", "character")}
        counts = {surface: len(set(r.found.starts)) for surface, r in people.items()}
        firsts = {surface: bisect_right(starts, min(r.found.starts)) for surface, r in people.items()}
        return cls(found, NameBook(counts, table, firsts), text)

    def kind(self, surface: str, hint: str) -> str:
        """Return the kind of a name by all its places; the hint of its first chapter where the book does not have it."""
        reading = self.found.get(surface)
        return hint if reading is None else kind_of(surface, reading, self.text, self.names.table, self.names)
