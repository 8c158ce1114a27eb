"""Truth from gold with errors at given rates: what a model that errs so often would do to a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from analyzer.llm.asker import Profile
from analyzer.llm.formats import write_line
from analyzer.llm.meter import Meter
from analyzer.llm.transports.gold import GoldAnswers
from analyzer.llm.transports.gold_book import load_gold
from analyzer.models.facts import RELATION_KINDS
from analyzer.models.gold import GoldChapter
from analyzer.models.question import Answer, Pack, Question
from analyzer.models.run import AnsweredBy, Reply
from analyzer.models.text import Chapter, Manuscript, Place
from evals.answerers.errors import CONFIRM, DENY, KIND, Fate, erring, share
from evals.answerers.rates import Rates

WORDED = ("to", "value", "proposition", "what")
"""Fields of gold's items that hold words."""
EMPTY: Mapping[int, Sequence[str]] = {}
SECOND, THIRD = "relation_confirm_again", "relation_third"
STANDS = Answer(status="answered", picked=("for",))
DENIES = Answer(status="answered", picked=(DENY,))
MISSING = Answer(status="missing")


class NoisyAnswers:
    """A transport that answers as gold does and errs at `rates`; equal questions get equal answers in whatever order and pack.

    With a correlation it remembers which claims it made wrongly, so that a vote may repeat them.
    """

    answered_by: AnsweredBy = "scripted"

    def __init__(
        self, gold: GoldAnswers, chapters: Sequence[Chapter], rates: Rates, notes: Mapping[int, Sequence[str]] = EMPTY
    ) -> None:
        self.model = "noisy"
        self.profile = Profile(name="noisy", release="at_once", priced=False, concurrency=8)
        self.params: dict[str, object] = {}
        self.rates = rates
        self._gold = gold
        self._meter = Meter()
        self._places = {chapter.no: _places(chapter) for chapter in chapters}
        self._notes = notes
        self._wrong: set[str] = set()

    @classmethod
    def open(cls, folder: Path, manuscript: Manuscript, rates: Rates) -> NoisyAnswers:
        """Read a folder of gold chapters made for this manuscript; raises InputError where it is another text."""
        gold = load_gold(folder)
        notes = {number: words_of(chapter) for number, chapter in gold.items()}
        return cls(GoldAnswers.open(folder, manuscript), manuscript.chapters, rates, notes)

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Return one line per question, but for those whose line is dropped, with the usage a model would have had."""
        answers = self.answers(pack)
        rows = zip(pack.questions, answers, strict=True)
        lines = [write_line(n, q, a) for n, (q, a) in enumerate(rows, 1) if a.status != "missing"]
        text = "\n".join(lines)
        if on_first_event is not None:
            on_first_event()
        return Reply(text=text, usage=self._meter.usage(pack, text), model=self.model, answered_by="scripted")

    def answers(self, pack: Pack) -> tuple[Answer, ...]:
        """Return what is answered to each question of a pack, errors and all; status missing for a dropped line."""
        places = self._places.get(pack.chapter, ())
        pairs = zip(pack.questions, self._gold.answers(pack), strict=True)
        return tuple(self._answer(question, truth, places) for question, truth in pairs)

    def _answer(self, question: Question, truth: Answer, places: Sequence[Place]) -> Answer:
        if question.key.ask == CONFIRM:
            return self._vote(question, truth, places)
        fate = Fate(self.rates, question.key.step, question.key.text)
        answer = erring(question, truth, fate, places, self._notes.get(question.key.chapter, ()))
        if question.key.ask == KIND and self.rates.correlation:
            ends = [ref.handle for ref in question.key.about]
            for pick in answer.picked:
                if pick not in truth.picked:
                    kind, _, order = pick.partition(":")
                    self._wrong.add(_claim(question, kind, ends if order == "ab" else ends[::-1]))
        return answer

    def _vote(self, question: Question, truth: Answer, places: Sequence[Place]) -> Answer:
        if self.rates.votes == "none":
            return STANDS
        if question.key.step == THIRD and self.rates.votes != "all":
            return MISSING
        if question.key.step == SECOND and self.rates.votes == "one":
            return self._as_first(question, truth, places)
        return self._asked(question, truth, places)

    def _asked(self, question: Question, truth: Answer, places: Sequence[Place]) -> Answer:
        rates, name = self.rates, question.key.text
        if not rates.correlation or share(rates.seed, name, "correlated") >= rates.correlation:
            return erring(question, truth, Fate(rates, question.key.step, name), places)
        ends = [ref.handle for ref in question.key.about]
        claim = _claim(question, question.key.detail.partition(":")[2], ends)
        if claim in self._wrong:
            return STANDS
        return erring(question, truth, Fate(rates, question.key.step, name, claim), places)

    def _as_first(self, question: Question, truth: Answer, places: Sequence[Place]) -> Answer:
        """Return the second vote that leaves the first alone to decide: for a claim it was for, against any other."""
        _, _, kind = question.key.detail.partition(":")
        key = question.key.model_copy(update={"step": "relation_confirm", "detail": f"first:{kind}"})
        first = self._asked(question.model_copy(update={"key": key}), truth, places)
        if first.status == "missing":
            return MISSING
        return STANDS if first.pick == "for" else DENIES

    def recall(self, questions: Sequence[Question]) -> None:
        """Find out anew whom the unnamed of earlier runs were taken for."""
        self._gold.recall(questions)

    async def close(self) -> None:
        """Hold nothing."""


def words_of(gold: GoldChapter) -> tuple[str, ...]:
    """Return all free wordings of a gold chapter, each once: what a note may say of the wrong thing."""
    items = (*gold.changes, *gold.appearance, *gold.secrets, *gold.knowledge, *gold.plants)
    found = (str((item.model_extra or {}).get(name) or "") for item in items for name in WORDED)
    return tuple(dict.fromkeys(" ".join(words.split()) for words in found if words.strip()))


def _places(chapter: Chapter) -> tuple[Place, ...]:
    return tuple(Place(block.no, n) for block in chapter.blocks for n in range(1, len(block.sentences) + 1))


def _claim(question: Question, kind: str, ends: Sequence[str]) -> str:
    """Return what names a claim in all its votes: chapter, kind and ends, symmetric kinds either way alike."""
    shown = sorted(ends) if kind in RELATION_KINDS and RELATION_KINDS[kind].symmetric else ends
    return f"claim {question.key.chapter} {kind} {' '.join(shown)}"
