"""What waits for the author: reveals, thin merges, doubtful relations and changes, odd things, decisions that do nothing now."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from analyzer.export.decided_rows import Known, decision_rows
from analyzer.export.show import QuoteRow
from analyzer.export.weighing import proposed
from analyzer.export.why import is_meant
from analyzer.factkeys import Key, Root, key_of
from analyzer.models.base import Record
from analyzer.models.decision import (
    Reveal,
    Words,
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
    if how == "is":
        return list(proposed(known, (one, other))[1])
    return [s for s in known.stored if key_of(s.fact) == wanted]


def _says(fact: RelationFact, one: str, kind: str, other: str, root: Root) -> bool:
    typed_ends = {(one, other), (other, one)} if RELATION_KINDS[kind].symmetric else {(one, other)}
    ends = {(fact.subject, fact.object), (root(fact.subject), root(fact.object))}
    return fact.relation == kind and bool(ends & typed_ends)


# --- what waits -------------------------------------------------------------------------------------------------------


def review_rows(known: Known, issues: Iterable[tuple[str, Issue]], book: Path | str) -> tuple[ReviewRow, ...]:
    """Return what waits for the author, kind by kind, by chapter; what he decided about is left out."""
    decided = {key for r in known.rulings.known_rulings for key in r.keys}
    reveals = [r.ends for r in known.rulings.known_rulings if isinstance(r.decision, Reveal)]
    decided |= {("reveal", pair, ()) for ends in reveals for pair in (ends, ends[::-1])}
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
            what=f"{known.name(fact.entity, but=fact.surface)} called {fact.surface}",
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
