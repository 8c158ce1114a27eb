"""Relations over time: what earlier chapters state of a pair and kind, and the turns it took, folded as of a chapter."""

from __future__ import annotations

from dataclasses import dataclass, replace

from analyzer.bible import Bible
from analyzer.models.facts import RELATION_KINDS, Affinity, RelationFact, Status, Visibility
from analyzer.models.story import TurnFact

Triple = tuple[str, str, str]


@dataclass(frozen=True)
class Tie:
    """A relation as of a chapter: `since` is the first chapter that states it, `until` the one by whose end it is over.

    `stated` are what chapters state of it and `turns` the turns it took, in order; `affinities` are those of the chapters that
    say one other than neutral, and of its turns.
    """

    subject: str
    relation: str
    object: str
    status: Status
    affinity: Affinity
    visibility: Visibility
    since: int
    until: int | None = None
    stated: tuple[RelationFact, ...] = ()
    turns: tuple[TurnFact, ...] = ()
    affinities: tuple[tuple[int, Affinity], ...] = ()

    @property
    def triple(self) -> Triple:
        """Subject, relation, object."""
        return self.subject, self.relation, self.object

    def stating(self, fact: RelationFact) -> Tie:
        """Return this with what one more chapter states; a neutral affinity says nothing new of a warm or hostile one."""
        until = (self.until or fact.chapter) if fact.status == "former" else None
        known = fact.affinity != "0"
        return replace(
            self,
            status=fact.status,
            affinity=fact.affinity if known else self.affinity,
            visibility=fact.visibility,
            until=until,
            stated=(*self.stated, fact),
            affinities=(*self.affinities, (fact.chapter, fact.affinity)) if known else self.affinities,
        )

    def turning(self, turn: TurnFact) -> Tie:
        """Return this after a turn."""
        taken = replace(self, turns=(*self.turns, turn))
        match turn.turn:
            case "ends":
                return replace(taken, status="former", until=turn.chapter)
            case "revealed":
                return replace(taken, visibility="public")
            case "pretended":
                return replace(taken, status="pretended")
            case "turns":
                warmth = turn.affinity or self.affinity
                return replace(taken, affinity=warmth, affinities=(*self.affinities, (turn.chapter, warmth)))


def ties(bible: Bible, *, through: int | None = None, turned: bool = True) -> dict[Triple, Tie]:
    """Return the relations as of chapter `through` (the bible's own without one) by subject, kind and object, oldest first.

    What a chapter states stands before the turns of the same chapter; a turn of what no chapter states is left out. Without
    `turned` only what chapters state counts (a step that may not see turns asks so).
    """
    last = bible.through if through is None else through
    stated: list[tuple[int, int, RelationFact | TurnFact]] = [(r.chapter, 0, r) for r in bible.relations]
    stated += [(t.chapter, 1, t) for t in turns_of(bible)] if turned else []
    found: dict[Triple, Tie] = {}
    for chapter, _, fact in sorted((row for row in stated if row[0] <= last), key=lambda row: row[:2]):
        triple = (fact.subject, fact.relation, fact.object)
        if isinstance(fact, TurnFact):
            if triple in found:
                found[triple] = found[triple].turning(fact)
        else:
            tie = found.get(triple) or Tie(*triple, fact.status, "0", fact.visibility, chapter)
            found[triple] = tie.stating(fact)
    return found


def turns_of(bible: Bible) -> tuple[TurnFact, ...]:
    """Return the turns with merged handles resolved, symmetric ones in order of arrival, in the order of the facts."""
    found = []
    for fact in bible.of(TurnFact):
        if not isinstance(fact, TurnFact):
            continue
        subject, target = bible.root(fact.subject), bible.root(fact.object)
        if RELATION_KINDS[fact.relation].symmetric:
            subject, target = bible.by_arrival(subject, target)
        if subject != target:
            found.append(fact.model_copy(update={"subject": subject, "object": target}))
    return tuple(found)
