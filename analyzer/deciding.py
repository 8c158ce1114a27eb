"""Decisions of the author, taken: what he types becomes a row, by anchors and contents, with the sentence that carries it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from analyzer.bible import fold
from analyzer.errors import ConfigError
from analyzer.export.decided_rows import DecisionRead as DecisionRead
from analyzer.export.decided_rows import Known, decision_row
from analyzer.export.review import kept_words, meant
from analyzer.export.weighing import anchors_borne, no_look_alike, of_one_class, others_called, proposed
from analyzer.factkeys import Key, key_of, rooted
from analyzer.models.decision import (
    About,
    Confirm,
    Decided,
    Decision,
    Kept,
    Merge,
    NeverMerge,
    Reject,
    Rename,
    Reveal,
    Split,
    Undo,
    Words,
)
from analyzer.models.facts import EntityFact, NameFact, StoredFact
from analyzer.models.story import READER, RevealFact
from analyzer.models.text import Chapter, Place
from analyzer.rereading import Reading, reread
from analyzer.rulings import rulings_of
from analyzer.running import manuscript_of
from analyzer.text.namefold import fold_name
from analyzer.text.standing import Standing
from analyzer.wording import typed

if TYPE_CHECKING:
    from analyzer.storage.store import Store

_HANDLE = re.compile(r"@[1-9][0-9]*")
_AT = re.compile(r"([1-9][0-9]*):([1-9][0-9]*)\.([1-9][0-9]*)")
LONGEST_LABEL = 120
"""Code points of a name an author gives. Source: a choice, twice the longest names of the public texts."""


def known_of(store: Store) -> Known:
    """Return the book as its author sees it, decisions and all."""
    handles, decided, stored = store.handles(), store.decided(), tuple(store.facts())
    rows = store.chapters()
    rulings = rulings_of(decided, handles, Standing.of_rows(rows).chapter_of)
    last = max((row.no for row in rows), default=0)
    bible = fold((s.fact for s in stored), through=last, handles=handles, decisions=rulings)
    anchors = {handle: anchor for anchor, handle in reversed(handles.items())}
    return Known(stored, bible, rulings, tuple(decided), anchors, {row.no: row.id or row.no for row in rows})


class _Desk(NamedTuple):
    """What a decision is made from: the book as known, its text as it is now, and what the author typed beside."""

    folder: Path
    store: Store
    known: Known
    reading: Reading
    at: str | None
    rejected: bool
    notes: list[str]

    def entity(self, typed_word: str) -> str:
        """Return the handle meant by `@7` or by a name of one alone; raises ConfigError where nobody is."""
        facts = [s.fact for s in self.known.stored]
        if _HANDLE.fullmatch(typed_word):
            bearers = {f.entity for f in facts if isinstance(f, EntityFact)} | set(self.known.bible.cast)
            bearers &= {typed_word}
        else:
            bearers = {f.entity for f in facts if isinstance(f, NameFact) and f.surface == typed_word}
            bearers |= {f.entity for f in facts if isinstance(f, EntityFact) and f.label == typed_word}
            bearers = bearers or {h for h, entry in self.known.bible.cast.items() if typed_word in entry.called}
        if len(bearers) > 1:
            bearers = set(map(self.known.bible.root, bearers))
        if len(bearers) != 1:
            named = " and ".join(sorted(bearers))
            said = f"{named} are called {typed_word!r}" if bearers else f"nobody is {typed_word!r} here"
            raise ConfigError(said, hint=f"give a handle, see: {typed('show', 'cast', self.folder)}")
        return bearers.pop()

    def anchor(self, handle: str) -> str:
        """Return what a handle was given for."""
        return self.known.anchors[handle]

    def pair(self, words: Sequence[str], verb: str) -> tuple[str, str]:
        """Return two different entities."""
        if len(words) != 2:
            raise ConfigError(f"{verb} takes two of the cast, got {len(words)}", hint=f"for instance: {verb} @2 @9")
        one, other = map(self.entity, words)
        if one == other:
            raise ConfigError(f"both are {one}", hint="name two")
        return one, other

    def words_at(self, *handles: str, containing: str = "") -> Words | None:
        """Return the sentence `--at` names; raises ConfigError where it is none, lies too early or does not say the name."""
        if self.at is None:
            return None
        found = _AT.fullmatch(self.at)
        chapter = self.reading.manuscript.chapter(int(found[1])) if found else None
        place = Place(int(found[2]), int(found[3])) if found else Place(1, 1)
        sentence = chapter.sentence_text(place) if chapter else None
        if chapter is None or not sentence:
            raise ConfigError(
                f"--at {self.at!r} names no sentence", hint="write chapter:block.sentence, for instance 5:12.3"
            )
        first = max((self.first_chapter(handle) for handle in handles), default=0)
        if chapter.no < first:
            raise ConfigError(
                f"--at {self.at} lies before chapter {first}, where {' and '.join(handles)} are both known"
            )
        if containing and fold_name(containing) not in fold_name(sentence):
            raise ConfigError(f"the sentence {self.at} does not say {containing!r}: {sentence}")
        return Words(chapter=chapter.identity, no=chapter.no, place=place, text=sentence)

    def first_chapter(self, handle: str) -> int:
        """Return the chapter, as numbered now, that brings an entity in; 0 where it is gone."""
        entered = [(s.fact.entity, s.chapter) for s in self.known.stored if isinstance(s.fact, EntityFact)]
        found = [no for entity, no in entered if entity == handle]
        found = found or [no for entity, no in entered if self.known.bible.root(entity) == handle]
        return self.reading.numbers.get(min(found, default=0), 0)

    def said_in(self, number: int, name: str) -> Words | None:
        """Return the first sentence of a stored chapter that has a name; None where the text has it no more."""
        chapter = self.reading.manuscript.chapter(self.reading.numbers.get(number, 0))
        return None if chapter is None else _first_with(chapter, name)


def _first_with(chapter: Chapter, name: str) -> Words | None:
    for block in chapter.blocks:
        for at, span in enumerate(block.sentences, 1):
            text = block.text[span.start : span.end]
            if name in text:
                return Words(chapter=chapter.identity, no=chapter.no, place=Place(block.no, at), text=text)
    return None


# --- verbs -------------------------------------------------------------------------------------------------------------


def _confirm(desk: _Desk, words: Sequence[str]) -> Decision:
    keys, facts = _meant(desk, words)
    pair = _reveal_in(keys)
    if pair:
        return _reveal_of(desk, pair, facts, _asked(words), rejected=False)
    own = tuple(rooted(key, desk.known.bible.root) for key in keys if key[0] == "name")
    about = tuple(dict.fromkeys(map(desk.known.about, (*keys, *own))))
    return Confirm(about=about, kept=_kept(desk, facts))


def _reject(desk: _Desk, words: Sequence[str]) -> Decision:
    keys, facts = _meant(desk, words)
    pair = _reveal_in(keys)
    if pair:
        return _reveal_of(desk, pair, facts, _asked(words), rejected=True)
    about = map(desk.known.about, keys)
    borne = [anchors_borne(desk.known, key[1][0]) for key in keys if key[0] == "entity"]
    more = (About(fact="entity", ends=(anchor,)) for anchors in borne for anchor in anchors)
    return Reject(about=tuple(dict.fromkeys((*about, *more))))


def _give_handles(store: Store, decision: Reject) -> None:
    """Give a handle to every name that is rejected with somebody, so that whoever is found by it is nobody from the start."""
    given = store.handles()
    for about in decision.about:
        kind, _, name = about.ends[0].partition(":") if about.fact == "entity" else ("", "", "")
        if kind == "name" and about.ends[0] not in given:
            store.give_handle(name)


def _asked(words: Sequence[str]) -> tuple[str, ...]:
    """Return the two of `@5 is @1`, nothing where the words are others."""
    one, how, other = (*" ".join(words).split(), "", "", "")[:3]
    return (one, other) if how == "is" else ()


def _reveal_in(keys: Sequence[Key]) -> tuple[str, ...]:
    return next((ends for kind, ends, _ in keys if kind == "reveal"), ())


def _meant(desk: _Desk, words: Sequence[str]) -> tuple[tuple[Key, ...], tuple[StoredFact, ...]]:
    """Return the keys of the facts an author means, with the facts; raises ConfigError where there are none, or several kinds."""
    if not words:
        raise ConfigError("nothing is named", hint="for instance: confirm '@1 parent_of @2', or the id of a fact")
    text = " ".join(words)
    found = meant(desk.known, text)
    keys = tuple(dict.fromkeys(key for s in found if (key := key_of(s.fact)) is not None))
    if not found or not keys:
        said = f"nothing can be decided about a {found[0].fact.fact}" if found else f"no fact {text!r} in this book"
        raise ConfigError(
            said,
            hint=f"write '@1 parent_of @2', '@7', '@3 = @9', '@5 is @1', '@3 called NAME' or an id; see: {typed('review', desk.folder)}",
        )
    return keys, tuple(s for s in desk.known.stored if key_of(s.fact) in keys)


def _kept(desk: _Desk, facts: Sequence[StoredFact]) -> tuple[Kept, ...]:
    """Return facts as they are, with their sentences; an entity with the names its chapter gave it."""
    entered = {(s.step, s.chapter, s.fact.entity) for s in facts if isinstance(s.fact, EntityFact)}
    names = [
        s
        for s in desk.known.stored
        if isinstance(s.fact, NameFact) and (s.step, s.chapter, s.fact.entity) in entered and s not in facts
    ]
    return tuple(Kept(step=s.step, fact=s.fact, words=_words_of(desk, s)) for s in (*facts, *names))


def _words_of(desk: _Desk, stored: StoredFact) -> tuple[Words, ...]:
    found = kept_words(desk.known, stored)
    if not found and isinstance(stored.fact, NameFact):
        said = desk.said_in(stored.chapter, stored.fact.surface)
        return (said,) if said else ()
    return found


def _rename(desk: _Desk, words: Sequence[str]) -> Decision:
    label = " ".join(" ".join(words[1:]).split())
    if not label or len(label) > LONGEST_LABEL or not label.isprintable():
        raise ConfigError(
            f"rename takes one of the cast and a name of 1 to {LONGEST_LABEL} letters, got {label!r}",
            hint="for instance: rename @7 'Anna Voss'",
        )
    no_look_alike(label)
    handle = desk.entity(words[0])
    desk.notes.extend(others_called(desk.known, handle, label))
    entry = desk.known.bible.cast.get(desk.known.bible.root(handle))
    own = [n for n in entry.names if fold_name(n.surface) == fold_name(label)] if entry else []
    carried = desk.words_at(handle, containing=label)
    if carried is None and own:
        first = min(own, key=lambda name: name.chapter)
        carried = desk.said_in(first.chapter, first.surface)
    return Rename(entity=desk.anchor(handle), label=label, words=carried)


def _merge(desk: _Desk, words: Sequence[str]) -> Decision:
    one, other = desk.pair(words, "merge")
    of_one_class(desk.known, (one, other), "merge")
    carried = desk.words_at(one, other) or _shared_name(desk, one, other)
    return Merge(entity=desk.anchor(one), into=desk.anchor(other), words=carried)


def _shared_name(desk: _Desk, one: str, other: str) -> Words | None:
    """Return the sentence in which the later of two is named, where its name is a part of the other's, or the other way round."""
    names = [
        [
            (s.chapter, s.fact.surface)
            for s in desk.known.stored
            if isinstance(s.fact, NameFact) and s.fact.entity == handle and s.fact.name_kind != "descriptor"
        ]
        for handle in (one, other)
    ]
    pairs = [max(a, b) for a in names[0] for b in names[1] if _part_of(a[1], b[1]) or _part_of(b[1], a[1])]
    found = (desk.said_in(chapter, surface) for chapter, surface in sorted(pairs))
    return next((words for words in found if words), None)


def _part_of(one: str, other: str) -> bool:
    """Whether a name is some of the words of another, or its beginning or end where names are written without spaces."""
    a, b = fold_name(one).split(), fold_name(other).split()
    if len(a) == len(b) == 1 and not b[0].isascii():
        return len(a[0]) > 1 and (b[0].startswith(a[0]) or b[0].endswith(a[0]))
    return set(a) <= set(b)


def _split(desk: _Desk, words: Sequence[str]) -> Decision:
    if len(words) < 2:
        raise ConfigError("split takes one of the cast and the names that are another's, or another handle",
                          hint="for instance: split @3 'Mrs. Voss', or: split @3 @9")  # fmt: skip
    bible = desk.known.bible
    handle = desk.entity(words[0])
    if len(words) == 2 and _HANDLE.fullmatch(words[1]):
        other = desk.entity(words[1])
        if other == handle or bible.root(handle) != bible.root(other):
            raise ConfigError(f"{handle} and {other} are not joined", hint="to keep two apart for good: never-merge")
        return Split(entity=desk.anchor(handle), other=desk.anchor(other))
    root = bible.root(handle)
    names = tuple(dict.fromkeys(words[1:]))
    own = {n.surface for n in bible.cast[root].names if n.name_kind != "descriptor"} if root in bible.cast else set()
    missing = [name for name in names if name not in own]
    if missing or own <= set(names):
        said = f"{missing[0]!r} is no name of {handle}" if missing else f"no name would be left to {handle}"
        raise ConfigError(said, hint=f"its names: {', '.join(sorted(own))}")
    return Split(entity=desk.anchor(root), other=_anchor_for(desk, names[0], root), surfaces=names)


def _anchor_for(desk: _Desk, name: str, root: str) -> str:
    """Return the anchor of a handle that stands for nobody now and was given for this name, else a new one's."""
    handle = desk.known.bible.handles.get(f"name:{name}", "")
    if handle in desk.known.rulings.settled.gone:
        handle = ""
    if handle and desk.known.bible.root(handle) != root and desk.known.bible.root(handle) not in desk.known.bible.cast:
        return desk.anchor(handle)
    return desk.store.give_handle(name)[1]


def _never_merge(desk: _Desk, words: Sequence[str]) -> Decision:
    one, other = desk.pair(words, "never-merge")
    return NeverMerge(entity=desk.anchor(one), other=desk.anchor(other))


def _reveal(desk: _Desk, words: Sequence[str]) -> Decision:
    asked = desk.pair(words, "reveal")
    pair, facts = proposed(desk.known, asked)
    return _reveal_of(desk, pair, facts, asked, rejected=desk.rejected)


def _reveal_of(
    desk: _Desk, pair: tuple[str, ...], facts: Sequence[StoredFact], asked: tuple[str, ...], *, rejected: bool
) -> Decision:
    persona, behind = map(desk.anchor, pair)
    _say_how(desk, pair, asked)
    if rejected:
        return Reveal(persona=persona, behind=behind, status="rejected")
    of_one_class(desk.known, pair, "reveal")
    told = [s for s in facts if isinstance(s.fact, RevealFact) and READER in s.fact.to]
    shown = [words for s in told for words in kept_words(desk.known, s)]
    carried = desk.words_at(*pair) or min(shown, key=lambda words: (words.no, words.place), default=None)
    return Reveal(persona=persona, behind=behind, words=carried)


def _say_how(desk: _Desk, pair: tuple[str, ...], asked: tuple[str, ...]) -> None:
    """Tell the author where the book proposes what he means in other handles, or the other way round."""
    if len(asked) == 2 and asked != pair:
        one, other = map(desk.known.own_name, pair)
        desk.notes.append(f"taken as it is proposed: {one} is {other}")


_VERBS: dict[str, Callable[[_Desk, Sequence[str]], Decision]] = {
    "confirm": _confirm,
    "reject": _reject,
    "rename": _rename,
    "merge": _merge,
    "split": _split,
    "never-merge": _never_merge,
    "reveal": _reveal,
}
VERBS = tuple(_VERBS)
_DATED = frozenset({"rename", "merge", "reveal"})


def decide_in(
    folder: Path, store: Store, verb: str, words: Sequence[str], *, at: str | None, rejected: bool
) -> DecisionRead:
    """Add a decision and return it as it stands then, with what it overrules; one that is in force already is not added again.

    Raises ConfigError in a sentence where what is named is not there.
    """
    made = _VERBS.get(verb)
    if made is None:
        raise ConfigError(f"{verb!r} is nothing that is decided", hint=f"one of: {', '.join(VERBS)}")
    if at is not None and verb not in _DATED:
        raise ConfigError(f"--at says from where on readers see it; {verb} shows them nothing")
    if rejected and verb != "reveal":
        raise ConfigError("--reject goes with reveal", hint="to reject a fact: decide BOOK reject …")
    with store.transaction():
        known = known_of(store)
        desk = _Desk(folder, store, known, reread(store, manuscript_of(folder)), at, rejected, [])
        decision = made(desk, words)
        same = _in_force(known, decision)
        if same is None and isinstance(decision, Reject):
            _give_handles(store, decision)
        one = same or store.decide(decision, at=time.time())
    return decision_row(known_of(store), one, new=same is None, notes=tuple(desk.notes))


def _in_force(known: Known, decision: Decision) -> Decided | None:
    """Return the same decision where it holds, and no later one is about any of those it is about."""
    overruled = {o.id for o in known.rulings.settled.overruled}
    rulings = {r.id: r for r in known.rulings.known_rulings}
    there = [d for d in known.decided if d.id in rulings]
    same = next((at for at in range(len(there) - 1, -1, -1) if there[at].decision == decision), None)
    if same is None or there[same].id in overruled:
        return None
    handles = rulings[there[same].id].handles
    return None if any(handles & rulings[d.id].handles for d in there[same + 1 :]) else there[same]


def undo_in(store: Store, decision_id: str | None) -> DecisionRead:
    """Undo a decision (None: the last in force) and return it; raises ConfigError where there is none of that id in force."""
    with store.transaction():
        decided = store.decided()
        undone = {d.decision.decision for d in decided if isinstance(d.decision, Undo)}
        there = [d for d in decided if not isinstance(d.decision, Undo) and d.id not in undone]
        found = there[-1:] if decision_id is None else [d for d in there if d.id == decision_id]
        if not found:
            said = "no decision is in force" if decision_id is None else f"no decision {decision_id!r} is in force"
            raise ConfigError(said, hint=f"in force: {', '.join(d.id for d in there) or 'none'}")
        store.decide(Undo(decision=found[0].id), at=time.time())
    return decision_row(known_of(store), found[0])
