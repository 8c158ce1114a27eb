"""Turns and conversations of a chapter: who speaks by tags, by what he does beside his words, by taking turns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from analyzer.steps._speech import Cast, fits, loose
from analyzer.steps._step import Unit
from analyzer.text.candidates.lexicon import word_set
from analyzer.text.nameparts import name_parts
from analyzer.text.spoken import SHARED, Quotation, Told, contexts, ends_leading, quotations, told

By = Literal["tag", "turn", "single", "asked", "unknown"]
REACH = {True: 500, False: 200}
"""Code points of narration between two quotations of one conversation, with spaces and without."""
LONGEST_RUN = 8
"""Turns in a row between two known ones that turn-taking fills; one missed change of speaker turns all behind it round."""
LONGEST_TAIL = 4
"""The same where only one end is known."""
_SIGN = re.compile("[\ue000-\uf8f1]")
_CALL = re.compile(
    '(?:^|[,.!?…—–，。！？、]|\\b(?:my|dear|mon|cher|ma|chère|mein|lieber|liebe)\\s)[\\s«“"„»「『—–-]*'
    '([\ue000-\uf8f0])~?(?:[아야씨님]|さん|様|君)?(?=\\s*(?:[,.!?…，。！？、」”»"—–]|$))'
)


@dataclass(frozen=True)
class Turn:
    """One person's words until another speaks: quotations by index, what tells the speaker, who it is and how that is known.

    `last` is the last block that belongs to it, narration about its speaker included.
    `called` are handles it calls to, `spoken_of` handles it names otherwise: neither is who speaks.
    """

    quotations: tuple[int, ...]
    told: Told
    conversation: int
    last: int
    called: frozenset[str]
    spoken_of: frozenset[str]
    speaker: str = ""
    by: By = "unknown"

    @property
    def open(self) -> bool:
        """Whether nothing but turn-taking may decide it: no words name a speaker who is unknown here."""
        return not self.speaker and self.told.how != "other"


@dataclass(frozen=True)
class Heard:
    """A chapter's quotations, its turns, and what was made out of them."""

    quotations: tuple[Quotation, ...]
    turns: tuple[Turn, ...]


def heard(unit: Unit, cast: Cast) -> Heard:
    """Return the quotations of a chapter as turns of conversations, each with its speaker where code can tell."""
    found = quotations(unit.chapter, unit.table)
    turns = [_named(turn, unit, cast, found) for turn in _turns(unit, cast, found)]
    done: list[Turn] = []
    for number in sorted({turn.conversation for turn in turns}):
        done += _taken([turn for turn in turns if turn.conversation == number], unit, cast, found)
    return Heard(found, tuple(done))


def _turns(unit: Unit, cast: Cast, found: Sequence[Quotation]) -> list[Turn]:
    turns: list[Turn] = []
    led_on = False
    split = bool(unit.table.speech.get("split", False))
    for at, (lead, words, trail, end) in enumerate(contexts(unit.chapter, unit.table, found, cast.people)):
        here = told(lead, words, trail, unit.table)
        called = {m[1] for m in _CALL.finditer(words)}
        others = set(_SIGN.findall(words)) - called
        one = Turn((at,), here, 1, end, _handles(called, cast), _handles(others, cast))
        last = turns[-1] if turns else None
        led = led_on and here.how == "" and found[at].block == found[at - 1].block + 1
        led_on = ends_leading(trail, unit.table)
        if last is not None and (led or _same_turn(found[at - 1], found[at], last.told, here, split)):
            turns[-1] = _joined(last, one)
            continue
        if last is not None:
            apart = _between(unit, found[at - 1], found[at])
            one = replace(one, conversation=last.conversation + (apart > REACH[loose(unit)]))
        turns.append(one)
    return turns


def _handles(signs: Iterable[str], cast: Cast) -> frozenset[str]:
    return frozenset(cast.handles[sign] for sign in signs if sign in cast.handles)


def _between(unit: Unit, first: Quotation, second: Quotation) -> int:
    offsets = unit.chapter.block_offsets
    return offsets[second.block - 1] + second.start - offsets[first.block - 1] - first.end


def _same_turn(before: Quotation, quotation: Quotation, told_before: Told, here: Told, split: bool) -> bool:
    """Say whether a quotation belongs to the turn before: its paragraph goes on, or the quotation itself does."""
    if quotation.goes_on:
        return True
    if quotation.block != before.block:
        return False
    if quotation.dashed or here.how == "" or here.who == told_before.who:
        return True
    return not split and not (here.how == told_before.how == "tag" and here.who != told_before.who)


def _joined(turn: Turn, more: Turn) -> Turn:
    rank = {"tag": 3, "other": 2, "beat": 1, "": 0}
    best = max((turn.told, more.told), key=lambda t: rank[t.how])
    return replace(
        turn,
        quotations=(*turn.quotations, *more.quotations),
        told=best,
        last=more.last,
        called=turn.called | more.called,
        spoken_of=turn.spoken_of | more.spoken_of,
    )


def _named(turn: Turn, unit: Unit, cast: Cast, found: Sequence[Quotation]) -> Turn:
    """Return a turn with its speaker where the words beside it name one."""
    who, how = turn.told.who, turn.told.how
    if how not in ("tag", "beat"):
        return turn
    by: By = "tag" if how == "tag" else "single"
    if who == "i":
        return replace(turn, speaker=cast.narrator, by=by) if cast.narrator else replace(turn, told=Told("other"))
    if turn.told.pronoun:
        alone = _alone(turn, unit, cast, found)
        return replace(turn, speaker=alone, by="single") if alone and fits(who, alone, cast) else turn
    handle = cast.handles.get(who, "")
    if not handle or who == SHARED or not _titled(turn.told.title, handle, unit, cast) or handle in turn.called:
        return replace(turn, told=Told("other"))
    return replace(turn, speaker=handle, by=by)


def _titled(title: str, handle: str, unit: Unit, cast: Cast) -> bool:
    """Say whether a title before a name may be that person's."""
    words = title.lower().split()
    if not words:
        return True
    told_by = {"m": word_set(unit.table.speech, "titles_he"), "f": word_set(unit.table.speech, "titles_she")}
    gender = name_parts(f"{words[-1]} X", unit.table).gender or next(
        (g for g, w in told_by.items() if words[0] in w), ""
    )
    return not gender or cast.genders.get(handle, gender) == gender


def _alone(turn: Turn, unit: Unit, cast: Cast, found: Sequence[Quotation]) -> str:
    """Return the one person whom the narration of the turn's first block names, at the head of a sentence; "" otherwise."""
    first = found[turn.quotations[0]]
    block, people = unit.chapter.blocks[first.block - 1], cast.people[first.block - 1]
    spoken = [(q.start, q.end) for q in found if q.block == first.block]
    told_of = [p for p in people if not any(start <= p.start < end for start, end in spoken)]
    heads = {span.start for span in block.sentences}
    if len({p.sign for p in told_of}) != 1 or not any(p.start in heads and p.start < first.start for p in told_of):
        return ""
    return cast.handles.get(told_of[0].sign, "")


def _taken(turns: list[Turn], unit: Unit, cast: Cast, found: Sequence[Quotation]) -> list[Turn]:
    """Return the turns of a conversation with those filled in that the taking of turns between two decides."""
    for run in _runs(turns, found):
        two = _two(run, turns, unit, cast, found)
        if two:
            for at in run:
                turns[at] = _by_exclusion(turns[at], two, cast)
            _fill(turns, run, two, cast)
    return turns


def _two(run: Sequence[int], turns: Sequence[Turn], unit: Unit, cast: Cast, found: Sequence[Quotation]) -> set[str]:
    """Return the two who are known to speak in a run and beside whom it names, calls and hears nobody; else nobody.

    What somebody does beside his words counts as known where each paragraph is one speaker's by custom of the language.
    """
    sure = ("tag", "single") if unit.table.speech.get("split") else ("tag",)
    two = {turns[at].speaker for at in run if turns[at].by in sure}
    others = {turns[at].speaker for at in run} - {""}
    others.update(*(turns[at].called for at in run), _named_in(run, turns, unit, cast, found))
    alone = len(two) == 2 and others <= two and not any(turns[at].told.how == "other" for at in run)
    return two if alone else set()


def _named_in(
    run: Sequence[int], turns: Sequence[Turn], unit: Unit, cast: Cast, found: Sequence[Quotation]
) -> set[str]:
    """Return whom the narration of a run's paragraphs names."""
    first, last = found[turns[run[0]].quotations[0]].block, turns[run[-1]].last
    named: set[str] = set()
    for number in range(first, last + 1):
        spoken = [(q.start, q.end) for q in found if q.block == number]
        for person in cast.people[number - 1]:
            if not any(start <= person.start < end for start, end in spoken):
                named.add(cast.handles.get(person.sign, "?"))
    return named


def _by_exclusion(turn: Turn, two: set[str], cast: Cast) -> Turn:
    """Return a turn with its speaker where it calls the other of two, or its pronoun can mean but one of them."""
    if turn.speaker or not turn.open:
        return turn
    left = two - turn.called
    if turn.told.pronoun and turn.told.who in ("he", "she"):
        left = {h for h in left if fits(turn.told.who, h, cast)}
    return replace(turn, speaker=next(iter(left)), by="turn") if len(left) == 1 else turn


def _runs(turns: Sequence[Turn], found: Sequence[Quotation]) -> list[list[int]]:
    """Return stretches of turns (by index) in paragraphs that follow each other: only there is it the other's turn."""
    runs: list[list[int]] = []
    for at, turn in enumerate(turns):
        if at and found[turn.quotations[0]].block - turns[at - 1].last <= 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    return runs


def _fill(turns: list[Turn], run: list[int], two: set[str], cast: Cast) -> None:
    """Fill the open turns of a run by alternation: between two known ones where it comes out even, and a few at its ends."""
    known = [at for at in run if turns[at].speaker]
    if not known:
        return
    for a, b in pairwise(known):
        even = (b - a) % 2 == 0
        if b - a - 1 <= LONGEST_RUN and even == (turns[a].speaker == turns[b].speaker):
            _alternate(turns, a, range(a + 1, b), two, cast)
    _alternate(turns, known[-1], range(known[-1] + 1, min(run[-1], known[-1] + LONGEST_TAIL) + 1), two, cast)
    _alternate(turns, known[0], range(max(run[0], known[0] - LONGEST_TAIL), known[0]), two, cast)


def _alternate(turns: list[Turn], known: int, which: range, two: set[str], cast: Cast) -> None:
    """Give the turns of `which` their speakers, counted from a known one, unless one of them cannot be who it would be."""
    [other] = two - {turns[known].speaker}
    given = {at: turns[known].speaker if (at - known) % 2 == 0 else other for at in which}
    if all(_may(turns[at], handle, cast) for at, handle in given.items()):
        for at, handle in given.items():
            turns[at] = replace(turns[at], speaker=handle, by="turn")


def _may(turn: Turn, handle: str, cast: Cast) -> bool:
    if turn.told.pronoun and not fits(turn.told.who, handle, cast):
        return False
    return handle not in turn.called and handle not in turn.spoken_of
