"""Who answers a simulated provider about a book of which nobody knows the truth: as often, as long and of the kind that gold answers.

Everything is drawn from the words of a question, so equal questions get equal answers. Which step asks is told by the first words
of its task. What comes out is no truth about the book; it makes the code do what it does for a true run: open a cast,
propose and confirm relations, keep threads and secrets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import cycle, islice
from typing import Any, NamedTuple

from analyzer.prompts import prompt_exists, prompt_text
from evals.answerers.errors import share
from tests.simulator.answerers import Seen, questions_of, tail_of, texts_of

ANSWERED: Mapping[str, float] = {
    "cast_forms": 0.79, "cast_same": 0.52, "cast_unnamed": 0.40, "cast_unnamed_same": 0.03, "cast_presence": 0.99, "look_notice": 0.28,
    "look_notice_again": 0.57, "mask_called": 0.02, "relation_select": 0.12, "speech_who": 0.30, "state_notice": 0.24, "card_notes": 0.67,
    "knowledge_notice": 0.64, "knowledge_notice_again": 0.92, "mask_called_again": 1.0, "relation_kind": 1.0, "secret_notice": 0.30,
    "secret_notice_again": 0.76, "state_notice_again": 0.43, "thread_notice": 0.20, "thread_notice_again": 0.60, "knowledge_unaware": 0.0,
    "relation_confirm": 1.0, "relation_confirm_again": 1.0, "relation_detail": 1.0, "knowledge_say": 1.0, "knowledge_stance": 1.0,
    "knowledge_stance_again": 1.0, "secret_doubt": 1.0, "secret_from": 0.8, "relation_third": 1.0, "secret_holders": 1.0,
    "secret_say": 1.0, "state_nature": 1.0, "state_value": 1.0, "thread_doubt": 1.0, "secret_to": 0.47, "state_doubt": 1.0,
    "thread_say": 1.0, "relation_turn": 0.04, "mask_ask": 0.01, "secret_touch": 0.07, "secret_touch_again": 0.07, "thread_touch": 0.15,
    "thread_touch_again": 0.15, "relation_turn_again": 1.0, "mask_again": 1.0, "mask_to": 1.0, "knowledge_settle": 1.0,
    "thread_touch_third": 1.0,
}  # fmt: skip
"""Share of a step's questions that get an answer. Source: gold's answers in the own serials (lower where a wrong "yes" piles up)."""
NOTES = frozenset({"card_notes", "knowledge_say", "secret_say", "state_value", "thread_say"})
"""Steps that ask for words."""
OF_THE_CAST = frozenset(
    {"relation_select", "look_notice_again", "knowledge_notice_again", "secret_notice_again", "state_notice_again", "secret_from"}
    | {"secret_holders", "secret_to", "mask_to"}
)  # fmt: skip
"""Steps whose answers are handles that no question offers."""
BARE = frozenset({"relation_select", "secret_from", "secret_holders", "secret_to", "mask_to"})
"""Those whose handles stand without a sentence."""
SAYS_NO = re.compile(
    r"not told|nothing of the kind|does not bear|no secret|not say|only a |stays as it was|somebody else"
)
"""Options that deny; one that does not is taken where there is one."""
WORDS = (
    "what the letter said of the harbour",
    "to leave before the others come",
    "a debt that was never paid",
    "under the old bridge",
)
_LINE = re.compile(r"^(@\d+) (\w+): (.+)$", re.MULTILINE)
_BLOCK = re.compile(r"^\[(\d+)\]", re.MULTILINE)
_NAME = re.compile(r"[^\W\d_]{4,}")


class _Chapter(NamedTuple):
    """What a prefix tells: sentences, the cast's handles with the words of their names, and the people it names."""

    places: tuple[str, ...]
    cast: tuple[tuple[str, frozenset[str]], ...]
    people: tuple[str, ...]


@lru_cache(maxsize=16)
def _chapter(texts: tuple[str, ...]) -> _Chapter:
    chapter = next((text for text in texts if text.startswith("CHAPTER")), "")
    hits = [hit for text in texts for hit in _LINE.finditer(text)]
    cast = {hit[1]: frozenset(_NAME.findall(hit[3])) for hit in hits}
    people = {hit[1]: None for hit in hits if hit[2] == "character" and any(n in chapter for n in hit[3].split(" / "))}
    return _Chapter(tuple(f"{number}.1" for number in _BLOCK.findall(chapter)), tuple(cast.items()), tuple(people))


@lru_cache(maxsize=1)
def _openings() -> tuple[tuple[str, str], ...]:
    """Return the first words of every step's task, longest first, with the step; the second wordings too."""
    found = []
    for step in ANSWERED:
        for name in (step, f"{step}.again"):
            if prompt_exists(name):
                found.append((prompt_text(name).splitlines()[0].partition("{")[0], step))
    return tuple(sorted(found, key=lambda pair: -len(pair[0])))


def step_of(tail: str) -> str:
    """Return the step whose task a tail begins with, "" where it is none of those known."""
    return next((step for words, step in _openings() if tail.lstrip().startswith(words)), "")


def plausible(body: dict[str, Any]) -> str:
    """Return a reply to a request: one line a question."""
    step, shown = step_of(tail_of(body)), texts_of(body)
    chapter = _chapter(tuple(text for _, text, marked in shown if marked))
    asked = questions_of(body)
    subjects = tuple(dict.fromkeys(seen.line.partition(" ")[0] for seen in asked if seen.line.startswith("@")))
    if step == "relation_select" and subjects:
        chapter = chapter._replace(people=subjects)
    return "\n".join(_line(seen, step, chapter) for seen in asked)


def _line(seen: Seen, step: str, chapter: _Chapter) -> str:
    if share("answered", f"{step} {seen.line}") >= ANSWERED.get(step, 0.3):
        return f"{seen.number} -"
    how = (
        _note if step in NOTES and not seen.options else _HOW.get(step, _of_the_cast if step in OF_THE_CAST else _marks)
    )
    said = how(seen, step, chapter)
    return f"{seen.number} {said}" if said else f"{seen.number} -"


def _drawn(what: str, seen: Seen, n: int) -> int:
    return min(n - 1, int(share(what, seen.line) * n))


def _place(seen: Seen, chapter: _Chapter, at: int = 0) -> str:
    """Return one of the sentences a question names, or any of the chapter's."""
    among: Sequence[str] = seen.places or chapter.places
    return among[(_drawn("place", seen, len(among)) + at) % len(among)] if among else ""


def _note(seen: Seen, step: str, chapter: _Chapter) -> str:
    return f"= {WORDS[_drawn('words', seen, len(WORDS))]}, {_place(seen, chapter).replace('.', ' of ')}"


def _marks(seen: Seen, step: str, chapter: _Chapter) -> str:
    """Return an option that does not deny, with a sentence."""
    offered = [mark for mark, text in seen.options if not SAYS_NO.search(text)] or [mark for mark, _ in seen.options]
    return f"{offered[_drawn('mark', seen, len(offered))]} {_place(seen, chapter)}".rstrip() if offered else ""


def _bare(seen: Seen, step: str, chapter: _Chapter) -> str:
    """Return an option alone."""
    return _marks(seen, step, chapter).partition(" ")[0]


def _kind(seen: Seen, step: str, chapter: _Chapter) -> str:
    """Return a kind of name: most are people."""
    marks = [mark for mark, _ in seen.options]
    return next(islice(cycle(marks), min(6, int(share("kind", seen.line) ** 3 * 7)), None)) if marks else ""


def _same(seen: Seen, step: str, chapter: _Chapter) -> str:
    """Return who shares a word with a name."""
    words = frozenset(_NAME.findall(seen.line.partition("|")[0]))
    offered = [
        mark for mark, text in seen.options if words & frozenset(_NAME.findall(text)) and text not in seen.line[:60]
    ]
    known = [handle for handle, names in chapter.cast if words & names]
    return next(iter(known + offered), "")


def _who(seen: Seen, step: str, chapter: _Chapter) -> str:
    """Return whom a description means: one of the cast, seldom somebody new."""
    new = [mark for mark, _ in seen.options if not mark.startswith("@")]
    if new and share("new", seen.line) < 0.15:
        return new[0]
    return chapter.cast[_drawn("who", seen, len(chapter.cast))][0] if chapter.cast else ""


def _of_the_cast(seen: Seen, step: str, chapter: _Chapter) -> str:
    """Return one or two of the cast, each with a sentence where the step wants one."""
    among = [handle for handle in chapter.people if f"{handle} " not in f"{seen.line} "]
    if not among:
        return ""
    first = _drawn("whom", seen, len(among))
    near = list(dict.fromkeys(among[(first + at * 3) % len(among)] for at in range(1 + (first % 2))))
    return " ".join(
        handle if step in BARE else f"{handle} {_place(seen, chapter, at)}" for at, handle in enumerate(near)
    )


_HOW: Mapping[str, Callable[[Seen, str, _Chapter], str]] = {
    "cast_forms": _kind, "cast_same": _same, "cast_unnamed": _who, "cast_unnamed_same": _bare, "cast_presence": _bare, "speech_who": _bare,
    "knowledge_stance": _bare, "knowledge_stance_again": _bare, "secret_doubt": _bare, "state_nature": _bare, "state_doubt": _bare,
    "relation_detail": _bare, "mask_called_again": _bare, "knowledge_settle": _bare, "card_notes": _bare,
}  # fmt: skip
