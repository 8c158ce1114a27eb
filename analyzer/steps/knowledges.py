"""Folds notices, words and doubts into who knows what; every rule at the door is here, named and counted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, cast

from rapidfuzz.fuzz import ratio

from analyzer.bible import Bible
from analyzer.knowledge import SAID, folded, secrets
from analyzer.models.facts import Fact
from analyzer.models.issue import Issue, IssueCode
from analyzer.models.story import KnowledgeFact, Stance, Via
from analyzer.models.text import Span
from analyzer.steps._knowledge import (
    BEINGS,
    CAST,
    NOTHING,
    STANCES,
    UNAWARE,
    WAYS,
    Piece,
    Votes,
    pieces_here,
    sort_of,
    votes_here,
    words_here,
)
from analyzer.steps._scope import Mentions, cast_mentions, offset_of
from analyzer.steps._step import ComputeStep, Effects, Unit
from analyzer.text.quotes import source_of

PAST = frozenset({"secret", "secret_event", "knowledge"})
REACH = 1_800
"""Code points within which somebody with a name must be mentioned around the words by which he comes to know. Source: of 452 true
pieces of the gold chapters the farthest is at 1,748; who has no name or no mention is left alone."""
ALIKE = 92
"""Likeness (0 to 100, letters alone) from which two wordings of one knower are one. Source: a choice; "he is dead" and "he is not
dead" are at 80."""
UNVOTED = Votes("", "", "")
Shut = tuple[IssueCode, str]


class _Learnt(NamedTuple):
    """Somebody and a piece, as decided."""

    piece: Piece
    knower: str
    stance: str
    via: str
    words: str


def decide(votes: Votes) -> str | None:
    """Return the stance the votes add up to, NOTHING where they deny it, or None where they do not settle it.

    Two of the three must say the same: nothing, unaware, or that it is known somehow. The last to say how sure gives the stance.
    """
    sorts = [sort_of(vote) for vote in votes]
    agreed = next((sort for sort in sorts if sort and sorts.count(sort) > 1), "")
    if agreed in (NOTHING, UNAWARE):
        return agreed
    return next((vote for vote in (votes.last, votes.stance) if vote in STANCES and sort_of(vote) == agreed), None)


def way_of(votes: Votes, noticed: str, stance: str) -> str:
    """Return by which way: as the second doubt has it, else as it was noticed; "" for what is not known, or was not told."""
    if stance == UNAWARE:
        return ""
    return next((way for way in (votes.way, noticed) if way in WAYS), "")


def compute(unit: Unit, bible: Bible) -> Effects:
    """Return who stands how to what from this chapter on, and an issue for everything a rule turned away."""
    mentions, votes, words = cast_mentions(unit, bible), votes_here(unit, bible), words_here(unit, bible)
    known = _known(unit, bible)
    issues: list[Issue] = []
    learnt: list[_Learnt] = []
    for piece in pieces_here(unit, bible):
        said = words.get(piece.piece, piece.evidence[0].text)
        for knower, noticed in piece.ways.items():
            one = _learnt(piece, knower, noticed, votes.get((piece.piece, knower), UNVOTED), said)
            shut = _door(one, unit, bible, mentions, known)
            if shut is not None:
                issues.append(_issue(shut, one, unit))
            else:
                learnt.append(one)
    kept, fallen = _settled(learnt)
    issues += [_issue(shut, one, unit) for one, shut in fallen]
    return Effects(tuple((_fact(one, kept, unit, bible, mentions), ()) for one in kept), tuple(issues))


def _learnt(piece: Piece, knower: str, noticed: str, votes: Votes, words: str) -> _Learnt:
    stance = decide(votes)
    via = way_of(votes, noticed, stance or "")
    if via == "deceived" and stance == "knows":
        stance = "believes"  # what is not so cannot be known
    return _Learnt(piece, knower, stance or "", via, words)


def _known(unit: Unit, bible: Bible) -> frozenset[tuple[str, str]]:
    """Return who knew which words before this chapter."""
    return frozenset(
        (bible.root(k.knower), folded(k.proposition))
        for k in bible.of(KnowledgeFact)
        if isinstance(k, KnowledgeFact) and k.chapter < unit.chapter.no and k.stance == "knows"
    )


def _door(one: _Learnt, unit: Unit, bible: Bible, mentions: Mentions, known: frozenset[tuple[str, str]]) -> Shut | None:
    """Return the rule that turns a piece of somebody away, or None."""
    entry = bible.cast[one.knower]
    if not one.stance:
        return "undecided", "the doubts do not settle it"
    if one.stance == NOTHING:
        return "denied_twice", "it does not reach him here"
    if entry.entity.entity_kind not in BEINGS:
        return "wrong_entity_kinds", f"a {entry.entity.entity_kind} knows nothing"
    if any(unit.chapter.sentence_text(e.place) != e.text for e in one.piece.evidence):
        return "evidence_not_in_chapter", "the words cited are not those of the chapter"
    if not one.words:
        return "no_words", "nothing could be said of it"
    if one.stance != UNAWARE and _far(one, unit, bible, mentions):
        return "far_from_knower", f"not mentioned within {REACH} characters of the words cited"
    if one.stance != UNAWARE and (one.knower, folded(one.words)) in known:
        return "known_already", "knew it before this chapter"
    return None


def _far(one: _Learnt, unit: Unit, bible: Bible, mentions: Mentions) -> bool:
    entry = bible.cast[one.knower]
    spots = mentions.spots.get(one.knower, ())
    if entry.narrates or not entry.surfaces or not spots:
        return False
    at = offset_of(unit, one.piece.place)
    return all(abs(spot.offset - at) > REACH for spot in spots)


def _settled(learnt: Iterable[_Learnt]) -> tuple[list[_Learnt], list[tuple[_Learnt, Shut]]]:
    """Return what stands once each knower has each proposition once, and what fell.

    Of two that say the same of one knower the first stands; of not knowing and coming to know the latter, since a chapter is
    read as it stands at its end.
    """
    kept: list[_Learnt] = []
    fallen: list[tuple[_Learnt, Shut]] = []
    for one in sorted(learnt, key=lambda one: one.stance == UNAWARE):
        other = next((k for k in kept if k.knower == one.knower and _alike(k.words, one.words)), None)
        if other is None:
            kept.append(one)
        elif one.stance == UNAWARE and other.stance != UNAWARE:
            fallen.append((one, ("learns_it_here", "learns it in the same chapter")))
        else:
            fallen.append((one, ("known_already", "said twice in this chapter")))
    return sorted(kept, key=lambda one: (one.piece.place, one.piece.kind)), fallen


def _alike(words: str, other: str) -> bool:
    mine, theirs = folded(words), folded(other)
    return mine == theirs or ratio(mine, theirs) >= ALIKE


def _fact(one: _Learnt, kept: Iterable[_Learnt], unit: Unit, bible: Bible, mentions: Mentions) -> Fact:
    """Return the fact; the same words are one piece, and those of an open secret are that secret."""
    mine = folded(one.words)
    first = next((other for other in kept if mine and folded(other.words) == mine), one)
    secret = next((s.id for s in secrets(bible, through=unit.chapter.no - 1) if folded(s.fact.proposition) == mine), "")
    return KnowledgeFact(
        chapter=unit.chapter.no,
        piece=first.piece.piece,
        knower=one.knower,
        proposition=one.words,
        stance=cast("Stance", one.stance),
        via=cast("Via", one.via) if one.via else None,
        told_by=_teller(one, unit, bible, mentions),
        secret=secret,
        evidence=one.piece.evidence,
    )


def _teller(one: _Learnt, unit: Unit, bible: Bible, mentions: Mentions) -> str:
    """Return who says it, where the narrator's words around the quotation name exactly one other person; else ""."""
    place = one.piece.place
    if one.via not in SAID or one.piece.evidence[0].source != "speech":
        return ""
    start = unit.chapter.block_offsets[place.block - 1]
    end = start + len(unit.chapter.blocks[place.block - 1].text)
    named = {
        handle
        for handle, spots in mentions.spots.items()
        for spot in spots
        if start <= spot.offset < end
        and spot.end
        and _narrated(unit, place.block, spot.offset - start, spot.end - start)
    }
    people = {h for h in named if bible.cast[h].entity.entity_kind == "character"}
    others = people - {one.knower}
    return others.pop() if len(people) == len(others) == 1 else ""


def _narrated(unit: Unit, block: int, start: int, end: int) -> bool:
    return source_of(unit.chapter, block, Span(start, end), unit.table) == "narration"


def _issue(shut: Shut, one: _Learnt, unit: Unit) -> Issue:
    return Issue(
        code=shut[0],
        step=STEP.name,
        chapter=unit.chapter.no,
        about=(one.knower,),
        detail=f"{one.piece.place} {one.piece.kind}: {shut[1]}",
    )


STEP = ComputeStep(
    name="knowledges",
    part="knowledge",
    reads=CAST | {"knowledge_notice", "knowledge_say"},
    writes=frozenset({"knowledge"}),
    past=PAST,
    compute=compute,
)
