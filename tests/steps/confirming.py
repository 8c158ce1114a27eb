"""What the three confirmations have in common."""

from __future__ import annotations

from analyzer.models.question import Question
from tests.harness import Case, chapter_of, claim, mark
from tests.steps.tale import EN, cast

CHAPTER = chapter_of(EN)
LOVE = (*cast(), *claim(CHAPTER, "@1 loves @4", (2, 3)))
KIN = (*cast(), *claim(CHAPTER, "@1 sibling_of @2", (1, 2)))
HOME = (*cast(), *claim(CHAPTER, "@1 lives_in @3", (1, 1)))


def cases(wording: str) -> tuple[Case, ...]:
    """Return the rows every confirmation must pass."""
    votes = tuple(
        Case(f"{key} is kept as {key}", EN, (f"vote {wording} {key}",), facts=LOVE, say=lambda q, key=key: mark(q, key))
        for key in ("for", "reverse", "nearest", "deny")
    )
    return (
        *votes,
        Case("a hyphen is a denial", EN, (f"vote {wording} deny",), facts=LOVE),
        Case("an unparsed line is an unparsed vote, no denial", EN, (f"vote {wording} unparsed",), facts=LOVE,
             say=lambda q: "yes"),
        Case("two marks are an unparsed vote", EN, (f"vote {wording} unparsed",), facts=LOVE, say=lambda q: "a b"),
        Case("the sentence named is kept", EN, (f"vote {wording} for 2.4",), facts=LOVE,
             say=lambda q: f"{mark(q, 'for')} 2.4"),
        Case("a sentence that does not exist is not", EN, (f"vote {wording} for",), facts=LOVE,
             say=lambda q: f"{mark(q, 'for')} 77.1"),
        Case("a claim about nobody in the cast is not put", EN, (), say=lambda q: "a",
             facts=(*cast(), *claim(CHAPTER, "@1 loves @77", (2, 3)))),
        Case("no claim, no question", EN, (), facts=cast(), say=lambda q: "a"),
    )  # fmt: skip


def keys(question: Question) -> set[str]:
    """Return what a question offers."""
    return {option.key for option in question.options}
