"""What is counted: names among the candidates, who is who, who is there, who is meant in a sentence, who is whose kin.

Every measure gives (hit, n) of a document and the errors with their kind and place; shares and intervals are pooled later.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from analyzer.models.facts import RELATION_KINDS
from analyzer.text.candidates import BookStats, descriptors, new_forms
from analyzer.text.languages import language_table
from analyzer.text.manuscript import manuscript_from_text
from analyzer.text.namefold import fold_name, title_words
from analyzer.text.names import NameMatcher
from evals.public.annotated import Chain, Document, key_of, keys_of, tail_of
from evals.public.runs import Said
from evals.public.truth import chapter_at
from evals.scoring.figures import Counted

_CASES = {"ru": 2, "de": 2, "es": 1}
"""Letters by which an inflected name may differ at its end, for texts whose names are given in one case."""
_ENDS = re.compile(r"(?:\A|[.!?…:\n“‘\"«„—])[ \t“‘\"'«„_(*—-]*\Z")


class Error(NamedTuple):
    """Something missed or wrong: which kind, in which document and where (the set's own terms), and the words for the screen."""

    kind: str
    document: str
    at: str
    text: str


@dataclass
class Counts:
    """What one document gave: (hit, n) by measure, errors, and what it cost in candidates per 1,000 words."""

    by_measure: dict[str, Counted] = field(default_factory=dict)
    errors: list[Error] = field(default_factory=list)
    words: float = 0.0
    n_forms: int = 0
    n_descriptions: int = 0

    def add(self, measure: str, hit: float, n: float = 1.0) -> None:
        """Count `hit` of `n` more."""
        old = self.by_measure.get(measure, (0.0, 0.0))
        self.by_measure[measure] = (old[0] + hit, old[1] + n)


# Candidates


def candidates(document: Document, *, complete: bool = True) -> Counts:
    """Count printed names among the forms that would be asked about, forms that are names, and people without a name.

    `complete` says that places and things are annotated as well as people: else nothing can be said of other forms.
    """
    table = language_table(document.language)
    manuscript = manuscript_from_text(document.text, title="", language=document.language)
    book = BookStats.of(manuscript, table)
    seen: dict[str, int] = {}
    heads: set[str] = set()
    counts = Counts(words=document.n_words)
    for chapter in manuscript.chapters:
        forms = new_forms(chapter, table, seen, book)
        described = descriptors(chapter, table)
        counts.n_forms += len(forms)
        counts.n_descriptions += len(described)
        seen |= {form.surface: form.n for form in forms}
        heads |= {fold_name(surface) for d in described for surface in (*d.surfaces, d.head)}
    _names(document, seen, heads, counts)
    if complete:
        _false_forms(document, seen, counts)
    for chain in document.chains:
        if not chain.names:
            found = _is_described(chain, heads, document.language)
            counts.add("people without a name among candidates", found)
            if not found:
                first = chain.descriptions[0]
                kind = "a person without a name is no candidate"
                counts.errors.append(Error(kind, document.name, first.at, first.text))
    return counts


def _names(document: Document, seen: dict[str, int], heads: set[str], counts: Counts) -> None:
    keys = {key_of(surface, document.language) for surface in seen} | heads
    for chain in document.chains:
        printed = [name for name in chain.names if name.text in document.text]
        if not printed:
            continue
        found = _has(chain.forms, keys, document.language)
        counts.add("names among candidates", found)
        counts.add(f"names among candidates: {chain.group}", found)
        if not found:
            why = _why_missed(printed[0].text, seen, document)
            counts.errors.append(Error(f"a name is no candidate: {why}", document.name, printed[0].at, printed[0].text))


def _has(forms: Iterable[str], found: set[str], language: str) -> bool:
    keys, cut = keys_of(forms, language), _CASES.get(language, 0)
    if keys & found:
        return True
    stems = {key[: len(key) - cut] for key in keys if len(key) > cut + 2} if cut else set()
    return any(f.startswith(stem) and len(f) <= len(stem) + cut + 2 for stem in stems for f in found)


def _why_missed(name: str, seen: dict[str, int], document: Document) -> str:
    table = language_table(document.language)
    words = set(fold_name(name).split())
    if {w.rstrip(".") for w in words} <= title_words(table):
        return "a title alone"
    if name.isupper() and len(name) > 1:
        return "all in capitals"
    if any(fold_name(name) in fold_name(form) for form in seen):
        return "only a longer form is one"
    if any(set(fold_name(form).split()) < words for form in seen):
        return "only a part of it is one"
    return "nothing of it is one"


def _false_forms(document: Document, seen: dict[str, int], counts: Counts) -> None:
    """Count the forms that are, or are part of, something annotated."""
    true = {
        key
        for c in document.chains
        for key in keys_of((m.text for m in (*c.names, *c.descriptions)), document.language)
    }
    runs = {run for c in document.chains for form in c.forms for run in _runs(fold_name(form))}
    for surface in seen:
        right = key_of(surface, document.language) in true or fold_name(surface) in runs
        counts.add("candidates that are names", right)
        if not right:
            start = _start(surface, document.text)
            kind = "opens sentences only" if _only_opens(surface, document.text) else "stands inside a sentence"
            counts.errors.append(
                Error(f"a candidate is no annotated name: {kind}", document.name, f"char {start}", surface)
            )


def _start(surface: str, text: str) -> int:
    """Return where a form stands first, whatever white space its words are parted by; -1 where it does not."""
    found = re.search(r"\s+".join(map(re.escape, surface.split())), text)
    return found.start() if found else -1


def _runs(form: str) -> Iterator[str]:
    words = form.split()
    for i in range(len(words)):
        for j in range(i + 1, len(words) + 1):
            yield " ".join(words[i:j])


def _only_opens(surface: str, text: str) -> bool:
    return all(_ENDS.search(text[max(0, m.start() - 12) : m.start()]) for m in re.finditer(re.escape(surface), text))


def _is_described(chain: Chain, heads: set[str], language: str) -> bool:
    words = {word for d in chain.descriptions for word in fold_name(d.text).split()}
    lasts = {head.split()[-1] for head in heads}
    if words & lasts:
        return True
    return language == "ko" and any(fold_name(d.text).endswith(last) for d in chain.descriptions for last in lasts)


# Who is who


def entities(said: Said, *, complete: bool = True) -> Counts:
    """Count named chains in the cast, cast entries that are annotated, kinds, and B-cubed over mentions by name."""
    document, counts = said.document, Counts()
    kinds = {row.handle: row.kind for row in said.named}
    items: list[tuple[str, str]] = []
    for chain in document.chains:
        printed = [name for name in chain.names if name.text in document.text]
        if not printed:
            continue
        handles = [said.handle_of(name.text) for name in printed]
        items += [(chain.id, handle) for handle in handles]
        found = {handle for handle in handles if handle}
        counts.add("named in the cast", bool(found))
        counts.add(f"named in the cast: {chain.group}", bool(found))
        if found:
            counts.add("kind", any(kinds[h] in chain.kinds for h in found))
            _wrong_kind(chain, {kinds[h] for h in found}, document, counts)
        if len(found) > 1:
            forms = sorted({name.text for name, h in zip(printed, handles, strict=True) if h})
            kind = f"one {_one(chain)} is several of the cast: {_how_split(forms, document.language)}"
            counts.errors.append(Error(kind, document.name, printed[0].at, " / ".join(forms)))
        elif not found:
            kind = f"a {_one(chain)} is not in the cast"
            counts.errors.append(Error(kind, document.name, printed[0].at, printed[0].text))
    _b_cubed(items, document, counts)
    if complete:
        _unannotated(said, counts)
    return counts


def _one(chain: Chain) -> str:
    return {"people": "person", "places": "place"}.get(chain.group, "group or thing")


def _wrong_kind(chain: Chain, kinds: set[str], document: Document, counts: Counts) -> None:
    if kinds.isdisjoint(chain.kinds):
        kind = f"a {_one(chain)} is taken for a {min(kinds)}"
        counts.errors.append(Error(kind, document.name, chain.names[0].at, chain.names[0].text))


def _how_split(forms: Iterable[str], language: str) -> str:
    words = [set(key_of(form, language).split()) for form in forms]
    return (
        "its forms share a word"
        if any(a & b for i, a in enumerate(words) for b in words[i + 1 :])
        else "no word is shared"
    )


def _b_cubed(items: list[tuple[str, str]], document: Document, counts: Counts) -> None:
    """Add B-cubed over mentions by name: recall over all, one that is in no entry counts 0; precision over those that are."""
    both: defaultdict[tuple[str, str], int] = defaultdict(int)
    chains: defaultdict[str, int] = defaultdict(int)
    handles: defaultdict[str, int] = defaultdict(int)
    owners: defaultdict[str, set[str]] = defaultdict(set)
    for chain, handle in items:
        chains[chain] += 1
        if handle:
            both[chain, handle] += 1
            handles[handle] += 1
            owners[handle].add(chain)
    for (_, handle), n in both.items():
        counts.add("B-cubed precision", n * n / handles[handle], n)
    recall = sum(n * n / chains[chain] for (chain, _), n in both.items())
    if items:
        counts.add("B-cubed recall", recall, len(items))
    firsts = {chain.id: chain.names[0] for chain in document.chains if chain.names}
    for found in owners.values():
        if len(found) > 1:
            ids = sorted(found)
            forms = {fold_name(firsts[i].text) for i in ids}
            how = "called alike" if len(forms) == 1 else "by forms of one name"
            text = " / ".join(firsts[i].text for i in ids)
            counts.errors.append(Error(f"several are one of the cast: {how}", document.name, firsts[ids[0]].at, text))


def _unannotated(said: Said, counts: Counts) -> None:
    document = said.document
    true = {
        k for c in document.chains for k in keys_of((m.text for m in (*c.names, *c.descriptions)), document.language)
    }
    for row in said.named:
        right = any(key_of(name, document.language) in true for name in row.names)
        counts.add("cast entries that are annotated", right)
        if not right:
            at = f"char {_start(row.names[0], document.text)}"
            kind = f"a cast entry is nothing annotated: {row.kind}"
            counts.errors.append(Error(kind, document.name, at, row.names[0]))


# Who is there


def presence(said: Said) -> Iterator[Counts]:
    """Yield for every listed chapter: people of the list that are on its page, and those on its page that the list has there."""
    document = said.document
    known = {chain.id: chain for chain in document.chains}
    for start, true in sorted(document.present.items()):
        number = chapter_at(said.manuscript, start)
        text = said.manuscript.chapters[number - 1].text if number else ""
        how = {said.chain_of[row.handle]: row.presence[number] for row in _there(said, number)}
        counts = Counts()
        for person in sorted(true):
            counts.add("present, found", how.get(person) == "on_page")
            if how.get(person) != "on_page":
                why = _why_absent(known[person], how.get(person, ""), text)
                counts.errors.append(
                    Error(f"somebody present is not found: {why}", document.name, f"char {start}", person)
                )
        for person in sorted(p for p, presence in how.items() if presence == "on_page"):
            counts.add("said to be present, right", person in true)
            if person not in true:
                kind = "somebody named takes no part by the list"
                counts.errors.append(Error(kind, document.name, f"char {start}", person))
        yield counts


def _there(said: Said, number: int) -> Iterator:  # type: ignore[type-arg]
    rank = {"on_page": 2, "mentioned": 1, "historical": 0}
    rows = [row for row in said.named if number in row.presence and row.handle in said.chain_of]
    yield from sorted(rows, key=lambda row: rank[row.presence[number]])


def _why_absent(chain: Chain, how: str, text: str) -> str:
    if how:
        return "only others speak of them, or a name of theirs decides nothing"
    if not any(re.search(rf"\b{re.escape(form)}\b", text) for form in chain.forms):
        return "none of the list's names stands in the chapter"
    return "the name stands there and is nobody's or somebody else's"


def by_sentence(said: Said) -> Counts:
    """Count pairs of sentence and person: those the set has that are found by a name, and those found that the set has."""
    document, counts = said.document, Counts()
    bearers: defaultdict[str, list[str]] = defaultdict(list)
    for row in said.named:
        if row.handle in said.chain_of:
            for name in row.names:
                bearers[name].append(row.handle)
    found: list[tuple[int, str]] = []
    if bearers:
        matcher = NameMatcher.build(bearers, language_table(document.language), text=document.text)
        found = [(m.start, said.chain_of[m.handles[0]]) for m in matcher.find(document.text) if len(m.handles) == 1]
    for sentence in document.sentences:
        mine = {chain for start, chain in found if sentence.start <= start < sentence.end}
        words = document.text[sentence.start : sentence.end]
        for person in sorted(sentence.chains):
            counts.add("in the sentence, found", person in mine)
            if person not in mine:
                forms = next(c.forms for c in document.chains if c.id == person)
                named = any(
                    part in words for form in forms for part in form.split() if part[:1].isupper() and len(part) > 2
                )
                why = "though a part of the name stands there" if named else "no name stands there"
                counts.errors.append(Error(f"somebody meant is not found: {why}", document.name, sentence.at, person))
        for person in sorted(mine):
            counts.add("said to be in the sentence, right", person in sentence.chains)
            if person not in sentence.chains:
                counts.errors.append(Error("somebody found is not meant", document.name, sentence.at, person))
    return counts


# Whose kin


def kinship(said: Said) -> Counts:
    """Count relations of the list that are stated, exactly and by pair; and stated ones between listed people that are right."""
    document, counts = said.document, Counts()
    wanted = {r for r, rule in RELATION_KINDS.items() if rule.family in ("kin", "romance")} | {"friend_of"}
    stated: set[tuple[str, str, str]] = set()
    for row in said.relations:
        if row.relation in wanted:
            a, b = (
                said.chain_of.get(end, f"{end} {name}")
                for end, name in ((row.subject, row.subject_name), (row.object, row.object_name))
            )
            stated.add((a, row.relation, b))
            if RELATION_KINDS[row.relation].symmetric:
                stated.add((b, row.relation, a))
    pairs = {frozenset((a, b)) for a, _, b in stated}
    true: set[tuple[str, str, str]] = set()
    for gold in document.kinships:
        triples = {(gold.subject, kind, gold.object) for kind in gold.kinds}
        triples |= {(b, kind, a) for a, kind, b in triples if RELATION_KINDS[kind].symmetric}
        true |= triples
        hit, pair = bool(triples & stated), frozenset((gold.subject, gold.object)) in pairs
        counts.add("stated relations, found", hit)
        counts.add("stated relations, pair found", pair)
        if not hit:
            kind = f"a stated relation is {'of another kind' if pair else 'not found'}: {gold.kinds[0]}"
            counts.errors.append(Error(kind, document.name, gold.at, f"{gold.subject} – {gold.object}"))
    listed = {frozenset((g.subject, g.object)) for g in document.kinships if len(g.kinds) > 2}
    for a, kind, b in sorted(stated):
        if (RELATION_KINDS[kind].symmetric and a > b) or frozenset((a, b)) in document.unlisted | listed:
            continue
        right = (a, kind, b) in true
        counts.add("relations stated, right", right)
        if not right:
            counts.errors.append(
                Error("a relation is not in the list", document.name, f"{a} {kind} {b}", f"{a} {kind} {b}")
            )
    return counts


__all__ = ["Counts", "Error", "by_sentence", "candidates", "entities", "kinship", "presence", "tail_of"]
