"""Decides who gets to know a secret in this chapter; must not decide whether it is one."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.knowledge import Secret
from analyzer.models.facts import Fact
from analyzer.models.question import NONE, Question, QuestionKey
from analyzer.models.story import SecretSayFact, SecretTouchFact
from analyzer.steps._secrets import (
    CAST,
    MAX_PEOPLE,
    PAST,
    Hidden,
    hidden_here,
    key_of,
    line_of,
    open_here,
    refs_of,
    told,
    with_reader,
)
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.steps._stretches import beings_here

TOLD = frozenset({"shared", "exposed"})
DENIED = frozenset({"open", "private", NONE})


def candidates(unit: Unit, bible: Bible) -> Sequence[Hidden | Secret]:
    """Return what was noticed and not denied, and the open secrets that one of the two looks takes for shared or exposed."""
    no = unit.chapter.no
    touched = {
        t.secret
        for t in bible.of(SecretTouchFact)
        if isinstance(t, SecretTouchFact) and t.chapter == no and t.event in TOLD
    }
    denied = {
        s.secret
        for s in bible.of(SecretSayFact)
        if isinstance(s, SecretSayFact) and s.chapter == no and s.what == "check" and s.value in DENIED
    }
    new = [one for one in hidden_here(unit, bible) if one.secret not in denied]
    return [*new, *(s for s in open_here(unit, bible) if s.id in touched)]


def question(candidate: Hidden | Secret, unit: Unit, bible: Bible) -> Question:
    """Return what is hidden; the options are the people of the chapter, and the reader."""
    options = with_reader(beings_here(unit, bible), bible)
    if isinstance(candidate, Hidden):
        key = key_of(STEP.name, "secret.to", candidate, unit, bible)
        text = line_of(candidate, bible)
    else:
        about = refs_of(candidate, bible)
        key = QuestionKey(step=STEP.name, ask="secret.to", chapter=unit.chapter.no, about=about, detail=candidate.id)
        text = told(candidate, bible)
    sentences = (candidate.place,) if isinstance(candidate, Hidden) else ()
    return Question(key=key, type="select", text=text, options=options, sentences=sentences, max_picks=MAX_PEOPLE)


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return to whom each gets known."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        if item.answer.status == "answered":
            of = item.candidate.secret if isinstance(item.candidate, Hidden) else item.candidate.id
            fact = SecretTouchFact(chapter=unit.chapter.no, secret=of, look="first", event="to", to=item.answer.picked)
            facts.append((fact, (item.answer_id,)))
    return Effects(tuple(facts))


STEP = AskStep(
    name="secret_to",
    part="secrets",
    reads=CAST | {"secret_notice", "secret_say", "secret_touch"},
    writes=frozenset({"secret_touch"}),
    past=PAST,
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="secret_to",
    pack_size=60,
)
