"""What the steps of knowledge share: notices as pieces, each with who may have learnt it, and how a piece is put into a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from analyzer.bible import Bible
from analyzer.models.facts import Evidence, Fact
from analyzer.models.question import NONE, Option, Question, QuestionKey
from analyzer.models.story import KnowledgeNoticeFact, KnowledgeSayFact, Look
from analyzer.models.text import Place
from analyzer.steps._scope import brief, evidence_at, ref_of
from analyzer.steps._step import Answered, Effects, Unit
from analyzer.steps._stretches import anchors, sentence_id

CAST = frozenset({"entity", "name", "same", "presence"})
BEINGS = ("character", "group")
MAX_PEOPLE = 10
"""Most people of one line; in the gold chapters at most six learn something on one page."""
MAX_SENTENCES = 8
"""Most sentences behind a pick; in the gold chapters nobody learns more than nine things in one way in one chapter."""
UNAWARE = "unaware"
NOTHING = "nothing"
"""The option that says that somebody does not come to stand to a piece here; none means the same."""
PieceKind = Literal["news", "thought", "gap", "any"]
"""What a piece is: learnt from outside, concluded, missed; "any" where only the second look found it, which asks no way."""
KIND_OF: dict[str, PieceKind] = {"inferred": "thought", UNAWARE: "gap", "": "any"}
ABOUT: dict[PieceKind, str] = {
    "news": "what {place} tells or shows",
    "thought": "the thought in {place}",
    "gap": "what is not known in {place}",
    "any": "what {place} is about",
}
LETTER: dict[PieceKind, str] = {"news": "k", "any": "k", "thought": "i", "gap": "g"}
"""The first letter of a piece's id: the same sentence may tell one thing, be the ground of a thought, and show what is missed."""


@dataclass(frozen=True)
class Piece:
    """Something that may be learnt, concluded or missed at `place`; `ways` are the way each knower may have to it ("" not asked)."""

    piece: str
    kind: PieceKind
    place: Place
    evidence: tuple[Evidence, ...]
    ways: dict[str, str]

    @property
    def about(self) -> str:
        """The piece as a line names it."""
        return ABOUT[self.kind].format(place=self.place)


def kind_of(via: str) -> PieceKind:
    """Return what kind of piece a way leads to."""
    return KIND_OF.get(via, "news")


def piece_id(unit: Unit, kind: PieceKind, place: Place) -> str:
    """Return the id of a piece, the same for all who learn it."""
    return sentence_id(unit, LETTER[kind], place)


def pieces_here(unit: Unit, bible: Bible) -> tuple[Piece, ...]:
    """Return the chapter's pieces in order of the text, with everybody both looks noticed.

    What the second look has of somebody stands for what the first has of him in the same sentence, or in the next one
    where the second look does not name that itself.
    """
    found = [n for n in bible.of(KnowledgeNoticeFact) if isinstance(n, KnowledgeNoticeFact)]
    notices = [n for n in found if n.chapter == unit.chapter.no and n.evidence and bible.root(n.knower) in bible.cast]
    pieces: dict[str, Piece] = {}
    for notice in notices:
        if notice.look == "first":
            _add(pieces, notice, kind_of(notice.via), bible)
    for notice in _only_again(unit, bible, notices):
        _add(pieces, notice, "any", bible)
    for notice in notices:
        if notice.look == "code" and notice.piece in pieces:
            _add(pieces, notice, pieces[notice.piece].kind, bible)
    return tuple(sorted(pieces.values(), key=lambda p: (p.place, p.kind)))


def _only_again(unit: Unit, bible: Bible, notices: Iterable[KnowledgeNoticeFact]) -> list[KnowledgeNoticeFact]:
    """Return what only the second look has."""
    first: dict[str, set[Place]] = {}
    again: dict[str, dict[Place, KnowledgeNoticeFact]] = {}
    for notice in notices:
        knower, place = bible.root(notice.knower), notice.evidence[0].place
        if notice.look == "first":
            first.setdefault(knower, set()).add(place)
        elif notice.look == "second":
            again.setdefault(knower, {})[place] = notice
    return [
        places[place]
        for knower, places in again.items()
        for place, stands_for in anchors(unit, first.get(knower, ()), places).items()
        if stands_for not in first.get(knower, ())
    ]


def _add(pieces: dict[str, Piece], notice: KnowledgeNoticeFact, kind: PieceKind, bible: Bible) -> None:
    """Add a notice to its piece; whoever is there already keeps his way."""
    knower, known = bible.root(notice.knower), pieces.get(notice.piece)
    if known is None:
        place = notice.evidence[0].place
        pieces[notice.piece] = Piece(notice.piece, kind, place, notice.evidence, {knower: notice.via})
    elif knower not in known.ways:
        pieces[notice.piece] = replace(known, ways={**known.ways, knower: notice.via})


def notices_of(unit: Unit, look: Look, found: Iterable[tuple[str, str, Place, str]]) -> Effects:
    """Return the notices of one look from (knower, way, sentence, answer id), each once, in order."""
    because: dict[tuple[str, str, Place], list[str]] = {}
    for knower, via, place, answer_id in found:
        because.setdefault((knower, via, place), []).append(answer_id)
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for (knower, via, place), ids in because.items():
        evidence = evidence_at(unit, place)
        if evidence is not None:
            fact = KnowledgeNoticeFact(
                chapter=unit.chapter.no,
                piece=piece_id(unit, kind_of(via), place),
                knower=knower,
                via=via,
                look=look,
                evidence=(evidence,),
            )
            facts.append((fact, tuple(dict.fromkeys(ids))))
    return Effects(tuple(facts))


@dataclass(frozen=True)
class Learning:
    """One of the people of a piece: what the doubts are about."""

    piece: Piece
    knower: str


def learnings(unit: Unit, bible: Bible) -> Sequence[Learning]:
    """Return every piece once for each of its people, in order of the text."""
    return [Learning(piece, knower) for piece in pieces_here(unit, bible) for knower in piece.ways]


STANCES = ("knows", "believes", "suspects", UNAWARE)
WAYS = ("witnessed", "told", "overheard", "read", "inferred", "deceived")


class Votes(NamedTuple):
    """What the doubts say of one of the people of a piece: stance, way and the last look; "" where one could not be read."""

    stance: str
    way: str
    last: str

    @property
    def agree(self) -> bool:
        """Whether stance and way say the same of it: nothing, unaware, or some stance by some way."""
        return bool(self.stance and self.way) and sort_of(self.stance) == sort_of(self.way)


def sort_of(vote: str) -> str:
    """Return what a stance or a way says: nothing, unaware, or that it is known somehow; "" for one that could not be read."""
    return vote if vote in ("", NOTHING, UNAWARE) else "some"


def votes_here(unit: Unit, bible: Bible) -> dict[tuple[str, str], Votes]:
    """Return the votes of this chapter by piece and knower."""
    said: dict[tuple[str, str], dict[str, str]] = {}
    for say in bible.of(KnowledgeSayFact):
        if isinstance(say, KnowledgeSayFact) and say.chapter == unit.chapter.no and say.knower:
            value = NOTHING if say.value == NONE else say.value
            said.setdefault((say.piece, say.knower), {})[say.what] = value
    return {
        of: Votes(found.get("stance", ""), found.get("way", ""), found.get("check", "")) for of, found in said.items()
    }


def words_here(unit: Unit, bible: Bible) -> dict[str, str]:
    """Return what was said of each piece of this chapter, "" where there is nothing to know."""
    return {
        say.piece: say.value
        for say in bible.of(KnowledgeSayFact)
        if isinstance(say, KnowledgeSayFact) and say.chapter == unit.chapter.no and say.what == "proposition"
    }


def doubt_question(step: str, ask: str, options: tuple[Option, ...]) -> Callable[[Learning, Unit, Bible], Question]:
    """Return the question function of a doubt: somebody and a piece, under options that all of a pack share."""

    def question(candidate: Learning, unit: Unit, bible: Bible) -> Question:
        piece, entry = candidate.piece, bible.cast[candidate.knower]
        return Question(
            key=QuestionKey(
                step=step,
                ask=ask,
                chapter=unit.chapter.no,
                about=(ref_of(entry, bible, (piece.place,)),),
                detail=f"{piece.kind}:{piece.place}",
            ),
            type="choice",
            text=f"{brief(entry, bible)}: {piece.about}",
            options=options,
            sentences=(piece.place,),
        )

    return question


def doubt_effects(answered: Sequence[Answered], unit: Unit, what: Literal["stance", "way", "check"]) -> Effects:
    """Return what was picked of each; none says that it is nothing of the kind."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        if item.answer.status in ("answered", "none"):
            fact = KnowledgeSayFact(
                chapter=unit.chapter.no,
                piece=item.candidate.piece.piece,
                knower=item.candidate.knower,
                what=what,
                value=item.answer.pick,
            )
            facts.append((fact, (item.answer_id,)))
    return Effects(tuple(facts))
