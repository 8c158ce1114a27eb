"""One small scene of a hidden letter in four languages, and steps with a past run over it with scripted answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from analyzer.bible import fold
from analyzer.llm.formats import parse_reply
from analyzer.models.facts import EntityFact, Evidence, Fact, PresenceFact
from analyzer.models.question import Question
from analyzer.models.story import (
    KnowledgeFact,
    KnowledgeNoticeFact,
    KnowledgeSayFact,
    SecretEventFact,
    SecretFact,
    SecretNoticeFact,
    SecretSayFact,
    SecretTouchFact,
)
from analyzer.models.text import Chapter, Place
from analyzer.prompts import render_tail
from analyzer.scheduler.views import GuardedBible, check_written
from analyzer.steps._knowledge import kind_of, piece_id
from analyzer.steps._scope import evidence_at
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.steps._stretches import sentence_id
from tests.harness import STEPS, chapter_of, person, unit_of

SCENES = {
    "en": "Mara hid the letter in the mill. Tomas saw it through the window.\n"
    "Tomas told Brandt. Brandt did not believe him.\n"
    "Anna knew nothing of it.",
    "ko": "마라는 편지를 물방앗간에 숨겼다. 토마스는 창문으로 그것을 보았다.\n"
    "토마스는 브란트에게 말했다. 브란트는 믿지 않았다.\n"
    "안나는 아무것도 몰랐다.",
    "zh": "林黛把信藏在磨坊裡。王武從窗外看見了。\n王武告訴了馬大夫。馬大夫不信。\n安娜什麼也不知道。",
    "ja": "花子は手紙を水車小屋に隠した。太郎は窓からそれを見た。\n太郎は健一に話した。健一は信じなかった。\n安子は何も知らなかった。",
}
NAMES = {
    "en": ("Mara", "Tomas", "Brandt", "Anna"),
    "ko": ("마라", "토마스", "브란트", "안나"),
    "zh": ("林黛", "王武", "馬大夫", "安娜"),
    "ja": ("花子", "太郎", "健一", "安子"),
}
LANGUAGES = tuple(SCENES)
TOLD = {
    "en": "Mara has hidden the letter in the mill",
    "ko": "마라가 편지를 물방앗간에 숨겼다",
    "zh": "林黛把信藏在磨坊裡",
    "ja": "花子が手紙を水車小屋に隠した",
}


def scene(language: str = "en", no: int = 1) -> Chapter:
    """Return the scene as a chapter: blocks of two, two and one sentence."""
    return chapter_of(SCENES[language], no=no, language=language)


def cast(language: str = "en", no: int = 1, *, mentioned: Iterable[str] = ()) -> list[Fact]:
    """Return the four people, @1 to @4, on the page of chapter `no` or only mentioned there."""
    found: list[Fact] = []
    for n, name in enumerate(NAMES[language], 1):
        handle = f"@{n}"
        how: Any = "mentioned" if handle in mentioned else "on_page"
        found += [*person(handle, name), PresenceFact(entity=handle, chapter=no, presence=how, n_mentions=1)]
    return found


@dataclass(frozen=True)
class Told:
    """What a step asked and did."""

    questions: tuple[Question, ...]
    shown: tuple[str, ...]
    effects: Effects

    @property
    def facts(self) -> list[Fact]:
        """The facts written."""
        return [fact for fact, _ in self.effects.facts]

    @property
    def short(self) -> list[str]:
        """The facts written, a line each."""
        return [short(fact) for fact in self.facts]

    @property
    def codes(self) -> list[str]:
        """The codes of the issues."""
        return [issue.code for issue in self.effects.issues]


Say = Mapping[str, str] | Callable[[Question], str]


def run(
    name: str, chapter: Chapter, *, facts: Sequence[Fact] = (), past: Sequence[Fact] = (), say: Say | None = None
) -> Told:
    """Run a step: `facts` are cast and what was written in this chapter, `past` what earlier ones left of its past classes."""
    step = STEPS[name]
    cast_facts = [f for f in facts if f.fact in ("entity", "name", "same", "presence")]
    unit = unit_of(chapter)
    whole = fold(cast_facts, through=max(f.chapter for f in (*facts, *past)) if facts or past else chapter.no)
    unit = Unit(unit.chapter, unit.table, unit.book, whole, frozenset(whole.cast))
    given = {f.anchor: f.entity for f in cast_facts if isinstance(f, EntityFact)}
    seen = (*(f for f in past if f.fact in step.past), *(f for f in facts if f.fact in step.reads))
    view = GuardedBible(chapter.no, seen, given, step=name, declared=step.reads | step.past, cast_source=lambda: whole)
    if not isinstance(step, AskStep):
        effects = step.compute(unit, view)
        check_written(name, step.writes, chapter.no, (fact for fact, _ in effects.facts))
        return Told((), (), effects)
    rows = [(one, step.question(one, unit, view)) for one in step.candidates(unit, view)]
    questions = tuple(question for _, question in rows)
    tail = render_tail(step.prompt, step.slots("", unit, view), questions) if questions else ""
    reply = "\n".join(f"{n} {_body(question, say)}" for n, question in enumerate(questions, 1))
    answers = parse_reply(reply, questions, chapter).answers
    answered = [Answered(c, q, a, f"answer:{q.key.asked}") for (c, q), a in zip(rows, answers, strict=True)]
    effects = step.effects(answered, unit, view)
    check_written(name, step.writes, chapter.no, (fact for fact, _ in effects.facts))
    return Told(questions, (tail,) if questions else (), effects)


def _body(question: Question, say: Say | None) -> str:
    if say is None:
        return "-"
    if callable(say):
        return say(question)
    return next((body for piece, body in say.items() if piece in question.text), "-")


def at(chapter: Chapter, *places: tuple[int, int]) -> tuple[Evidence, ...]:
    """Return whole sentences as evidence."""
    found = (evidence_at(unit_of(chapter), Place(*place)) for place in places)
    return tuple(e for e in found if e is not None)


# --- facts of secrets ----------------------------------------------------------------------------------------------


def sid(chapter: Chapter, place: tuple[int, int]) -> str:
    """Return the id of what is hidden at a sentence."""
    return sentence_id(unit_of(chapter), "s", at(chapter, place)[0].place)


def hides(chapter: Chapter, holder: str, place: tuple[int, int], look: Any = "first") -> Fact:
    """Return a notice of something hidden."""
    return SecretNoticeFact(
        chapter=chapter.no, secret=sid(chapter, place), holder=holder, look=look, evidence=at(chapter, place)
    )


def secret_says(chapter: Chapter, place: tuple[int, int], **said: Any) -> list[Fact]:
    """Return what was answered of something hidden: `check`, `proposition`, `holders`, `hidden_from`, `to`."""
    of, found = sid(chapter, place), list[Fact]()
    for what, value in said.items():
        if what == "to":
            found.append(SecretTouchFact(chapter=chapter.no, secret=of, look="first", event="to", to=tuple(value)))
        elif what in ("holders", "hidden_from"):
            found.append(SecretSayFact(chapter=chapter.no, secret=of, what=what, handles=tuple(value)))
        else:
            found.append(SecretSayFact(chapter=chapter.no, secret=of, what=what, value=value))
    return found


def old_secret(
    of: str = "s1",
    words: str = "who burned the mill",
    holders: Sequence[str] = ("@1",),
    hidden: Sequence[str] = ("@2",),
) -> SecretFact:
    """Return a secret of chapter 1 with evidence of its own."""
    shown = at(scene("en"), (1, 1))
    return SecretFact(
        secret=of, chapter=1, proposition=words, holders=tuple(holders), hidden_from=tuple(hidden), evidence=shown
    )


def touched(
    chapter: Chapter, of: str, event: str, *places: tuple[int, int], look: Any = "first", to: Sequence[str] = ()
) -> Fact:
    """Return one look at an open secret."""
    return SecretTouchFact(
        chapter=chapter.no, secret=of, look=look, event=event, to=tuple(to), evidence=at(chapter, *places)
    )


# --- facts of knowledge --------------------------------------------------------------------------------------------


def learns(chapter: Chapter, knower: str, via: str, place: tuple[int, int], look: Any = "first") -> Fact:
    """Return a notice of something learnt."""
    return KnowledgeNoticeFact(
        chapter=chapter.no,
        piece=kid(chapter, via, place),
        knower=knower,
        via=via,
        look=look,
        evidence=at(chapter, place),
    )


def kid(chapter: Chapter, via: str, place: tuple[int, int]) -> str:
    """Return the id of a piece."""
    return piece_id(unit_of(chapter), kind_of(via), at(chapter, place)[0].place)


def piece_says(chapter: Chapter, knower: str, via: str, place: tuple[int, int], **said: str) -> list[Fact]:
    """Return what was answered of a piece: `proposition` of the piece itself, `stance`, `way` and `check` of the knower."""
    of = kid(chapter, via, place)
    return [
        KnowledgeSayFact(
            chapter=chapter.no,
            piece=of,
            knower="" if what == "proposition" else knower,
            what=what,
            value=value,
        )
        for what, value in said.items()
    ]


def short(fact: Fact) -> str:
    """Return a fact in one line, without ids."""
    match fact:
        case SecretNoticeFact():
            return f"{fact.holder} {fact.look} {_cited(fact.evidence)}"
        case SecretSayFact():
            return f"{fact.what} {fact.value}{' '.join(fact.handles)}".rstrip()
        case SecretTouchFact():
            return f"{fact.event} {fact.look} {' '.join(fact.to)} {_cited(fact.evidence)}".replace("  ", " ").strip()
        case SecretFact():
            return f"secret “{fact.proposition}” {'+'.join(fact.holders)} from {'+'.join(fact.hidden_from)} {_cited(fact.evidence)}"
        case SecretEventFact():
            return f"{fact.event} to {'+'.join(fact.to)} {_cited(fact.evidence)}"
        case KnowledgeNoticeFact():
            return f"{fact.knower} {fact.via or '?'} {fact.look} {_cited(fact.evidence)}"
        case KnowledgeSayFact():
            return f"{fact.knower} {fact.what} {fact.value}".strip()
        case KnowledgeFact():
            return f"{fact.knower} {fact.stance} {fact.via or '-'} “{fact.proposition}” {_cited(fact.evidence)}"
        case _:
            raise AssertionError(f"a fact without a short form: {fact!r}")


def _cited(found: Iterable[Evidence]) -> str:
    return " ".join(str(e.place) for e in found)


@dataclass(frozen=True)
class Case:
    """A row of a step's table: the scene's language, the facts before, what is answered, the facts and issues after."""

    name: str
    after: tuple[str, ...]
    say: Say | None = None
    language: str = "en"
    facts: Sequence[Fact] = ()
    past: Sequence[Fact] = ()
    codes: tuple[str, ...] = ()
    no: int = 1
    mentioned: tuple[str, ...] = field(default=())

    def check(self, step: str) -> None:
        """Run `step` over the scene and compare."""
        people = cast(self.language, self.no, mentioned=self.mentioned)
        told = run(step, scene(self.language, self.no), facts=[*people, *self.facts], past=self.past, say=self.say)
        assert told.short == list(self.after)
        assert told.codes == list(self.codes)


def ids(case: Case) -> str:
    """Return a case's name, for pytest."""
    return case.name
