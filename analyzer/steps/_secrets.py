"""What the steps of secrets share: notices as things hidden, open secrets with people on the page, what was said of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz.fuzz import ratio

from analyzer.bible import Bible, CastEntry
from analyzer.knowledge import Secret, folded, open_secrets
from analyzer.models.facts import Evidence, Fact
from analyzer.models.question import Answer, Option, QuestionKey, Ref
from analyzer.models.story import READER, Look, SecretNoticeFact, SecretSayFact
from analyzer.models.text import Place
from analyzer.prefix import quoted
from analyzer.steps._options import letters
from analyzer.steps._scope import brief, evidence_at, ref_of
from analyzer.steps._step import Answered, Effects, Unit
from analyzer.steps._stretches import anchors, beings_here, handle_options, sentence_id

What = Literal["proposition", "holders", "hidden_from", "check"]
CAST = frozenset({"entity", "name", "same", "presence"})
PAST = frozenset({"secret", "secret_event"})
BEINGS = ("character", "group")
MAX_PEOPLE = 12
"""Most people of one line; the gold chapters name at most eight of whom one secret is kept from."""
MAX_SENTENCES = 8
"""Most sentences behind a pick; in the gold chapters nobody keeps more than six things in one chapter."""
MOST_OPEN = 40
"""Open secrets asked about in a chapter, the last touched first. Source: the budget of a chapter."""
ALIKE = 90
"""Likeness (0 to 100, letters alone) from which two wordings with a common holder are one secret. Source: a choice."""

SAME = "same:"
"""Begins the option key that stands for an open secret."""


@dataclass(frozen=True)
class Hidden:
    """Something that may be hidden at `place` in this chapter, as both looks found it."""

    secret: str
    place: Place
    evidence: tuple[Evidence, ...]
    holders: tuple[str, ...]
    looks: tuple[Look, ...]


def hidden_here(unit: Unit, bible: Bible) -> tuple[Hidden, ...]:
    """Return what was noticed in this chapter, one for each sentence, in order of the text."""
    notices = [
        n for n in bible.of(SecretNoticeFact) if isinstance(n, SecretNoticeFact) and n.chapter == unit.chapter.no
    ]
    first = [n.evidence[0].place for n in notices if n.look == "first" and n.evidence]
    second = [n.evidence[0].place for n in notices if n.look != "first" and n.evidence]
    stands_for = anchors(unit, first, second)
    groups: dict[Place, list[SecretNoticeFact]] = {}
    for notice in notices:
        if notice.evidence and bible.root(notice.holder) in bible.cast:
            own = notice.evidence[0].place
            groups.setdefault(own if notice.look == "first" else stands_for[own], []).append(notice)
    return tuple(_hidden(unit, bible, place, groups[place]) for place in sorted(groups))


def _hidden(unit: Unit, bible: Bible, place: Place, notices: Sequence[SecretNoticeFact]) -> Hidden:
    shown_by = {n.evidence[0].place: n.evidence[0] for n in reversed(notices)}
    return Hidden(
        secret=sentence_id(unit, "s", place),
        place=place,
        evidence=tuple(shown_by[p] for p in sorted(shown_by, key=lambda p: (p != place, p))),
        holders=tuple(dict.fromkeys(bible.root(n.holder) for n in notices)),
        looks=tuple(dict.fromkeys(n.look for n in notices)),
    )


def notices_of(unit: Unit, look: Look, found: Iterable[tuple[str, Place, str]]) -> Effects:
    """Return the notices of one look from (holder, sentence, answer id), each once, in order."""
    because: dict[tuple[str, Place], list[str]] = {}
    for holder, place, answer_id in found:
        because.setdefault((holder, place), []).append(answer_id)
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for (holder, place), ids in because.items():
        evidence = evidence_at(unit, place)
        if evidence is not None:
            fact = SecretNoticeFact(
                chapter=unit.chapter.no,
                secret=sentence_id(unit, "s", place),
                holder=holder,
                look=look,
                evidence=(evidence,),
            )
            facts.append((fact, tuple(dict.fromkeys(ids))))
    return Effects(tuple(facts))


def key_of(step: str, ask: str, one: Hidden, unit: Unit, bible: Bible, detail: str = "") -> QuestionKey:
    """Return the key of a question about something hidden: its holders, its sentence."""
    return QuestionKey(
        step=step,
        ask=ask,
        chapter=unit.chapter.no,
        about=tuple(ref_of(bible.cast[h], bible, (one.place,)) for h in one.holders),
        detail=f"{one.place}{':' + detail if detail else ''}",
    )


def line_of(one: Hidden, bible: Bible) -> str:
    """Return the sentence and who may keep it, as a question's line: `12.3, kept by @4 Anna`."""
    return f"{one.place}, kept by {', '.join(brief(bible.cast[h], bible) for h in one.holders)}"


def in_scope(unit: Unit, bible: Bible) -> tuple[CastEntry, ...]:
    """Return the people and groups the prefix shows, and all of this chapter: whoever may hold a secret without being here."""
    here = {entry.handle for entry in beings_here(unit, bible)}
    return tuple(
        entry
        for entry in bible.cast.values()
        if entry.entity.entity_kind in BEINGS and (entry.handle in here or entry.handle in unit.scope)
    )


def with_reader(entries: Iterable[CastEntry], bible: Bible) -> tuple[Option, ...]:
    """Return people as options and the reader as a lettered one."""
    return (*handle_options(entries, bible), Option(mark=letters(0), key=READER, text="the reader"))


def say_of(one: Hidden, what: What, item: Answered, unit: Unit) -> tuple[Fact, tuple[str, ...]] | None:
    """Return what an answer says of something hidden; None where it could not be read."""
    answer: Answer = item.answer
    if answer.status not in ("answered", "none"):
        return None
    fact = SecretSayFact(
        chapter=unit.chapter.no,
        secret=one.secret,
        what=what,
        value=answer.text if what == "proposition" else (answer.pick if what == "check" else ""),
        handles=answer.picked if what in ("holders", "hidden_from") else (),
    )
    return fact, (item.answer_id,)


def says(answered: Sequence[Answered], what: What, unit: Unit) -> Effects:
    """Return what the answers of a step say, one fact each."""
    found = (say_of(item.candidate, what, item, unit) for item in answered)
    return Effects(tuple(row for row in found if row is not None))


def open_here(unit: Unit, bible: Bible) -> tuple[Secret, ...]:
    """Return the secrets open before this chapter whose holders, or those they are kept from, are in it; in order of arrival."""
    here = {entry.handle for entry in beings_here(unit, bible)}
    known = [
        secret
        for secret in open_secrets(bible, through=unit.chapter.no - 1)
        if here & {*secret.holders, *secret.kept_from}
    ]
    kept = sorted(known, key=lambda secret: -secret.last_chapter)[:MOST_OPEN]
    return tuple(secret for secret in known if secret in kept)


def refs_of(secret: Secret, bible: Bible) -> tuple[Ref, ...]:
    """Return whom an open secret is about: its holders who are in the cast."""
    return tuple(ref_of(bible.cast[h], bible) for h in secret.holders if h in bible.cast)


def told(secret: Secret, bible: Bible) -> str:
    """Return an open secret in words: `“…”, kept by @1 Anna from @2 Ben, the reader`."""
    by = ", ".join(brief(bible.cast[h], bible) for h in secret.holders if h in bible.cast)
    names = (("the reader" if h == READER else h) for h in secret.kept_from if h == READER or h in bible.cast)
    kept_from = ", ".join(names)
    return f"{quoted(secret.fact.proposition)}, kept by {by}" + (f" from {kept_from}" if kept_from else "")


def alike(words: str, holders: Iterable[str], secrets: Iterable[tuple[str, str, Sequence[str]]]) -> str:
    """Return the id of the secret (id, proposition, holders) that these words state again, or ""."""
    mine = set(holders)
    found = [(ratio(folded(words), folded(other)), of) for of, other, theirs in secrets if mine & set(theirs)]
    best = max(found, default=(0.0, ""))
    return best[1] if best[0] >= ALIKE else ""
