"""What a request and an answer are known by: hashes over exactly what they depend on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from analyzer.hashing import content_hash
from analyzer.models.question import Pack, Part, Question

_HANDLE = re.compile(r"@[1-9][0-9]*")
_CAST_LINE = re.compile(r"(@[1-9][0-9]*) ")

CODE = (
    "bible.py",
    "prefix.py",
    "steps",
    "text",
    "models",
    "prompts",
)
"""Files of the package a task's result depends on beside its inputs; a change there runs tasks again, on stored answers."""


@dataclass(frozen=True)
class Shown:
    """The prefix of a chapter for one asker, and what keys need of it.

    `lines` are the cast lines by handle (an entity may have one in the cast and one in what was added); `scope` are the
    handles shown. `parts_hash` covers every byte of the prefix.
    """

    parts: tuple[Part, ...]
    system_hash: str
    chapter_hash: str
    parts_hash: str
    lines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def scope(self) -> frozenset[str]:
        """Handles the prefix shows."""
        return frozenset(self.lines)


def shown(parts: tuple[Part, ...]) -> Shown:
    """Return what keys need to know of a prefix."""
    by_name = {part.name: part.text for part in parts}
    lines: dict[str, tuple[str, ...]] = {}
    for name in ("cast", "added"):
        for line in by_name.get(name, "").split("\n"):
            found = _CAST_LINE.match(line)
            if found:
                lines[found.group(1)] = (*lines.get(found.group(1), ()), line)
    return Shown(
        parts=parts,
        system_hash=part_hash(by_name.get("system", "")),
        chapter_hash=part_hash(by_name.get("chapter", "")),
        parts_hash=content_hash("parts", [[part.name, part_hash(part.text)] for part in parts]),
        lines=lines,
    )


def request_hash(pack: Pack, *, model: str, params: Mapping[str, object]) -> str:
    """Return the hash of the bytes sent (prefix parts in order, tail), the model and its parameters; of nothing else."""
    return content_hash("request", [[part_hash(part.text) for part in pack.parts], pack.tail, model, dict(params)])


@lru_cache(maxsize=256)
def part_hash(text: str) -> str:
    """Return the hash of one part of a prefix; remembered, since every call of a chapter sends the same parts."""
    return content_hash("part", text)


def reuse_key(question: Question, *, instructions: str, prefix: Shown, model: str, params: Mapping[str, object]) -> str:
    """Return the id of the answer to `question`: over what the answer may depend on, so that an equal id may be reused.

    Covered: system text, chapter text, the step's instructions as filled, the question and its options as shown and what
    they mean, the cast lines of the handles it names, model, parameters. Not covered: other questions of the pack, other
    cast lines. See `again_key` for the other wording.
    """
    options = [[option.mark, option.key, option.text] for option in question.options]
    named = sorted(_handles(question) & prefix.lines.keys())
    return content_hash(
        "answer",
        [
            prefix.system_hash,
            prefix.chapter_hash,
            part_hash(instructions),
            [question.key.step, question.key.text, question.type, question.text, question.evidence],
            [[place.block, place.sentence] for place in question.sentences],
            [question.closed_evidence, question.max_picks],
            options,
            [[handle, list(prefix.lines[handle])] for handle in named],
            model,
            dict(params),
        ],
    )


def again_key(answer_id: str, *, instructions: str) -> str:
    """Return the id of the answer to the same question in the step's other wording."""
    return content_hash("again", [answer_id, part_hash(instructions)])


def strict_key(answer_id: str, *, prefix: Shown) -> str:
    """Return the answer id that also covers every byte of the prefix."""
    return content_hash("strict", [answer_id, prefix.parts_hash])


def _handles(question: Question) -> set[str]:
    named = set(_HANDLE.findall(question.text))
    for ref in question.key.about:
        named.add(ref.handle)
    for option in question.options:
        named.update(_HANDLE.findall(f"{option.mark} {option.key} {option.text}"))
        if option.ref:
            named.add(option.ref.handle)
    return named


@lru_cache(maxsize=1)
def code_hash() -> str:
    """Return a hash over the package's own files that decide what a task does with its inputs (`CODE`)."""
    root = files("analyzer")
    found = [entry for name in CODE for entry in _sources(root.joinpath(name), name)]
    return content_hash(
        "code", [[name, source.read_bytes().hex()] for name, source in sorted(found, key=lambda e: e[0])]
    )


def _sources(entry: Traversable, name: str) -> list[tuple[str, Traversable]]:
    if entry.is_file():
        return [(name, entry)] if name.endswith((".py", ".md", ".toml")) else []
    if not entry.is_dir() or entry.name == "__pycache__":
        return []
    return [found for child in entry.iterdir() for found in _sources(child, f"{name}/{child.name}")]
