"""Benchmarks of the pure parts: each is a function from a data folder (or None) to rows, run by `python -m evals.bench`.

A new one is a function `bench_<name>` in a module `<name>.py` of this folder; it is found by that.
"""

from __future__ import annotations

import random
from typing import NamedTuple


class Row(NamedTuple):
    """One measured value; `ratio` is value over the reference's value in the same run, None where there is no reference.

    A value is NaN where there was nothing to measure; the name says why.
    """

    name: str
    value: float
    unit: str
    ratio: float | None = None


_ONSETS = [
    "b",
    "c",
    "d",
    "f",
    "g",
    "h",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "t",
    "v",
    "br",
    "cr",
    "dr",
    "gr",
    "st",
    "tr",
    "pl",
]
_VOWELS = ["a", "e", "i", "o", "u", "ai", "ea", "ou", "é"]
_CODAS = ["", "", "n", "r", "l", "s", "t", "nd", "rk"]


def generated_novel(n_chars: int, seed: int = 7) -> str:
    """Return `n_chars` code points of invented words in sentences, speech and paragraphs, with some 600 names; same seed, same text."""
    rng = random.Random(seed)

    def word() -> str:
        return "".join(rng.choice(_ONSETS) + rng.choice(_VOWELS) + rng.choice(_CODAS) for _ in range(rng.randint(1, 3)))

    words = [word() for _ in range(6000)]
    names = [word().capitalize() for _ in range(400)] + [
        f"{word().capitalize()} {word().capitalize()}" for _ in range(200)
    ]
    ranks = [1 / (rank + 3) for rank in range(max(len(words), len(names)))]
    pieces: list[str] = []
    size = 0
    while size < n_chars:
        chosen = rng.choices(words, ranks[: len(words)], k=rng.randint(5, 22))
        if rng.random() < 0.6:
            chosen.insert(
                rng.randint(1, len(chosen)),
                rng.choices(names, ranks[: len(names)])[0] + rng.choice(["", "", "’s", ","]),
            )
        sentence = (
            " ".join(chosen).capitalize() if rng.random() < 0.2 else " ".join([chosen[0].capitalize(), *chosen[1:]])
        )
        ended = f"“{sentence}.” " if rng.random() < 0.3 else f"{sentence}. "
        pieces.append(ended + ("\n\n" if rng.random() < 0.2 else ""))
        size += len(pieces[-1])
    return "".join(pieces)[:n_chars]
