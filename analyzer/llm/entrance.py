"""The entrance test of a local model: twelve questions with known answers, in the shapes the steps ask, before real work.

A file on somebody's machine may be any model. One that cannot answer these fills a book with errors that look like facts,
so it is refused with a plain word; whoever wants it all the same says so (`untested`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from analyzer.errors import ModelError, PermanentModelError
from analyzer.llm.asker import Asker, Profile
from analyzer.llm.formats import parse_reply
from analyzer.models.question import NONE, Option, Pack, Part, Question, QuestionKey, QuestionType
from analyzer.models.run import AnsweredBy, Reply
from analyzer.models.text import Place
from analyzer.prompts import render_questions, system_text

NEEDED = 10
"""Right answers of twelve that let a model in. Source: guessing (chance 1 in 4 or 5) gets there once in 25,000 times, a model
that is right in 19 of 20 questions fails once in 50 times."""
_TOKENS_PER_LINE = 24

TASK = """TASK: answer from the chapter alone. A name in quotation marks: what is it the name of? A description: who is meant? Two of
the cast: which statement does the chapter bear out?"""
CAST = """CAST BEFORE THIS CHAPTER
@1 character: Orsolya / Orsolya Vint
@2 character: Matis
@3 character: Doctor Vint
@4 character: Piet Hallow / Hallow
@5 character: Sabra Quill
@6 character: Mother Anselm
@7 place: Low Marl
@8 object: the Heron

"""
CHAPTER = """CHAPTER: The Late Ferry
[1] The ferry Heron was late. (2) Orsolya Vint stood on the landing with her brother Matis and counted the lamps of Low Marl.
[2] “Father will be angry,” said Matis. (2) Their father, Doctor Vint, had kept the fever house there for twenty years.
[3] Piet Hallow brought the boat in. (2) He had been the doctor’s servant until the spring; now he served nobody, and said so.
[4] “They say that you married Sabra Quill,” said Orsolya. (2) “They say a great deal. (3) I never married anybody,” said Hallow.
[5] Orsolya laughed. (2) She and Sabra had learnt their letters from Mother Anselm, and she told Sabra everything.
[6] That night Matis dreamt that Hallow struck him with an oar. (2) In the morning Hallow came up to the house with a basket of eels.

"""
_DENY = "the text does not say so, or denies it"
_KINDS = (
    ("character", "a person or being"),
    ("group", "a family, crew, people or organisation"),
    ("place", "a place"),
    ("object", "a thing with a name or of weight, a ship"),
)
_WHO = (("@1", "@1 Orsolya"), ("@4", "@4 Piet Hallow"), ("@6", "@6 Mother Anselm"), ("@3", "@3 Doctor Vint"))
_STATUS = (("former", "it is over"), ("current", "it still holds"), ("intended", "it is only planned"))


class Known(NamedTuple):
    """A question and the key of its right answer."""

    question: Question
    right: str


class Entrance(NamedTuple):
    """How a model did: right answers of `n`; what it answered to each question, None where it could not be read."""

    n_right: int
    n: int
    picked: tuple[str | None, ...]

    @property
    def passed(self) -> bool:
        """Whether it may be given real work."""
        return self.n_right >= NEEDED


def _known(
    number: int, ask: str, text: str, rows: tuple[tuple[str, str], ...], right: str, place: Place | None = None
) -> Known:
    options = tuple(Option(mark=chr(97 + i), key=key, text=words) for i, (key, words) in enumerate(rows))
    kind: QuestionType = "choice"
    key = QuestionKey(step="entrance", ask=ask, chapter=1, about=(), detail=str(number))
    return Known(
        Question(key=key, type=kind, text=text, options=options, sentences=(place,) if place else (), evidence="no"),
        right,
    )


def _pair(number: int, text: str, rows: tuple[str, ...], right: str, place: Place) -> Known:
    keyed = (*((f"o{i}", words) for i, words in enumerate(rows)), ("deny", _DENY))
    return _known(number, "relation.confirm", text, keyed, right, place)


KNOWN = (
    _known(1, "cast.kind", "“Heron” (1.1)", _KINDS, "object", Place(1, 1)),
    _known(2, "cast.kind", "“Low Marl” (1.2)", _KINDS, "place", Place(1, 2)),
    _known(3, "cast.kind", "“Hallow” (4.3)", _KINDS, "character", Place(4, 3)),
    _known(4, "cast.kind", "“In” (6.2)", _KINDS, NONE, Place(6, 2)),
    _pair(5, "@1 Orsolya and @2 Matis", ("@1 is a parent of @2", "@2 is a parent of @1", "@1 and @2 are siblings"), "o2", Place(1, 2)),
    _pair(6, "@2 Matis and @3 Doctor Vint", ("@2 is a parent of @3", "@3 is a parent of @2"), "o1", Place(2, 2)),
    _pair(7, "@3 Doctor Vint and @4 Piet Hallow", ("@3 served @4", "@4 served @3", "@3 and @4 are siblings"), "o1", Place(3, 2)),
    _pair(8, "@4 Piet Hallow and @5 Sabra Quill", ("@4 and @5 are married", "@4 and @5 are siblings"), "deny", Place(4, 3)),
    _pair(9, "@1 Orsolya and @6 Mother Anselm", ("@6 teaches @1", "@1 teaches @6", "@6 is a parent of @1"), "o0", Place(5, 2)),
    _pair(10, "@2 Matis and @4 Piet Hallow", ("@4 harms @2", "@2 harms @4", "@4 is a parent of @2"), "deny", Place(6, 1)),
    _known(11, "status", "@4 serves @3: how does it stand at the chapter’s end?", _STATUS, "former", Place(3, 2)),
    _known(12, "cast.who", "“the doctor” (3.2)", _WHO, "@3", Place(3, 2)),
)  # fmt: skip
"""The questions; a denied, a dreamt and an ended relation, two of direction and a word that names nothing are among them."""


def packs(profile: Profile) -> tuple[Pack, ...]:
    """Return the questions as packs of the size the profile allows."""
    parts = (
        Part(name="system", text=system_text(profile.answer_format) + "\n\n"),
        Part(name="cast", text=CAST),
        Part(name="chapter", text=CHAPTER),
    )
    size = profile.max_pack or len(KNOWN)
    asked = [known.question for known in KNOWN]
    return tuple(
        Pack(
            step="entrance",
            chapter=1,
            parts=parts,
            tail=f"{TASK}\n\nQUESTIONS\n{render_questions(some)}\n\nANSWERS",
            questions=tuple(some),
        )
        for some in (asked[at : at + size] for at in range(0, len(asked), size))
    )


async def examine(asker: Asker) -> Entrance:
    """Ask the known questions and return how many answers were right; raises what `ask` raises. Twelve calls at most."""
    picked: list[str | None] = []
    for pack in packs(asker.profile):
        reply = await asker.ask(pack, max_output_tokens=32 + _TOKENS_PER_LINE * len(pack.questions))
        answers = parse_reply(reply.text, list(pack.questions), None).answers
        picked += [a.pick if a.status in ("answered", "none") else None for a in answers]
    right = sum(_same(found, known.right) for found, known in zip(picked, KNOWN, strict=True))
    return Entrance(right, len(KNOWN), tuple(picked))


def _same(found: str | None, right: str) -> bool:
    """Say whether an answer is right; none of the statements and the text's not saying so are one answer."""
    return found == right or {found, right} == {NONE, "deny"}


class Examined:
    """A transport that takes the entrance test before its first question and asks nothing if it fails.

    The test is taken once, when something is really to be asked. `model`, `params` and `profile` are those of the transport.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self.model = asker.model
        self.answered_by: AnsweredBy = asker.answered_by
        self.profile = asker.profile
        self.params = asker.params
        self._once = asyncio.Lock()
        self._result: Entrance | None = None

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Ask as the transport does; raises PermanentModelError where the model failed its test."""
        async with self._once:
            if self._result is None:
                self._result = await examine(self._asker)
        if not self._result.passed:
            raise refused(self.model, self._result)
        return await self._asker.ask(pack, max_output_tokens=max_output_tokens, on_first_event=on_first_event)

    async def close(self) -> None:
        """Close the transport."""
        await self._asker.close()


def refused(model: str, result: Entrance) -> ModelError:
    """Return the error that says why a model is not asked."""
    return PermanentModelError(
        f"{model} is too weak for this work: it answered {result.n_right} of {result.n} entrance questions right, "
        f"{NEEDED} are needed",
        where=f"model {model}",
        hint="take a larger model; --untested runs this one all the same, and most of what it says will be wrong",
    )
