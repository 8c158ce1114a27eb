"""What a whole book tells about its names: which is a given name, which a family's, who bears it; and whether two are one.

Only what is unambiguous joins names: a family name several people bear joins nobody by itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from analyzer.text.languages import LanguageTable
from analyzer.text.nameparts import NameParts, name_parts

NEAR_CHAPTERS = 5
"""Within how many chapters of each other a given and a family name must come up to be taken for one person's by the full
name alone. Source: a choice; in the gold chapters every such pair comes up within three, a son of the house came up in 24."""
STRAY_SHARE = 0.05
"""Below this share of a family's full names a given name that means others too, or hardly stands alone, is left out."""
FEWEST_ALONE = 3
"""How often a given name must stand alone before it is taken for that of somebody called by the family name so far."""
DOMINANT = 0.8
"""Share of a given name's full forms that one family must have for the given name to stand for its bearer."""

FEW_FULL = 10
"""Full names of a family below which even one seen once counts."""
SLIP_SHARE = 0.1
"""Below this share of a name's titled forms what a title tells is left out: a joke, an error, another's title."""

SURE, LIKELY, LAST = 3, 2, 1
"""Strengths: equal words; one part of a full name; a bare family name whose only bearer here it is."""


@dataclass(frozen=True)
class NameBook:
    """The names of a book: `counts` holds how often each surface stands in it, `firsts` the chapter where it first does."""

    counts: Mapping[str, int]
    table: LanguageTable
    firsts: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def _first_of(self) -> dict[str, int]:
        """Name of one word, or family name of several -> chapter where it first stands, alone or in a longer name."""
        found: dict[str, int] = {}
        for surface, chapter in self.firsts.items():
            parts = self.parts(surface)
            for word in {parts.given, parts.family, parts.single} - {""}:
                found[word] = min(chapter, found.get(word, chapter))
        return found

    @cached_property
    def _compounds(self) -> frozenset[str]:
        """Names of several words that stand as one behind a title and its particle ("Count of Hale Moor")."""
        found = (name_parts(surface, self.table) for surface in self.counts)
        return frozenset(p.single for p in found if p.titled and " " in p.single)

    @cached_property
    def _houses(self) -> frozenset[str]:
        """Names that both men and women are titled by: a family's, so that no other family name follows it."""
        genders: defaultdict[str, set[str]] = defaultdict(set)
        for surface in self.counts:
            parts = name_parts(surface, self.table)
            if parts.single and parts.gender:
                genders[parts.single].add(parts.gender)
        return frozenset(name for name, found in genders.items() if len(found) > 1)

    def parts(self, surface: str) -> NameParts:
        """Return the parts of a name; a compound that the book uses as one name is not taken for given and family name.

        Nor are two family names in a row.
        """
        parts = name_parts(surface, self.table)
        if parts.given and (" ".join(parts.core) in self._compounds or parts.given in self._houses):
            return replace(parts, given="", family="")
        return parts

    @cached_property
    def _parts(self) -> tuple[tuple[NameParts, int], ...]:
        return tuple((self.parts(surface), n) for surface, n in self.counts.items())

    @cached_property
    def _first_full(self) -> dict[tuple[str, str], int]:
        """Given and family name -> chapter where they first stand together."""
        found: dict[tuple[str, str], int] = {}
        for surface, chapter in self.firsts.items():
            parts = self.parts(surface)
            key = (parts.given, parts.family)
            found[key] = min(chapter, found.get(key, chapter))
        return found

    def is_lone(self, root: str) -> bool:
        """Return whether one person at most has this full given name, by patronymics and family names."""
        full = {(p.given or p.single, p.family) for p, _ in self._parts if p.root == root}
        return all(len(found - {""}) < 2 for found in ({f for _, f in full}, {n for n, _ in full if " " in n}))

    @cached_property
    def alone(self) -> Counter[str]:
        """How often each single name stands without a second one, titled or not."""
        found: Counter[str] = Counter()
        for parts, n in self._parts:
            if parts.single and not parts.titled:
                found[parts.single] += n
        return found

    @cached_property
    def families_of(self) -> dict[str, Counter[str]]:
        """Given name -> family names it stands with."""
        found: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for parts, n in self._parts:
            if parts.given and self._counts_as_full(parts):
                found[parts.given][parts.family] += n
        return dict(found)

    @cached_property
    def givens_of(self) -> dict[str, Counter[str]]:
        """Family name -> given names it stands with."""
        found: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for given, families in self.families_of.items():
            for family, n in families.items():
                found[family][given] += n
        return dict(found)

    def _counts_as_full(self, parts: NameParts) -> bool:
        """Where names are written together a split is only believed if the given name also stands by itself."""
        if len(parts.core) > 1:
            return True
        return self.alone[parts.given] > 0

    @cached_property
    def _titled(self) -> dict[str, Counter[tuple[str, str, str]]]:
        """Given name, or name standing alone -> what its titles tell (gender, wedded, rank), counted."""
        counted: defaultdict[str, Counter[tuple[str, str, str]]] = defaultdict(Counter)
        for parts, n in self._parts:
            if parts.titled:
                key = f"given:{parts.given}" if parts.given else f"single:{parts.single}"
                counted[key][(parts.gender, parts.wedded, parts.rank)] += n
        return dict(counted)

    def _titles_alone(self, name: str) -> Counter[tuple[str, str, str]]:
        return self._titled.get(f"single:{name}", Counter())

    def _titles_of(self, given: str) -> Counter[tuple[str, str, str]]:
        """Return what titles tell of a given name, whether its family name stands there or not."""
        return self._titled.get(f"given:{given}", Counter()) + self._titles_alone(given)

    def is_titled(self, given: str) -> bool:
        """Return whether a title ever stands with `given`."""
        return bool(self._titles_of(given))

    def is_family(self, word: str) -> bool:
        """Return whether `word` stands as a family name more than as a given one."""
        own = sum(self.givens_of.get(word, Counter()).values())
        return own > sum(self.families_of.get(word, Counter()).values()) or self._many_titles(word)

    def _many_titles(self, word: str) -> bool:
        """Return whether both a man and a woman, or a wife and a daughter, are titled by this name alone."""
        told = self._titles_alone(word)
        return len(_values(told, GENDER)) > 1 or len(_values(told, WEDDED)) > 1

    def has_gender(self, given: str, family: str, gender: str) -> bool:
        """Return whether `given` is of this gender by its titles; where they do not tell, by whom the bare family name means."""
        known = _values(self._titles_of(given), GENDER) or {self.gender_of_bare(family)}
        return not gender or gender in known or "" in known

    def _stray(self, given: str, family: str) -> bool:
        n, n_all = self.givens_of[family][given], sum(self.givens_of[family].values())
        if n >= STRAY_SHARE * n_all and (n > 1 or (n_all < FEW_FULL and self.alone[given])):
            return False
        return self.alone[given] < FEWEST_ALONE or self.family_of(given) != family

    def free_ranks(self, family: str, gender: str) -> frozenset[str]:
        """Return the ranks that stand with the family name alone and with none of its given names: a head of the family."""
        told = {row: n for row, n in self._titles_alone(family).items() if row[RANK]}
        fewest = SLIP_SHARE * sum(told.values())
        return frozenset(
            rank
            for (its_gender, _, rank), n in told.items()
            if n >= fewest
            and (not gender or its_gender in ("", gender))
            and all(_n_rank(self._titles_of(given), rank) < n for given in self.givens_of.get(family, ()))
        )

    def persons(self, family: str, gender: str, wedded: str = "") -> frozenset[str]:
        """Return given names and free ranks that may stand for somebody of this family, gender and state."""
        givens = {
            given
            for given in self.givens_of.get(family, ())
            if self.has_gender(given, family, gender)
            and not self._stray(given, family)
            and not self._otherwise_wedded(given, wedded)
        }
        ranks = {f"rank:{r}" for r in self.free_ranks(family, gender)} if wedded != "no" else set()
        return frozenset(givens | ranks)

    def only(self, family: str, gender: str, wedded: str, givens: frozenset[str]) -> bool:
        """Return whether one of `givens` must be meant: there is nobody else of this family, gender and state."""
        possible = self.persons(family, gender, wedded)
        return bool(possible) and possible <= givens

    def bound(self, rank: str, givens: frozenset[str], family: str, gender: str) -> bool:
        """Return whether a rank belongs to one of `givens`, alone of all the family."""
        bearers = {g for g in self.givens_of.get(family, ()) if _n_rank(self._titles_of(g), rank)}
        return bool(rank and bearers) and bearers <= givens and rank not in self.free_ranks(family, gender)

    def _otherwise_wedded(self, given: str, wedded: str) -> bool:
        known = _values(self._titles_of(given), WEDDED)
        return bool(wedded and known and wedded not in known)

    def is_elder(self, surface: str) -> bool:
        """Return whether a name with an adjective before it ("old Hale") stands often enough to be what somebody is called."""
        parts = name_parts(surface, self.table)
        return self.is_family(parts.single) and self.counts.get(surface, 0) >= FEWEST_ALONE

    def is_personal(self, surface: str) -> bool:
        """Return whether a name is a full one with a known given name, or a titled one without its title."""
        parts = name_parts(surface, self.table)
        if parts.given:
            return self.alone[parts.given] >= FEWEST_ALONE or self.is_titled(parts.given)
        return bool(self._titles_alone(parts.single))

    def gender_of_bare(self, family: str) -> str:
        """Return whom a bare family name means: a man where any is titled by it, a woman where only women are."""
        genders = _values(self._titles_alone(family), GENDER)
        return "m" if "m" in genders else "f" if genders == {"f"} else ""

    def family_of(self, given: str) -> str:
        """Return the family a given name stands for, or "" where several share it."""
        families = self.families_of.get(given, Counter())
        if not families:
            return ""
        family, n = families.most_common(1)[0]
        return family if n >= DOMINANT * sum(families.values()) else ""

    def near(self, given: str, family: str) -> bool:
        """Return whether the two come up within `NEAR_CHAPTERS` of each other, and no other given name of the family does."""
        first = self._first_of
        close = [
            g for g in self.givens_of.get(family, ()) if abs(first.get(g, 0) - first.get(family, 0)) <= NEAR_CHAPTERS
        ]
        return [g for g in close if self.alone[g] >= FEWEST_ALONE] == [given]

    def bearer(self, names: Iterable[str]) -> Bearer:
        """Return what the names of one person tell together; remembered, because every new name is held against all."""
        key = tuple(names)
        if key not in self._bearers:
            self._bearers[key] = Bearer.of(tuple(self.parts(n) for n in key), self)
        return self._bearers[key]

    @cached_property
    def _bearers(self) -> dict[tuple[str, ...], Bearer]:
        return {}


GENDER, WEDDED, RANK = 0, 1, 2


def _values(told: Counter[tuple[str, str, str]], which: int) -> set[str]:
    """Return what titles tell in one respect, slips left out."""
    counted: Counter[str] = Counter()
    for row, n in told.items():
        if row[which]:
            counted[row[which]] += n
    return {value for value, n in counted.items() if n >= SLIP_SHARE * sum(counted.values())}


def _n_rank(told: Counter[tuple[str, str, str]], rank: str) -> int:
    return sum(n for (_, _, its), n in told.items() if its == rank)


@dataclass(frozen=True)
class Bearer:
    """One person's names taken together."""

    parts: tuple[NameParts, ...]
    givens: frozenset[str]
    families: frozenset[str]
    genders: frozenset[str]
    wedded: frozenset[str]
    ranks: frozenset[str]

    @classmethod
    def of(cls, parts: Sequence[NameParts], book: NameBook) -> Bearer:
        """Return the bearer of these names; a single name counts as given or family as the book has it."""
        givens, families = {p.given for p in parts if p.given}, {p.family for p in parts if p.family}
        genders = {p.gender for p in parts}
        for part in parts:
            if part.single and book.is_family(part.single):
                families.add(part.single)
                if not part.titled:
                    genders.add(book.gender_of_bare(part.single))
            elif part.single and part.single in book.families_of:
                givens.add(part.single)
        return cls(
            tuple(parts),
            frozenset(givens),
            frozenset(families),
            frozenset(genders - {""}),
            frozenset(p.wedded for p in parts if p.wedded),
            frozenset(p.rank for p in parts if p.rank),
        )


def sameness(new: NameParts, other: Bearer, book: NameBook) -> int:
    """Return how surely `new` names the bearer of the other names: SURE, LIKELY, LAST, or 0 where it does not or it is open."""
    mine = Bearer.of((new,), book)
    if not new.core:
        return SURE if any(not p.core and p.rank == new.rank and new.rank for p in other.parts) else 0
    if not _allowed(new, mine, other):
        return 0
    if any(p.core == new.core for p in other.parts if not p.modified) and not new.modified:
        return SURE if _same_words(new, mine, other, book) else 0
    if new.modified and mine.families:
        return 0
    return _by_part(mine, other, book) or _by_root(new, other, book)


def _by_root(new: NameParts, other: Bearer, book: NameBook) -> int:
    """Judge a short name or one without patronymic: it means the only person of the book who is called so in full."""
    known = new.root and any(p.root == new.root for p in other.parts)
    return LIKELY if known and book.is_lone(new.root) else 0


def _allowed(new: NameParts, mine: Bearer, other: Bearer) -> bool:
    """Return whether nothing speaks against it: gender, wife or daughter, given name, family name, kin word before it."""
    if mine.genders and other.genders and not mine.genders & other.genders:
        return False
    if mine.wedded and other.wedded and not mine.wedded & other.wedded and not mine.givens & other.givens:
        return False
    if mine.givens and other.givens and not mine.givens & other.givens:
        return False
    if mine.families and other.families and not mine.families & other.families:
        return False
    only_modified = all(p.modified or p.kin for p in other.parts) and bool(other.families)
    return not only_modified and not (new.kin and not new.rank and mine.families and not mine.givens)


def _same_words(new: NameParts, mine: Bearer, other: Bearer, book: NameBook) -> bool:
    """Judge names with the same words: a family name with different titles may mean several people."""
    if not mine.families or mine.givens:
        return True
    family = next(iter(mine.families))
    gender = next(iter(mine.genders), "")
    twins = [p for p in other.parts if p.core == new.core]
    if any((p.rank, p.gender, p.wedded) == (new.rank, new.gender, new.wedded) for p in twins):
        return True
    if other.givens and new.titled:
        return book.only(family, gender, new.wedded, other.givens) or book.bound(new.rank, other.givens, family, gender)
    ranks = {p.rank for p in twins if p.rank} | ({new.rank} if new.rank else set())
    return not ranks or book.persons(family, gender, new.wedded) == {f"rank:{rank}" for rank in ranks}


def _by_part(mine: Bearer, other: Bearer, book: NameBook) -> int:
    """Judge a full name beside a part of it, or a given name beside a family name."""
    if mine.givens & other.givens:
        given = next(iter(mine.givens & other.givens))
        families = mine.families | other.families
        return LIKELY if not families or book.family_of(given) in families else 0
    shared = mine.families & other.families
    if shared and mine.givens and not other.givens:
        return LIKELY if _names_bearer(next(iter(mine.givens)), next(iter(shared)), other, book) else 0
    if shared and other.givens and not mine.givens:
        return _family_of_full(mine, other, next(iter(shared)), book)
    return _given_with_family(mine, other, book)


def _given_with_family(mine: Bearer, other: Bearer, book: NameBook) -> int:
    """Judge a given name beside a family name, neither with the other."""
    if mine.givens and other.families and not mine.families and not other.givens:
        given, held = next(iter(mine.givens)), other
    elif mine.families and other.givens and not mine.givens and not other.families:
        given, held = next(iter(other.givens)), mine
    else:
        return 0
    family = book.family_of(given)
    return LIKELY if family in held.families and _names_bearer(given, family, held, book) else 0


def _names_bearer(given: str, family: str, held: Bearer, book: NameBook) -> bool:
    """Return whether the bearer of a family name, given name unknown so far, must be the one with this given name."""
    gender = next(iter(held.genders), "")
    possible = book.persons(family, gender, next(iter(held.wedded), ""))
    if given not in possible:
        return False
    if gender and possible == {given}:
        return True
    return book.alone[given] >= FEWEST_ALONE and book.near(given, family) and not held.ranks


def _family_of_full(mine: Bearer, other: Bearer, family: str, book: NameBook) -> int:
    """Judge a family name beside somebody known by full name."""
    new = mine.parts[0]
    gender = next(iter(mine.genders), "")
    if book.only(family, gender, new.wedded, other.givens) or book.bound(new.rank, other.givens, family, gender):
        return LIKELY
    return 0 if new.titled else LAST
