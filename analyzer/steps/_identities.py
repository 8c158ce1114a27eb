"""Which two of the cast may turn out to be one in a chapter, and what the identity steps share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from analyzer.bible import Bible, CastEntry
from analyzer.models.facts import Evidence
from analyzer.models.question import Ref
from analyzer.models.story import MaskFact, MaskSayFact, MaskVote
from analyzer.models.text import Place
from analyzer.steps._scope import Spot, cast_mentions, ref_of, together
from analyzer.steps._step import Unit
from analyzer.steps._story import near
from analyzer.text.unmasking import is_declared, unmasking_spots

MAX_PAIRS = 24
"""Pairs asked about in a chapter. Source: on the own serials every true pair is among the first ten."""
MAX_EVIDENCE = 4
VOTE_OF: dict[str, MaskVote] = {"told": "same", "known": "same", "hinted": "hinted", "apart": "apart"}
"""What the options of the first look come to."""
TOLD = "first"
"""The option of the second look by which a sentence tells who somebody is."""
APART_CHARS = 1500
"""Code points beyond which two looks do not speak of the same scene."""
SETTLED = "settled"
"""The option of the second look by which two are one."""
CLOSE_CHARS = 60
NEAR_CHARS = 300
"""Code points within which two stand in each other's words, and in each other's sight."""
CUE_CHARS = 300
"""Code points within which a cue word speaks of a pair."""
MAX_EACH = 4
"""Pairs of one person. Source: on the own serials every true pair is among the first four of both."""
FEWEST = 3
"""Points from which a pair is asked about."""


@dataclass(frozen=True)
class MaskPair:
    """Two of the cast that may be one: who is presented, who may stand behind, why code thinks so, where they meet."""

    persona: str
    behind: str
    cues: tuple[str, ...]
    points: int
    places: tuple[Place, ...] = ()


class _Past:
    """In which earlier chapters everybody was on the page."""

    def __init__(self, unit: Unit, bible: Bible) -> None:
        self._before = {
            handle: frozenset(
                p.chapter for p in entry.presences if p.chapter < unit.chapter.no and p.presence == "on_page"
            )
            for handle, entry in bible.cast.items()
        }

    def seen(self, handle: str) -> bool:
        return bool(self._before.get(handle))

    def together(self, a: str, b: str) -> int:
        return len(self._before.get(a, frozenset()) & self._before.get(b, frozenset()))


def mask_pairs(unit: Unit, bible: Bible) -> tuple[MaskPair, ...]:
    """Return the pairs of people in which a mask may fall in this chapter, the likeliest first, at most `MAX_PAIRS`.

    Language decides nothing: two who stand close, of whom one is new or was never on the page beside the other, are enough;
    cue words only move a pair up. Cost: every pair of the people mentioned.
    """
    mentions = cast_mentions(unit, bible)
    people = [h for h, e in bible.cast.items() if e.entity.entity_kind == "character" and mentions.n(h)]
    past = _Past(unit, bible)
    declared = {h: _declared(unit, mentions.spots[h]) for h in people}
    cues = unmasking_spots(unit.chapter.text, unit.table)
    found = []
    for a, b in combinations(people, 2):
        gap, at = _nearest(mentions.spots[a], mentions.spots[b])
        if gap > NEAR_CHARS:
            continue
        why = _reasons(bible.cast[a], bible.cast[b], gap, unit, past)
        if _meet(declared[a], mentions.spots[b]) or _meet(declared[b], mentions.spots[a]):
            why.append("declared")
        if any(abs(cue - at) <= CUE_CHARS for cue in cues):
            why.append("cue")
        points = sum(POINTS[w] for w in why) - min(3, past.together(a, b))
        if points >= FEWEST:
            persona, behind = _sides(bible.cast[a], bible.cast[b], past)
            pair = MaskPair(persona, behind, tuple(why), points, together(unit, mentions, a, b))
            found.append(((-points, gap, bible.arrival[persona], bible.arrival[behind]), pair))
    return _best([pair for _, pair in sorted(found, key=lambda row: row[0])])


def _best(ranked: Sequence[MaskPair]) -> tuple[MaskPair, ...]:
    """Return the first pairs, of nobody more than `MAX_EACH`: who arrives stands near everybody."""
    kept: list[MaskPair] = []
    n: Counter[str] = Counter()
    for pair in ranked:
        if len(kept) < MAX_PAIRS and max(n[pair.persona], n[pair.behind]) < MAX_EACH:
            kept.append(pair)
            n.update((pair.persona, pair.behind))
    return tuple(kept)


POINTS = {"close": 1, "apart": 1, "one_seen": 1, "returns": 1, "new": 1, "unnamed": 1, "declared": 2, "cue": 1}
"""What each reason counts. Source: weights under which true pairs of the own serials come first; none decides alone."""


def _reasons(a: CastEntry, b: CastEntry, gap: int, unit: Unit, past: _Past) -> list[str]:
    why = ["close"] if gap <= CLOSE_CHARS else []
    if a.entity.named != b.entity.named:
        why.append("unnamed")
    known = [entry for entry in (a, b) if entry.entity.chapter < unit.chapter.no]
    if len(known) == 1:
        why.append("new")
    elif known and not past.together(a.handle, b.handle):
        why.append("apart")
        if past.seen(a.handle) != past.seen(b.handle):
            why.append("one_seen")
            if any(_is_here(e, unit) and not past.seen(e.handle) for e in known):
                why.append("returns")
    return why


def _is_here(entry: CastEntry, unit: Unit) -> bool:
    return "on_page" in entry.presence_in.get(unit.chapter.no, ())


def _declared(unit: Unit, spots: Sequence[Spot]) -> list[Spot]:
    return [s for s in spots if is_declared(unit.chapter.text, s.offset, s.end, unit.table)]


def _meet(said: Sequence[Spot], spots: Sequence[Spot]) -> bool:
    return any(abs(a.offset - b.offset) <= CUE_CHARS for a in said for b in spots)


def _nearest(left: Sequence[Spot], right: Sequence[Spot]) -> tuple[int, int]:
    """Return the shortest way between a spot of each, and where it is."""
    return min((abs(a.offset - b.offset), max(a.offset, b.offset)) for a in left for b in right)


def _sides(a: CastEntry, b: CastEntry, past: _Past) -> tuple[str, str]:
    """Return (persona, behind): the one without a name, else the one seen on the page before, else the one who came first."""
    if a.entity.named != b.entity.named:
        first, second = (b, a) if a.entity.named else (a, b)
    elif past.seen(a.handle) != past.seen(b.handle):
        first, second = (a, b) if past.seen(a.handle) else (b, a)
    else:
        first, second = a, b
    return first.handle, second.handle


def mask_refs(persona: str, behind: str, bible: Bible) -> tuple[Ref, Ref]:
    """Return references to both, who is presented first."""
    return ref_of(bible.cast[persona], bible), ref_of(bible.cast[behind], bible)


def masks_here(unit: Unit, bible: Bible) -> tuple[MaskFact, ...]:
    """Return what was answered about masks in this chapter, both ends resolved; without those about nobody in the cast."""
    found = []
    for fact in bible.of(MaskFact):
        if isinstance(fact, MaskFact) and fact.chapter == unit.chapter.no:
            persona, behind = bible.root(fact.persona), bible.root(fact.behind)
            if persona in bible.cast and behind in bible.cast:
                found.append(fact.model_copy(update={"persona": persona, "behind": behind}))
    return tuple(found)


def says_here(unit: Unit, bible: Bible, what: str) -> tuple[MaskSayFact, ...]:
    """Return what was answered of one kind about noticed masks in this chapter, all handles resolved."""
    return tuple(
        fact.model_copy(
            update={
                "persona": bible.root(fact.persona),
                "behind": bible.root(fact.behind),
                "handles": tuple(map(bible.root, fact.handles)),
            }
        )
        for fact in bible.of(MaskSayFact)
        if isinstance(fact, MaskSayFact) and fact.chapter == unit.chapter.no and fact.what == what
    )


def is_pair(mask: MaskFact) -> bool:
    """Say whether it is about two of the cast; else it is about how one of them is called."""
    return mask.persona != mask.behind


@dataclass(frozen=True)
class Agreed:
    """Two that both looks took for one, with the sentences that tell it (the first is where it counts as told) and the votes."""

    persona: str
    behind: str
    evidence: tuple[Evidence, ...]
    votes: tuple[str, ...]
    apart: bool = False


def agreed_pairs(unit: Unit, bible: Bible) -> tuple[Agreed, ...]:
    """Return the pairs that both looks took for one; several may share an end."""
    first = {(m.persona, m.behind): m for m in masks_here(unit, bible) if is_pair(m) and m.vote == "same"}
    found: dict[tuple[str, str], Agreed] = {}
    for say in says_here(unit, bible, "again"):
        mask = first.get((say.persona, say.behind))
        if mask is not None and say.value == SETTLED:
            told = told_at(mask.evidence, say.evidence)
            far = apart(unit, mask.evidence, say.evidence)
            agreed = Agreed(mask.persona, mask.behind, told, (mask.vote, say.value), far)
            found.setdefault((mask.persona, mask.behind), agreed)
    return tuple(found.values())


def apart(unit: Unit, *looks: Sequence[Evidence]) -> bool:
    """Say whether looks that name sentences name them in parts of the chapter that have nothing to do with each other."""
    named = [look for look in looks if look]
    return any(not near(unit, one, other, APART_CHARS) for one, other in combinations(named, 2))


def told_at(*looks: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return the sentences that tell it, first the one from which on it counts as told, at most `MAX_EVIDENCE`.

    That is the earliest that all looks named; where they have none in common the latest of their first ones, so that a hint
    which one of them took for the telling dates nothing too early. Looks without a sentence have no say.
    """
    named = [{e.place: e for e in look} for look in looks if look]
    if not named:
        return ()
    everything = {place: e for look in named for place, e in look.items()}
    common = set.intersection(*(set(look) for look in named))
    first = min(common) if common else max(min(look) for look in named)
    return tuple(everything[place] for place in sorted(everything) if place >= first)[:MAX_EVIDENCE]
