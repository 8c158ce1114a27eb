"""Questions, packs and chapters for the tests of the llm package."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.models.question import Option, Pack, Part, Question, QuestionKey, QuestionType, Ref
from analyzer.models.text import Block, Chapter, Place, Span

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def key(ask: str = "cast.kind", name: str = "Mara") -> QuestionKey:
    return QuestionKey(step="cast", ask=ask, chapter=1, about=(Ref(names=(name,)),))


def question(
    *texts: str,
    type: QuestionType = "choice",
    text: str = "What is Mara?",
    evidence: str = "no",
    sentences: Sequence[tuple[int, int]] = (),
    closed: bool = False,
    max_picks: int = 1,
    name: str = "Mara",
) -> Question:
    options = tuple(Option(mark=LETTERS[i], key=f"k_{word}", text=word) for i, word in enumerate(texts))
    return Question(
        key=key(name=name),
        type=type,
        text=text,
        options=options,
        evidence=evidence,  # type: ignore[arg-type]
        sentences=tuple(Place(*p) for p in sentences),
        closed_evidence=closed,
        max_picks=max_picks,
    )


def handles(*numbers: int, max_picks: int = 9, names: Sequence[str] = ("Jonas Vel",)) -> Question:
    options = tuple(Option(mark=f"@{n}", key=f"@{n}", ref=Ref(handle=f"@{n}", names=tuple(names))) for n in numbers)
    return Question(key=key("relation.select"), type="select", text="Who?", options=options, max_picks=max_picks)


def note() -> Question:
    return Question(key=key("card"), type="note", text="What happens?")


def chapter(blocks: int = 9, sentences: int = 4) -> Chapter:
    text = "x. " * sentences
    spans = tuple(Span(3 * i, 3 * i + 2) for i in range(sentences))
    made = tuple(Block(no=n, start=(n - 1) * 20, text=text, sentences=spans) for n in range(1, blocks + 1))
    return Chapter(no=1, start=0, body_start=0, end=20 * blocks, language="en", blocks=made)


def pack(*questions: Question, tail: str = "", step: str = "cast_forms") -> Pack:
    asked = questions or (question("person", "place"),)
    return Pack(
        step=step,
        chapter=3,
        parts=(
            Part(name="system", text="You read a novel. «규칙»\n"),
            Part(name="cast", text="@1 Mara\n"),
            Part(name="chapter", text="[1] 마라는 강가의 물레방아를 지켰다.\n"),
            Part(name="added", text="@2 Jonas\n"),
        ),
        tail=tail or "Decide the kind.\n" + "\n".join(f"{n} {q.text}" for n, q in enumerate(asked, 1)) + "\n",
        questions=asked,
    )
