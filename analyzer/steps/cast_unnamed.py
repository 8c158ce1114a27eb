"""Decides whom a role or kin description or the narrator's I means; must not decide anything about named people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from analyzer.bible import NARRATOR_SURFACE, Bible
from analyzer.models.facts import EntityFact, EntityKind, Fact, NameFact
from analyzer.models.question import Option, Question, QuestionKey, Ref
from analyzer.models.text import Chapter, Place
from analyzer.prefix import quoted, shown
from analyzer.steps._cast import KIND_CLASS, Handles
from analyzer.steps._options import letters
from analyzer.steps._scope import Mentions, brief, cast_mentions, evidence_at, offset_of, ref_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.text.candidates.descriptors import DescriptorCandidate, descriptors
from analyzer.text.candidates.narrator import narrator
from analyzer.text.languages import LanguageTable
from analyzer.text.namefold import fold_name

MAX_NEAR = 6
"""Named ones a description may be tied to, and pointed at as near. Source: on the gold chapters the one meant was among these."""
MAX_ALIKE = 3
"""Ones called by the same noun before, offered beside those nearest."""
CALLED_BEFORE = 1.5
"""Added to the order value of a description by whose noun somebody in the cast was called before: as much as speaking."""
PER_1000_CHARS = 1.3
FEWEST = 33
"""Descriptions asked about per 1,000 code points of chapter, and of however short a chapter. Source: on chapters with gold
the unnamed people who matter are among these; a question costs about as much as its options, six short lines."""

OWN_KINDS: dict[EntityKind, tuple[EntityKind, ...]] = {
    "character": ("character", "group", "object"),
    "group": ("group", "character", "place"),
    "place": ("place", "group", "object"),
    "object": ("object", "character", "place"),
    "text": ("text", "object", "character"),
    "event": ("event", "object"),
}
"""What a description may turn out to be, by the kind its noun speaks for, that one first: "my page" is a boy or a sheet."""
OWN_WORDS: dict[EntityKind, str] = {
    "character": "a person not listed",
    "group": "a group not listed",
    "place": "a place not listed",
    "object": "a thing not listed",
    "text": "a writing not listed",
    "event": "an event not listed",
}


@dataclass(frozen=True)
class UnnamedCandidate:
    """A description (or the narrator), where it stands, who is near, and an option for each it may mean."""

    head: str
    surfaces: tuple[str, ...]
    places: tuple[Place, ...]
    kind: EntityKind
    relation: str
    possessor: str
    narrates: bool
    near: tuple[str, ...]
    means: tuple[Option, ...] = ()


def _kind(hint: str) -> EntityKind:
    kinds: dict[str, EntityKind] = {
        "group": "group",
        "place": "place",
        "object": "object",
        "text": "text",
        "event": "event",
    }
    return kinds.get(hint, "character")


class _Cast:
    """The cast as descriptions see it, gone through once: who is of which class, and by which nouns they were called."""

    def __init__(self, bible: Bible) -> None:
        self.classes: dict[str, list[str]] = {}
        self.told: set[str] = set()
        self._described: list[tuple[str, str, int]] = []
        self._ends: dict[str, list[tuple[str, int]]] = {}
        for handle, entry in bible.cast.items():
            self.classes.setdefault(KIND_CLASS[entry.entity.entity_kind], []).append(handle)
            if entry.entity.narrator:
                self.told.add(handle)
            for name in entry.names:
                surface = fold_name(name.surface)
                if name.name_kind == "descriptor":
                    self._described.append((handle, surface, name.chapter))
                    continue
                at = surface.find(" ")
                while at >= 0:
                    self._ends.setdefault(surface[at + 1 :], []).append((handle, name.chapter))
                    at = surface.find(" ", at + 1)

    def fitting(self, kind_hint: str) -> list[str]:
        """Return those a description of this kind may mean, narrators left out."""
        return [h for h in self.classes.get(KIND_CLASS[_kind(kind_hint)], ()) if h not in self.told]

    def alike(self, found: DescriptorCandidate) -> list[str]:
        """Return those who were called by the same noun before, whether named or not, last called so first."""
        noun = fold_name(found.head)
        whole = re.compile(rf"(?<!\w){re.escape(noun)}(?!\w)" if " " in found.surface else re.escape(noun))
        rows = [
            *self._ends.get(noun, ()),
            *((h, n) for h, words, n in self._described if noun in words and whole.search(words)),
        ]
        if not rows:
            return []
        fits = {handle: at for at, handle in enumerate(self.fitting(found.kind_hint))}
        called: dict[str, int] = {}
        for handle, chapter in rows:
            if handle in fits:
                called[handle] = max(called.get(handle, 0), chapter)
        return sorted(called, key=lambda h: (-called[h], fits[h]))[:MAX_ALIKE]


def _near(
    found: DescriptorCandidate, alike: Sequence[str], unit: Unit, cast: _Cast, mentions: Mentions
) -> tuple[str, ...]:
    here = [h for h in cast.fitting(found.kind_hint) if h in mentions.spots]
    close = mentions.near((offset_of(unit, p) for p in found.places[:4]), here, MAX_NEAR)
    return tuple(dict.fromkeys((*alike, *close)))


def most_described(chapter: Chapter, table: LanguageTable) -> int:
    """Return how many descriptions of a chapter are asked about at most."""
    dense = table.script.get("spaces") is False or table.tag == "ko"
    return max(FEWEST, int(len(chapter.text) / 1000 * PER_1000_CHARS * (3 if dense else 1)))


def candidates(unit: Unit, bible: Bible) -> Sequence[UnnamedCandidate]:
    """Return the narrator, then the weightiest descriptions, within a bound by the chapter's length."""
    mentions = cast_mentions(unit, bible)
    names = tuple(
        (spot.offset, spot.end, handle) for handle, spots in mentions.spots.items() for spot in spots if spot.end
    )
    chosen: list[UnnamedCandidate] = []
    teller = narrator(unit.chapter, unit.table)
    if teller is not None:
        people = [h for h, e in bible.cast.items() if e.entity.entity_kind == "character"]
        near = mentions.near((offset_of(unit, p) for p in teller.places[:8]), people, MAX_NEAR)
        tellers = tuple(h for h, e in bible.cast.items() if e.narrates)
        chosen.append(
            UnnamedCandidate(
                "narrator",
                (teller.surface,),
                tuple(teller.places[:40]),
                "character",
                "",
                "",
                True,
                tuple(dict.fromkeys((*tellers, *near))),
            )
        )
    found = descriptors(unit.chapter, unit.table, names)
    cast = _Cast(bible)
    known = {(c.head, c.kind_hint): cast.alike(c) for c in found}
    ranked = sorted(found, key=lambda c: -c.score - (CALLED_BEFORE if known[c.head, c.kind_hint] else 0.0))
    for described in ranked[: most_described(unit.chapter, unit.table)]:
        chosen.append(
            UnnamedCandidate(
                described.head,
                described.surfaces,
                described.places,
                _kind(described.kind_hint),
                described.relation,
                described.possessor,
                False,
                _near(described, known[described.head, described.kind_hint], unit, cast, mentions),
            )
        )
    return _with_options(chosen, cast, unit, bible)


def _with_options(chosen: Sequence[UnnamedCandidate], cast: _Cast, unit: Unit, bible: Bible) -> list[UnnamedCandidate]:
    """Return the candidates with whom they may mean: all the prefix shows or the chapter brings, nearest and of their kind first.

    Those of other kinds too: a bank may stand in the cast as a firm or as a place, and only the reader knows which is meant.
    """
    shown_here = {
        kind: [h for h in handles if h in unit.scope or h not in unit.start.cast]
        for kind, handles in cast.classes.items()
    }
    everybody = [handle for handles in shown_here.values() for handle in handles]
    made: dict[str, Option] = {}

    def option(handle: str) -> Option:
        if handle not in made:
            entry = bible.cast[handle]
            unseen = handle in unit.start.cast and handle not in unit.scope
            words = brief(entry, bible).removeprefix(f"{handle} ") if unseen else ""
            made[handle] = Option(mark=handle, key=f"is:{handle}", text=words, ref=ref_of(entry, bible))
        return made[handle]

    offered = (
        dict.fromkeys((*c.near, *shown_here.get(KIND_CLASS[c.kind], ()), *(everybody if not c.narrates else ())))
        for c in chosen
    )
    return [replace(c, means=tuple(map(option, handles))) for c, handles in zip(chosen, offered, strict=True)]


def question(candidate: UnnamedCandidate, unit: Unit, bible: Bible) -> Question:
    """Return the description; it may mean anybody of the cast by handle, somebody tied to one near, or one of its own."""
    rest: list[tuple[str, str, Ref | None]] = []
    for handle in candidate.near if candidate.relation else ():
        entry = bible.cast[handle]
        if KIND_CLASS[entry.entity.entity_kind] == "beings" and entry.entity.named:
            rest.append((f"tie:{handle}", f"the {shown(candidate.head)} of {handle}, not listed", ref_of(entry, bible)))
    rest += _own(candidate)
    lettered = [Option(mark=letters(i), key=k, text=t, ref=r) for i, (k, t, r) in enumerate(rest)]
    where = " ".join(str(place) for place in candidate.places[:3])
    near = f", near {' '.join(candidate.near)}" if candidate.near else ""
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="cast.narrator" if candidate.narrates else "cast.who",
            chapter=unit.chapter.no,
            about=(
                Ref(
                    names=candidate.surfaces[:4],
                    kind=candidate.kind,
                    tie=candidate.relation,
                    places=candidate.places[:6],
                ),
            ),
            detail=candidate.possessor,
        ),
        type="choice",
        text=f"{quoted(candidate.surfaces[0])} ({where}{near})",
        options=(*candidate.means, *lettered),
    )


def _own(candidate: UnnamedCandidate) -> list[tuple[str, str, Ref | None]]:
    """Return the options that it is none of the cast: of the kind its noun speaks for, or another it may be of.

    Kin is a person or several.
    """
    if candidate.narrates:
        return [("own", "the narrator, not named so far", None)]
    kinds = OWN_KINDS[candidate.kind][: 2 if candidate.relation else None]
    return [("own" if kind == candidate.kind else f"own:{kind}", OWN_WORDS[kind], None) for kind in kinds]


def slots(group: str, unit: Unit, bible: Bible) -> dict[str, str]:
    """Return the cast the chapter brought so far, which the prefix does not show yet."""
    fresh = [brief(entry, bible) for handle, entry in bible.cast.items() if handle not in unit.start.cast]
    return {"added": "; ".join(fresh) or "nobody"}


def _anchors(candidate: UnnamedCandidate, tied_to: Sequence[str], chapter: Chapter) -> list[str]:
    """Return what a handle is given for, by all handles of whom it is tied to.

    One of a chapter's own is known by any chapter its text once stood in.
    """
    if candidate.narrates:
        return ["narrator"]
    if tied_to:
        return [f"tied:{fold_name(candidate.head)}:{handle}" for handle in tied_to]
    known_by = dict.fromkeys((chapter.identity, *chapter.origins))
    return [f"own:{fold_name(candidate.surfaces[0])}:ch{identity}" for identity in known_by]


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return unnamed entities by what ties them, and every description as a mention of whom it means."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    handles = Handles(bible, bible.handles)
    made: dict[str, str] = {_made_for(e.entity, bible): h for h, e in bible.cast.items() if not e.entity.named}
    here: set[str] = set()
    for item in answered:
        candidate: UnnamedCandidate = item.candidate
        if item.answer.status != "answered":
            continue
        kind, _, target = item.answer.pick.partition(":")
        because = (item.answer_id,)
        if kind == "is":
            handle = target
            if candidate.narrates:
                facts.append((_narrated_by(bible, handle, unit), because))
        else:
            tied_to = (target, *bible.cast[target].merged) if kind == "tie" else ()
            anchors = _anchors(candidate, tied_to, unit.chapter)
            # alike in words only: whether they are one is asked, never assumed
            again = kind == "own" and anchors[0] in here
            here.add(anchors[0])
            handle = "" if again else made.get(anchors[0], "")
            if not handle:
                handle, anchor = handles.take(anchors)
                made.setdefault(anchors[0], handle)
                facts.append((_entity(candidate, handle, anchor, item.answer.pick, unit), because))
        facts += [(fact, because) for fact in _names(candidate, handle, unit)]
    return Effects(tuple(facts))


def _made_for(entity: EntityFact, bible: Bible) -> str:
    """Return the anchor of somebody unnamed; of one tied to another by the handle that one has now."""
    kind, _, rest = entity.anchor.partition(":")
    head, _, tied_to = rest.rpartition(":")
    return f"tied:{head}:{bible.root(tied_to)}" if kind == "tied" else entity.anchor


def _narrated_by(bible: Bible, handle: str, unit: Unit) -> Fact:
    entity = bible.cast[handle].entity
    return NameFact(
        entity=handle,
        surface=f"{NARRATOR_SURFACE}{entity.label}",
        name_kind="descriptor",
        chapter=unit.chapter.no,
        place=Place(1, 1),
    )


def _entity(candidate: UnnamedCandidate, handle: str, anchor: str, pick: str, unit: Unit) -> EntityFact:
    first = evidence_at(unit, candidate.places[0])
    tied_to = pick.removeprefix("tie:") if pick.startswith("tie:") else ""
    kind = next((k for k in OWN_WORDS if pick == f"own:{k}"), candidate.kind)
    return EntityFact(
        entity=handle,
        entity_kind=kind,
        label=candidate.surfaces[0],
        anchor=anchor,
        chapter=unit.chapter.no,
        named=False,
        narrator=candidate.narrates,
        tie=candidate.head if tied_to else "",
        tied_to=tied_to,
        evidence=(first,) if first else (),
    )


def _names(candidate: UnnamedCandidate, handle: str, unit: Unit) -> list[Fact]:
    surface = candidate.surfaces[0]
    return [
        NameFact(entity=handle, surface=surface, name_kind="descriptor", chapter=unit.chapter.no, place=place)
        for place in dict.fromkeys(candidate.places)
    ]


STEP = AskStep(
    name="cast_unnamed",
    reads=frozenset({"entity", "name"}),
    writes=frozenset({"entity", "name"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="cast_unnamed",
    part="cast",
    slots=slots,
    carries=True,
    stage="chapter",
    pack_size=40,
)
