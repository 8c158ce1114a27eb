"""Who of a book's cast is still who after an edit: handles that could not be kept, told by names of before and now."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from analyzer.bible import Bible, CastEntry, fold
from analyzer.scheduler.events import Unkept

if TYPE_CHECKING:
    from analyzer.rereading import Reading
    from analyzer.storage.store import Store

CAST_BEFORE = "cast_before"
"""The setting that keeps the cast of before an edit until a run over the whole book has followed it."""


class Known(NamedTuple):
    """How somebody was called before: the label, and the names (none of who is only described)."""

    label: str
    names: frozenset[str]


def remember_cast(store: Store, reading: Reading) -> None:
    """Keep who is who before an edit is taken in; what an edit that no run came to the end of left there stays."""
    alignment = reading.alignment
    edited = alignment is not None and (
        alignment.gone or any(c.change != "same" or c.moved for c in alignment.chapters)
    )
    if edited and not store.setting(CAST_BEFORE):
        cast = {h: [e.entity.label, sorted(e.surfaces)] for h, e in _bible(store).cast.items()}
        store.put_setting(CAST_BEFORE, json.dumps(cast, ensure_ascii=False))


def followed_cast(store: Store) -> tuple[Unkept, ...]:
    """Return what became of handles that an edit did not leave with those who had them, and forget the cast of before."""
    kept = store.setting(CAST_BEFORE)
    if not kept:
        return ()
    store.put_setting(CAST_BEFORE, "")
    before = {handle: Known(label, frozenset(names)) for handle, (label, names) in json.loads(kept).items()}
    return unkept(before, _bible(store))


def _bible(store: Store) -> Bible:
    stored = store.facts()
    return fold((s.fact for s in stored), through=max((s.chapter for s in stored), default=0))


def unkept(before: Mapping[str, Known], bible: Bible) -> tuple[Unkept, ...]:
    """Return, in the order of `before`, whose handle stands for somebody else or nobody now, or who is two now.

    A handle is kept where its bearer has one of the names of before, or another name instead of names nobody bears any more.
    """
    bearers: dict[str, list[str]] = {}
    for handle, entry in bible.cast.items():
        for name in entry.surfaces:
            bearers.setdefault(name, []).append(handle)
    found = (_news(handle, known, bible, bearers) for handle, known in before.items())
    return tuple(news for news in found if news is not None)


def _news(handle: str, known: Known, bible: Bible, bearers: Mapping[str, list[str]]) -> Unkept | None:
    root = bible.root(handle)
    entry = bible.cast.get(root)
    own = frozenset(entry.surfaces) & known.names if entry else frozenset()
    left = sorted((name for name in known.names - own if name in bearers), key=lambda name: (-len(name), name))
    now = tuple(dict.fromkeys(h for name in left for h in bearers[name]))
    called = tuple(f"{h} {_label(bible.cast[h])}" for h in now)
    if entry is None:
        return Unkept(handle, known.label, "moved" if now else "gone", called)
    if root != handle:
        return Unkept(handle, known.label, "joined", (f"{root} {_label(entry)}",))
    if known.names and not own and now:
        return Unkept(handle, known.label, "moved", called)
    return Unkept(handle, known.label, "split", called, tuple(left)) if now else None


def _label(entry: CastEntry) -> str:
    return entry.entity.label
