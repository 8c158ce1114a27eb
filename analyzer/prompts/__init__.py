"""Prompts as files, and the one place that turns questions into lines.

A prompt is a Markdown file with `{slot}` placeholders; missing and unknown slots are refused. Values put into slots are
never scanned for placeholders again: text is data.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from analyzer.errors import DefinitionError
from analyzer.models.question import Option, Question

_SLOT = re.compile(r"\{([a-z_]+)\}")


@lru_cache(maxsize=64)
def prompt_text(name: str) -> str:
    """Return the raw text of prompts/`name`.md; raises DefinitionError where there is none."""
    resource = files("analyzer.prompts").joinpath(f"{name}.md")
    if not resource.is_file():
        raise DefinitionError(
            f"no prompt file {name}.md", where="prompts", hint="add the file beside the step's prompt"
        )
    return resource.read_text("utf-8").strip()


@lru_cache(maxsize=64)
def prompt_exists(name: str) -> bool:
    """Return whether prompts/`name`.md is there."""
    return files("analyzer.prompts").joinpath(f"{name}.md").is_file()


def fill(name: str, slots: Mapping[str, str]) -> str:
    """Return the prompt with its slots filled; raises DefinitionError naming every missing and unknown slot."""
    text = prompt_text(name)
    wanted = set(_SLOT.findall(text))
    missing, unknown = sorted(wanted - set(slots)), sorted(set(slots) - wanted)
    if missing or unknown:
        raise DefinitionError(
            f"prompt {name}.md: missing slots {missing!r}, unknown slots {unknown!r}",
            where="prompts",
            hint="match the file's placeholders",
        )
    return _SLOT.sub(lambda found: slots[found.group(1)], text)


def system_text(answer_format: str) -> str:
    """Return the system part, the same for every step: standing instructions and the answer format, or the format's own."""
    own = f"system.{answer_format}"
    if prompt_exists(own):
        return prompt_text(own)
    return fill("system", {"format": prompt_text(f"format.{answer_format}")})


def wording_name(prompt: str, wording: int) -> str:
    """Return the prompt file for a wording: the first, or its `.again` file where there is one."""
    return f"{prompt}.again" if wording and prompt_exists(f"{prompt}.again") else prompt


def _shown(options: Sequence[Option]) -> str:
    """Return options as listed; those without a text stand in the prefix already."""
    return "; ".join(f"{o.mark} {_one_line(o.text)}" for o in options if o.text)


def _one_line(text: str) -> str:
    """Return text without line ends of any kind: whatever stands in a question, it stays one line."""
    return " ".join(text.splitlines())


def shared_options(questions: Sequence[Question]) -> tuple[Option, ...]:
    """Return the options all questions share (same marks, keys and texts), or () where they differ or have none."""
    if not questions or not questions[0].options or any(q.options != questions[0].options for q in questions[1:]):
        return ()
    return questions[0].options


_HANDLE = re.compile(r"@[1-9][0-9]*")
ENDS = "X is the first of the two a question names, Y the second."
"""Stands before options that questions share but for the two they are about."""
FEWEST_ALIKE = 3
"""Questions whose options are listed once; with two the line before them costs as much as it saves."""


def _ends(question: Question) -> tuple[str, ...]:
    """Return the handles of the two a question is about in the order its line names them; () where it does not name both."""
    about = {ref.handle for ref in question.key.about if ref.handle}
    named = tuple(handle for handle in dict.fromkeys(_HANDLE.findall(question.text)) if handle in about)
    return named if len(named) == len(question.key.about) == 2 else ()


def between_ends(text: str, question: Question) -> str:
    """Return `text` with X and Y for the handles of the two a question is about, as it stands among shared options."""
    ends = dict(zip(_ends(question), "XY", strict=False))
    return _HANDLE.sub(lambda found: ends.get(found.group(), found.group()), text)


def _between(question: Question) -> tuple[Option, ...]:
    """Return a question's options with X and Y for the two it is about; () where it is not about two, or has none for them."""
    if not _ends(question):
        return ()
    made = tuple(Option(mark=o.mark, key=o.key, text=between_ends(o.text, question)) for o in question.options)
    return made if made != question.options else ()


def _common(questions: Sequence[Question]) -> tuple[tuple[Option, ...], frozenset[int]]:
    """Return the options that most questions share once X and Y stand for the two each is about, and which these are."""
    by_options: dict[tuple[Option, ...], list[int]] = {}
    for at, question in enumerate(questions):
        if options := _between(question):
            by_options.setdefault(options, []).append(at)
    best = max(by_options, key=lambda options: len(by_options[options]), default=())
    which = by_options.get(best, [])
    return (best, frozenset(which)) if len(which) >= FEWEST_ALIKE else ((), frozenset())


def listed_once(questions: Sequence[Question]) -> tuple[str, frozenset[int]]:
    """Return the lines that list options once for several questions ("" for none), and the indexes of those questions.

    Those are options shared by all, or options in which most questions differ only in the two each is about.
    """
    shared = shared_options(questions) if len(questions) > 1 else ()
    alike = frozenset(range(len(questions))) if shared else frozenset()
    lines: list[str] = []
    if not shared:
        shared, alike = _common(questions)
        lines += [ENDS] if shared else []
    if shared and _shown(shared):
        every = "every question" if len(alike) == len(questions) else "every question without its own"
        lines.append(f"Options for {every}: {_shown(shared)}")
    return "\n".join(lines), alike


def render_questions(questions: Sequence[Question]) -> str:
    """Return the numbered questions, one line each, options after a `|`; options shared by all are listed once before.

    So are those in which most questions differ only in the two each is about.
    """
    once, alike = listed_once(questions)
    lines = [once] if once else []
    for number, question in enumerate(questions, 1):
        line = f"{number}. {_one_line(question.text)}"
        if number - 1 not in alike and _shown(question.options):
            line += f" | {_shown(question.options)}"
        if question.sentences and question.evidence != "no":
            line += " | see " + " ".join(str(place) for place in question.sentences)
        lines.append(line)
    return "\n".join(lines)


def render_tail(prompt: str, slots: Mapping[str, str], questions: Sequence[Question], *, wording: int = 0) -> str:
    """Return everything after the prefix: the step's instructions, then the questions."""
    return fill(wording_name(prompt, wording), slots) + _asked(questions)


def instructions_in(tail: str, questions: Sequence[Question]) -> str:
    """Return the step's instructions in a tail that was rendered with these questions (all of another tail)."""
    return tail.removesuffix(_asked(questions))


def _asked(questions: Sequence[Question]) -> str:
    return f"\n\nQUESTIONS\n{render_questions(questions)}\n\nANSWERS"
