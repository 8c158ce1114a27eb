"""A serial made by code about a small world of people, places and ties, and whoever answers from that world by key.

What is said depends on who and what is asked, never on handles, orders or numbers of chapters.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from analyzer import pipeline
from analyzer.hashing import content_hash
from analyzer.llm.asker import Profile
from analyzer.llm.formats import write_line
from analyzer.llm.meter import Meter
from analyzer.models.facts import RELATION_KINDS
from analyzer.models.question import NONE, Answer, Option, Pack, Question, Ref
from analyzer.models.run import AnsweredBy, Reply

MODEL = pipeline.DEFAULT_MODEL
"""Whose prices the simulated calls are charged at."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_FIRST = _words("Mira Toban Selda Corin Ulla Besmer Hanno Tilda Ravik Odile Jorun Pell Garda Simin Volker Anneke")
_LAST = _words("Voss Harrow Tesk Lindqvist Ombra Kester Dray Falk Brome Sunder Wick Arlen")
_PLACES = _words("Saltmouth Highfen Quarrin Eddermere Thornwick Gullhaven")
_CALLED = _words("ferryman tollkeeper lamplighter miller piper")
_TIES = ("parent_of", "sibling_of", "friend_of", "enemy_of", "employs", "loves", "mentors", "owes")


@dataclass(frozen=True)
class World:
    """Who is who: `people` by number with their forms (full name, given name), `ties` as (subject, kind, object)."""

    people: dict[int, tuple[str, ...]]
    ties: dict[tuple[int, int], str]
    places: tuple[str, ...] = _PLACES

    def who(self, ref: Ref | None) -> int | str | None:
        """Return the person (a number) or place (its name) a reference means, None where it means neither."""
        for name in ref.names if ref else ():
            for person, forms in self.people.items():
                if name in forms:
                    return person
            if name in self.places:
                return name
        return None


def world_of(n_people: int = 40, seed: int = 3) -> World:
    """Return a world; same numbers, same world."""
    rng = random.Random(seed)
    pairs = [(a, b) for a in _FIRST for b in _LAST]
    rng.shuffle(pairs)
    people: dict[int, tuple[str, ...]] = {}
    used: set[str] = set()
    for first, last in pairs:
        given = first if first not in used else f"{first}{'aeiou'[len(people) % 5]}{'lnrst'[len(people) // 5 % 5]}"
        if given in used or len(people) == n_people:
            continue
        used.add(given)
        people[len(people)] = (f"{given} {last}", given)
    ties = {
        (a, b): rng.choice(_TIES) for a in people for b in people if a < b and rng.random() < 0.12
    }  # fmt: skip
    return World(people, ties)


_LINES = (
    "{a} crossed the market of {p} before the bells had rung.",
    "“You should have told me sooner,” said {a}, and {b} looked at the floor.",
    "Rain had been falling on {p} since noon, and the gutters ran brown.",
    "{b} kept the letter folded in a sleeve and spoke of other things.",
    "Nobody answered when {a} knocked; the {c} had gone home hours ago.",
    "At the quay the {c} counted his coins twice and said nothing.",
    "{a} and {b} walked as far as the bridge without a word.",
    "“If {b} hears of this, we are done,” {a} whispered.",
    "The lamps were lit one after another along the harbour wall.",
    "It was {b} who found the key under the third stone.",
)


def chapter_text(world: World, n: int, *, salt: str = "") -> list[str]:
    """Return the paragraphs of chapter `n`: its people are those of its time of the story, `salt` changes the words alone."""
    rng = random.Random(n)
    last = min(len(world.people), 5 + n)
    here = rng.sample(range(max(0, last - 8), last), 4)
    if last > 9:
        here.append(rng.randrange(last - 8))
    rng = random.Random(f"{n} {salt}")
    paragraphs = []
    for _ in range(rng.randint(9, 13)):
        lines = []
        for line in rng.sample(_LINES, rng.randint(2, 4)):
            a, b = rng.sample(here, 2)
            words = line.format(
                a=world.people[a][rng.random() < 0.5],
                b=world.people[b][rng.random() < 0.6],
                p=rng.choice(world.places),
                c=rng.choice(_CALLED),
            )
            lines.append(f"{words} {_filler(rng)}")
        paragraphs.append(" ".join(lines))
    return paragraphs


_WORDS = _words(
    "the tide turned late and the boats lay crooked in the mud while gulls went about their quarrels over the "
    "slates and somewhere a cart was being loaded with wet sacks for the morning road to the hills beyond the "
    "river"
)


def _filler(rng: random.Random) -> str:
    at = rng.randrange(len(_WORDS) - 9)
    words = [*_WORDS[at : at + rng.randint(5, 9)], f"{rng.randrange(2, 9_000)} steps away"]
    return " ".join(words).capitalize() + "."


Story = list[list[str]]
"""Chapters, each its paragraphs."""


def story_of(world: World, n_chapters: int = 60) -> Story:
    """Return the serial."""
    return [chapter_text(world, n) for n in range(1, n_chapters + 1)]


def printed(story: Story, head: str = "CHAPTER {}") -> str:
    """Return the serial as a manuscript: chapters numbered as they stand."""
    return "\n\n\n".join(f"{head.format(n)}\n\n" + "\n\n".join(blocks) for n, blocks in enumerate(story, 1)) + "\n"


# --- answers by key -------------------------------------------------------------------------------------------------


class ByKey:
    """A transport that answers from a world by what is asked of whom; charged as a caching provider would."""

    answered_by: AnsweredBy = "scripted"

    def __init__(self, world: World) -> None:
        self.model = MODEL
        self.profile = Profile(name="by key", release="at_once", priced=True, concurrency=8)
        self.params: dict[str, object] = {}
        self.asked: list[Pack] = []
        self._world = world
        self._meter = Meter()

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Return a line for each question."""
        self.asked.append(pack)
        if on_first_event is not None:
            on_first_event()
        text = "\n".join(write_line(n, q, answer(q, self._world)) for n, q in enumerate(pack.questions, 1))
        return Reply(text=text, usage=self._meter.usage(pack, text), model=self.model, answered_by="scripted")

    async def close(self) -> None:
        """Hold nothing."""


def answer(question: Question, world: World) -> Answer:
    """Return what the world says to a question."""
    told = _ANSWERERS.get(question.key.ask)
    keys = [k for k in (told(question, world) if told else ()) if question.option_by_key(k)]
    sentences = question.sentences[:1] if question.evidence != "no" else ()
    if not keys or (question.evidence == "must" and not sentences):
        return Answer(status="none")
    picked = tuple(dict.fromkeys(keys))[: question.max_picks if question.type == "select" else 1]
    return Answer(status="answered", picked=picked, sentences=sentences)


def _kind(question: Question, world: World) -> list[str]:
    who = world.who(question.key.about[0])
    return [] if who is None else ["character" if isinstance(who, int) else "place"]


def _meaning(question: Question, world: World, who: int | str | None) -> list[Option]:
    return [] if who is None else [option for option in question.options if world.who(option.ref) == who]


def _same(question: Question, world: World) -> list[str]:
    me = question.key.about[0]
    found = [o.key for o in _meaning(question, world, world.who(me)) if o.key != f"form:{me.names[0]}"]
    return sorted(found, key=lambda key: (key.startswith("form:"), key))


def _drawn(question: Question, n: int) -> int:
    names = [sorted(ref.names[:1]) for ref in question.key.about]
    return int(content_hash("draw", [question.key.ask, question.key.detail.partition(":")[0], names])[-6:], 16) % n


def _who(question: Question, world: World) -> list[str]:
    words = question.key.about[0].names[0].casefold()
    known = [
        o.key for o in question.options if o.key.startswith("is:") and o.ref and words in map(str.casefold, o.ref.names)
    ]
    if known:
        return known
    return ["own"] if any(called in words for called in _CALLED[:3]) else []


def _twin(question: Question, world: World) -> list[str]:
    mine = {name.casefold() for name in question.key.about[0].names}
    return [o.key for o in question.options if o.ref and mine & {name.casefold() for name in o.ref.names}]


def _presence(question: Question, world: World) -> list[str]:
    return [("on_page", "mentioned", "on_page")[_drawn(question, 3)]]


def _tie(world: World, a: int | str | None, b: int | str | None) -> tuple[str, bool] | None:
    if not isinstance(a, int) or not isinstance(b, int):
        return None
    kind = world.ties.get((min(a, b), max(a, b)))
    return (kind, a > b) if kind else None


def _select(question: Question, world: World) -> list[str]:
    me = world.who(question.key.about[0])
    found = []
    for option in question.options:
        tie = _tie(world, me, world.who(option.ref))
        if tie and RELATION_KINDS[tie[0]].family == question.key.detail:
            found.append(option.key)
    return found


def _relation(question: Question, world: World) -> list[str]:
    tie = _tie(world, *(world.who(ref) for ref in question.key.about))
    if tie is None:
        return []
    kind, turned = tie
    return [f"{kind}:{'ab' if RELATION_KINDS[kind].symmetric or not turned else 'ba'}"]


def _confirm(question: Question, world: World) -> list[str]:
    return ["deny" if _drawn(question, 11) == 0 else "for"]


def _detail(question: Question, world: World) -> list[str]:
    keys = sorted(option.key for option in question.options if option.key != NONE)
    return [keys[_drawn(question, len(keys))]]


_ANSWERERS: dict[str, Callable[[Question, World], list[str]]] = {
    "cast.kind": _kind,
    "cast.same": _same,
    "cast.who": _who,
    "cast.twin": _twin,
    "cast.presence": _presence,
    "relation.select": _select,
    "relation.kind": _relation,
    "relation.confirm": _confirm,
    "relation.detail": _detail,
}
