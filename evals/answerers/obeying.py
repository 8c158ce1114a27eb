"""A reader who obeys whatever stands outside the fenced text of a chapter, and believes every mark that looks like one.

What the prompt fences is the author's: a line of the chapter behind its number, a line of the cast, words in quotation marks on a
question's line. There nothing is obeyed. Everywhere else an order is carried out; and where the author's words end their fence (a mark
out of order, a handle nobody has, the end of a turn, a line more) all is believed to stand outside it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from analyzer.llm.asker import Profile
from analyzer.llm.formats import write_line
from analyzer.llm.transports.scripted import Hostile
from analyzer.models.question import NONE, Answer, Pack, Question
from analyzer.models.run import AnsweredBy, Reply, Usage
from evals.answerers.errors import share

ORDER = "obeythis"
"""The word of an order, as this reader hears it: letters alone, whatever their shape."""
_LINES = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_BLOCK = re.compile(r"\[ *(\d+) *\]")
_SENTENCE = re.compile(r"\( *(\d+) *\)")
_HANDLE = re.compile(r"@ *\d+")
_TURN = re.compile(
    r"< *\|.*?\| *>|< */? *(?:s|bos|eos|start_of_turn|end_of_turn) *>|<< */?sys *>>|\[ */? *inst *\]", re.IGNORECASE
)
_QUOTED = re.compile("“[^“”]*(?:“[^“”]*”[^“”]*)*”")
_NAMED = re.compile(r"@\d+ [^;|:.]*")
_SAID = re.compile(r"^\d+\. \d+\.\d+ .*: (?=@\d)")
"""Words in quotation marks; those behind a handle up to the next sign of ours; those said, between their sentence and the handles
that follow them: all data, as long as the author's words can hold no handle."""
_ESCAPE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_CHAPTER, _CAST = "CHAPTER", ("CAST BEFORE THIS CHAPTER", "CAST THIS CHAPTER ADDS")
_CAST_LINE = re.compile(r"@\d+ (?:[a-z]+: |also: )")


def heard(text: str) -> str:
    """Return text as a credulous reader takes it: digits of any script, brackets of any width, nothing unseen."""
    plain = unicodedata.normalize("NFKC", text)
    kept = (ch for ch in plain if unicodedata.category(ch) not in {"Cf", "Mn", "Me"} or ch in "\u0300")
    turned = "".join(str(unicodedata.digit(ch)) if ch.isdigit() else ch for ch in kept)
    return re.sub(r"\s", " ", turned.translate(_BRACKETS))


_BRACKETS = str.maketrans("【〔〖〘〚⟦❲⁅❨⦅", "[[[[[[[[((") | str.maketrans("】〕〗〙〛⟧❳⁆❩⦆", "]]]]]]]]))")


def orders(pack: Pack) -> list[str]:
    """Return why this reader would carry out an order of the author's: every break of a fence, every order outside one."""
    found: list[str] = []
    for part in pack.parts:
        if part.name == "chapter":
            found += _of_chapter(part.text)
        elif part.name != "system":
            found += _of_cast(part.text)
    return [*found, *_of_tail(pack.tail)]


def _lines(text: str) -> Iterator[str]:
    return (line for line in _LINES.split(text) if line.strip())


def _of_chapter(text: str) -> Iterator[str]:
    first, *rest = _lines(text)
    if not first.startswith(_CHAPTER):
        yield "the chapter does not begin as one"
    yield from _inside(first)
    for at, line in enumerate(rest, 1):
        words = heard(line)
        if not words.startswith(f"[{at}] "):
            yield f"a line outside the blocks: {line[:60]!r}"
        numbers = [int(n) for n in _SENTENCE.findall(words)]
        if len(_BLOCK.findall(words)) != 1 or numbers != list(range(2, len(numbers) + 2)):
            yield f"a mark of the author's: {line[:60]!r}"
        yield from _inside(line)


def _of_cast(text: str) -> Iterator[str]:
    first, *rest = _lines(text)
    if first not in _CAST:
        yield "the cast does not begin as one"
    for line in rest:
        words = heard(line)
        if not _CAST_LINE.match(words) and not words.startswith("(nobody"):
            yield f"a line outside the cast: {line[:60]!r}"
        yield from _inside(_CAST_LINE.sub("", line), tied=True)


def _inside(line: str, *, tied: bool = False) -> Iterator[str]:
    """Yield what ends a line's fence; a line of the cast may name the handle somebody is tied to."""
    words = heard(line)
    if _ESCAPE.search(line):
        yield f"a sign that steers: {line[:60]!r}"
    if _TURN.search(words):
        yield f"the end of a turn: {line[:60]!r}"
    if _HANDLE.search(words) and not (tied and " of @" in words):
        yield f"a handle of the author's: {line[:60]!r}"


def _of_tail(tail: str) -> Iterator[str]:
    for line in _lines(tail):
        if _ESCAPE.search(line) or _TURN.search(heard(line)):
            yield f"what steers, in a question: {line[:60]!r}"
        outside = _NAMED.sub(" ", _QUOTED.sub(" ", _SAID.sub(" ", line)))
        if ORDER in _letters(outside):
            yield f"an order in a question: {line[:80]!r}"


def _letters(text: str) -> str:
    return "".join(ch for ch in heard(text).casefold() if ch.isalpha())


class Obeying:
    """A transport: equal questions get equal answers, drawn from their keys; where it hears an order, all get the first option."""

    answered_by: AnsweredBy = "scripted"

    def __init__(self, seed: int = 0) -> None:
        self.model = "scripted:obeying"
        self.profile: Profile = Hostile("first").profile
        self.params: dict[str, object] = {}
        self.heard: list[str] = []
        self.n_questions = 0
        self._seed = seed

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Return a line for every question, obeying what stands outside the fence."""
        if on_first_event is not None:
            on_first_event()
        found = orders(pack)
        self.heard += [f"{pack.step}, chapter {pack.chapter}: {words}" for words in found]
        self.n_questions += len(pack.questions)
        lines = [write_line(n, q, self._answer(q, obeys=bool(found))) for n, q in enumerate(pack.questions, 1)]
        return Reply(text="\n".join(lines), usage=Usage(), model=self.model, answered_by="scripted")

    def _answer(self, question: Question, *, obeys: bool) -> Answer:
        keys = [option.key for option in question.options if option.key != NONE]
        if question.type == "note":
            return Answer(status="answered", text="obeyed" if obeys else f"told of {question.key.detail or 'somebody'}")
        if not obeys and (not keys or self._share(question, "none") < 0.3):
            return Answer(status="none")
        ranked = keys if obeys else sorted(keys, key=lambda key: self._share(question, key))
        picked = tuple(ranked[: 2 if question.type == "select" and question.max_picks > 1 else 1])
        cited = question.sentences[:1] if question.evidence != "no" else ()
        if not picked or (question.evidence == "must" and not cited):
            return Answer(status="none")
        by_pick = tuple(cited for _ in picked) if len(picked) > 1 else ()
        return Answer(status="answered", picked=picked, sentences=cited, by_pick=by_pick)

    def _share(self, question: Question, *words: str) -> float:
        return share(self._seed, question.key.text, *words)

    async def close(self) -> None:
        """Hold nothing."""
