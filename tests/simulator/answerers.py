"""Who answers: functions from a request body to the text of the reply.

The built-in ones read the numbered questions of the tail by regular expressions given as settings, and know nothing of
how the asking side works. An answer line is `number mark sentence…`, `number -`, or `number = text`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.simulator.settings import DEFAULT_PATTERNS, Patterns

Answerer = Callable[[dict[str, Any]], str]


@dataclass(frozen=True, slots=True)
class Seen:
    """One question as found in a tail: its number, its own line, its options (mark, text) and the sentences offered."""

    number: str
    line: str
    options: tuple[tuple[str, str], ...]
    places: tuple[str, ...]

    @property
    def evidence(self) -> str:
        """The first sentence offered, with a space before it, or nothing."""
        return f" {self.places[0]}" if self.places else ""


def texts_of(body: Mapping[str, Any]) -> list[tuple[str, str, bool]]:
    """Return role, text and whether a cache mark ends it, for every part of a request (either API), in order."""
    found: list[tuple[str, str, bool]] = []
    if body.get("instructions"):
        found.append(("system", str(body["instructions"]), False))
    given = body.get("messages", body.get("input", []))
    for message in [{"role": "user", "content": given}] if isinstance(given, str) else given:
        content = message.get("content") or []
        for part in [{"text": content}] if isinstance(content, str) else content:
            marked = bool(part.get("prompt_cache_breakpoint") or part.get("cache_control"))
            found.append((str(message.get("role", "user")), str(part.get("text") or ""), marked))
    return found


def tail_of(body: Mapping[str, Any]) -> str:
    """Return what follows the last cache mark, or the last text where nothing does."""
    parts = texts_of(body)
    marked = [i for i, (_, _, mark) in enumerate(parts) if mark]
    after = parts[marked[-1] + 1 :] if marked else parts[-1:]
    return "\n".join(text for _, text, _ in after or parts[-1:])


def questions_of(body: Mapping[str, Any], patterns: Patterns = DEFAULT_PATTERNS) -> list[Seen]:
    """Return the numbered questions of a request's tail; options listed once for all belong to each."""
    tail = tail_of(body)
    shared = re.search(patterns.shared, tail, re.MULTILINE)
    common = _options(shared["options"], patterns) if shared else ()
    hits = list(re.finditer(patterns.question, tail, re.MULTILINE))
    seen: list[Seen] = []
    for hit, end in zip(hits, _ends(hits, tail), strict=True):
        block = tail[hit.start("text") : end].split("\n\n")[0]
        _, *offered = re.split(patterns.split, block)
        listed = offered[0] if offered else "\n".join(block.splitlines()[1:])
        places = tuple(re.findall(patterns.place, block))
        seen.append(Seen(hit["number"], hit["text"], _options(listed, patterns) or common, places))
    return seen


def _options(text: str, patterns: Patterns) -> tuple[tuple[str, str], ...]:
    hits = list(re.finditer(patterns.mark, text, re.MULTILINE))
    return tuple(
        (hit["mark"], text[hit.end() : end].strip(" \t\n;|().:="))
        for hit, end in zip(hits, _ends(hits, text), strict=True)
    )


def _ends(hits: Sequence[re.Match[str]], text: str) -> list[int]:
    """Return where each hit's stretch ends: at the next hit, or at the end of the text."""
    return [hit.start() for hit in hits[1:]] + [len(text)] * bool(hits)


def _first(seen: Seen) -> str:
    return f"{seen.number} {seen.options[0][0]}{seen.evidence}" if seen.options else f"{seen.number} -"


def _each(line: Callable[[Seen], str], patterns: Patterns) -> Answerer:
    return lambda body: "\n".join(line(seen) for seen in questions_of(body, patterns))


def _yes(patterns: Patterns) -> Callable[[Seen], str]:
    def line(seen: Seen) -> str:
        for mark, text in seen.options:
            if re.search(patterns.yes, text):
                return f"{seen.number} {mark}{seen.evidence}"
        return _first(seen)

    return line


def _repeat(patterns: Patterns) -> Answerer:
    def answer(body: dict[str, Any]) -> str:
        seen = questions_of(body, patterns)
        return "\n".join([_first(seen[0])] * (3 * len(seen))) if seen else ""

    return answer


def _half(patterns: Patterns) -> Answerer:
    """The first half of the lines, and the number of the next with nothing behind it."""

    def answer(body: dict[str, Any]) -> str:
        seen = questions_of(body, patterns)
        middle = len(seen) // 2
        return "\n".join([*(_first(s) for s in seen[:middle]), *(s.number for s in seen[middle : middle + 1])])

    return answer


def _examples(patterns: Patterns) -> Answerer:
    """Quote whatever lines of the system text look like answer lines."""

    def answer(body: dict[str, Any]) -> str:
        system = "\n".join(text for role, text, _ in texts_of(body) if role in {"system", "developer"})
        return "\n".join(hit.group() for hit in re.finditer(patterns.example, system, re.MULTILINE))

    return answer


def _invent(seen: Seen) -> str:
    return (
        f"{seen.number} @987654 9876.1" if seen.number.isdigit() and int(seen.number) % 2 else f"{seen.number} zz 0.0"
    )


def scripted(script: Any, patterns: Patterns = DEFAULT_PATTERNS) -> Answerer:
    """Return an answerer from a script: a list of replies in order of arrival (the last one stands for all later ones),
    or `{"rules": [{"find": regex, "line": "{n} a {place}"}, …], "default": "{n} -"}` applied to every question.
    """
    if isinstance(script, list):
        replies = [str(reply) for reply in script]
        if not replies:
            raise ValueError("a script of replies needs at least one")
        left = iter(replies)
        return lambda body: next(left, replies[-1])
    rules = [(re.compile(rule["find"]), str(rule["line"])) for rule in script.get("rules", [])]
    default = str(script.get("default", "{n} -"))

    def line(seen: Seen) -> str:
        shape = next((shape for find, shape in rules if find.search(seen.line)), default)
        marks = [mark for mark, _ in seen.options]
        values = {"n": seen.number, "place": seen.places[0] if seen.places else "", "first": marks[0] if marks else "-"}
        return re.sub(r"\{(n|place|first)\}", lambda m: values[m[1]], shape).rstrip()

    return _each(line, patterns)


def built_in(name: str, patterns: Patterns = DEFAULT_PATTERNS) -> Answerer:
    """Return the answerer of this name, or of `scripted:FILE`; raises KeyError for an unknown one."""
    if name.startswith("scripted:"):
        return scripted(json.loads(Path(name.removeprefix("scripted:")).read_text("utf-8")), patterns)
    made: Mapping[str, Answerer] = {
        "first": _each(_first, patterns),
        "last": _each(
            lambda s: f"{s.number} {s.options[-1][0]}{s.evidence}" if s.options else f"{s.number} -", patterns
        ),
        "none": _each(lambda seen: f"{seen.number} -", patterns),
        "yes": _each(_yes(patterns), patterns),
        "echo": _each(lambda seen: f"{seen.number} {seen.line}", patterns),
        "repeat": _repeat(patterns),
        "half": _half(patterns),
        "invent": _each(_invent, patterns),
        "examples": _examples(patterns),
    }
    return made[name]


NAMES = ("first", "last", "none", "yes", "echo", "repeat", "half", "invent", "examples")
