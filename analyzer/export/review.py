"""What waits for the author: reveals, thin merges, doubtful relations and changes, odd things, decisions that do nothing now."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from analyzer.bible import Bible
from analyzer.export.show import QuoteRow, shown_name
from analyzer.export.why import is_meant
from analyzer.factkeys import Key, Root, key_of
from analyzer.models.base import Record
from analyzer.models.decision import (
    About,
    Confirm,
    Decided,
    Merge,
    Reject,
    Rename,
    Reveal,
    Split,
    Undo,
    Words,
    anchors_of,
)
from analyzer.models.facts import (
    RELATION_KINDS,
    EntityFact,
    NameFact,
    RelationFact,
    SameFact,
    StoredFact,
)
from analyzer.models.issue import Issue
from analyzer.models.story import ChangeFact, RevealFact
from analyzer.rulings import Rulings
from analyzer.settling import Ruling
from analyzer.text.namefold import fold_name
from analyzer.wording import typed

ReviewKind = Literal["reveal", "merge", "relation", "change", "issue", "decision"]
ORDINARY = frozenset(
    {
        "unparsed_answer", "missing_line", "extra_line", "duplicate_line", "refused", "degenerate_reply", "empty_reply",
        "unknown_handle", "unknown_mark", "no_evidence", "evidence_not_in_chapter", "name_not_in_text", "self_relation",
        "wrong_entity_kinds", "duplicate_relation", "example_only", "denied_twice", "unanswered", "ambiguous_name", "too_many_picks",
        "state_denied", "state_already_so", "state_no_value", "mask_of_kin", "no_new_name", "turn_of_nothing", "turn_impossible",
        "turn_already_so", "not_kept", "no_holder", "no_words", "known_already", "kept_from_holder", "nobody_told", "far_from_knower",
        "learns_it_here", "no_statement", "duplicate_thread", "thread_not_there",
    }
)  # fmt: skip
"""Issues that say how an answer was read or why a rule kept something out; all others are for the author to look at."""
_HOW = {"=": "same", "is": "reveal", "called": "name"}
_TYPED = re.compile(r"(@[1-9][0-9]*) (=|is|called|[a-z_]+) (.+)")


class ReviewRow(Record):
    """One thing that waits: `words` show it, `votes` are the answers on it, `commands` decide it one way or the other."""

    kind: ReviewKind
    what: str
    chapter: int
    why: str
    words: tuple[QuoteRow, ...] = ()
    votes: str = ""
    commands: tuple[str, ...] = ()


class DecisionRead(Record):
    """A decision as it stands: `since` is the chapter from which readers see it (0: not so far; None: it shows them nothing).

    `waits` says why it does nothing now, `overruled_by` which later one contradicts it, `told` what the author should know of it.
    """

    id: str
    decided_at: float
    kind: str
    what: str
    since: int | None
    words: str = ""
    undone: bool = False
    overruled_by: str = ""
    waits: str = ""
    told: tuple[str, ...] = ()


class Known(NamedTuple):
    """A book as its author sees it: facts, bible with his decisions, the decisions, anchors by handle, ids of chapters by number."""

    stored: tuple[StoredFact, ...]
    bible: Bible
    rulings: Rulings
    decided: tuple[Decided, ...]
    anchors: dict[str, str]
    ids: dict[int, int]

    def about(self, key: Key) -> About:
        """Return a key by anchors."""
        kind, ends, words = key
        return About(fact=kind, ends=tuple(self.anchors.get(end, "") for end in ends), words=words)

    def name(self, handle: str) -> str:
        """Return a handle with how it is called."""
        entry = self.bible.cast.get(self.bible.root(handle))
        return f"{handle} {shown_name(entry, self.bible)}" if entry else handle

    def by_anchor(self, anchor: str) -> str:
        """Return whom an anchor means, with the name; the anchor where it means nobody."""
        handle = self.bible.handles.get(anchor, "")
        return self.name(handle) if handle else anchor


def kept_words(known: Known, stored: StoredFact) -> tuple[Words, ...]:
    """Return the sentences a fact stands on; for a merge without any, those that brought in whom it joined."""
    evidence = getattr(stored.fact, "evidence", ())
    if not evidence and isinstance(stored.fact, SameFact):
        brought = (
            s.fact for s in known.stored if isinstance(s.fact, EntityFact) and s.fact.entity == stored.fact.entity
        )
        evidence = next((fact.evidence for fact in brought), ())
    return tuple(
        Words(chapter=known.ids.get(e.chapter, e.chapter), no=e.chapter, place=e.place, text=e.text) for e in evidence
    )


def meant(known: Known, text: str) -> list[StoredFact]:
    """Return the facts an author means by `@1 parent_of @2`, `@7`, `@3 = @9`, `@5 is @1`, `@3 called Anna`, or an id."""
    root = known.bible.root
    if re.fullmatch(r"@[1-9][0-9]*", text):
        entered = [(s.fact.entity, s) for s in known.stored if isinstance(s.fact, EntityFact)]
        return [s for own, s in entered if own == text] or [s for own, s in entered if root(own) == text]
    found = _TYPED.fullmatch(text)
    if found is None:
        by_words = [s for s in known.stored if (key := key_of(s.fact)) and not key[1] and key[2] == (text,)]
        return by_words or [s for s in known.stored if is_meant(s, text)]
    one, how, other = found.groups()
    if how in RELATION_KINDS:
        return [s for s in known.stored if isinstance(s.fact, RelationFact) and _says(s.fact, one, how, other, root)]
    ends = (one,) if how == "called" else tuple(sorted((one, other))) if how == "=" else (one, other)
    wanted = (_HOW.get(how, ""), ends, (other,) if how == "called" else ())
    return [s for s in known.stored if key_of(s.fact) == wanted]


def _says(fact: RelationFact, one: str, kind: str, other: str, root: Root) -> bool:
    typed_ends = {(one, other), (other, one)} if RELATION_KINDS[kind].symmetric else {(one, other)}
    ends = {(fact.subject, fact.object), (root(fact.subject), root(fact.object))}
    return fact.relation == kind and bool(ends & typed_ends)


# --- decisions as they stand ------------------------------------------------------------------------------------------


def decision_row(known: Known, one: Decided, *, new: bool = True) -> DecisionRead:
    """Return a decision as it stands; `new` False says that it was in force before it was taken again."""
    undone = any(isinstance(d.decision, Undo) and d.decision.decision == one.id for d in known.decided)
    ruling = next((r for r in known.rulings.known_rulings if r.id == one.id), None)
    by_id = {d.id: d for d in known.decided}
    overruled = known.rulings.settled.overruled
    by = next((o.by for o in overruled if o.id == one.id), "")
    told = [f"it overrules {o.id} ({said_of(known, by_id[o.id])})" for o in overruled if o.by == one.id]
    waits = waiting(known, ruling) if ruling else ""
    words = getattr(one.decision, "words", None)
    return DecisionRead(
        id=one.id,
        decided_at=one.at,
        kind=one.decision.kind,
        what=said_of(known, one),
        since=ruling.chapter if ruling and ruling.needs_words else None,
        words=words.text if words else "",
        undone=undone,
        overruled_by=by,
        waits=waits,
        told=(*(() if new else ("it is in force already",)), *told, *((waits,) if waits else ())),
    )


def decision_rows(known: Known) -> tuple[DecisionRead, ...]:
    """Return all decisions, oldest first; what undid one is told with it."""
    return tuple(decision_row(known, one) for one in known.decided if not isinstance(one.decision, Undo))


def said_of(known: Known, one: Decided) -> str:
    """Return a decision in words."""
    decision, who = one.decision, [known.by_anchor(anchor) for anchor in anchors_of(one.decision)]
    if isinstance(decision, Confirm | Reject):
        many = decision.about[0].fact not in (
            "entity",
            "name",
        )  # of these the others are whatever else they are found by
        return "; ".join(_said(known, about) for about in (decision.about if many else decision.about[:1]))
    if isinstance(decision, Rename):
        return f"{who[0]} is called {decision.label}"
    if isinstance(decision, Split):
        names = f": {', '.join(decision.surfaces)}" if decision.surfaces else ""
        return f"{who[1]} is not {who[0]}{names}"
    if isinstance(decision, Undo):
        return decision.decision
    if isinstance(decision, Reveal):
        return f"{who[0]} is {'not ' if decision.status == 'rejected' else ''}{who[1]}"
    return f"{who[0]} {'is' if isinstance(decision, Merge) else 'is never'} {who[1]}"


def _said(known: Known, about: About) -> str:
    who = [known.by_anchor(anchor) for anchor in about.ends]
    between = {"same": "=", "reveal": "is", "name": "called"}.get(about.fact, "")
    if about.fact == "relation":
        return f"{who[0]} {about.words[0]} {who[1]}"
    if between and (len(who) > 1 or about.words):
        return f"{who[0]} {between} {(*who[1:], *about.words)[0]}"
    return " ".join((about.fact, *who, *about.words))


def waiting(known: Known, ruling: Ruling) -> str:
    """Return why a decision does nothing now, or nothing for readers; "" where it does all it says."""
    there = {s.fact.entity for s in known.stored if isinstance(s.fact, EntityFact)} | set(known.bible.cast)
    anchors = anchors_of(ruling.decision)
    parts = isinstance(ruling.decision, Split) or ruling.parts()
    missing = [a for a, handle in zip(anchors, ruling.ends, strict=True) if handle not in there]
    if missing and not parts:
        return f"it waits: nobody of the book is {' or '.join(map(known.by_anchor, missing))} now"
    if isinstance(ruling.decision, Confirm) and not {key_of(s.fact) for s in known.stored} & set(ruling.keys):
        return "it waits: the book does not say this now" + ("" if any(ruling.kept) else ", and its words are gone")
    if ruling.needs_words and not ruling.chapter:
        return _unseen(known, ruling)
    return ""


def _unseen(known: Known, ruling: Ruling) -> str:
    if getattr(ruling.decision, "words", None) is not None:
        if isinstance(ruling.decision, Rename) and _bears(known, ruling):
            return ""
        return "it waits with readers: the sentence that carries it is gone; name another with --at"
    return "readers do not see it: no sentence carries it so far; name one with --at CHAPTER:BLOCK.SENTENCE"


def _bears(known: Known, ruling: Ruling) -> bool:
    entry = known.bible.cast.get(known.bible.root(ruling.ends[0]))
    return entry is not None and getattr(ruling.decision, "label", "") in entry.surfaces


# --- what waits -------------------------------------------------------------------------------------------------------


def review_rows(known: Known, issues: Iterable[tuple[str, Issue]], book: Path | str) -> tuple[ReviewRow, ...]:
    """Return what waits for the author, kind by kind, by chapter; what he decided about is left out."""
    decided = {key for r in known.rulings.known_rulings for key in r.keys}
    decided |= {("reveal", r.ends, ()) for r in known.rulings.known_rulings if isinstance(r.decision, Reveal)}
    pairs = {frozenset(r.ends) for r in known.rulings.known_rulings if len(r.ends) == 2}
    open_facts = [s for s in known.stored if key_of(s.fact) not in decided]
    found = [
        *_reveals(known, open_facts, book),
        *(row for s in open_facts for row in _merged(known, s, pairs, book)),
        *_relations(known, open_facts, book),
        *_changes(known, open_facts, book),
        *(_odd(known, issue_id, issue, book) for issue_id, issue in issues if issue.code not in ORDINARY),
        *_waiting(known, book),
    ]
    return tuple(found)


def _quotes(known: Known, stored: StoredFact) -> tuple[QuoteRow, ...]:
    shown = getattr(stored.fact, "evidence", ())
    return tuple(QuoteRow(chapter=e.chapter, place=str(e.place), text=e.text, source=e.source) for e in shown)


def _typed(book: Path | str, *words: str) -> str:
    return typed("decide", Path(book), *words)


def _reveals(known: Known, facts: Iterable[StoredFact], book: Path | str) -> Iterator[ReviewRow]:
    for s in facts:
        if isinstance(s.fact, RevealFact) and s.fact.is_mask:
            pair = (s.fact.persona, s.fact.behind)
            yield ReviewRow(
                kind="reveal",
                what=f"{known.name(pair[0])} is {known.name(pair[1])}",
                chapter=s.chapter,
                why=f"proposed, told to {', '.join(s.fact.to)}",
                words=_quotes(known, s),
                votes=" ".join(s.fact.votes),
                commands=(_typed(book, "reveal", *pair), _typed(book, "reveal", *pair, "--reject")),
            )


def _merged(known: Known, s: StoredFact, pairs: set[frozenset[str]], book: Path | str) -> Iterator[ReviewRow]:
    """Yield a merge that one answer alone made: of two unnamed ones, or of a name that has nothing of the others."""
    fact = s.fact
    if isinstance(fact, SameFact) and s.because and frozenset((fact.entity, fact.same_as)) not in pairs:
        what = f"{fact.entity} = {fact.same_as}"
        yield ReviewRow(
            kind="merge",
            what=f"{what} ({known.name(fact.same_as)})",
            chapter=s.chapter,
            why="one answer joined them",
            words=_quotes(known, s),
            votes=f"{len(s.because)} for",
            commands=(_typed(book, "confirm", what), _typed(book, "never-merge", fact.entity, fact.same_as)),
        )
    if isinstance(fact, NameFact) and s.because and fact.name_kind != "descriptor" and _is_strange(known, fact):
        yield ReviewRow(
            kind="merge",
            what=f"{known.name(fact.entity)} called {fact.surface}",
            chapter=s.chapter,
            why="one answer gave the name, which has nothing of the others",
            votes=f"{len(s.because)} for",
            commands=(
                _typed(book, "confirm", f"{fact.entity} called {fact.surface}"),
                _typed(book, "split", fact.entity, fact.surface),
            ),
        )


def _is_strange(known: Known, fact: NameFact) -> bool:
    entry = known.bible.cast.get(known.bible.root(fact.entity))
    names = {n.surface for n in entry.names if n.name_kind != "descriptor"} if entry else set()
    if fact.surface not in names or len(names) < 2:
        return False
    mine = fold_name(fact.surface)
    return not any(_alike(mine, fold_name(name)) for name in names if name != fact.surface)


def _alike(one: str, other: str) -> bool:
    return bool(set(one.split()) & set(other.split())) or one in other or other in one


def _relations(known: Known, facts: Iterable[StoredFact], book: Path | str) -> Iterator[ReviewRow]:
    seen: set[Key] = set()
    for s in facts:
        key = key_of(s.fact)
        if not isinstance(s.fact, RelationFact) or key is None or key in seen:
            continue
        seen.add(key)
        read = {vote for vote in s.fact.votes if vote != "unparsed"}
        if read - {"for"}:
            what = f"{s.fact.subject} {s.fact.relation} {s.fact.object}"
            yield ReviewRow(
                kind="relation",
                what=f"{known.name(s.fact.subject)} {s.fact.relation} {known.name(s.fact.object)}",
                chapter=s.chapter,
                why="its votes are split",
                words=_quotes(known, s),
                votes=" ".join(s.fact.votes),
                commands=(_typed(book, "confirm", what), _typed(book, "reject", what)),
            )


def _changes(known: Known, facts: Iterable[StoredFact], book: Path | str) -> Iterator[ReviewRow]:
    for s in facts:
        if isinstance(s.fact, ChangeFact) and len(set(s.fact.looks) - {"code"}) == 1:
            yield ReviewRow(
                kind="change",
                what=f"{known.name(s.fact.entity)}: {s.fact.attribute} {s.fact.op} {s.fact.to}",
                chapter=s.chapter,
                why="only one of two looks saw it",
                words=_quotes(known, s),
                votes=" ".join(s.fact.looks),
                commands=(_typed(book, "confirm", s.fact.change), _typed(book, "reject", s.fact.change)),
            )


def _odd(known: Known, issue_id: str, issue: Issue, book: Path | str) -> ReviewRow:
    return ReviewRow(
        kind="issue",
        what=" ".join(issue.about) or issue.step,
        chapter=issue.chapter,
        why=f"{issue.code}: {issue.detail}",
        commands=(typed("why", Path(book), issue_id),),
    )


def _waiting(known: Known, book: Path | str) -> Iterator[ReviewRow]:
    for row in decision_rows(known):
        if (row.waits or row.overruled_by) and not row.undone:
            yield ReviewRow(
                kind="decision",
                what=f"{row.id}: {row.what}",
                chapter=row.since or 0,
                why=row.waits or f"a later one, {row.overruled_by}, contradicts it",
                commands=(_typed(book, "--undo", row.id),),
            )
