"""The words of states and looks: attributes and features, natures, states of life, what a value may be of the cast."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from analyzer.models.story import Feature, Modality, Op

Ground = Literal["state", "look"]
Sort = Literal["beings", "things"]
LOOK = "appearance."
"""Begins the attribute of a look."""
BEINGS = frozenset({"character", "group"})
THINGS = frozenset({"object", "text", "place"})
_ALL = BEINGS | THINGS
_MOVED = frozenset({"character", "group", "object", "text"})


class Attribute(NamedTuple):
    """One attribute: in a word or two, as an option of the first look, as a line of the second, and of which kinds it can be told."""

    word: str
    option: str
    again: str
    kinds: frozenset[str]


ATTRIBUTES: dict[str, Attribute] = {
    "life_status": Attribute(
        "life or death", "alive, dying, dead, missing, born; destroyed", "dies, is born, lost or found alive; is destroyed", _ALL
    ),
    "health": Attribute(
        "health", "hurt, ill, weak, healed; damaged, mended", "is wounded, falls ill or recovers; is broken or repaired", _ALL
    ),
    "location": Attribute(
        "whereabouts", "comes, leaves, is taken, kept or hidden somewhere", "is by now in another place, or settles in one", _MOVED
    ),
    "possession": Attribute(
        "possession", "gets, gives, takes, loses, owes something", "something passes into or out of these hands", _ALL
    ),
    "title_or_rank": Attribute(
        "title or rank", "title, rank, office of honour, name borne as one", "is raised, lowered, or now called by rank",
        BEINGS | {"place"},
    ),
    "occupation": Attribute(
        "work", "trade, post, duty", "what they live by or serve as; hired or dismissed", BEINGS
    ),
    "affiliation": Attribute(
        "side", "party, house, master, engagement it joins or leaves", "with whom they now hold, or no longer", BEINGS
    ),
    "legal_status": Attribute(
        "standing in law", "accused, held, freed, heir, in debt, married, sold", "what court, deed or contract make of them", _ALL
    ),
    "ability": Attribute(
        "ability", "skill, power or sense gained, lost or shown", "what they can do now, or no longer", BEINGS | {"object"}
    ),
    "goal": Attribute(
        "goal", "plan, resolve, promise, wish to act on", "what they now set out to do, or give up", BEINGS
    ),
    "mood": Attribute(
        "mood", "love, grief, fear, joy, hatred that begins or ends", "what they now feel for longer than a moment", BEINGS
    ),
}  # fmt: skip
"""The state attributes; kinds: of what gold chapters tell them."""
FEATURES: dict[str, Attribute] = {
    "hair": Attribute("hair", "hair, beard", "colour, length, cut of hair or beard", BEINGS),
    "eyes": Attribute("eyes", "eyes, look, brows", "colour or kind of the eyes, the look in them", BEINGS),
    "face": Attribute("face", "face, skin, expression", "features, complexion, what the face is like or shows", BEINGS),
    "build": Attribute("build", "height, build, bearing", "tall, small, stout, thin, upright, bent", BEINGS),
    "age": Attribute("age", "age, young or old", "years, or youth and age as such", BEINGS),
    "mark": Attribute("mark", "scar, mole, wound, missing limb", "what one would know them by ever after", BEINGS),
    "clothing": Attribute(
        "clothing", "clothes, ornaments, what is worn", "what they have on, put on or take off", BEINGS
    ),
    "disguise": Attribute("disguise", "mask, false look", "what they are got up as, to be taken for another", BEINGS),
    "voice": Attribute("voice", "voice, way of speaking", "how they sound", BEINGS),
    "hands": Attribute("hands", "hands, fingers, arms", "what the hands are like", BEINGS),
    "gait": Attribute("gait", "walk, way of moving", "how they walk or hold themselves in moving", BEINGS),
    "other": Attribute(
        "looks", "anything else one sees, hears or smells of them", "whatever else meets the eye", BEINGS
    ),
}
"""The features of an appearance."""


class Nature(NamedTuple):
    """What kind of telling it is: in words for each ground it is offered for, the op, the modality (None: nothing is stored)."""

    words: Mapping[Ground, str]
    op: Op = "set"
    modality: Modality | None = None


def _both(words: str) -> dict[Ground, str]:
    return {"state": words, "look": words}


NATURES: dict[str, Nature] = {
    "not": Nature(_both("not told in these sentences")),
    "other": Nature(_both("told of somebody else")),
    "before": Nature(_both("was so before; nothing changes, nothing new is told")),
    "begins": Nature(
        {"state": "it begins here, or is told now as true", "look": "told here as true, or new to be seen"},
        "set",
        "asserted",
    ),
    "gained": Nature({"state": "gained, or added to what was", "look": "put on, grown, added"}, "add", "asserted"),
    "lost": Nature({"state": "lost, given away or taken", "look": "taken off, lost, cut"}, "remove", "asserted"),
    "ended": Nature({"state": "it comes to an end", "look": "is so no longer"}, "end", "asserted"),
    "reported": Nature(_both("only somebody's word, and the text leaves it open"), "set", "reported"),
    "believed": Nature(_both("only believed, suspected or feared"), "set", "believed"),
    "planned": Nature(_both("only planned, wished or offered"), "set", "planned"),
    "dreamt": Nature(_both("dreamt, imagined, compared or said in jest"), "set", "dreamt"),
    "lied": Nature(_both("a lie or a pretence"), "set", "lied"),
}
"""What may be answered about a noticed change. What copies the first mark for everything says that nothing is told."""
LIFE: tuple[tuple[str, str], ...] = (
    ("alive", "alive"),
    ("dying", "dying"),
    ("dead", "dead, truly"),
    ("missing", "missing, nobody knows"),
    ("thought_dead", "only thought or said to be dead"),
    ("destroyed", "destroyed, dissolved"),
)
"""States of life and death, so that code can tell who is dead in any language."""
NOTHING = "-"
"""The value of words for which a hyphen was answered: nothing of the kind is told."""
LINKED: dict[str, frozenset[str]] = {
    "location": frozenset({"place", "object"}),
    "possession": frozenset({"object", "text", "place"}),
    "affiliation": frozenset({"group", "character"}),
}
"""Attributes whose value may be one of the cast, and of which kinds."""


def linked(attribute: str, kind: str) -> frozenset[str]:
    """Return the kinds of the cast that may be the value of an attribute of one of `kind`: whose a thing is, for a thing."""
    return BEINGS if attribute == "possession" and kind in THINGS else LINKED.get(attribute, frozenset())


def told_of(attribute: str) -> Attribute:
    """Return an attribute by its name in facts (`goal`, `appearance.hair`)."""
    return FEATURES[attribute.removeprefix(LOOK)] if attribute.startswith(LOOK) else ATTRIBUTES[attribute]


def names_of(ground: Ground) -> tuple[str, ...]:
    """Return the names of a ground's attributes, as they stand in facts."""
    return tuple(ATTRIBUTES) if ground == "state" else tuple(f"{LOOK}{f}" for f in get_args(Feature))
