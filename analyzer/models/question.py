"""Question, option, answer, pack: what is asked, how it is answered, under which canonical key.

A question is narrow and every question offers none (`NONE`). The key says what is asked about whom, independent of
option order, marks and wording, so that an answerer, an evaluation or a recording can be written against keys.
"""

from __future__ import annotations

from typing import Literal

from analyzer.models.base import Record
from analyzer.models.text import Place

QuestionType = Literal["choice", "predicate", "select", "score", "note"]
AnswerStatus = Literal["answered", "none", "abstained", "unparsed", "refused", "missing"]
"""`abstained`: the answerer was read and could not tell two options apart; neither a pick nor a denial."""

NONE = "none"
"""The option key that stands for none of the options; its mark is `-`."""
NONE_MARK = "-"


class Ref(Record):
    """Somebody or something a question is about.

    `handle` is `@7`, or `""` for a candidate without one. `names` are the surface forms known so far, best first.
    `places` are some sentences where it stands. `tie` says what ties an unnamed one to others ("father of @3").
    """

    handle: str = ""
    names: tuple[str, ...] = ()
    kind: str = ""
    tie: str = ""
    places: tuple[Place, ...] = ()


class Option(Record):
    """One choice: `mark` is what the model writes, `key` what it means; `text` is "" where the prefix already shows it."""

    mark: str
    key: str
    text: str = ""
    ref: Ref | None = None


class QuestionKey(Record):
    """What is asked about whom: `ask` is the decision (for instance `cast.kind`), `detail` narrows it (a family, a wording)."""

    step: str
    ask: str
    chapter: int
    about: tuple[Ref, ...]
    detail: str = ""

    @property
    def text(self) -> str:
        """A readable, stable form of the key, for screens and recordings."""
        return f"{self.asked} ch{self.chapter}"

    @property
    def asked(self) -> str:
        """The key without the chapter's number, which is no part of what is asked: the chapter may move."""
        who = " + ".join(
            f"{r.handle}{'=' if r.handle and r.names else ''}{r.names[0] if r.names else r.tie}" for r in self.about
        )
        spot = (
            f" at {self.about[0].places[0]}" if self.about and self.about[0].places and not self.about[0].handle else ""
        )
        return f"{self.ask}{':' + self.detail if self.detail else ''} [{who}{spot}]"


class Question(Record):
    """One narrow question.

    `text` is its one line as shown. `options` are in the order shown (not for notes). `evidence` says whether sentence
    handles may follow the mark: "no", "may", "must". `sentences` are candidate evidence sentences made by code; when
    `closed_evidence` only these count, otherwise any sentence of the chapter. `max_picks` bounds a select,
    `max_sentences` the sentences that make sense behind a pick (room for them is kept in the reply).
    """

    key: QuestionKey
    type: QuestionType
    text: str
    options: tuple[Option, ...] = ()
    evidence: Literal["no", "may", "must"] = "no"
    sentences: tuple[Place, ...] = ()
    closed_evidence: bool = False
    max_picks: int = 1
    max_sentences: int = 3

    def option_by_key(self, key: str) -> Option | None:
        """Return the option with this key, or None."""
        return next((o for o in self.options if o.key == key), None)


class Answer(Record):
    """What came back for one question.

    `picked` are option keys in the order given (empty for none). `sentences` are evidence handles that exist.
    `by_pick` are the sentences named right behind each pick, aligned with `picked`; () where they were named for all.
    `text` is a note's words. `raw` is the line as received. `dropped` are tokens of the line that named nothing offered.
    `confidence` is the answerer's own probability for the pick, None where it gives none. `probabilities` are those of the
    options by key (none included; of a select each option's own), () where it gives none.
    """

    status: AnswerStatus
    picked: tuple[str, ...] = ()
    sentences: tuple[Place, ...] = ()
    by_pick: tuple[tuple[Place, ...], ...] = ()
    text: str = ""
    raw: str = ""
    dropped: tuple[str, ...] = ()
    confidence: float | None = None
    probabilities: tuple[tuple[str, float], ...] = ()

    def sentences_of(self, key: str) -> tuple[Place, ...]:
        """Return the sentences named for one pick: its own, else all."""
        own = self.by_pick[self.picked.index(key)] if self.by_pick and key in self.picked else ()
        return own or self.sentences

    @property
    def pick(self) -> str:
        """The first picked key, or `NONE`."""
        return self.picked[0] if self.picked else NONE


class Part(Record):
    """One part of the shared prefix, ended by a cache breakpoint: `name` is system, cast, chapter or added."""

    name: Literal["system", "cast", "chapter", "added"]
    text: str


class Pack(Record):
    """Several questions of one step in one call: the prefix parts, the step's instructions and the numbered questions.

    `questions[i]` is shown as line `i + 1`. `tail` is everything after the prefix, exactly as sent.
    `wording` counts re-asks: 0 first, 1 the other wording after an empty or all-none reply.
    """

    step: str
    chapter: int
    parts: tuple[Part, ...]
    tail: str
    questions: tuple[Question, ...]
    wording: int = 0
