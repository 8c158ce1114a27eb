"""What the rows of a piece are: every class with its key and its fields, for whoever writes another page over the same pieces.

docs/pieces.md is made from this, and tests hold the rows of whole sites against it, so that neither says what is not so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

Kind = Literal[
    "number",
    "word",
    "text",
    "prose",
    "flag",
    "id",
    "ids",
    "names",
    "quotes",
    "numbered",
    "was",
    "past",
    "there",
    "affinities",
]
KINDS: Mapping[Kind, str] = {
    "number": "a whole number; of chapters, from 1",
    "word": "a word of a closed list; the page's words for it are in `words` of site.js",
    "text": "text of the book or the author, as data; may be empty",
    "prose": "a note as a list: text and ids of the cast by turns, text first; `?` for somebody not known by then",
    "flag": "true or false",
    "id": "an id of the cast, a key of `entity`; `reader` is whoever reads",
    "ids": "ids of the cast, each once",
    "names": "names, each once",
    "quotes": "keys of `quote`, in order",
    "numbered": "the key of a row of another class",
    "was": "a list of [id, chapter, `reveal` or `same`]",
    "past": "chapters as text, to how one was there: `p`, `m` or `h`",
    "there": "[how, how often named]: `p` on the page, `m` mentioned, `h` spoken of as of the past",
    "affinities": "a list of [chapter, `+`, `0` or `-`], in order",
}  # fmt: skip
"""Kinds of values, and what they are in JSON."""


class Field(NamedTuple):
    """A field of a row: `optional` ones are left out where there is nothing to say."""

    name: str
    kind: Kind
    meaning: str
    optional: bool = False


class RowClass(NamedTuple):
    """A class of rows; a field called `*` stands for all fields, whose names are then ids of the cast."""

    name: str
    meaning: str
    key: str
    fields: tuple[Field, ...]

    def field(self, name: str) -> Field | None:
        """Return what a field is, None for one that no row of the class has."""
        return next((one for one in self.fields if one.name in (name, "*")), None)


_CHAPTER = Field("c", "number", "the chapter")
_WHERE = Field("where", "text", "where in the book, `chapter:block.sentence`, to sort by")
_QUOTES = Field("q", "quotes", "the words that show it")
_NUMBER = "a number, in the order of the story"

SHAPE: tuple[RowClass, ...] = (
    RowClass("quote", "Words of the manuscript, which rows of other classes share.", _NUMBER, (
        _CHAPTER,
        Field("at", "text", "where in the chapter, `block.sentence`"),
        Field("text", "text", "the words; empty in a site without quotes"),
        Field("by", "word", "narration, speech, thought or document"),
    )),
    RowClass("chapter", "A chapter.", "its number", (
        Field("n", "number", "its number, from 1, of all chapters alike"),
        Field("kind", "word", "chapter, prologue, interlude, side_story, epilogue, front or back"),
        Field("label", "text", "its number as printed"),
        Field("title", "text", "its title"),
    )),
    RowClass("card", "What a chapter told.", "the chapter's number", (
        Field("summary", "prose", "what happens"),
        Field("people", "ids", "who is there"),
        Field("places", "ids", "where"),
        Field("time", "prose", "when"),
        Field("eyes", "id", "through whose eyes", optional=True),
    )),
    RowClass("entity", "One of the cast. Whoever turned out to be another keeps a row with `into`.", "a hash of kind and first name", (
        Field("kind", "word", "character, group, place, object, event, lore or text"),
        Field("name", "text", "how one is called as of now"),
        Field("names", "names", "all names so far but that one"),
        Field("since", "number", "the chapter of the entrance"),
        Field("unnamed", "flag", "has no name so far: the name is words of the text"),
        Field("narrator", "flag", "says I"),
        Field("was", "was", "who turned out to be this one", optional=True),
        Field("into", "id", "who this one turned out to be; may have an `into` in turn", optional=True),
        Field("at", "number", "the chapter that tells it", optional=True),
        Field("why", "word", "reveal (a mask fell) or same (a merge)", optional=True),
        Field("past", "past", "where this one was until then", optional=True),
        Field("q", "quotes", "the words that tell it", optional=True),
    )),
    RowClass("there", "Who is in a chapter.", "the chapter's number", (Field("*", "there", "how the one of that id is there"),)),
    RowClass("relation", "A relation of two as of now.", _NUMBER, (
        Field("a", "id", "of whom it is said"),
        Field("k", "word", "its kind; `role.KIND.a` is the word for `a`, `role.KIND.b` that for `b`"),
        Field("b", "id", "to whom"),
        Field("family", "word", "kin, romance, bond, conflict, work or place"),
        Field("status", "word", "current, former, intended, alleged or pretended"),
        Field("aff", "word", "how it feels: `+`, `0` or `-`"),
        Field("vis", "word", "public or secret"),
        Field("since", "number", "the chapter that first tells it"),
        Field("until", "number", "the chapter by whose end it is over", optional=True),
        Field("affs", "affinities", "how it felt, by chapter", optional=True),
    )),
    RowClass("said", "The words of a chapter that show a relation.", "`RELATION@CHAPTER`", (
        Field("r", "numbered", "the relation"),
        _CHAPTER,
        _QUOTES,
    )),
    RowClass("turn", "A relation ends, turns, comes to light or proves a sham.", _NUMBER, (
        _CHAPTER,
        _WHERE,
        Field("a", "id", "of whom the relation is said"),
        Field("k", "word", "its kind"),
        Field("b", "id", "to whom"),
        Field("turn", "word", "ends, turns, revealed or pretended"),
        _QUOTES,
        Field("aff", "word", "how it feels from then on", optional=True),
    )),
    RowClass("reveal", "Somebody turns out to be somebody.", _NUMBER, (
        _CHAPTER,
        _WHERE,
        Field("persona", "id", "the page of who was known"),
        Field("behind", "id", "the page of who it is"),
        Field("pname", "text", "how the one was called then"),
        Field("bname", "text", "how the other was called then"),
        Field("called", "text", "words that meant somebody, where no mask falls"),
        Field("to", "ids", "who is told"),
        Field("status", "word", "confirmed or proposed"),
        _QUOTES,
    )),
    RowClass("change", "A state or a look changes.", _NUMBER, (
        _CHAPTER,
        _WHERE,
        Field("e", "id", "whose"),
        Field("attr", "word", "which state or feature"),
        Field("op", "word", "set, add, remove or end"),
        Field("value", "prose", "what it is"),
        Field("modality", "word", "asserted, reported, believed, planned, hypothetical, dreamt or lied"),
        Field("holds", "flag", "it holds as of now"),
        Field("look", "flag", "it is a look, not a state"),
        _QUOTES,
        Field("of", "id", "whom or what the value is about", optional=True),
        Field("life", "word", "alive, dying, dead, missing, thought_dead or destroyed", optional=True),
        Field("before", "prose", "what it was, where that is told", optional=True),
    )),
    RowClass("secret", "A secret as it stands.", _NUMBER, (
        _CHAPTER,
        _WHERE,
        Field("text", "prose", "what it is"),
        Field("holders", "ids", "who keeps it"),
        Field("from", "ids", "from whom"),
        Field("status", "word", "kept or out"),
        _QUOTES,
    )),
    RowClass("hush", "What becomes of a secret.", _NUMBER, (
        Field("s", "numbered", "the secret"),
        _CHAPTER,
        _WHERE,
        Field("event", "word", "touched, shared or exposed"),
        Field("to", "ids", "to whom"),
    )),
    RowClass("known", "Somebody comes to know, believe or suspect something, or does not know it.", _NUMBER, (
        _CHAPTER,
        _WHERE,
        Field("e", "id", "who"),
        Field("stance", "word", "knows, believes, suspects or unaware"),
        Field("text", "prose", "what"),
        _QUOTES,
        Field("via", "word", "witnessed, told, overheard, read, inferred or deceived", optional=True),
        Field("by", "id", "from whom", optional=True),
        Field("s", "numbered", "the secret it is about", optional=True),
    )),
    RowClass("thread", "Something set up, as it stands.", _NUMBER, (
        _CHAPTER,
        _WHERE,
        Field("kind", "word", "question, promise, threat, secret, prophecy, object, fear, skill, deadline or anomaly"),
        Field("text", "prose", "what"),
        Field("about", "ids", "whom"),
        Field("status", "word", "open, dormant, overdue, paid, subverted or abandoned"),
        Field("health", "word", "fresh, active, dormant, overdue, closed or unplanted"),
        _QUOTES,
    )),
    RowClass("step", "What happens to a thread.", _NUMBER, (
        Field("t", "numbered", "the thread"),
        _CHAPTER,
        _WHERE,
        Field("event", "word", "plant, reinforce, trigger, partial_payoff, payoff, subvert or abandon"),
        _QUOTES,
    )),
)  # fmt: skip
"""The classes of readers' sites, in the order in which a piece has them: what is quoted comes before what quotes it."""
FOR_THE_AUTHOR = ("waits", "odd")
"""Classes of the author's report alone: what waits and what was odd, rows of its own page and not described here."""


def described(rows: Iterable[RowClass] = SHAPE, *, level: int = 3) -> str:
    """Return the classes as Markdown: a section each, headed at `level`, with a table of its fields; kinds of values first."""
    lines = ["| value | in JSON |", "|---|---|", *(f"| {kind} | {told} |" for kind, told in KINDS.items())]
    for one in rows:
        lines += [
            "",
            f"{'#' * level} `{one.name}`",
            "",
            f"{one.meaning} Key: {one.key}.",
            "",
            "| field | value | meaning |",
            "|---|---|---|",
        ]
        lines += [f"| `{f.name}` | {f.kind}{', or left out' if f.optional else ''} | {f.meaning} |" for f in one.fields]
    return "\n".join(lines)
