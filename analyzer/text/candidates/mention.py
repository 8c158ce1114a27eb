"""One place where somebody or something is described instead of named."""

from __future__ import annotations

from typing import NamedTuple


class Mention(NamedTuple):
    """A description in the text.

    `head` is its noun in one spelling, `surface` the words `[start, end)` as printed. `kind` is the entity kind the noun
    means; `relation` what the noun says of whom it belongs to (canonical kind, the described one as subject) or "".
    `possessor` is "", "speaker", "addressee", "third" or the words that name the possessor. `kin` tells kin words from
    roles. `named` says that a name stands beside it, `acts` that it speaks, `new` that its words bring in somebody ("a man");
    `longer` are its words with the trait after them ("a man in a red hat"), or "".
    `vague` says that nothing sets the described one apart ("a man", "someone").
    """

    head: str
    surface: str
    start: int
    end: int
    kind: str
    relation: str = ""
    possessor: str = ""
    kin: bool = False
    named: bool = False
    acts: bool = False
    new: bool = False
    longer: str = ""
    vague: bool = False
