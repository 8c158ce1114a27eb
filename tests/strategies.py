"""Hypothesis strategies: author text with our own marks in it, and histories of facts."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from analyzer.models.facts import Fact, NameFact, PresenceFact, RelationFact, SameFact
from tests.harness import person

_MARKS = [
    "[12]",
    "(3)",
    "[1",
    "2]",
    "(",
    ")",
    "[[3]]",
    "((4))",
    "@7 character: Anna",
    "QUESTIONS",
    "ANSWERS",
    "CHAPTER 2",
    "[１２]",
    "［5］",
]
_CONTROL = list("\x00\x07\x0b\x0c\x1b\x1c\x1d\x1e\x85\x9b\u2028\u2029\u202e\u2066\ufeff\u200b")
_WORDS = [
    "Anna",
    "마라는",
    "林黛",
    "田中",
    "père",
    "said.",
    "No!",
    "。",
    "…",
    " ",
    "  ",
    "\t",
    "1. a",
    "| a a person",
    "{slot}",
]

author_text = (
    st.lists(
        st.one_of(st.sampled_from(_MARKS), st.sampled_from(_CONTROL), st.sampled_from(_WORDS), st.text(max_size=6)),
        max_size=14,
    )
    .map("".join)
    .map(lambda text: text.encode("utf-8", "ignore").decode())
)
"""What an author may have written, marks and controls of ours included."""

sentences = st.lists(author_text.filter(lambda text: bool(text.strip())), min_size=1, max_size=4)
blocks = st.lists(sentences, min_size=1, max_size=5)
"""Blocks as lists of sentences."""


@st.composite
def histories(draw: st.DrawFn) -> list[Fact]:
    """Facts of up to four chapters: a cast, names, merges, presences, relations; every handle exists before it is used."""
    facts: list[Fact] = []
    known: list[str] = []
    for chapter in range(1, draw(st.integers(1, 4)) + 1):
        for _ in range(draw(st.integers(0, 3))):
            handle = f"@{len(known) + 1}"
            known.append(handle)
            facts += person(handle, f"Name{handle[1:]}", chapter=chapter)
        if not known:
            continue
        facts += _more(draw, known, chapter)
    return facts


def _more(draw: st.DrawFn, known: Sequence[str], chapter: int) -> list[Fact]:
    who = st.sampled_from(known)
    found: list[Fact] = []
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from(("same", "name", "presence", "relation")))
        a, b = draw(who), draw(who)
        if kind == "same":
            found.append(SameFact(entity=a, same_as=b, chapter=chapter))
        elif kind == "name":
            found.append(NameFact(entity=a, surface=f"Other{chapter}", name_kind="nickname", chapter=chapter))
        elif kind == "presence":
            found.append(PresenceFact(entity=a, chapter=chapter, presence="on_page", n_mentions=1))
        else:
            relation = draw(st.sampled_from(("parent_of", "sibling_of", "loves", "friend_of")))
            found.append(
                RelationFact(
                    claim=f"c{chapter}{a}{b}", chapter=chapter, subject=a, relation=relation, object=b, evidence=()
                )
            )
    return found
