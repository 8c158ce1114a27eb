"""A shorter prefix for a model with little attention: the blocks one question is about, and the cast it names.

A provider's cache wants one prefix for all questions of a chapter; a small model on this machine reads 300 characters better
than 10,000 and pays nothing. What is left out is whole blocks and whole cast lines; the bytes of what stays are those of
`prefix.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from analyzer.models.question import NONE, Option, Part, Question, Ref
from analyzer.models.text import Place

GAP = "[…]"
"""Stands where blocks were left out."""
_BLOCK = re.compile(r"\[([0-9]+)\] ")
_SENTENCE = re.compile(r"\(([0-9]+)\) ")
_HANDLE = re.compile(r"@[1-9][0-9]*")
_CAST_LINE = re.compile(r"(@[1-9][0-9]*) ")
_CITED, _PLACED, _NAMED = 4, 2, 1
"""Weights of a block: it holds a sentence the question cites, a sentence where one it is about stands, one of their names."""


def focused(parts: Sequence[Part], question: Question, chars: int) -> tuple[Part, ...]:
    """Return the prefix with about `chars` code points of the chapter around the question, and the cast lines it names.

    The block that weighs most is always there, whole; `chars` 0 or less leaves the prefix as it is.
    """
    if chars <= 0:
        return tuple(parts)
    named = _handles(question)
    return tuple(
        _chapter(part, question, chars)
        if part.name == "chapter"
        else part
        if part.name == "system"
        else part.model_copy(update={"text": _cast(part.text, named)})
        for part in parts
    )


def _handles(question: Question) -> frozenset[str]:
    texts = [question.text, *(f"{o.mark} {o.key} {o.text}" for o in question.options)]
    found = {handle for text in texts for handle in _HANDLE.findall(text)}
    return frozenset(found | {ref.handle for ref in question.key.about if ref.handle})


def _cast(text: str, named: frozenset[str]) -> str:
    lines = text.rstrip("\n").split("\n")
    kept = [line for line in lines if (found := _CAST_LINE.match(line)) is None or found.group(1) in named]
    return "\n".join(kept) + "\n\n"


def _chapter(part: Part, question: Question, chars: int) -> Part:
    heading = part.text.partition("\n")[0]
    blocks = _blocks_shown(part.text)
    kept = _chosen(blocks, _weights(blocks, question), chars)
    shown = [heading]
    last = 0
    for no in kept:
        if no != last + 1:
            shown.append(GAP)
        shown.append(blocks[no])
        last = no
    if kept and last != max(blocks):
        shown.append(GAP)
    return part.model_copy(update={"text": "\n".join(shown) + "\n\n"})


def _blocks_shown(text: str) -> dict[int, str]:
    return {int(found.group(1)): line for line in text.split("\n") if (found := _BLOCK.match(line))}


def _weights(blocks: dict[int, str], question: Question) -> dict[int, int]:
    weights = dict.fromkeys(blocks, 0)
    for place in question.sentences:
        weights[place.block] = weights.get(place.block, 0) + _CITED
    for ref in question.key.about:
        for no in {place.block for place in ref.places}:
            weights[no] = weights.get(no, 0) + _PLACED
        for no, line in blocks.items():
            weights[no] += _NAMED * any(name in line for name in ref.names)
    return weights


def _chosen(blocks: dict[int, str], weights: dict[int, int], chars: int) -> list[int]:
    """Return the heaviest blocks that fit, earlier ones first among equals, then neighbours of what was taken."""
    ranked = sorted((no for no in blocks if weights[no]), key=lambda no: (-weights[no], no)) or sorted(blocks)[:1]
    taken: dict[int, None] = {}
    left = chars
    for no in (*ranked, *(near for top in ranked[:3] for near in (top - 1, top + 1))):
        if no in blocks and no not in taken and (not taken or len(blocks[no]) <= left):
            taken[no] = None
            left -= len(blocks[no])
    return sorted(taken)


def places_shown(parts: Sequence[Part]) -> tuple[Place, ...]:
    """Return every sentence of the chapter that the prefix shows, in order."""
    text = next((part.text for part in parts if part.name == "chapter"), "")
    blocks = _blocks_shown(text).items()
    return tuple(Place(no, at) for no, line in blocks for at in range(1, 2 + len(_SENTENCE.findall(line))))


def sentence_shown(parts: Sequence[Part], place: Place) -> str:
    """Return the words of a sentence as the prefix shows them, "" where it does not."""
    text = next((part.text for part in parts if part.name == "chapter"), "")
    line = next((row for row in text.split("\n") if row.startswith(f"[{place.block}] ")), "")
    pieces = _SENTENCE.split(_BLOCK.sub("", line, count=1))
    numbered = {1: pieces[0], **{int(pieces[i]): pieces[i + 1] for i in range(1, len(pieces) - 1, 2)}}
    return numbered.get(place.sentence, "").strip()


def without_itself(question: Question) -> Question:
    """Return the question without the option that is what it asks about, as options shared by a pack hold it.

    Asked alone, a small model picks the option that reads like the question: of 53 questions whose name this is it never
    said none.
    """
    options = tuple(option for option in question.options if option.ref is None or option.ref not in question.key.about)
    return question if len(options) == len(question.options) else question.model_copy(update={"options": options})


def narrowed(question: Question, parts: Sequence[Part], most: int) -> Question:
    """Return the question with at most `most` options, none apart, by leaving out some of those that stand for somebody.

    Options that stand for nobody all stay, and at least one of the others does.

    Kept are those that share a piece of a name with who is asked about, then those that stand nearest in the chapter, in the
    order they had. `most` 0 or less leaves the question as it is. Cost: a substring search per name and block.
    """
    people = [option for option in question.options if option.ref is not None]
    others = sum(option.ref is None and option.key != NONE for option in question.options)
    room = max(1, most - others)
    if most <= 0 or len(people) <= room:
        return question
    blocks = _blocks_shown(next((part.text for part in parts if part.name == "chapter"), ""))
    names = tuple(name for ref in question.key.about for name in ref.names)
    here = {place.block for place in question.sentences} or _blocks_of(question.key.about, blocks)
    ranked = sorted(people, key=lambda option: _farness(option, names, here, blocks))
    kept = {option.key for option in ranked[:room]}
    options = tuple(option for option in question.options if option.ref is None or option.key in kept)
    return question.model_copy(update={"options": options})


def _blocks_of(refs: Sequence[Ref], blocks: dict[int, str]) -> set[int]:
    found = {place.block for ref in refs for place in ref.places}
    return found | {no for no, line in blocks.items() for ref in refs if any(name in line for name in ref.names)}


def _farness(option: Option, names: Sequence[str], here: set[int], blocks: dict[int, str]) -> tuple[bool, int]:
    there = _blocks_of((option.ref,), blocks) if option.ref is not None else set()
    far = min((abs(a - b) for a in here for b in there), default=len(blocks) + 1)
    alike = option.ref is not None and any(_alike(name, own) for name in names for own in option.ref.names)
    return not alike, far


def _alike(first: str, second: str) -> bool:
    """Say whether two names share a word, or one holds the other (scripts without spaces)."""
    a, b = first.casefold(), second.casefold()
    return a in b or b in a or bool(set(a.split()) & set(b.split()))


def spelled_out(text: str, parts: Sequence[Part]) -> str:
    """Return `text` with the cast's names in place of their handles; a handle the prefix does not show stays.

    `@3 Edmond` and `@3` both become `Edmond`; somebody without a name is called as the cast describes him.
    """
    described = {
        found.group(1): line[found.end() :].partition(": ")[2]
        for part in parts
        if part.name in ("cast", "added")
        for line in part.text.split("\n")
        if (found := _CAST_LINE.match(line)) and ": " in line and not line[found.end() :].startswith("also: ")
    }
    names = {handle: _name(words) for handle, words in described.items()}
    # twice, because a description may name another handle
    for _ in range(2):
        text = _HANDLE.sub(
            lambda found: names.get(found.group(), found.group()), _without_double(text, described, names)
        )
    return text


def _name(words: str) -> str:
    first = words.partition(" / ")[0].removesuffix(" (the narrator)")
    return first.removeprefix("unnamed, ").removeprefix("called ")


def _without_double(text: str, described: dict[str, str], names: dict[str, str]) -> str:
    """Return `text` with what repeats a handle's own description behind it taken out."""
    for handle, words in described.items():
        text = text.replace(f"{handle} ({words})", handle)
    for handle, name in names.items():
        text = text.replace(f"{handle} {name}", handle)
    return text
