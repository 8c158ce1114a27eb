"""Answers by code alone: what cues of the text decide; a hyphen elsewhere. No model is asked.

Kinds of names follow the cues the candidates were found by; names are put together across title and surname only where
no other reading is left; kin is answered where a single sentence states it. Everything else is beyond rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from analyzer.llm.asker import Profile
from analyzer.llm.formats import write_line
from analyzer.llm.meter import Meter
from analyzer.models.facts import RELATION_KINDS
from analyzer.models.question import Answer, Option, Pack, Question, Ref
from analyzer.models.run import Reply
from analyzer.models.text import Chapter, Manuscript, Place
from analyzer.text.candidates.lexicon import word_set
from analyzer.text.kinship import KinStatement, Named, kin_statements
from analyzer.text.languages import LanguageTable, language_table
from analyzer.text.namefold import core_words, words_of
from analyzer.text.names import NameMatcher

NOBODY = Answer(status="none")


class RuleAnswers:
    """A transport that answers by rules."""

    answered_by = "rules"

    def __init__(self, manuscript: Manuscript) -> None:
        self.model = "rules"
        self.profile = Profile(name="rules", release="at_once", priced=False, concurrency=8)
        self.params: dict[str, object] = {}
        self._manuscript = manuscript
        self._meter = Meter()
        self._kin: dict[tuple[int, tuple[str, ...]], tuple[KinStatement, ...]] = {}

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

    async def close(self) -> None:
        """Hold nothing."""

    def _answer(self, question: Question, pack: Pack, chapter: Chapter, table: LanguageTable) -> Answer:
        ask = question.key.ask
        if ask == "cast.kind":
            return _kind(question)
        if ask == "cast.same":
            return same_name(question, table)
        if ask == "cast.narrator":
            return _narrator(question)
        if ask.startswith("relation."):
            return self._relation(question, pack, chapter, table)
        return NOBODY

    def _statements(
        self, question: Question, pack: Pack, chapter: Chapter, table: LanguageTable
    ) -> tuple[KinStatement, ...]:
        refs = {r.handle: r for q in pack.questions for r in _refs(q) if r.handle and r.kind == "character"}
        key = (chapter.no, tuple(sorted(refs)))
        if key not in self._kin:
            self._kin[key] = kin_statements(chapter, table, _named(refs.values(), chapter, table))
        return self._kin[key]

    def _relation(self, question: Question, pack: Pack, chapter: Chapter, table: LanguageTable) -> Answer:
        ask, detail = question.key.ask, question.key.detail
        if ask == "relation.detail":
            return _pick("current") if question.option_by_key("current") else NOBODY
        if ask in {"relation.select", "relation.kind"} and detail != "kin":
            return NOBODY
        statements = self._statements(question, pack, chapter, table)
        if ask == "relation.select":
            me = question.key.about[0].handle
            others = {s.object if s.subject == me else s.subject for s in statements if me in (s.subject, s.object)}
            return _pick(*(o.key for o in question.options if o.key in others))
        ends = tuple(ref.handle for ref in question.key.about)
        stated = [s for s in statements if {s.subject, s.object} == set(ends)]
        return _stated_kind(question, stated, ends) if ask == "relation.kind" else _confirmed(question, stated, ends)


def _refs(question: Question) -> Iterable[Ref]:
    yield from question.key.about
    yield from (o.ref for o in question.options if o.ref is not None)


def _pick(*keys: str, places: Sequence[Place] = ()) -> Answer:
    return Answer(status="answered", picked=keys, sentences=tuple(places)) if keys else NOBODY


def _kind(question: Question) -> Answer:
    hint = question.key.about[0].kind
    return _pick(hint) if question.option_by_key(hint) else NOBODY


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
    if not bearers:
        return ()
    found = NameMatcher.build(bearers, table).find(chapter.text)
    return tuple(Named(m.start, m.end, m.handles[0]) for m in found if len(m.handles) == 1)


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


def gender_of(surface: str, table: LanguageTable) -> str:
    """Return "m" or "f" by the titles in a name, "" where they do not tell."""
    words = {w.rstrip(".") for w in words_of(surface)}
    masculine, feminine = word_set(table.kinship, "masculine"), word_set(table.kinship, "feminine")
    return "f" if words & feminine else "m" if words & masculine else ""


def same_name(question: Question, table: LanguageTable) -> Answer:
    """Return the one option a new name must be the same as, by its words; none where two could be or none is."""
    surface = question.key.about[0].names[0]
    mine = core_words(surface, table)
    gender = gender_of(surface, table)
    fitting = [
        o
        for o in question.options
        if o.key != f"form:{surface}" and o.ref and _fits(surface, mine, gender, o.ref, table)
    ]
    if not fitting:
        return NOBODY
    fullest = {full for o in fitting if o.ref for full in _full_names(o.ref, table) if len(full) > 1}
    genders = {gender_of(n, table) for o in fitting if o.ref for n in o.ref.names} - {""}
    if len(fullest) > 1 or len(genders | ({gender} - {""})) > 1:
        return NOBODY
    known = [o for o in fitting if o.key.startswith("@")]
    if len(known) > 1:
        return NOBODY
    return _pick((known or sorted(fitting, key=_fullness))[0].key)


def _fullness(option: Option) -> tuple[int, str]:
    return (-max((len(words_of(n)) for n in option.ref.names), default=0) if option.ref else 0, option.key)


def _full_names(ref: Ref, table: LanguageTable) -> set[tuple[str, ...]]:
    return {core_words(n, table) for n in ref.names}


def _fits(surface: str, mine: tuple[str, ...], gender: str, ref: Ref, table: LanguageTable) -> bool:
    for name in ref.names:
        theirs = core_words(name, table)
        other = gender_of(name, table)
        if gender and other and gender != other:
            return False
        equal = theirs == mine and len("".join(mine)) > 1
        part = (
            len(mine) != len(theirs)
            and min(len(mine), len(theirs)) == 1
            and bool({mine[0], mine[-1]} & {theirs[0], theirs[-1]})
        )
        if equal or part:
            return True
    return False
