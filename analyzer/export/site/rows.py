"""Rows of the story as of a chapter, by class, in the ids of a site: closed words, numbers, ids and text, never a handle.

Each function yields rows with what they are known by from chapter to chapter; `analyzer/export/site/app/` reads them.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from typing import NamedTuple

from analyzer.export.change_rows import LOOK
from analyzer.export.identity_rows import reveal_rows, turn_rows
from analyzer.export.naming import where
from analyzer.export.planes import Seen
from analyzer.export.site.ids import Fields
from analyzer.export.site.telling import Teller
from analyzer.knowledge import Secret
from analyzer.models.facts import RELATION_KINDS, RelationFact
from analyzer.models.story import CardFact, ChangeFact, KnowledgeFact, SecretFact, ThreadEventFact, ThreadFact
from analyzer.states import states_at
from analyzer.steps._state_words import LIFE
from analyzer.threads import Thread

LIVES = frozenset(state for state, _ in LIFE)
"""States of life and death, as changes name them."""
LOUD = frozenset({"partial_payoff", "payoff", "subvert"})
"""Events by which readers see what was set up."""
Found = Iterator[tuple[Hashable, Fields]]


def changes(view: Seen, tell: Teller) -> Found:
    """Yield changes of state and looks; only what is asserted can hold."""
    now = {
        (handle, attribute, change.change, change.chapter)
        for handle, values in states_at(view.bible).items()
        for attribute, found in values.items()
        for change in found
    }
    for fact, _ in view.each(ChangeFact):
        root = view.bible.root(fact.entity)
        if not tell.id(root):
            continue
        fields = tell.row(fact, partial(_change, fact, root, tell))
        holds = fact.modality == "asserted" and (root, fact.attribute, fact.change, fact.chapter) in now
        if fields["holds"] != holds:
            fields = {**fields, "holds": holds}
        yield (fact.change, fact.chapter, fact.attribute), fields


def _change(fact: ChangeFact, root: str, tell: Teller) -> Fields:
    life, told = life_of(fact)
    fields: Fields = {
        "c": fact.chapter,
        "where": where(fact.chapter, fact.evidence),
        "e": tell.id(root),
        "attr": fact.attribute.removeprefix(LOOK),
        "op": fact.op,
        "value": tell.text(told),
        "modality": fact.modality,
        "holds": fact.modality == "asserted",
        "look": fact.is_look,
        "q": tell.words(fact.evidence),
    }
    if fact.to_entity and tell.id(fact.to_entity):
        fields["of"] = tell.id(fact.to_entity)
    if life and (tell.author or not told):
        fields["life"] = life
    if fact.before and fact.before != fact.to:
        fields["before"] = tell.text(life_of(fact, fact.before)[1])
    return fields


def life_of(fact: ChangeFact, value: str | None = None) -> tuple[str, str]:
    """Return the state of life a change names, "" for none, and its words without it.

    Where it has words, readers are told these alone: that somebody is only thought dead is more than they say.
    """
    words = fact.to if value is None else value
    state, colon, rest = words.partition(":")
    if fact.attribute != "life_status" or state.strip() not in LIVES:
        return "", words
    return state.strip(), rest.strip() if colon else ""


def secret_rows(found: Iterable[Secret], tell: Teller) -> Found:
    """Yield secrets as they stand."""
    for secret in found:
        fact = secret.fact
        yield (
            secret.id,
            {
                "c": fact.chapter,
                "where": where(fact.chapter, fact.evidence),
                "text": tell.text(fact.proposition),
                "holders": tell.ids(secret.holders),
                "from": tell.ids(secret.kept_from),
                "status": "kept" if secret.is_open else "out",
                "q": tell.words(secret.evidence),
            },
        )


def hushes(found: Iterable[Secret], tell: Teller, numbers: dict[str, str]) -> Found:
    """Yield what happens to secrets; `numbers` are the numbers of those by id."""
    for secret in found:
        for at, event in enumerate(secret.events):
            fields = {
                "s": numbers[secret.id],
                "c": event.chapter,
                "where": where(event.chapter, event.evidence),
                "event": event.event,
                "to": tell.ids(event.to),
            }
            yield (secret.id, event.chapter, event.event, at), fields


def knowns(view: Seen, tell: Teller, numbers: dict[str, str]) -> Found:
    """Yield who came to know what; `numbers` are the numbers of secrets by id."""
    shown = {fact.secret for fact, _ in view.each(SecretFact)}
    for fact, _ in view.each(KnowledgeFact):
        root = view.bible.root(fact.knower)
        if tell.id(root):
            fields = tell.row(fact, partial(_known, fact, root, tell))
            if fact.secret in shown and fact.secret in numbers:
                fields = {**fields, "s": numbers[fact.secret]}
            yield (fact.piece, fact.knower, fact.chapter, fact.stance), fields


def _known(fact: KnowledgeFact, root: str, tell: Teller) -> Fields:
    fields: Fields = {
        "c": fact.chapter,
        "where": where(fact.chapter, fact.evidence),
        "e": tell.id(root),
        "stance": fact.stance,
        "text": tell.text(fact.proposition),
        "q": tell.words(fact.evidence),
    }
    if fact.via:
        fields["via"] = fact.via
    if fact.told_by and tell.id(fact.told_by):
        fields["by"] = tell.id(fact.told_by)
    return fields


def told_threads(found: Mapping[str, Thread], quiet: Collection[str]) -> dict[str, Thread]:
    """Return the threads that may be told: those of `quiet` kinds once they are taken up for good, before that they are a hint."""
    return {
        name: thread
        for name, thread in found.items()
        if thread.fact.kind not in quiet or any(event.event in LOUD for event in thread.events)
    }


def threads(found: Mapping[str, Thread], tell: Teller) -> Found:
    """Yield threads as they stand."""
    for name, thread in found.items():
        fact: ThreadFact = thread.fact
        yield (
            name,
            {
                "c": fact.chapter,
                "where": where(fact.chapter, fact.evidence),
                "kind": fact.kind,
                "text": tell.text(fact.statement),
                "about": tell.ids(fact.about),
                "status": thread.status(),
                "health": thread.health(),
                "q": tell.words(thread.evidence),
            },
        )


def steps(found: Mapping[str, Thread], tell: Teller, numbers: dict[str, str]) -> Found:
    """Yield what happens to threads; `numbers` are the numbers of those by id."""
    for name, thread in found.items():
        for at, event in enumerate(thread.events):
            yield (name, event.chapter, event.event, at), tell.row(event, partial(_step, event, numbers[name], tell))


def _step(event: ThreadEventFact, number: str, tell: Teller) -> Fields:
    return {
        "t": number,
        "c": event.chapter,
        "where": where(event.chapter, event.evidence),
        "event": event.event,
        "q": tell.words(event.evidence[:1]),
    }


def turns(view: Seen, tell: Teller) -> Found:
    """Yield turns of relations."""
    for row in turn_rows(view):
        a, b = tell.id(row.subject.handle), tell.id(row.object.handle)
        if a and b:
            fields: Fields = {
                "c": row.chapter,
                "where": row.where,
                "a": a,
                "k": row.relation,
                "b": b,
                "turn": row.turn,
                "q": tell.words(row.evidence),
            }
            if row.affinity:
                fields["aff"] = row.affinity
            yield (row.where, a, row.relation, b, row.turn), fields


def reveals(view: Seen, tell: Teller) -> Found:
    """Yield reveals: of a mask each side is called as before it, elsewhere the words that turned out to mean somebody.

    Readers get those of masks alone: whom words meant the chapter has told them.
    """
    for row in reveal_rows(view):
        if not tell.author and row.persona.handle == row.behind.handle:
            continue
        sides = [tell.page(one.handle) for one in (row.persona, row.behind)]
        if all(sides):
            fields = {
                "c": row.chapter,
                "where": row.where,
                "persona": sides[0],
                "behind": sides[1],
                "pname": row.persona.name,
                "bname": row.behind.name,
                "called": row.called if tell.quotes else "",
                "to": tell.ids(one.handle for one in row.to),
                "status": row.status,
                "q": tell.words(row.evidence),
            }
            yield row.reveal, fields


def cards(view: Seen, tell: Teller) -> dict[str, Fields]:
    """Return the cards of chapters by number."""
    found: dict[str, Fields] = {}
    for fact, _ in view.each(CardFact):
        eyes = tell.id(fact.point_of_view)
        found[str(fact.chapter)] = {
            "summary": tell.text(fact.summary),
            "people": tell.ids(fact.people),
            "places": tell.ids(fact.places),
            "time": tell.text(fact.time),
            **({"eyes": eyes} if eyes else {}),
        }
    return found


class Tied(NamedTuple):
    """A relation with the facts that state it, in order."""

    fields: Fields
    facts: tuple[RelationFact, ...]


def relations(view: Seen, tell: Teller, *, hidden: frozenset[str]) -> Iterator[tuple[Hashable, Tied]]:
    """Yield relations but of `hidden` kinds, as `relation_rows` has them: the latest chapter's details and turns win."""
    for tie in view.ties.values():
        a, b = tell.id(tie.subject), tell.id(tie.object)
        if not a or not b or tie.relation in hidden:
            continue
        now = tie if tie.turns else tie.stated[-1]
        fields: Fields = {
            "a": a,
            "k": tie.relation,
            "b": b,
            "family": RELATION_KINDS[tie.relation].family,
            "status": now.status,
            "aff": now.affinity,
            "vis": now.visibility,
            "since": tie.since,
        }
        if tie.until is not None:
            fields["until"] = tie.until
        if tie.affinities:
            fields["affs"] = [list(one) for one in tie.affinities]
        fields["place"] = next((str(quote.place) for fact in tie.stated for quote in fact.evidence), "")
        yield (a, tie.relation, b), Tied(fields, tie.stated)


def said(tied: Mapping[str, Tied], tell: Teller) -> dict[str, Fields]:
    """Return the words that show relations, a row for each relation and chapter; `tied` are relations by number."""
    found: dict[str, Fields] = {}
    for number, (_, facts) in tied.items():
        for chapter, told in groupby(facts, key=lambda fact: fact.chapter):
            quotes = [quote for fact in told for quote in fact.evidence]
            found[f"{number}@{chapter}"] = {"r": number, "c": chapter, "q": tell.words(quotes)}
    return found
