"""What a request and an answer are known by: hashes over exactly what they depend on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from analyzer.hashing import canonical_json, content_hash, json_hash
from analyzer.models.question import Option, Pack, Part, Question

_HANDLE = re.compile(r"@[1-9][0-9]*")
_CAST_LINE = re.compile(r"(@[1-9][0-9]*) ")

CODE = (
    "bible.py",
    "factkeys.py",
    "knowledge.py",
    "rulings.py",
    "speech.py",
    "states.py",
    "threads.py",
    "turns.py",
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

    def line_json(self, handle: str) -> str:
        """Return the JSON of a handle with its cast lines."""
        if handle not in self._line_json:
            self._line_json[handle] = canonical_json([handle, list(self.lines[handle])])
        return self._line_json[handle]

    @cached_property
    def _line_json(self) -> dict[str, str]:
        return {}


def shown(parts: tuple[Part, ...], *, copy: int = 0) -> Shown:
    """Return what keys need to know of a prefix; `copy` counts earlier chapters of the very same words.

    Each of those is asked for itself: two that are asked side by side would otherwise store one answer and use two.
    """
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
        chapter_hash=part_hash(by_name.get("chapter", "")) + (f"#{copy}" if copy else ""),
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


class OptionParts:
    """What keys need of options: their JSON and the handles they name; kept, since the questions of a task share them."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Option, str, frozenset[str]]] = {}
        self._rows: dict[tuple[int, ...], tuple[str, frozenset[str]]] = {}

    def row(self, options: tuple[Option, ...]) -> tuple[str, frozenset[str]]:
        """Return the JSON of all options, joined, with all handles they name.

        Options without a text stand in the prefix alone, so that their order is not shown with the question.
        """
        ids = tuple(map(id, options))
        known = self._rows.get(ids)
        if known is None:
            offered = [self.of(option) for option in options]
            texts = [text for o, text, _ in offered if o.text]
            shown = ",".join([*texts, *sorted(text for o, text, _ in offered if not o.text)])
            known = self._rows[ids] = shown, frozenset().union(*(names for _, _, names in offered))
        return known

    def of(self, option: Option) -> tuple[Option, str, frozenset[str]]:
        """Return the option with its JSON and its handles."""
        known = self._known.get(id(option))
        if known is None:
            handles = _HANDLE.findall(f"{option.mark} {option.key} {option.text}")
            named = frozenset([*handles, option.ref.handle] if option.ref else handles)
            known = option, canonical_json([option.mark, option.key, option.text]), named
            self._known[id(option)] = known  # holds the option, so that no other gets its id
        return known


def reuse_key(
    question: Question,
    *,
    instructions: str,
    prefix: Shown,
    model: str,
    params: Mapping[str, object],
    options: OptionParts | None = None,
) -> str:
    """Return the id of the answer to `question`: over what the answer may depend on, so that an equal id may be reused.

    Covered: system text, chapter text, the step's instructions as filled, the question and its options as shown and what
    they mean, the cast lines of the handles it names, model, parameters. Not covered: other questions of the pack, other
    cast lines, the chapter's number, the order of
    options that only the prefix shows. See `again_key` for the other wording. `options` may be given for questions that share theirs.
    """
    shown, offered = (options or OptionParts()).row(question.options)
    handles = {*_HANDLE.findall(question.text), *(ref.handle for ref in question.key.about), *offered}
    named = sorted(handles & prefix.lines.keys())
    before = [
        prefix.system_hash,
        prefix.chapter_hash,
        part_hash(instructions),
        [question.key.step, question.key.asked, question.type, question.text, question.evidence],
        [[place.block, place.sentence] for place in question.sentences],
        [question.closed_evidence, question.max_picks],
    ]
    # what `content_hash` makes of one list, put together from the parts that many questions share
    lines = ",".join([prefix.line_json(handle) for handle in named])
    after = canonical_json([model, dict(params)])
    return json_hash("answer", f"{canonical_json(before)[:-1]},[{shown}],[{lines}],{after[1:]}")


def again_key(answer_id: str, *, instructions: str) -> str:
    """Return the id of the answer to the same question in the step's other wording."""
    return content_hash("again", [answer_id, part_hash(instructions)])


def strict_key(answer_id: str, *, prefix: Shown) -> str:
    """Return the answer id that also covers every byte of the prefix."""
    return content_hash("strict", [answer_id, prefix.parts_hash])


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
