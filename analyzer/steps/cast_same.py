"""Decides which new names belong together and to whom; gives handles. Must not decide what the text has not told yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analyzer.bible import Bible, CastEntry
from analyzer.models.facts import EntityFact, Fact, FormFact, NameFact, SameFact
from analyzer.models.issue import Issue
from analyzer.models.question import Option, Question, QuestionKey, Ref
from analyzer.prefix import quoted
from analyzer.steps._cast import SAME_CLASS, Handles, best_label, main_kind, name_kind
from analyzer.steps._options import letters
from analyzer.steps._scope import evidence_at
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.text.languages import LanguageTable
from analyzer.text.namefold import core_words
from analyzer.text.nameparts import name_parts

SEVERAL = "several"
"""The key of the option that a surname means now one, now another of those who bear it."""
SEVERAL_WORDS = "now one, now another of those with this surname"


@dataclass(frozen=True)
class SameCandidate:
    """A new form and the options it shares with all new forms of its class; `bearers` are the keys of those it may be shared by."""

    form: FormFact
    group: str
    options: tuple[Option, ...]
    bearers: tuple[str, ...] = ()


def _options(group: str, forms: Sequence[FormFact], unit: Unit, bible: Bible, *, shared: bool) -> tuple[Option, ...]:
    known = [
        entry.option
        for handle, entry in unit.start.cast.items()
        if handle in unit.scope and SAME_CLASS[entry.entity.entity_kind] == group
    ]
    fresh = [
        Option(
            mark=letters(i),
            key=f"form:{form.surface}",
            text=quoted(form.surface),
            ref=Ref(names=(form.surface,), kind=form.entity_kind, places=(form.first,)),
        )
        for i, form in enumerate(forms)
    ]
    several = [Option(mark=letters(len(forms)), key=SEVERAL, text=SEVERAL_WORDS)] if shared else []
    return (*fresh, *several, *known)


def _forms(unit: Unit, bible: Bible, group: str) -> tuple[FormFact, ...]:
    found = (form for form in bible.forms(unit.chapter.no) if SAME_CLASS[form.entity_kind] == group)
    return tuple(sorted(found, key=lambda form: (form.first, form.surface)))


def candidates(unit: Unit, bible: Bible) -> Sequence[SameCandidate]:
    """Return every new form that has another form or known entity of its class to be compared with."""
    found: list[SameCandidate] = []
    for group in ("people", "others"):
        forms = _forms(unit, bible, group)
        shared = _shared(forms, unit) if group == "people" else {}
        options = _options(group, forms, unit, bible, shared=bool(shared))
        if len(options) > 1:
            found += [SameCandidate(form, group, options, shared.get(form.surface, ())) for form in forms]
    return found


def _shared(forms: Sequence[FormFact], unit: Unit) -> dict[str, tuple[str, ...]]:
    """Return for each new form that is a bare surname of several people the keys of their full names, new and known."""
    families: dict[str, dict[str, list[str]]] = {}
    names = [(form.surface, f"form:{form.surface}") for form in forms]
    names += [
        (surface, handle)
        for handle, entry in unit.start.cast.items()
        if handle in unit.scope and entry.entity.entity_kind == "character"
        for surface in entry.surfaces
    ]
    for surface, key in names:
        parts = name_parts(surface, unit.table)
        if parts.given:
            families.setdefault(parts.family, {}).setdefault(parts.given, []).append(key)
    found = {}
    for form in forms:
        bearers = families.get(name_parts(form.surface, unit.table).single, {})
        if len(bearers) > 1:
            found[form.surface] = tuple(dict.fromkeys(key for keys in bearers.values() for key in keys))
    return found


def question(candidate: SameCandidate, unit: Unit, bible: Bible) -> Question:
    """Return one short line; the options are shared by the pack."""
    form = candidate.form
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="cast.same",
            chapter=unit.chapter.no,
            about=(Ref(names=(form.surface,), kind=form.entity_kind, places=(form.first,)),),
        ),
        type="choice",
        text=f"{quoted(form.surface)} ({form.first})",
        options=candidate.options,
    )


def _full_name(surface: str, table: LanguageTable) -> tuple[str, ...]:
    """Return the words of a name of at least two words beside titles, given first; () for any other."""
    words = core_words(surface, table)
    return words if len(words) > 1 else ()


def _joined_name(surface: str, table: LanguageTable) -> tuple[str, ...]:
    """Return given and family name of a full name written as one word; () for any other."""
    parts = name_parts(surface, table)
    return (parts.given, parts.family) if parts.given and " " not in surface else ()


def _bare(surface: str, table: LanguageTable) -> str:
    """Return a name without a title that is written as one word: where it is a surname, it is one and nothing else (田中)."""
    parts = name_parts(surface, table)
    return "" if parts.titled or " " in surface else parts.single


class _Clusters:
    """Union of forms; each cluster may hold one known handle."""

    def __init__(
        self, forms: Sequence[FormFact], table: LanguageTable, cast: Mapping[str, CastEntry] | None = None
    ) -> None:
        self.full = {form.surface: _full_name(form.surface, table) for form in forms}
        self.whole = {form.surface: _joined_name(form.surface, table) for form in forms}
        self.bare = {form.surface: _bare(form.surface, table) for form in forms}
        self.known = {
            handle: {n for s in entry.surfaces for n in (_full_name(s, table), _joined_name(s, table)) if n}
            for handle, entry in (cast or {}).items()
        }
        self.parent = {form.surface: form.surface for form in forms}
        self.handle: dict[str, str] = {}
        self.because: dict[str, list[str]] = {form.surface: [] for form in forms}

    def find(self, surface: str) -> str:
        while self.parent[surface] != surface:
            surface = self.parent[surface]
        return surface

    def _two_people(self, surface: str, other: str) -> bool:
        """Whether a bare family name would join two full names that differ before it: Renée and Louis of one house."""
        if bool(self.full[surface]) != bool(self.full[other]):
            return self._two_of(self._names(surface, other, self.full))
        families = {self.bare[surface], self.bare[other]}
        names = self._names(surface, other, self.whole)
        return self._two_of({name for name in names if name[-1] in families})

    @staticmethod
    def _two_of(names: set[tuple[str, ...]]) -> bool:
        return any(a[-1] == b[-1] and a[0] != b[0] for a in names for b in names)

    def _names(self, surface: str, other: str, full: Mapping[str, tuple[str, ...]]) -> set[tuple[str, ...]]:
        """Return the full names that two clusters would hold together, those of known people in them included."""
        roots = {self.find(surface), self.find(other)}
        found = {full[s] for s in self.parent if self.find(s) in roots} - {()}
        return found.union(*(self.known.get(self.handle.get(root, ""), ()) for root in roots))

    def link(self, surface: str, pick: str, answer_id: str) -> bool:
        """Join as picked; False if that would put two known entities, or two full names of one family, together."""
        root = self.find(surface)
        if pick.startswith("form:"):
            if pick[5:] not in self.parent:  # a surname of several joins nobody
                return False
            other = self.find(pick[5:])
            mine, theirs = self.handle.get(root), self.handle.get(other)
            if (mine and theirs and mine != theirs) or self._two_people(surface, pick[5:]):
                return False
            self.parent[root] = other
            if mine:
                self.handle[other] = mine
            if root != other:
                self.because[other] += self.because[root]
            self.because[other].append(answer_id)
            return True
        if self.handle.get(root, pick) != pick:
            return False
        self.handle[root] = pick
        self.because[root].append(answer_id)
        return True


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return entities with their names; forms joined by the answers, handles by order of first appearance.

    A surname that means now one, now another becomes a name of each who bears it and of nobody else.
    """
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    shared = _meant_of_several(answered)
    forms = tuple(sorted(bible.forms(unit.chapter.no), key=lambda form: (form.first, form.surface)))
    clusters = _Clusters([form for form in forms if form.surface not in shared], unit.table, unit.start.cast)
    issues = _joined(clusters, [item for item in answered if item.candidate.form.surface not in shared], unit)
    handles = Handles(unit.start, bible.handles)
    members: dict[str, list[FormFact]] = {}
    for form in forms:
        if form.surface not in shared:
            members.setdefault(clusters.find(form.surface), []).append(form)
    fresh = [root for root in members if root not in clusters.handle]
    new = dict(zip(fresh, handles.share([_anchors(members[root]) for root in fresh]), strict=True))
    given: dict[str, str] = {}
    for root, cluster in members.items():
        because = tuple(dict.fromkeys(clusters.because[root]))
        known = clusters.handle.get(root, "")
        entered = _joining(cluster, known, handles, unit) if known else _entering(cluster, *new[root], unit)
        given |= {f"form:{form.surface}": known or new[root][0] for form in cluster}
        facts += [(fact, () if isinstance(fact, SameFact) else because) for fact in entered]
    for surface, item in shared.items():
        for handle in dict.fromkeys(given.get(key, key) for key in item.candidate.bearers):
            if handle.startswith("@"):
                name = NameFact(entity=handle, surface=surface, name_kind="family", chapter=unit.chapter.no)
                facts.append((name, (item.answer_id,)))
    return Effects(tuple(facts), tuple(issues))


def _meant_of_several(answered: Sequence[Answered]) -> dict[str, Answered]:
    """Return the surnames that were said to mean several, and the like that were said to be the same name (田中, 田中さん)."""
    bare = {item.candidate.form.surface: item for item in answered if item.candidate.bearers}
    found = {surface: item for surface, item in bare.items() if item.answer.pick == SEVERAL}
    same = {surface: item for surface, item in bare.items() if item.answer.pick.removeprefix("form:") in found}
    return found | same


def _joined(clusters: _Clusters, answered: Sequence[Answered], unit: Unit) -> list[Issue]:
    """Join forms as answered, known entities first; return an issue for every answer that may not stand."""
    issues: list[Issue] = []
    for item in sorted(answered, key=lambda item: not item.answer.pick.startswith("@")):
        surface, pick = item.candidate.form.surface, item.answer.pick
        if item.answer.status != "answered" or pick in (f"form:{surface}", SEVERAL):
            continue
        if not clusters.link(surface, pick, item.answer_id):
            issues.append(
                Issue(
                    code="conflicting_merge",
                    step=STEP.name,
                    chapter=unit.chapter.no,
                    about=(surface, pick),
                    detail="would put two known entities, or two full names of one family, together",
                    because=(item.answer_id,),
                )
            )
    return issues


def _anchors(cluster: Sequence[FormFact]) -> list[str]:
    return [f"name:{form.surface}" for form in cluster]


def _entering(cluster: Sequence[FormFact], handle: str, anchor: str, unit: Unit) -> list[Fact]:
    """Return somebody new with his names."""
    label = best_label(cluster, unit.table)
    first = evidence_at(unit, cluster[0].first)
    entity = EntityFact(
        entity=handle,
        entity_kind=main_kind(cluster),
        label=label,
        anchor=anchor,
        chapter=unit.chapter.no,
        evidence=(first,) if first else (),
    )
    return [entity, *_names(cluster, handle, label, unit)]


def _joining(cluster: Sequence[FormFact], known: str, handles: Handles, unit: Unit) -> list[Fact]:
    """Return more names of somebody known.

    Where one of them had an older handle before an edit brought in its bearer earlier, by another name, he has it again.
    """
    label = unit.start.cast[known].entity.label
    facts = _names(cluster, known, label, unit)
    before = handles.of_before(_anchors(cluster), known)
    return [*facts, SameFact(entity=known, same_as=before, chapter=unit.chapter.no)] if before else facts


def _names(cluster: Sequence[FormFact], handle: str, label: str, unit: Unit) -> list[Fact]:
    return [
        NameFact(
            entity=handle, surface=f.surface, name_kind=name_kind(f.surface, label, unit.table), chapter=unit.chapter.no
        )
        for f in cluster
    ]


STEP = AskStep(
    name="cast_same",
    reads=frozenset({"form"}),
    writes=frozenset({"entity", "name", "same"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="cast_same",
    part="cast",
    carries=True,
    stage="chapter",
    pack_size=80,
    n_groups=2,
    pack_by=lambda candidate: str(candidate.group),
)
