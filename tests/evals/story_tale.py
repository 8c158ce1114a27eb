"""A chapter of our own whose gold has an item of every class of the story."""

from __future__ import annotations

from evals.records import ItemClass
from tests.evals.goldset.tales import Tale, draft, person, relation

LAMP_HOUSE = Tale(
    "en",
    "The Lamp House\n\n\nChapter 1: Frost\n\n\n"
    "Marta Quill kept the lamp house at Oster. Marta Quill had grey hair and a scar on her chin.\n\n"
    "Her brother Joren Quill came home that night with a broken arm. “I lost the boat,” said Joren Quill.\n\n"
    "Marta put the brass key into her pocket. Marta would tell nobody, and least of all Joren, that the money was gone.\n\n"
    "A hooded stranger sat by the stove all evening. The hooded stranger was Pell Ardis, and Marta saw it now.\n\n"
    "Pell Ardis promised to pay for the boat before the frost. Joren did not know that Pell Ardis had sold the oars.\n",
    draft(
        "en",
        [
            person("marta", "Marta Quill", "Marta"),
            person("joren", "Joren Quill", "Joren"),
            person("pell", "Pell Ardis", descriptors=("a hooded stranger",)),
            person("oster", "Oster") | {"kind": "place"},
        ],
        [relation("joren sibling_of marta", "Her brother Joren Quill")],
        changes=[
            {"entity": "joren", "attribute": "health", "op": "set", "to": "a broken arm", "quotes": ["with a broken arm"]},
            {
                "entity": "marta", "attribute": "possession", "op": "add", "to": "the brass key",
                "quotes": ["put the brass key into her pocket"],
            },
        ],
        appearance=[
            {"entity": "marta", "feature": "hair", "value": "grey", "quotes": ["had grey hair"]},
            {"entity": "marta", "feature": "mark", "value": "a scar on the chin", "quotes": ["a scar on her chin"]},
        ],
        secrets=[
            {
                "proposition": "The money is gone", "holders": ["marta"], "hidden_from": ["joren"],
                "quotes": ["would tell nobody, and least of all Joren"],
            }
        ],
        knowledge=[
            {
                "knower": "marta", "proposition": "The stranger is Pell Ardis", "stance": "knows", "via": "witnessed",
                "quotes": ["Marta saw it now"],
            },
            {
                "knower": "joren", "proposition": "Pell sold the oars", "stance": "unaware",
                "quotes": ["Joren did not know that Pell Ardis had sold"],
            },
        ],
        plants=[
            {
                "kind": "promise", "what": "Pell will pay for the boat before the frost", "event": "plant",
                "quotes": ["promised to pay for the boat"],
            }
        ],
    ),
)  # fmt: skip
STORY: tuple[ItemClass, ...] = ("change", "appearance", "secret", "knowledge", "plant")
"""The classes its gold has items of."""
