"""Decides who says a quotation that code could not decide and that tells something; must not change what code decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.question import Option, Question, QuestionKey, Ref
from analyzer.models.story import SpeakerFact, SpeechFact
from analyzer.models.text import Place
from analyzer.prefix import shown
from analyzer.steps._scope import cast_mentions
from analyzer.steps._speech import Cast, cast_of, loose
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.steps._talk import Heard, Turn, heard
from analyzer.text.candidates.narrator import narrator as teller
from analyzer.text.spoken import says_i

MOST = 40
"""Turns asked about in a chapter, the most telling ones: a call, with lines and answers of 25 and 6 tokens each."""
LONGEST_LIST = 6
"""People offered for a turn: those of its conversation, then the nearest."""
REACH = 1500
"""Code points around a turn within which somebody named may be its speaker. Source: the reach of evidence at the door of relations."""
TELLING = {True: 60, False: 20}
"""Code points from which words tell something whatever they are, with spaces and without: a sentence of a dozen words."""
WORDS = {True: 40, False: 12}
"""Code points of a quotation shown beside its sentence."""


@dataclass(frozen=True)
class WhoCandidate:
    """A turn whose speaker code does not know: its quotations, where it begins, its first words, who may speak it."""

    quotations: tuple[SpeechFact, ...]
    place: Place
    words: str
    nth: int
    options: tuple[Option, ...]


def candidates(unit: Unit, bible: Bible) -> Sequence[WhoCandidate]:
    """Return the turns without a speaker that tell something and for which somebody can be offered, in order, at most `MOST`."""
    facts = {
        (f.block, f.start): f
        for f in bible.of(SpeechFact)
        if isinstance(f, SpeechFact) and f.chapter == unit.chapter.no
    }
    cast = cast_of(unit, bible)
    found = heard(unit, cast)
    ranked: list[tuple[int, int, WhoCandidate]] = []
    nth: dict[Place, int] = {}
    for at, turn in enumerate(found.turns):
        quotations = tuple(
            facts[key]
            for i in turn.quotations
            if (key := (found.quotations[i].block, found.quotations[i].start)) in facts
        )
        if not quotations or any(q.speaker for q in quotations):
            continue
        place = quotations[0].place
        nth[place] = nth.get(place, 0) + 1
        weight = _weight(turn, quotations, unit)
        options = _options(at, found, quotations, cast, unit, bible) if weight else ()
        if options:
            ranked.append((-weight, at, WhoCandidate(quotations, place, _words(quotations, unit), nth[place], options)))
    kept = sorted(ranked, key=lambda row: row[:2])[:MOST]
    return [candidate for _, _, candidate in sorted(kept, key=lambda row: row[1])]


def _said(quotation: SpeechFact, unit: Unit) -> str:
    return unit.chapter.blocks[quotation.block - 1].text[quotation.start : quotation.end]


def _weight(turn: Turn, quotations: Sequence[SpeechFact], unit: Unit) -> int:
    """Return how telling a turn is: by length, more where it names somebody or speaks of its speaker; 0 for mere exclamations."""
    words = [_said(quotation, unit) for quotation in quotations]
    size = sum(map(len, words))
    names = bool(turn.called | turn.spoken_of)
    own = any(says_i(text, unit.table) for text in words)
    if size < TELLING[loose(unit)] and not names and not own:
        return 0
    return size + TELLING[loose(unit)] * (2 * names + own)


def _options(
    at: int, found: Heard, quotations: Sequence[SpeechFact], cast: Cast, unit: Unit, bible: Bible
) -> tuple[Option, ...]:
    """Return who may speak turn `at`: who speaks or is called just before or after, who is named nearest, the narrator.

    Never one whom the turn itself calls to.
    """
    turn = found.turns[at]
    around = sorted(range(len(found.turns)), key=lambda i: (abs(i - at), i))
    same = [found.turns[i] for i in around if found.turns[i].conversation == turn.conversation and i != at]
    there = [h for t in same for h in (t.speaker, *sorted(t.called)) if h]
    offset = unit.chapter.block_offsets[quotations[0].block - 1] + quotations[0].start
    people = [h for h, e in bible.cast.items() if e.entity.entity_kind == "character"]
    near = cast_mentions(unit, bible).near([offset], people, LONGEST_LIST, REACH)
    ordered = [h for pair in zip_longest(dict.fromkeys(there), near, fillvalue="") for h in pair]
    narrates = [cast.narrator] if _tells(cast.narrator, unit) else []
    wanted = dict.fromkeys(h for h in (*narrates, *ordered) if h in bible.cast and h not in turn.called)
    kept = sorted(list(wanted)[:LONGEST_LIST], key=lambda h: bible.arrival[h])
    return tuple(bible.cast[h].option for h in kept)


def _tells(narrator: str, unit: Unit) -> bool:
    """Say whether somebody known tells this chapter in the first person."""
    return bool(narrator) and teller(unit.chapter, unit.table) is not None


def _words(quotations: Sequence[SpeechFact], unit: Unit) -> str:
    """Return the first words of a turn in one piece, cut where it is long."""
    text, most = _said(quotations[0], unit), WORDS[loose(unit)]
    if len(text) <= most:
        return text
    return f"{text[:most].rpartition(' ')[0] or text[:most]}…"


def question(candidate: WhoCandidate, unit: Unit, bible: Bible) -> Question:
    """Return one short line: sentence, first words, the handles that are the options."""
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="speech.who",
            chapter=unit.chapter.no,
            about=(Ref(names=(candidate.words,), places=(candidate.place,)),),
            detail=str(candidate.nth) if candidate.nth > 1 else "",
        ),
        type="choice",
        text=f"{candidate.place} {shown(candidate.words)}: {' '.join(o.mark for o in candidate.options)}?",
        options=candidate.options,
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return the speaker picked for every quotation of the turn; none leaves it unknown."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        if item.answer.status != "answered":
            continue
        for quotation in item.candidate.quotations:
            fact = SpeakerFact(
                chapter=unit.chapter.no,
                place=quotation.place,
                block=quotation.block,
                start=quotation.start,
                speaker=item.answer.pick,
            )
            facts.append((fact, (item.answer_id,)))
    return Effects(tuple(facts))


STEP = AskStep(
    name="speech_who",
    reads=frozenset({"entity", "name", "same", "speech"}),
    writes=frozenset({"speaker"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="speech_who",
    part="speech",
    pack_size=MOST,
)
