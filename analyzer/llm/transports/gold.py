"""Answers from a gold file by question key, in the answer format; no model is asked.

It chooses only among options rendered in the message and sentences rendered in the prefix, and its lines go through the
same parser and checks as any model's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from analyzer.errors import ConfigError, InputError
from analyzer.llm.asker import Profile
from analyzer.llm.formats import write_line
from analyzer.llm.meter import Meter
from analyzer.llm.transports.gold_book import GoldView, checked_gold, load_gold, triples
from analyzer.llm.transports.gold_story import story_answerers
from analyzer.models.facts import RELATION_KINDS
from analyzer.models.gold import GoldEntity, GoldRelation
from analyzer.models.question import Answer, Option, Pack, Question, Ref
from analyzer.models.run import AnsweredBy, Reply
from analyzer.models.text import Manuscript, Place
from analyzer.prompts import between_ends
from analyzer.text.languages import language_table

NOBODY = Answer(status="none")
_NUMBER = re.compile(r"\[([0-9]+)\] |\(([0-9]+)\) ")
MAX_PLACES = 3
BEINGS = frozenset({"character", "group"})


class GoldAnswers:
    """A transport that answers truly from gold chapters; a chapter without gold gets a hyphen everywhere."""

    answered_by: AnsweredBy = "gold"

    def __init__(self, views: dict[int, GoldView], name: str = "gold") -> None:
        self.model = name
        self.profile = Profile(name="gold", release="at_once", priced=False, concurrency=8, instant=True)
        self.params: dict[str, object] = {}
        self._views = views
        self._meter = Meter()

    @classmethod
    def open(cls, folder: Path | None, manuscript: Manuscript) -> GoldAnswers:
        """Read a folder of gold chapters made for this manuscript; raises InputError where it is another text."""
        if folder is None:
            raise ConfigError("gold needs a folder of gold chapters: --model gold:DIR", where="--model")
        gold = checked_gold(load_gold(folder), manuscript)
        views: dict[int, GoldView] = {}
        ids: dict[str, str] = {}
        for number in sorted(gold):
            chapter = manuscript.chapter(number)
            if chapter is None:
                raise InputError(
                    f"gold for chapter {number}, but the manuscript has {len(manuscript.chapters)}", where=str(folder)
                )
            earlier = tuple(gold[n] for n in sorted(gold) if n < number)
            views[number] = GoldView(gold[number], chapter, language_table(chapter.language), earlier, ids)
        return cls(views)

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Return one true line per question, with the usage a model would have had."""
        lines = [
            write_line(n, q, a) for n, (q, a) in enumerate(zip(pack.questions, self.answers(pack), strict=True), 1)
        ]
        text = "\n".join(lines)
        if on_first_event is not None:
            on_first_event()
        return Reply(text=text, usage=self._meter.usage(pack, text), model=self.model, answered_by="gold")

    def answers(self, pack: Pack) -> tuple[Answer, ...]:
        """Return the true answers of a pack, one a question, in order: answered or none."""
        view = self._views.get(pack.chapter)
        return tuple(_rendered(true_answer(q, view), q, pack) if view else NOBODY for q in pack.questions)

    def recall(self, questions: Sequence[Question]) -> None:
        """Find out anew whom the unnamed of earlier runs were taken for, so that a resumed run answers as one without a break."""
        for question in questions:
            view = self._views.get(question.key.chapter)
            if view is not None:
                true_answer(question, view)

    async def close(self) -> None:
        """Hold nothing."""


def _rendered(answer: Answer, question: Question, pack: Pack) -> Answer:
    """Keep only what is shown: picks whose mark is in the message (in its line, or as a handle), sentences the prefix numbers.

    A note is gold's own words; those are counted apart (`notes_filled`).
    """
    if question.type == "note":
        return answer
    shown = "".join(part.text for part in pack.parts) + pack.tail
    kept = []
    for key in answer.picked:
        option = question.option_by_key(key)
        if option is None:
            continue
        wanted = (option.text, between_ends(option.text, question)) if option.text else ()
        if any(text in pack.tail for text in wanted) if wanted else f"{option.mark} " in shown:
            kept.append(key)
    numbered = _numbered("".join(part.text for part in pack.parts if part.name == "chapter"))
    by_pick = (
        tuple(
            tuple(place for place in places if place in numbered)
            for key, places in zip(answer.picked, answer.by_pick, strict=True)
            if key in kept
        )
        if answer.by_pick
        else ()
    )
    return answer.model_copy(
        update={
            "picked": tuple(kept),
            "by_pick": by_pick,
            "sentences": tuple(place for place in answer.sentences if place in numbered),
            "status": "answered" if kept else "none",
        }
    )


@lru_cache(maxsize=16)
def _numbered(chapter: str) -> frozenset[Place]:
    """Return the sentences a chapter's part of the prefix numbers: `[12]` begins block 12, `(2)` its second sentence."""
    found: set[Place] = set()
    block = 0
    for mark in _NUMBER.finditer(chapter):
        block = int(mark[1]) if mark[1] else block
        found.add(Place(block, int(mark[2] or 1)))
    return frozenset(found)


def _pick(*keys: str, places: Sequence[Place] = ()) -> Answer:
    return Answer(status="answered", picked=keys, sentences=tuple(places)) if keys else NOBODY


def true_answer(question: Question, view: GoldView) -> Answer:
    """Return what gold says to a question, by its key; none where gold says nothing."""
    answerer = ANSWERERS.get(question.key.ask) or story_answerers().get(question.key.ask)
    return answerer(question, view) if answerer else NOBODY


def _kind(question: Question, view: GoldView) -> Answer:
    entity = view.named(question.key.about[0].names)
    return _pick(entity.kind) if entity and question.option_by_key(entity.kind) else NOBODY


def _same(question: Question, view: GoldView) -> Answer:
    me = question.key.about[0]
    entity = view.named(me.names)
    if entity is None:
        return NOBODY
    alike = [o for o in question.options if o.ref and _id(view, o) == entity.id]
    handles = [o for o in alike if o.key.startswith("@")]
    if handles:
        return _pick(handles[0].key)
    first = next((o for o in alike if o.key.startswith("form:")), None)
    return _pick(first.key) if first and first.key != f"form:{me.names[0]}" else NOBODY


def _id(view: GoldView, option: Option) -> str:
    entity = view.of(option.ref) if option.ref else None
    return entity.id if entity else ""


def _who(question: Question, view: GoldView) -> Answer:
    about = question.key.about[0]
    entity = view.described(about.names, about.places) or view.named(about.names)
    return _meant(entity, question, view)


def _narrator(question: Question, view: GoldView) -> Answer:
    return _meant(view.narrator(), question, view)


def _meant(entity: GoldEntity | None, question: Question, view: GoldView) -> Answer:
    if entity is None:
        return NOBODY
    for option in question.options:
        if option.key.startswith("is:") and _id(view, option) == entity.id:
            return _pick(option.key)
    for option in question.options if not entity.names else ():
        if option.key.startswith("tie:") and any(_kin(r) for r in view.between(entity.id, _id(view, option))):
            return _pick(option.key)
    listed = entity.names and not _same_class(entity, question.key.about[0])
    if listed:
        return NOBODY
    own = [key for key in (f"own:{entity.kind}", "own") if question.option_by_key(key)]
    return _pick(*own[:1])


def _same_class(entity: GoldEntity, about: Ref) -> bool:
    """Whether somebody with a name whom nothing offered means would be offered here, were he in the cast: then he is not."""
    return about.tie != "narrator" and (entity.kind in BEINGS) == (about.kind in BEINGS)


def _kin(relation: GoldRelation) -> bool:
    rule = RELATION_KINDS.get(relation.kind)
    return rule is not None and rule.family in {"kin", "work"}


def _twin(question: Question, view: GoldView) -> Answer:
    entity = view.of(question.key.about[0])
    if entity is None:
        return NOBODY
    same = next((o.key for o in question.options if _id(view, o) == entity.id), None)
    return _pick(same) if same else NOBODY


def _presence(question: Question, view: GoldView) -> Answer:
    entity = view.of(question.key.about[0])
    return _pick("mentioned" if entity.presence == "mentioned_only" else entity.presence) if entity else NOBODY


def _select(question: Question, view: GoldView) -> Answer:
    me = view.of(question.key.about[0])
    if me is None:
        return NOBODY
    partners = view.partners(me.id, question.key.detail)
    keys = [o.key for o in question.options if _id(view, o) in partners]
    return _pick(*keys[: question.max_picks])


def _relation_kind(question: Question, view: GoldView) -> Answer:
    a, b = (view.of(ref) for ref in question.key.about)
    if a is None or b is None:
        return NOBODY
    found: dict[str, tuple[Place, ...]] = {}
    for relation in view.between(a.id, b.id):
        for kind, subject in ((relation.kind, relation.subject), *_other_kinds(relation)):
            keys = [f"{kind}:{'ab' if subject == a.id else 'ba'}", *([f"{kind}:ab"] if _symmetric(kind) else [])]
            key = next((k for k in keys if question.option_by_key(k)), None)
            if key:
                found.setdefault(key, view.places(relation)[:MAX_PLACES])
                break
    kept = dict(list(found.items())[: question.max_picks])
    answer = _pick(*kept, places=tuple(dict.fromkeys(p for places in kept.values() for p in places)))
    return answer.model_copy(update={"by_pick": tuple(kept.values())}) if len(kept) > 1 else answer


def _symmetric(kind: str) -> bool:
    return kind in RELATION_KINDS and RELATION_KINDS[kind].symmetric


def _other_kinds(relation: GoldRelation) -> list[tuple[str, str]]:
    return [
        (alt[1:], relation.object) if alt.startswith("~") else (alt, relation.subject)
        for alt in relation.alternates
        if alt.lstrip("~") in RELATION_KINDS
    ]


def _matching(question: Question, view: GoldView, kind: str, *, swapped: bool = False) -> GoldRelation | None:
    ends = [view.of(ref) for ref in question.key.about]
    if ends[0] is None or ends[1] is None:
        return None
    a, b = (ends[1], ends[0]) if swapped else (ends[0], ends[1])
    found = [r for r in view.gold.relations if (a.id, kind, b.id) in triples(r)]
    exact = [r for r in found if r.kind == kind]
    return next(iter(exact or found), None)


def _detail(question: Question, view: GoldView) -> Answer:
    attribute, _, kind = question.key.detail.partition(":")
    relation = _matching(question, view, kind)
    value = (
        {"status": relation.status, "affinity": relation.affinity, "visibility": relation.visibility}.get(attribute)
        if relation
        else None
    )
    return _pick(value) if value and question.option_by_key(value) else NOBODY


def _confirm(question: Question, view: GoldView) -> Answer:
    kind = question.key.detail.partition(":")[2]
    relation = _matching(question, view, kind)
    if relation is not None:
        return _pick("for", places=view.places(relation)[:MAX_PLACES])
    if question.option_by_key("reverse") and _matching(question, view, kind, swapped=True):
        return _pick("reverse")
    return _pick("deny")


ANSWERERS: dict[str, Callable[[Question, GoldView], Answer]] = {
    "cast.kind": _kind,
    "cast.same": _same,
    "cast.who": _who,
    "cast.narrator": _narrator,
    "cast.twin": _twin,
    "cast.presence": _presence,
    "relation.select": _select,
    "relation.kind": _relation_kind,
    "relation.detail": _detail,
    "relation.confirm": _confirm,
}
"""What is asked -> how gold answers; a question of another kind gets a hyphen."""
