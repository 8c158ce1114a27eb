"""What a noticed change would come to with what was said of it, and what code finds odd about that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from analyzer.bible import Bible
from analyzer.models.story import ChangeFact, Modality, Op, StateSayFact
from analyzer.states import States, folded_states, rooted, same_value, tell
from analyzer.steps._scope import Mentions, cast_mentions, offset_of
from analyzer.steps._state import Noticed, noticed
from analyzer.steps._state_words import BEINGS, LIFE, LINKED, NATURES, NOTHING
from analyzer.steps._step import Unit
from analyzer.text.candidates.lexicon import alternation, word_list
from analyzer.text.languages import LanguageTable

Reason = Literal["split", "dead", "already", "contradicts", "two_places", "wrong_person", "twice", "unreal"]
"""Why a change is odd; the gravest first, only that one is asked about."""
LASTING = frozenset({"appearance.hair", "appearance.eyes", "life_status"})
"""Attributes whose second value is odd. Source: of other features gold chapters tell several values of one person as a rule."""
ONE_SPOT = 600
"""Code points within which nobody is told to be in two places. Source: a choice, half a page."""
ACTS = frozenset({"location", "possession", "occupation", "ability", "goal", "mood", "health"})
"""Attributes that the dead have no more."""


@dataclass(frozen=True)
class Draft:
    """A noticed change with what was said of it; `nature` is "" where nothing could be read, `to` in words.

    `silent` says that a hyphen was answered for the words; `doubt` is what was answered to the last question, for `reason`.
    """

    one: Noticed
    nature: str
    to: str = ""
    to_entity: str = ""
    silent: bool = False
    doubt: str = ""
    reason: str = ""

    @property
    def op(self) -> Op:
        """What it does to the value."""
        return NATURES[self.nature].op if self.nature in NATURES else "set"

    @property
    def told(self) -> Modality | None:
        """How it is told by its nature alone; None where it is not."""
        return NATURES[self.nature].modality if self.nature in NATURES else None

    @property
    def modality(self) -> Modality | None:
        """How it is told once all is said: what looked odd may be cleared, or turn out to be only supposed."""
        if self.doubt:
            cleared: dict[str, Modality] = {"holds": self.told or "asserted", "unreal": "hypothetical"}
            return cleared.get(self.doubt)
        return self.told

    @property
    def split(self) -> bool:
        """Whether the answers are at odds: both looks found it and it was said not to be told; or only its value was given, or not."""
        if self.told is None:
            return len(self.one.looks) > 1 or (not self.nature and bool(self.to))
        return self.silent and self.told == "asserted"

    def fact(self, chapter: int, *, before: str = "") -> ChangeFact:
        """Return the change it would be."""
        return ChangeFact(
            change=self.one.change,
            chapter=chapter,
            entity=self.one.entity,
            attribute=self.one.attribute,
            op=self.op,
            to=self.to,
            to_entity=self.to_entity,
            before=before,
            modality=self.modality or "hypothetical",
            looks=self.one.looks,
            evidence=self.one.evidence,
        )


@dataclass(frozen=True)
class Odd:
    """A draft that is asked about once more: why, and what was known before or who else is named."""

    draft: Draft
    reason: Reason
    known: str = ""


def drafts(unit: Unit, bible: Bible) -> tuple[Draft, ...]:
    """Return the chapter's noticed changes with all that was said of them, in story order."""
    said: dict[tuple[str, str], StateSayFact] = {}
    for fact in bible.of(StateSayFact):
        if isinstance(fact, StateSayFact) and fact.chapter == unit.chapter.no:
            said[fact.change, fact.value_of if fact.what == "value" else fact.what] = fact
    found = [_draft(one, said, bible) for one in noticed(unit, bible)]
    return tuple(sorted(found, key=lambda draft: draft.one.places[0] if draft.one.places else (0, 0)))


def _draft(one: Noticed, said: dict[tuple[str, str], StateSayFact], bible: Bible) -> Draft:
    def value(what: str) -> str:
        fact = said.get((one.change, what))
        return fact.value if fact else ""

    which, words = value("which"), value("words")
    if words == NOTHING and which:
        words = ""
    life = which if one.attribute == "life_status" else ""
    to_entity = bible.root(which) if one.attribute in LINKED and which else ""
    if not words and to_entity in bible.cast:
        entry = bible.cast[to_entity]
        words = entry.surfaces[0] if entry.surfaces else entry.entity.label
    if life:
        words = f"{life}: {words}" if words else life
    doubt = said.get((one.change, "doubt"))
    return Draft(
        one,
        nature=value("nature"),
        to="" if words == NOTHING else words,
        to_entity=to_entity,
        silent=words == NOTHING,
        doubt=doubt.value if doubt else "",
        reason=doubt.value_of if doubt else "",
    )


def life_of(change: ChangeFact) -> str:
    """Return the state of life or death a change tells, "" for none."""
    word = change.to.partition(":")[0]
    return word if change.attribute == "life_status" and word in dict(LIFE) else ""


def states_before(unit: Unit, bible: Bible) -> States:
    """Return what holds before this chapter."""
    past = (f for f in bible.of(ChangeFact) if isinstance(f, ChangeFact) and f.chapter < unit.chapter.no)
    return folded_states(rooted(fact, bible) for fact in past)


def said_of(values: Sequence[ChangeFact]) -> str:
    """Return values in words, as they are shown."""
    return "; ".join(value.to for value in values)


def odd_ones(unit: Unit, bible: Bible) -> tuple[Odd, ...]:
    """Return the drafts that would be stored and look odd, each with the gravest reason."""
    states, mentions = states_before(unit, bible), cast_mentions(unit, bible)
    found: list[Odd] = []
    told: list[ChangeFact] = []
    for draft in drafts(unit, bible):
        change = draft.fact(unit.chapter.no)
        if draft.split:
            found.append(Odd(draft, "split"))
            continue
        if draft.told not in ("asserted", "reported"):
            continue
        odd = oddity(draft, change, states, told, unit) or _in_the_words(draft, change, told, unit, bible, mentions)
        if odd is not None:
            found.append(odd)
        told.append(change)
    return tuple(found)


def oddity(draft: Draft, change: ChangeFact, states: States, told: Iterable[ChangeFact], unit: Unit) -> Odd | None:
    """Return what is odd about a change beside what held before the chapter and what was told in it before: it must be cleared."""
    values = states.get(change.entity, {})
    own = values.get(change.attribute, ())
    life = values.get("life_status", ())
    dead = any(life_of(value) == "dead" for value in life)
    if dead and change.attribute in ACTS and change.op in ("set", "add"):
        return Odd(draft, "dead", said_of(life))
    if change.op in ("set", "add"):
        same = [value for value in own if same_value(value, change)]
        if same:
            return Odd(draft, "already", said_of(same))
        if own and change.attribute in LASTING:
            return Odd(draft, "contradicts", said_of(own))
    return _elsewhere(draft, change, told, unit)


def _elsewhere(draft: Draft, change: ChangeFact, told: Iterable[ChangeFact], unit: Unit) -> Odd | None:
    if change.attribute != "location" or not change.to_entity or change.op not in ("set", "add"):
        return None
    at = offset_of(unit, change.evidence[0].place)
    for other in told:
        same = other.entity == change.entity and other.attribute == "location" and other.op in ("set", "add")
        moved = same and other.to_entity not in ("", change.to_entity)
        if moved and abs(offset_of(unit, other.evidence[0].place) - at) <= ONE_SPOT:
            return Odd(draft, "two_places", other.to)
    return None


def _in_the_words(
    draft: Draft, change: ChangeFact, told: Iterable[ChangeFact], unit: Unit, bible: Bible, mentions: Mentions
) -> Odd | None:
    """Return what is odd about the words: they name others and not this one, tell again what was told, or speak of plans and dreams."""
    other = _other_named(draft, bible, mentions)
    if other:
        return Odd(draft, "wrong_person", other)
    twin = next((one for one in told if _alike(one, change)), None)
    if twin is not None:
        return Odd(draft, "twice", f"{twin.to} ({twin.evidence[0].place})")
    cues = _cues(unit.table)
    if draft.one.attribute != "goal" and any(cues.search(e.text) for e in draft.one.evidence):
        return Odd(draft, "unreal")
    return None


def _alike(one: ChangeFact, other: ChangeFact) -> bool:
    """Say whether two changes of a chapter may be one, told in two places."""
    ops = {one.op, other.op}
    return (one.entity, one.attribute) == (other.entity, other.attribute) and (len(ops) == 1 or ops == {"set", "add"})


def _other_named(draft: Draft, bible: Bible, mentions: Mentions) -> str:
    """Return the first of those whom the sentences name, where this one is not among them; "" elsewhere and for a narrator."""
    entity = bible.cast[draft.one.entity]
    if entity.narrates or entity.entity.entity_kind not in BEINGS:
        return ""
    places = set(draft.one.places)
    named = {handle for handle, spots in mentions.spots.items() if any(spot.place in places for spot in spots)}
    others = [h for h in named if h in bible.cast and bible.cast[h].entity.entity_kind in BEINGS]
    if draft.one.entity in named or not others:
        return ""
    return min(others, key=lambda handle: bible.arrival[handle])


@lru_cache(maxsize=32)
def _cues(table: LanguageTable) -> re.Pattern[str]:
    """Return the pattern of a language's words for plans, dreams and conditions; one that finds nothing where it has none."""
    words = alternation(word_list(table.cues, "unreal"))
    parts = alternation(word_list(table.cues, "unreal_parts"))
    return re.compile(rf"(?<!\w){words}(?!\w)|{parts}", re.IGNORECASE)


def take_in(states: States, change: ChangeFact) -> None:
    """Let a change hold from here on, if it is asserted."""
    if change.modality == "asserted":
        tell(states, change)
