"""Decides which new names belong together and to whom; gives handles. Must not decide what the text has not told yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.bible import Bible
from analyzer.models.facts import EntityFact, Fact, FormFact, NameFact
from analyzer.models.issue import Issue
from analyzer.models.question import Option, Question, QuestionKey, Ref
from analyzer.prefix import shown
from analyzer.steps._cast import KIND_CLASS, Handles, best_label, main_kind, name_kind
from analyzer.steps._options import letters
from analyzer.steps._scope import evidence_at, ref_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.text.languages import LanguageTable
from analyzer.text.namefold import core_words


@dataclass(frozen=True)
class SameCandidate:
    """A new form and the options it shares with all new forms of its class."""

    form: FormFact
    group: str
    options: tuple[Option, ...]


def _options(group: str, forms: Sequence[FormFact], unit: Unit, bible: Bible) -> tuple[Option, ...]:
    known = [
        Option(mark=handle, key=handle, ref=ref_of(entry, bible))
        for handle, entry in unit.start.cast.items()
        if handle in unit.scope and KIND_CLASS[entry.entity.entity_kind] == group
    ]
    fresh = [
        Option(
            mark=letters(i),
            key=f"form:{form.surface}",
            text=f"“{shown(form.surface)}”",
            ref=Ref(names=(form.surface,), kind=form.entity_kind, places=(form.first,)),
        )
        for i, form in enumerate(forms)
    ]
    return (*fresh, *known)


def _forms(unit: Unit, bible: Bible, group: str) -> tuple[FormFact, ...]:
    found = (form for form in bible.forms(unit.chapter.no) if KIND_CLASS[form.entity_kind] == group)
    return tuple(sorted(found, key=lambda form: (form.first, form.surface)))


def candidates(unit: Unit, bible: Bible) -> Sequence[SameCandidate]:
    """Return every new form that has another form or known entity of its class to be compared with."""
    found: list[SameCandidate] = []
    for group in ("beings", "things"):
        forms = _forms(unit, bible, group)
        options = _options(group, forms, unit, bible)
        if len(options) > 1:
            found += [SameCandidate(form, group, options) for form in forms]
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
        text=f"“{shown(form.surface)}” ({form.first})",
        options=candidate.options,
    )


def _full_name(surface: str, table: LanguageTable) -> tuple[str, ...]:
    """Return the words of a name of at least two words beside titles, () for any other."""
    words = core_words(surface, table)
    return words if len(words) > 1 else ()


class _Clusters:
    """Union of forms; each cluster may hold one known handle."""

    def __init__(self, forms: Sequence[FormFact], table: LanguageTable) -> None:
        self.full = {form.surface: _full_name(form.surface, table) for form in forms}
        self.parent = {form.surface: form.surface for form in forms}
        self.handle: dict[str, str] = {}
        self.because: dict[str, list[str]] = {form.surface: [] for form in forms}

    def find(self, surface: str) -> str:
        while self.parent[surface] != surface:
            surface = self.parent[surface]
        return surface

    def _two_people(self, surface: str, other: str) -> bool:
        """Whether a bare family name would join two full names that differ before it: Renée and Louis of one house."""
        if bool(self.full[surface]) == bool(self.full[other]):
            return False
        joined = {self.full[s] for s in self.parent if self.find(s) in {self.find(surface), self.find(other)}} - {()}
        return any(a[-1] == b[-1] and a[0] != b[0] for a in joined for b in joined)

    def link(self, surface: str, pick: str, answer_id: str) -> bool:
        """Join as picked; False if that would put two known entities, or two full names of one family, together."""
        root = self.find(surface)
        if pick.startswith("form:"):
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
    """Return entities with their names; forms joined by the answers, handles by order of first appearance."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    issues: list[Issue] = []
    forms = tuple(sorted(bible.forms(unit.chapter.no), key=lambda form: (form.first, form.surface)))
    clusters = _Clusters(forms, unit.table)
    known_first = sorted(answered, key=lambda item: not item.answer.pick.startswith("@"))
    for item in known_first:
        surface = item.candidate.form.surface
        pick = item.answer.pick
        if (
            item.answer.status == "answered"
            and pick != f"form:{surface}"
            and not clusters.link(surface, pick, item.answer_id)
        ):
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
    handles = Handles(unit.start, bible.handles)
    members: dict[str, list[FormFact]] = {}
    for form in forms:
        members.setdefault(clusters.find(form.surface), []).append(form)
    for root, cluster in members.items():
        because = tuple(dict.fromkeys(clusters.because[root]))
        facts += [(fact, because) for fact in _entity(cluster, clusters.handle.get(root, ""), handles, unit)]
    return Effects(tuple(facts), tuple(issues))


def _entity(cluster: Sequence[FormFact], known: str, handles: Handles, unit: Unit) -> list[Fact]:
    found: list[Fact] = []
    handle = known
    if handle:
        label = unit.start.cast[handle].entity.label
    else:
        label = best_label(cluster, unit.table)
        handle, anchor = handles.take(f"name:{form.surface}" for form in cluster)
        first = evidence_at(unit, cluster[0].first)
        found.append(
            EntityFact(
                entity=handle,
                entity_kind=main_kind(cluster),
                label=label,
                anchor=anchor,
                chapter=unit.chapter.no,
                evidence=(first,) if first else (),
            )
        )
    found += [
        NameFact(
            entity=handle, surface=f.surface, name_kind=name_kind(f.surface, label, unit.table), chapter=unit.chapter.no
        )
        for f in cluster
    ]
    return found


STEP = AskStep(
    name="cast_same",
    reads=frozenset({"form"}),
    writes=frozenset({"entity", "name"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="cast_same",
    carries=True,
    stage="chapter",
    pack_size=80,
    n_groups=2,
    pack_by=lambda candidate: str(candidate.group),
)
