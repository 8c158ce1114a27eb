"""Names taken apart into parts to rename and words to keep: by words in scripts with capitals, by signs in the others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from analyzer.text.candidates.lexicon import word_list
from analyzer.text.fold import APOSTROPHES
from evals.rename._lexicon import LETTERS, NAMING, ROMAN, Lexicon
from evals.rename._pool import Role, pool

RENAMED = ("character", "place", "object")
SIGNS_RENAMED = ("character", "place", "group")
"""Kinds whose own names change, with and without capitals; of the others, what they share with these does.

Without capitals a thing's name cannot be told from words, and of a group only what stands before its generic end is renamed.
"""


EPITHET = 4
"""Times a single word stands with an article before it is taken for what somebody is (the Psychologist), not for a name."""


_FIRM = "记記氏"
"""What stands between a family's name and the kind of its firm."""


@dataclass(frozen=True)
class Piece:
    """A stretch of a name: `role` says that it is a part to rename, "initial" that it is a first letter, None that it stays."""

    text: str
    role: Role | None = None
    initial: bool = False


@dataclass(frozen=True)
class Form:
    """A printed name and its pieces, composed; `bearers` are ids, `word` that the text has it as an ordinary word too.

    A `loose` form is one word of a longer name that gold does not list alone.
    """

    surface: str
    pieces: tuple[Piece, ...]
    bearers: tuple[str, ...] = ()
    word: bool = False
    loose: bool = False

    @property
    def renamed(self) -> bool:
        """Whether anything of it changes."""
        return any(piece.role or piece.initial for piece in self.pieces)


@dataclass(frozen=True)
class Bearer:
    """An entity of all chapters together: its kind and every printed name."""

    id: str
    kind: str
    names: tuple[str, ...]


def split_names(bearers: Sequence[Bearer], lexicon: Lexicon) -> dict[str, Form]:
    """Return the form of every name of a person or place, by its composed surface; names of several entities are one form."""
    forms: dict[str, Form] = {}
    parts: set[str] = set()
    kinds = RENAMED if lexicon.cased else SIGNS_RENAMED
    for bearer in sorted((b for b in bearers if b.kind in kinds), key=lambda b: kinds.index(b.kind)):
        for surface, pieces in _split(bearer, parts, lexicon):
            known = forms.get(surface)
            if known is not None and known.renamed:
                forms[surface] = _borne(known, bearer.id)
                continue
            ids = (*(known.bearers if known else ()), bearer.id)
            forms[surface] = Form(surface, pieces, tuple(dict.fromkeys(ids)), _is_word(pieces, lexicon))
            parts.update(piece.text for piece in pieces if piece.role and bearer.kind == "character")
    return forms


def _borne(form: Form, bearer: str) -> Form:
    return Form(form.surface, form.pieces, tuple(dict.fromkeys((*form.bearers, bearer))), form.word)


def _is_word(pieces: Sequence[Piece], lexicon: Lexicon) -> bool:
    """Tell whether all that is renamed of a name is an ordinary word, and no title or other name stands with it."""
    renamed = [piece.text for piece in pieces if piece.role]
    rest = "".join(piece.text for piece in pieces if not piece.role).strip()
    return bool(renamed) and not rest and len(renamed) == 1 and lexicon.is_word(renamed[0])


def _split(bearer: Bearer, parts: Set[str], lexicon: Lexicon) -> Iterator[tuple[str, tuple[Piece, ...]]]:
    """Yield every name of an entity with its pieces; `parts` are those of the persons seen before."""
    names = [unicodedata.normalize("NFC", name) for name in bearer.names]
    for name in names:
        if lexicon.cased:
            yield name, _by_words(name, bearer.kind, parts, lexicon)
        else:
            yield name, _by_signs(name, bearer.kind, names, parts, lexicon)


def _by_words(name: str, kind: str, parts: Set[str], lexicon: Lexicon) -> tuple[Piece, ...]:
    """Return the pieces of a name in words: capitals that are neither title nor, in names of things, ordinary words."""
    tokens = list(LETTERS.finditer(name))
    if kind == "character" and _is_epithet(name, [t.group() for t in tokens], lexicon):
        return (Piece(name),)
    own = [
        token.group() in parts or not _kept(token.group(), before.group() if before else "", kind, lexicon)
        for before, token in zip([None, *tokens], tokens, strict=False)
    ]
    pieces: list[Piece] = []
    at = 0
    last = max((i for i, flag in enumerate(own) if flag), default=-1)
    for i, token in enumerate(tokens):
        dotted = len(token.group()) == 1 and name[token.end() : token.end() + 1] == "."
        initial = dotted and last > i and token.group().casefold() not in lexicon.titles
        if not own[i] and not initial:
            continue
        role: Role = "place" if kind == "place" else "family" if i == last and i > 0 else "given"
        stem = _stem(token.group(), lexicon)
        pieces += (
            Piece(name[at : token.start()]),
            Piece(name[token.start() : token.start() + len(stem)], None if initial else role, initial),
        )
        at = token.start() + len(stem)
    return tuple(piece for piece in (*pieces, Piece(name[at:])) if piece.text)


def _is_epithet(name: str, words: Sequence[str], lexicon: Lexicon) -> bool:
    """Tell a person called by words (the Medical Man) from one who has a name that is a word too (Eustace Wick)."""
    if all(word.casefold() in lexicon.titles | lexicon.roles for word in words):
        return True
    last = words[-1]
    ordinary = last.casefold() in lexicon.generic or last.lower() in lexicon.lower or last == last.lower()
    return lexicon.by_article(name) if ordinary else len(words) == 1 and lexicon.by_article(name, least=EPITHET)


def _kept(word: str, before: str, kind: str, lexicon: Lexicon) -> bool:
    folded = word.casefold()
    if word[0] == word[0].lower() or ROMAN.fullmatch(word) or len(word) == 1:
        return True
    if kind == "character":
        return folded in lexicon.titles
    if before.casefold() in NAMING:
        return False
    return folded in lexicon.generic or lexicon.is_word(word)


def _stem(word: str, lexicon: Lexicon) -> str:
    """Return a word without the end that inflection replaces, in languages where it does."""
    for end in pool()[lexicon.tag].get("cut", ()):
        if word.endswith(end) and len(word) - len(end) >= 2:
            return word[: -len(end)]
    if len(word) > EPITHET and word.endswith("s") and word[:-1] in lexicon.capitals:  # the Catalans, of one Catalan
        return word[:-1]
    return word


def words_of(form: Form, lexicon: Lexicon) -> Iterator[Form]:
    """Yield the single words of a form that stand alone as names too: Dantès of M. Dantès, Saint-Méran of M. de Saint-Méran."""
    if not lexicon.cased:
        own = [p for p in form.pieces if p.role and len(p.text) > 1]
        yield from (Form(p.text, (p,), form.bearers, lexicon.is_word(p.text), loose=True) for p in own)
        return
    elisions = "|".join(sorted({"d", "l", *word_list(lexicon.table.names, "elisions")}))
    edges = re.compile(rf"(?:(?:{elisions})[{APOSTROPHES}])?(.+?)(?:[{APOSTROPHES}]s?)?[,.;:!?]*", re.I)
    for found in re.finditer(r"\S+", form.surface):
        word = edges.fullmatch(found.group())
        if word is None:
            continue
        start, end = found.start() + word.start(1), found.start() + word.end(1)
        pieces = tuple(_cut(form.pieces, start, end))
        parts = [p.text for p in pieces if p.role]
        if parts and not any(p.initial for p in pieces):
            is_word = len(parts) == 1 and lexicon.is_word(parts[0])
            if is_word and any(p.role == "place" for p in pieces):
                continue
            yield Form(word.group(1), pieces, form.bearers, is_word, loose=True)


def _cut(pieces: Iterable[Piece], start: int, end: int) -> Iterator[Piece]:
    at = 0
    for piece in pieces:
        low, high = max(at, start), min(at + len(piece.text), end)
        if low < high:
            yield Piece(piece.text[low - at : high - at], piece.role, piece.initial)
        at += len(piece.text)


def inflected(words: Mapping[str, Form], lexicon: Lexicon) -> dict[str, Form]:
    """Return the forms that the text prints of single words with a plural or case ending (Ruddocks, Раскольникову)."""
    endings = frozenset(pool()[lexicon.tag].get("endings", ()))
    of_places = endings | frozenset(pool()[lexicon.tag].get("place_endings", ()))
    if not lexicon.cased or not endings:
        return {}
    stems: dict[str, Form] = {}
    for form in words.values():
        last = form.pieces[-1]
        pieces = form.pieces if last.role else form.pieces[:-1]
        if pieces and pieces[-1].role and len(pieces[-1].text) > 2:
            stems["".join(p.text for p in pieces)] = Form(form.surface, pieces, form.bearers)
    found = {stem: form for stem, form in stems.items() if stem not in words and stem in lexicon.capitals}
    for word in sorted(lexicon.capitals):
        for size in range(1, 4):
            stem = stems.get(word[:-size])
            if stem is None or word[-size:] not in (of_places if stem.pieces[-1].role == "place" else endings):
                continue
            if word not in words and word.lower() not in lexicon.lower:
                found[word] = Form(word, (*stem.pieces, Piece(word[-size:])), stem.bearers)
    return found


def _by_signs(name: str, kind: str, names: Sequence[str], parts: Set[str], lexicon: Lexicon) -> tuple[Piece, ...]:
    """Return the pieces of a name in Hangul, Han or kana: between what leads and what follows it, family and given name."""
    pieces: list[Piece] = []
    for found in re.finditer(r"[^\s・･·=＝-]+|[\s・･·=＝-]+", name):
        word = found.group()
        plain = not word[0].isalnum() or (word != name and lexicon.is_word(word))  # the 노인 of 한 노인
        pieces += [Piece(word)] if plain else _segment(word, kind, names, parts, lexicon)
    return tuple(pieces)


def _segment(word: str, kind: str, names: Sequence[str], parts: Set[str], lexicon: Lexicon) -> list[Piece]:
    table = pool()[lexicon.tag]
    if word in table.get("left", ()) or word in after_words(lexicon) or word[0].isascii():
        return [Piece(word)]
    lead, core, tail = _peeled(word, kind, names, lexicon)
    if kind == "group":
        return _group(word, core, tail, parts, lexicon)
    inner = _person(core, names, lexicon) if kind == "character" else [Piece(core, "place")]
    return [Piece(lead), *inner, Piece(tail)] if lead and tail else [*_some(lead), *inner, *_some(tail)]


def _group(word: str, core: str, tail: str, parts: Set[str], lexicon: Lexicon) -> list[Piece]:
    """Return the pieces of a group's name: of one named after a person, or (in Hangul, where words end) after any place."""
    if tail and core[:-1] in parts and core[-1] in _FIRM:
        return [Piece(core[:-1], "family"), Piece(core[-1] + tail)]
    if tail and core in parts:
        return [Piece(core, "family"), Piece(tail)]
    if lexicon.tag != "ko" or not tail or len(core) < 2:
        return [Piece(word)]
    return [*_segment(core, "place", (), parts, lexicon), Piece(tail)]


def _some(text: str) -> list[Piece]:
    return [Piece(text)] if text else []


def after_words(lexicon: Lexicon) -> frozenset[str]:
    """Return the titles that follow a name without a space, and the generic ends of places."""
    listed = word_list(lexicon.table.titles, "after")
    return frozenset((*listed, *pool()[lexicon.tag].get("after", ())))


def _peeled(word: str, kind: str, names: Sequence[str], lexicon: Lexicon) -> tuple[str, str, str]:
    """Return what leads, the core and what follows; a core of one sign only for a family name or behind a familiar prefix."""
    surnames = family_names(lexicon)
    lead = next((b for b in pool()[lexicon.tag].get("before", ()) if word.startswith(b) and len(word) > len(b)), "")
    given = any(name != word and name.endswith(word) for name in names)  # 马小满 is no 小 before 满
    lead = lead if kind == "character" and len(word) <= 3 and word not in surnames and not given else ""
    rest = word[len(lead) :]
    ends = set(after_words(lexicon))
    if kind != "character":
        ends |= {*word_list(lexicon.table.places, "suffixes"), *word_list(lexicon.table.places, "institutions")}
    for end in sorted(ends, key=lambda e: (-len(e), e)):
        core = rest[: -len(end)]
        if rest.endswith(end) and core and _stands(core, end, kind, names, lexicon):
            return lead, core, end
    return lead, rest, ""


def _stands(core: str, end: str, kind: str, names: Sequence[str], lexicon: Lexicon) -> bool:
    """Tell whether a core may be cut from what follows: 박사 is no Mr. 박, and 이동군 is 이 and 동군."""
    surnames = family_names(lexicon)
    if len(core) == 1:
        return kind != "place" and core in surnames
    if kind != "character":
        return True
    after = after_words(lexicon) | frozenset(pool()[lexicon.tag].get("left", ()))
    word = core + end
    whole_given = any(o != word and word.endswith(o) and len(o) > 1 and o not in after for o in names)
    syllable = end in word_list(lexicon.table.names, "given_syllables")
    plain_name = len(core) == 2 and core[0] in surnames and syllable and core not in names
    return not whole_given and not plain_name


def family_names(lexicon: Lexicon) -> frozenset[str]:
    """Return the family names the language's table and the pool know."""
    listed = word_list(lexicon.table.names, "surnames")
    if lexicon.tag == "zh":
        listed = tuple("".join(listed))
    doubles = (*word_list(lexicon.table.names, "double_surnames"), *pool()[lexicon.tag].get("doubles", ()))
    return frozenset((*listed, *doubles))


def _person(core: str, names: Sequence[str], lexicon: Lexicon) -> list[Piece]:
    """Return family and given name of a core; another name of the same person that it ends in tells where to cut."""
    surnames = family_names(lexicon)
    if len(core) == 1 or core in surnames:
        return [Piece(core, "family" if core in surnames else "given")]
    alone = [name for name in names if not any(o != name and o.endswith(name) for o in names)]
    cores = {core, *names, *(_bare(name, lexicon) for name in alone)} - {""}
    for other in sorted(cores, key=lambda o: (-len(o), o)):
        if other != core and core.endswith(other):
            return [Piece(core[: -len(other)], "family"), Piece(other, "given")]
        if other != core and core.startswith(other) and len(other) > 1 and len(core) > 2:
            return [Piece(other, "family"), Piece(core[len(other) :], "given")]
    size = _family_size(core, surnames, lexicon.tag)
    if size and not any(core in other and core != other for other in cores):
        return [Piece(core[:size], "family"), Piece(core[size:], "given")]
    return [Piece(core, "given")]


def _bare(name: str, lexicon: Lexicon) -> str:
    """Return a name without familiar prefix (阿拾 is 拾) and honorific, where at least two signs, or one behind a prefix, are left."""
    for lead in pool()[lexicon.tag].get("before", ()):
        if name.startswith(lead) and len(name) > len(lead):
            return name[len(lead) :]
    for end in sorted(after_words(lexicon), key=lambda e: (-len(e), e)):
        if name.endswith(end) and len(name) - len(end) > 1:
            return name[: -len(end)]
    return name


def _family_size(core: str, surnames: frozenset[str], tag: str) -> int:
    """Return how many signs of a full name are the family's, 0 where it is no full name."""
    least = 3 if tag in ("ko", "ja") else 2
    for size in (3, 2, 1):
        if core[:size] in surnames and len(core) - size >= 1 and len(core) >= least and len(core) - size <= 3:
            return size
    return 2 if tag == "ja" and len(core) == 4 else 0
