"""Questions as a decisions endpoint takes them, and its verdicts as answers: pure, no request is sent here.

    choice, predicate, score   one choice among the marks, `-` is none
    select                     the same first; where something may apply, a predicate for every option that may: “LINE => OPTION”
    evidence of a pick         one choice among candidate sentences; of more than `FEW`, first one among stretches of blocks

A verdict counts only in what it is sound in: a value that was offered, a probability between 0 and 1, a distribution that adds
up to one. The rest is unparsed, never none.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from analyzer.llm.asker import Profile
from analyzer.models.question import NONE, NONE_MARK, Answer, AnswerStatus, Option, Question
from analyzer.models.text import Place, parse_place

FEW = 20
"""Most sentences or stretches offered at once. Source: two choices of 16 cost 200 tokens, one of 250 sentences 1,500."""
ALSO = 0.5
"""Least share of the best one's probability that a further sentence has: those that show it as well share it. Source: as in letters.py."""
HALF = 0.5
"""A predicate that is likelier than not is picked."""
OPEN = 0.9
"""A select of which none is less likely than this is put option by option. Source: a choice, far on the side of asking."""
MAYBE = 0.01
"""Options of an open select that got less than this are not put. Source: a choice; of 20 that all hold each gets five times as much."""
SELECT_WEIGHT = 4
"""Room in a request for an open select. Source: true answers to the bundled serials pick two of those open."""
SUM_SLACK = 0.02
"""How far probabilities may be from adding up to one: 255 of them rounded to four digits. Source: arithmetic."""
LEAST = 0.0005
"""Probabilities below it are not kept; what is kept has four digits."""


class Asked(NamedTuple):
    """One question of a request: `at` is the index of the pack's question, `key` the option it is about ("" for all of them).

    `meanings` says what each value of a choice means: an option key, or places; () for a predicate.
    """

    name: str
    at: int
    key: str
    body: dict[str, Any]
    meanings: tuple[str, ...] = ()


class Verdict(NamedTuple):
    """What was decided: the meaning picked, and the probabilities of all meanings ({} where they are not sound)."""

    state: Literal["read", "refused", "odd", "missing"]
    pick: str = ""
    spread: Mapping[str, float] = {}


class Hunt(NamedTuple):
    """The search for the sentences that show a pick: the index of its question, its option, where they may be."""

    at: int
    key: str
    candidates: tuple[Place, ...]


def takes(question: Question, profile: Profile) -> bool:
    """Say whether a decisions endpoint of this profile can answer the question: no words, and no more options than it takes."""
    n = len(real_options(question))
    bound = profile.max_options if question.type == "select" and profile.max_options else n
    return question.type != "note" and 0 < n <= bound and n + 1 <= profile.max_choices


def weight(question: Question) -> int:
    """Return how many decisions of a request the question is likely to take."""
    return SELECT_WEIGHT if question.type == "select" else 1


def real_options(question: Question) -> tuple[Option, ...]:
    """Return the options but none."""
    return tuple(option for option in question.options if option.key != NONE)


def first_round(questions: Sequence[Question], listed: Collection[int] = ()) -> list[Asked]:
    """Return what is asked first of a pack: one choice a question. Options of those in `listed` stand in the task already."""
    return [_first(at, question, listed=at in listed) for at, question in enumerate(questions)]


def _first(at: int, question: Question, *, listed: bool) -> Asked:
    rows = [(o.mark, "" if listed else _line(o.text), o.key) for o in real_options(question)]
    return _choice(f"q{at + 1}", at, "", _line(question.text), [*rows, (NONE_MARK, "", NONE)])


def _choice(name: str, at: int, key: str, words: str, rows: Sequence[tuple[str, str, str]]) -> Asked:
    choices = [{"value": value, **({"description": told} if told else {})} for value, told, _ in rows]
    body = {"type": "choice", "name": name, "instructions": words, "choices": choices}
    return Asked(name, at, key, body, tuple(meaning for _, _, meaning in rows))


def predicates_for(
    at: int, question: Question, first: Verdict, *, listed: bool = False, every: bool = False
) -> list[Asked]:
    """Return the predicates a select needs after its first choice; none where that settles it. `every`: those of all options."""
    options = real_options(question)
    if not every and (question.type != "select" or first.state != "read"):
        return []
    if not every and (first.spread.get(NONE, 0.0) >= OPEN or (not first.spread and first.pick == NONE)):
        return []
    maybe = [
        o for o in options if every or not first.spread or first.spread.get(o.key, 0.0) >= MAYBE or o.key == first.pick
    ]
    return [_predicate(at, question, option, listed=listed) for option in maybe]


def _predicate(at: int, question: Question, option: Option, *, listed: bool) -> Asked:
    name = f"{_name(at, question, option.key)}"
    words = f"{_line(question.text)} => {option.mark if listed else _line(option.text) or option.mark}"
    return Asked(name, at, option.key, {"type": "predicate", "name": name, "instructions": words})


def _name(at: int, question: Question, key: str) -> str:
    return f"q{at + 1}_{1 + [option.key for option in question.options].index(key)}"


def _line(text: str) -> str:
    return " ".join(text.split())


def _said(question: Question, option: Option) -> str:
    return f"{_line(question.text)} => {_line(option.text) or option.mark}"


def verdicts_in(answers: Sequence[Any], asked: Sequence[Asked]) -> dict[str, Verdict]:
    """Return a verdict for every question asked, by name.

    Answers are told by their names where all have one, whatever their order, else by their place, which then must fit.
    """
    rows = [row if isinstance(row, Mapping) else {} for row in answers]
    names = [row.get("name") for row in rows]
    found: dict[str, list[Mapping[str, Any]]] = {}
    if all(isinstance(name, str) for name in names):
        for name, row in zip(names, rows, strict=True):
            found.setdefault(str(name), []).append(row)
    elif len(rows) == len(asked):
        fits = all(name in (None, one.name) for name, one in zip(names, asked, strict=True))
        found = {one.name: [row] for one, row in zip(asked, rows, strict=True)} if fits else {}
    return {one.name: _verdict(one, found.get(one.name, ())) for one in asked}


def _verdict(asked: Asked, rows: Sequence[Mapping[str, Any]]) -> Verdict:
    if not rows:
        return Verdict("missing")
    row = rows[0]
    if row.get("type") == "refusal":
        return Verdict("refused")
    if row.get("type") != asked.body["type"] or any(other != row for other in rows[1:]):
        return Verdict("odd")
    return _chosen(asked, row) if asked.meanings else _held(asked, row)


def _held(asked: Asked, row: Mapping[str, Any]) -> Verdict:
    p = _probability(row.get("probability"))
    return Verdict("odd") if p is None else Verdict("read", asked.key if p >= HALF else "", {asked.key: p})


def _chosen(asked: Asked, row: Mapping[str, Any]) -> Verdict:
    values = [choice["value"] for choice in asked.body["choices"]]
    pick = row.get("choice")
    if not isinstance(pick, str) or pick not in values:
        return Verdict("odd")
    spread = _spread(row.get("probabilities"), values)
    if spread and spread[pick] < max(spread.values()):
        spread = {}
    told = dict(zip(values, asked.meanings, strict=True))
    return Verdict("read", told[pick], {told[value]: p for value, p in spread.items()})


def _spread(rows: Any, values: Sequence[str]) -> dict[str, float]:
    """Return the probabilities by value, {} where they are no distribution over what was offered."""
    spread: dict[str, float] = {}
    for row in rows if isinstance(rows, list) else ():
        value = row.get("value") if isinstance(row, Mapping) else None
        p = _probability(row.get("probability")) if isinstance(row, Mapping) else None
        if not isinstance(value, str) or value not in values or value in spread or p is None:
            return {}
        spread[value] = p
    sound = len(spread) == len(values) and abs(sum(spread.values()) - 1) <= SUM_SLACK
    return spread if sound else {}


def _probability(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value) if 0 <= value <= 1 else None


_NO_ANSWER: Mapping[str, AnswerStatus] = {"refused": "refused", "missing": "missing", "odd": "unparsed"}


def answer_of(at: int, question: Question, verdicts: Mapping[str, Verdict], predicates: Sequence[Asked] = ()) -> Answer:
    """Return the answer to question `at` before its evidence is looked for: what it picks, and the probabilities.

    `predicates` are those of this question that were put after its first choice.
    """
    first = verdicts[f"q{at + 1}"]
    if first.state != "read":
        return Answer(status=_NO_ANSWER[first.state])
    if predicates:
        return _selected(question, [verdicts[one.name] for one in predicates])
    picked = [first.pick] if first.pick != NONE else []
    return _told(picked, first.spread, first.spread.get(first.pick))


def _selected(question: Question, found: Sequence[Verdict]) -> Answer:
    spread = {key: p for verdict in found for key, p in verdict.spread.items()}
    picked = sorted((v.pick for v in found if v.pick), key=lambda key: -spread[key])[: question.max_picks]
    states = {verdict.state for verdict in found}
    if states & {"odd", "missing"}:
        return Answer(status="missing" if "missing" in states else "unparsed")
    if not picked and "refused" in states:
        return Answer(status="refused")
    sure = min((spread[key] for key in picked), default=1 - max(spread.values(), default=0.0))
    return _told(picked, spread, sure)


def _told(picked: Sequence[str], spread: Mapping[str, float], sure: float | None) -> Answer:
    kept = tuple((key, round(p, 4)) for key, p in spread.items() if p >= LEAST)
    status: AnswerStatus = "answered" if picked else "none"
    confidence = None if sure is None else round(min(1.0, sure), 4)
    return Answer(status=status, picked=tuple(picked), confidence=confidence, probabilities=kept)


def hunts_of(
    questions: Sequence[Question], answers: Sequence[Answer], places: Sequence[Place]
) -> tuple[list[Hunt], dict[tuple[int, str], tuple[Place, ...]]]:
    """Return whose evidence is to be looked for, and what needs no look: a single candidate is taken as it is.

    `places` are all sentences of the chapter: candidates where a question has none of its own and must have some.
    """
    hunts: list[Hunt] = []
    known: dict[tuple[int, str], tuple[Place, ...]] = {}
    for at, (question, answer) in enumerate(zip(questions, answers, strict=True)):
        candidates = evidence_candidates(question, places) if answer.status == "answered" else ()
        for key in answer.picked if candidates else ():
            if len(candidates) == 1:
                known[at, key] = candidates
            else:
                hunts.append(Hunt(at, key, candidates))
    return hunts, known


def evidence_candidates(question: Question, places: Sequence[Place]) -> tuple[Place, ...]:
    """Return the sentences that may show a pick: the question's own where only these count or none must be named, else all."""
    if question.evidence == "no":
        return ()
    if question.closed_evidence or question.evidence == "may":
        return question.sentences
    return tuple(places)


def asked_of(hunt: Hunt, question: Question) -> Asked:
    """Return the next choice of a hunt: among its sentences where these are few, else among stretches."""
    option = question.option_by_key(hunt.key)
    words = _said(question, option) if option else _line(question.text)
    rows = [(_span(part), "", " ".join(map(str, part))) for part in _parts_of(hunt.candidates)]
    return _choice(f"{_name(hunt.at, question, hunt.key)}_e", hunt.at, hunt.key, words, [*rows, (NONE_MARK, "", NONE)])


def _parts_of(candidates: Sequence[Place]) -> list[Sequence[Place]]:
    """Return single sentences where these are few, else stretches: of whole blocks, or within blocks where these are few; `FEW` at most."""
    if len(candidates) <= FEW:
        return [(place,) for place in candidates]
    blocks = [[place for place in candidates if place.block == no] for no in dict.fromkeys(p.block for p in candidates)]
    if 2 * len(blocks) <= FEW:
        size = math.ceil(len(candidates) / (FEW - len(blocks)))
        return [block[at : at + size] for block in blocks for at in range(0, len(block), size)]
    size = math.ceil(len(blocks) / FEW)
    return [[place for block in blocks[at : at + size] for place in block] for at in range(0, len(blocks), size)]


def _span(part: Sequence[Place]) -> str:
    """Return how a stretch is offered: a sentence, `12-14` for blocks, `12.3-12.9` for sentences of one block."""
    if len(part) == 1:
        return str(part[0])
    first, last = part[0], part[-1]
    return f"{first}-{last}" if first.block == last.block else f"{first.block}-{last.block}"


def advanced(hunt: Hunt, verdict: Verdict, question: Question) -> Hunt | tuple[Place, ...] | None:
    """Return the hunt a verdict leads on to, the sentences it found (none is ()), or None where it says nothing."""
    if verdict.state != "read":
        return None
    if verdict.pick == NONE:
        return ()
    bar = ALSO * verdict.spread.get(verdict.pick, 1.0)
    others = [m for m, p in verdict.spread.items() if p >= bar and m not in (NONE, verdict.pick)]
    ranked = [verdict.pick, *sorted(others, key=lambda m: -verdict.spread[m])]
    parts = [[place for text in m.split() if (place := parse_place(text)) is not None] for m in ranked]
    parts = parts[: question.max_sentences]
    every = tuple(place for part in parts for place in part)
    if len(every) == len(hunt.candidates) and len(every) > FEW:
        parts, every = parts[:1], tuple(parts[0])  # it leads nowhere: all stretches, alike
    return every if len(every) == len(parts) else Hunt(hunt.at, hunt.key, tuple(sorted(every)))


def with_evidence(question: Question, answer: Answer, found: Mapping[str, tuple[Place, ...]]) -> Answer:
    """Return the answer with the sentences found by pick; picks without one go where others have theirs and one is a must."""
    if not any(found.values()):
        return answer
    picked = tuple(key for key in answer.picked if found.get(key) or question.evidence != "must")
    places = tuple(found.get(key, ()) for key in picked)
    every = tuple(dict.fromkeys(place for part in places for place in part))
    return answer.model_copy(
        update={"picked": picked, "sentences": every, "by_pick": places if len(picked) > 1 else ()}
    )


def evidence_texts(question: Question, places: Sequence[Place]) -> Iterator[str]:
    """Yield the longest words the search for evidence of one pick may send, a text a request."""
    candidates = evidence_candidates(question, places)
    longest = max((_said(question, option) for option in question.options), key=len, default="")
    while len(candidates) > 1:
        parts = _parts_of(candidates)
        yield " ".join([longest, *map(_span, parts)])
        most = sorted(parts, key=len)[-question.max_sentences :]
        left = tuple(sorted(place for part in most for place in part))
        candidates = () if len(most[-1]) == 1 else left if len(left) < len(candidates) else tuple(most[-1])
