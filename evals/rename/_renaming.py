"""The new names of one text: every part of a name drawn once, and the old names in the text replaced by what their parts became."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from analyzer.text.candidates.lexicon import word_list
from analyzer.text.fold import narrow
from analyzer.text.languages import LanguageTable
from analyzer.text.names import Mention, NameMatcher
from evals.rename._edits import Edit, Moved
from evals.rename._forms import Bearer, Form, Piece, family_names, inflected, split_names, words_of
from evals.rename._lexicon import Lexicon
from evals.rename._pool import Inventor, Part, begins_with_vowel

LEAST_SHARED = 3
"""Letters a short form must share with a longer part of the same person to be made like it (Kezzy, Keziah)."""
_OPEN = tuple('“"‘«»„「『(')
_ENDS = ".!?…:—–。！？"
Allowed = Callable[[int, Form], bool]
"""Whether a name that is a word too is meant as the name at an offset."""


@dataclass(frozen=True)
class Renaming:
    """Old parts to new ones; `forms` are all printed names, single words and inflected ones of them, by surface."""

    parts: dict[str, str]
    forms: dict[str, Form]
    lexicon: Lexicon

    @cached_property
    def matcher(self) -> NameMatcher:
        """Finds every old name, those that stay too (a name inside one of them is not touched)."""
        names = {surface: form.bearers for surface, form in self.forms.items()}
        return NameMatcher.build(names, self.lexicon.table, all_caps=self.lexicon.cased)

    def new_piece(self, piece: Piece, form: Form) -> str:
        """Return what a piece becomes, composed."""
        if piece.initial:
            return self._initial(piece.text, form)
        return self.parts[piece.text] if piece.role else piece.text

    def _initial(self, letter: str, form: Form) -> str:
        own = [f for f in self.forms.values() if set(f.bearers) & set(form.bearers)]
        given = [p.text for f in own for p in f.pieces if p.role == "given" and p.text[0] == letter]
        return self.parts[given[0]][0] if given else letter

    def image(self, surface: str) -> str:
        """Return what a name became; a name that is none of the text's stays."""
        form = self.forms.get(unicodedata.normalize("NFC", surface))
        return "".join(self.new_piece(piece, form) for piece in form.pieces) if form else surface

    def name(self, surface: str) -> str:
        """Return what a name of any entity became: of a group or thing, what it shares with persons and places changes."""
        return self.image(surface) if unicodedata.normalize("NFC", surface) in self.forms else self.string(surface)

    def mentions(self, text: str, allowed: Allowed) -> Iterator[tuple[Mention, Form, bool]]:
        """Yield every old name of a text, and whether it is renamed there."""
        for mention in self.matcher.find(text):
            form = self.forms[mention.surface]
            meant = not form.word or allowed(mention.start, form)
            yield mention, form, form.renamed and meant and not _inside_word(text, mention)

    def edits(self, text: str, allowed: Allowed) -> list[Edit]:
        """Return the edits that rename a text; in a decomposed text the new names are decomposed too."""
        apart = unicodedata.is_normalized("NFD", text) and not unicodedata.is_normalized("NFC", text)
        found = [
            edit
            for mention, form, changes in self.mentions(text, allowed)
            if changes
            for edit in self._edits_of(mention, text[mention.start : mention.end], form)
        ]
        return [edit._replace(new=unicodedata.normalize("NFD", edit.new)) for edit in found] if apart else found

    def _edits_of(self, mention: Mention, written: str, form: Form) -> Iterator[Edit]:
        """Yield the edits of one mention, as it is written: in capitals, decomposed, with other glyphs."""
        whole = sum(len(piece.text) for piece in form.pieces)
        folded = narrow(written)
        capitals = written == written.upper() and form.surface != form.surface.upper()
        if len(folded.text) != whole:  # a glyph that the fold drops: the name is replaced as one
            yield Edit(mention.start, mention.end, self.image(form.surface))
            return
        at = 0
        for piece in form.pieces:
            span = folded.span(at, at + len(piece.text))
            at += len(piece.text)
            new = self.new_piece(piece, form)
            if new == piece.text:
                continue
            old = written[span.start : span.end]
            new = new.upper() if capitals else new
            new = new if unicodedata.is_normalized("NFC", old) else unicodedata.normalize("NFD", new)
            yield Edit(mention.start + span.start, mention.start + span.end, new)

    def string(self, text: str) -> str:
        """Return a string of gold with its names renamed; there a name that is a word too is always the name."""
        return Moved(text, self.edits(text, lambda _at, _form: True)).text


def _inside_word(text: str, mention: Mention) -> bool:
    """Tell whether a name of one Han sign stands in a run of Han, and so in another word (葵 in 向日葵)."""
    around = text[max(0, mention.start - 1) : mention.start] + text[mention.end : mention.end + 1]
    return mention.end - mention.start == 1 and any(map(_is_han, around))


def _is_han(sign: str) -> bool:
    return unicodedata.name(sign, "").startswith("CJK UNIFIED")


def begins_sentence(text: str, at: int) -> bool:
    """Tell whether nothing but quotation marks and spaces stands between an offset and the end of a sentence or line."""
    before = text[max(0, at - 12) : at]
    bare = re.sub(r"[\s“”\"'‘’«»「『(\[*_-]+$", "", before)
    if before[-1:] in _OPEN:
        return True
    return "\n" in before[len(bare) :] or not bare or bare[-1] in _ENDS


def renaming(bearers: Sequence[Bearer], text: str, table: LanguageTable, *, seed: int) -> Renaming:
    """Return new names for all that a text's persons and places are called by; the same for the same seed.

    Raises ValueError where the pool has no name that fits. Cost: half a second for 100 names in 100,000 signs.
    """
    lexicon = Lexicon(table, text)
    forms = split_names(bearers, lexicon)
    words = {word.surface: word for form in forms.values() if form.renamed for word in words_of(form, lexicon)}
    words = {surface: word for surface, word in words.items() if surface not in forms}
    forms |= words
    renamed = {s: f for s, f in forms.items() if f.renamed}
    forms |= inflected({s: f for s, f in renamed.items() if " " not in s}, lexicon)
    parts = _parts(forms.values(), lexicon)
    families = frozenset() if lexicon.cased else family_names(lexicon)
    syllables = frozenset(word_list(table.names, "given_syllables"))
    inventor = Inventor(lexicon.tag, text, frozenset(parts), lexicon.cased, lexicon.generic, families, syllables)
    for part in sorted(parts.values(), key=lambda p: (p.like is not None, -len(p.text), p.text)):
        inventor.invent(part, random.Random(f"{seed}:{table.tag}:{part.text}"))
    return Renaming(inventor.drawn, forms, lexicon)


def _parts(forms: Iterable[Form], lexicon: Lexicon) -> dict[str, Part]:
    found: dict[str, Part] = {}
    bearers: dict[str, set[str]] = {}
    for form in forms:
        for piece in form.pieces:
            if piece.role:
                vowel = begins_with_vowel(piece.text) or (lexicon.cased and lexicon.elided(piece.text))
                found.setdefault(piece.text, Part(piece.text, piece.role, vowel))
                bearers.setdefault(piece.text, set()).update(form.bearers)
    if not lexicon.cased:
        return found
    longest = sorted(found, key=lambda text: (-len(text), text))
    for i, short in enumerate(longest):
        for long in longest[:i]:
            n = _shared(short, long)
            if bearers[short] & bearers[long] and n >= min(LEAST_SHARED, len(short)) and found[long].like is None:
                found[short] = replace(found[short], like=(long, min(n, len(short) - 1)))
                break
    return found


def _shared(a: str, b: str) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
