"""What the steps of states and looks share: how the two looks ask, and how their notices become changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from analyzer.bible import Bible, CastEntry
from analyzer.models.facts import Evidence, Fact
from analyzer.models.issue import Issue, IssueCode
from analyzer.models.question import Option, Question, QuestionKey, Ref
from analyzer.models.story import Look, StateNoticeFact
from analyzer.models.text import Place
from analyzer.steps._options import lettered
from analyzer.steps._scope import brief, cast_mentions, evidence_of, offset_of, ref_of
from analyzer.steps._state_words import BEINGS, LOOK, THINGS, Ground, Sort, names_of, told_of
from analyzer.steps._step import Answered, Effects, Unit
from analyzer.steps._story import story_id, words_of_evidence

MAX_SENTENCES = 4
"""Sentences behind one pick. Source: no gold chapter tells more than three changes of one attribute of one person."""
MAX_PEOPLE = 24
"""Picks of a line of the second look. Source: the gold chapters hold at most 16 for one attribute."""
SAME_CHARS = 300
"""Code points between two sentences up to which they tell one change of an attribute. Source: in gold chapters two core changes
of one attribute of one person stand 418 and more apart, but for a single pair."""
MAX_EVIDENCE = 3


def those_here(unit: Unit, bible: Bible, kinds: Iterable[str], *, wide: bool = False) -> tuple[CastEntry, ...]:
    """Return those of the cast of these kinds who stand in the chapter, by name, description or as its narrator, in order of arrival.

    `wide` takes in whoever of the cast shown has no name by which code could find them: as options they cost nothing.
    """
    wanted, mentions = frozenset(kinds), cast_mentions(unit, bible)
    return tuple(
        entry
        for handle, entry in bible.cast.items()
        if entry.entity.entity_kind in wanted
        and (mentions.n(handle) or entry.narrates or (wide and handle in unit.scope and not entry.surfaces))
    )


# --- the first look: one line a person ------------------------------------------------------------------------------


@dataclass(frozen=True)
class OfOne:
    """One of the cast who is looked at."""

    entry: CastEntry


@lru_cache(maxsize=2)
def options_of(ground: Ground) -> tuple[Option, ...]:
    """Return the attributes of a ground, the same for all lines: listed once, they cost less than a call for things alone."""
    return lettered((name, told_of(name).option, None) for name in names_of(ground))


def all_of(ground: Ground) -> Callable[[Unit, Bible], Sequence[OfOne]]:
    """Return the candidates of a first look: beings, and for states things too."""
    kinds = BEINGS if ground == "look" else BEINGS | THINGS

    def candidates(unit: Unit, bible: Bible) -> Sequence[OfOne]:
        return [OfOne(entry) for entry in those_here(unit, bible, kinds)]

    return candidates


def person_question(step: str, ground: Ground) -> Callable[[OfOne, Unit, Bible], Question]:
    """Return the question function of a first look: the line is the one looked at."""

    def question(candidate: OfOne, unit: Unit, bible: Bible) -> Question:
        options = options_of(ground)
        return Question(
            key=QuestionKey(
                step=step,
                ask="state.notice",
                chapter=unit.chapter.no,
                about=(ref_of(candidate.entry, bible),),
                detail=ground,
            ),
            type="select",
            text=brief(candidate.entry, bible),
            options=options,
            evidence="must",
            max_picks=len(options),
            max_sentences=MAX_SENTENCES,
        )

    return question


# --- the second look: one line an attribute -------------------------------------------------------------------------


@dataclass(frozen=True)
class OfAttribute:
    """An attribute that is looked for; `options` are the handles of whom it may be told."""

    attribute: str
    sort: Sort
    options: tuple[Option, ...]


def all_for(ground: Ground) -> Callable[[Unit, Bible], Sequence[OfAttribute]]:
    """Return the candidates of a second look: every attribute that may be told of somebody here, beings apart from things."""

    def candidates(unit: Unit, bible: Bible) -> Sequence[OfAttribute]:
        sorts: tuple[tuple[Sort, frozenset[str]], ...] = (("beings", BEINGS), ("things", THINGS))
        found: list[OfAttribute] = []
        for sort, kinds in sorts[: 1 if ground == "look" else 2]:
            here = those_here(unit, bible, kinds, wide=True)
            offered = [(e.entity.entity_kind, e.option) for e in here]
            for name in names_of(ground):
                options = tuple(option for kind, option in offered if kind in told_of(name).kinds)
                if options:
                    found.append(OfAttribute(name, sort, options))
        return found

    return candidates


def attribute_question(step: str) -> Callable[[OfAttribute, Unit, Bible], Question]:
    """Return the question function of a second look: the line is the attribute, the options are those in the chapter."""

    def question(candidate: OfAttribute, unit: Unit, bible: Bible) -> Question:
        words = told_of(candidate.attribute)
        return Question(
            key=QuestionKey(
                step=step,
                ask="state.notice_again",
                chapter=unit.chapter.no,
                about=(),
                detail=f"{candidate.sort}:{candidate.attribute}",
            ),
            type="select",
            text=f"{'' if candidate.sort == 'beings' else 'things: '}{words.word}: {words.again}",
            options=candidate.options,
            evidence="must",
            max_picks=min(MAX_PEOPLE, len(candidate.options)),
            max_sentences=MAX_SENTENCES,
        )

    return question


# --- notices --------------------------------------------------------------------------------------------------------


def notices(step: str, look: Look, read: Callable[[Answered, str], tuple[str, str]]) -> Callable[..., Effects]:
    """Return the effects of a look: every pick with its sentences; `read` says of an answer's pick (handle, attribute)."""

    def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
        facts: list[tuple[Fact, tuple[str, ...]]] = []
        issues: list[Issue] = []
        for item in answered:
            for pick in item.answer.picked if item.answer.status == "answered" else ():
                handle, attribute = read(item, pick)
                shown = evidence_of(unit, item.answer, pick)
                kind = bible.cast[handle].entity.entity_kind
                if kind not in told_of(attribute).kinds:
                    issues.append(issue("wrong_entity_kinds", step, unit, (handle, attribute), f"{kind} {attribute}"))
                    continue
                if not shown:
                    issues.append(issue("no_evidence", step, unit, (handle, attribute), "noticed without a sentence"))
                    continue
                fact = StateNoticeFact(
                    chapter=unit.chapter.no, entity=handle, attribute=attribute, look=look, evidence=shown
                )
                facts.append((fact, (item.answer_id,)))
        return Effects(tuple(facts), tuple(issues))

    return effects


def by_person(item: Answered, pick: str) -> tuple[str, str]:
    """Read a pick of a first look."""
    return item.candidate.entry.handle, pick


def by_attribute(item: Answered, pick: str) -> tuple[str, str]:
    """Read a pick of a second look."""
    return pick, item.candidate.attribute


def issue(code: IssueCode, step: str, unit: Unit, about: tuple[str, ...], detail: str) -> Issue:
    """Return an issue of this chapter."""
    return Issue(code=code, step=step, chapter=unit.chapter.no, about=about, detail=detail)


Spots = list[tuple[int, Evidence, Look]]
"""Sentences with where they start in the chapter, and which look named them."""


@dataclass(frozen=True)
class Noticed:
    """A change that one look or both noticed: near sentences of one attribute of one of the cast, to be judged as one."""

    change: str
    entity: str
    attribute: str
    looks: tuple[Look, ...]
    evidence: tuple[Evidence, ...]

    @property
    def places(self) -> tuple[Place, ...]:
        """Its sentences."""
        return tuple(e.place for e in self.evidence)

    @property
    def ground(self) -> Ground:
        """Whether it is about a state or a look."""
        return "look" if self.attribute.startswith(LOOK) else "state"


def noticed(unit: Unit, bible: Bible) -> tuple[Noticed, ...]:
    """Return the chapter's notices as changes, by whom (in order of arrival), attribute and place; near ones of both looks are one.

    Notices about nobody in the cast are left out.
    """
    order = {name: at for at, name in enumerate((*names_of("state"), *names_of("look")))}
    spots: dict[tuple[str, str], Spots] = {}
    for fact in bible.of(StateNoticeFact):
        if isinstance(fact, StateNoticeFact) and fact.chapter == unit.chapter.no and fact.attribute in order:
            key = bible.root(fact.entity), fact.attribute
            if key[0] in bible.cast:
                spots.setdefault(key, []).extend((offset_of(unit, e.place), e, fact.look) for e in fact.evidence)
    keys = sorted(spots, key=lambda key: (bible.arrival[key[0]], order[key[1]]))
    found: list[Noticed] = []
    for entity, attribute in keys:
        taken: set[str] = set()
        for cluster in _clusters(spots[entity, attribute]):
            found.append(_merged(entity, attribute, cluster, taken))
    return tuple(found)


def _clusters(spots: Spots) -> list[Spots]:
    """Return spots in order, cut where one stands too far from the first of its cluster."""
    found: list[Spots] = []
    for spot in sorted(spots, key=lambda s: s[:1]):
        if not found or spot[0] - found[-1][0][0] > SAME_CHARS:
            found.append([])
        found[-1].append(spot)
    return found


def _merged(entity: str, attribute: str, cluster: Spots, taken: set[str]) -> Noticed:
    looks = {look: None for look in ("first", "second") if any(s[2] == look for s in cluster)}
    places = {s[1].place: s[1] for s in cluster}
    both = [p for p in places if {s[2] for s in cluster if s[1].place == p} >= set(looks)]
    kept = sorted((both + [p for p in places if p not in both])[:MAX_EVIDENCE])
    evidence = tuple(places[p] for p in kept)
    change = story_id("c", entity, attribute, words_of_evidence(evidence))
    number = 1
    while change in taken:
        number += 1
        change = story_id("c", entity, attribute, words_of_evidence(evidence), str(number))
    taken.add(change)
    return Noticed(change, entity, attribute, tuple(looks), evidence)  # type: ignore[arg-type]


def line_of(one: Noticed, bible: Bible) -> str:
    """Return whom and what a change is about, with its sentences: `@3 Edmond Dantès, goal (12.3)`."""
    who = brief(bible.cast[one.entity], bible)
    return f"{who}, {told_of(one.attribute).word} ({' '.join(map(str, one.places))})"


def ref_to(one: Noticed, bible: Bible) -> Ref:
    """Return the reference to whom a change is about."""
    return ref_of(bible.cast[one.entity], bible)
