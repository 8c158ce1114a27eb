"""Gold answers about states and looks: by key, truthfully, only what is offered."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.llm.transports.gold import true_answer
from analyzer.llm.transports.gold_book import GoldView
from analyzer.models.gold import GoldChapter, GoldEntity, GoldItem
from analyzer.models.question import Answer, Option, Question, QuestionKey, Ref
from analyzer.models.text import Place
from analyzer.steps._state_words import LIFE, NATURES
from analyzer.text.languages import language_table
from tests.harness import book_of

FILLER = "\n".join(["The rain fell on the long brown river and on the roofs. " * 4] * 4)
BOOK = book_of(f"Orla Penn sold the ferry. Her hair was grey.\n{FILLER}\nBram took the ferry to Marl. Orla was dead.")
CHAPTER = BOOK.chapters[0]
LAST = len(CHAPTER.blocks)


def item(quote: str, *, level: str = "core", **fields: Any) -> GoldItem:
    """Return an item whose evidence is the sentence that begins with the quote."""
    block = next(b for b in CHAPTER.blocks if quote in b.text)
    start = block.text.index(quote)
    spot = {"block": block.no, "start": start, "end": start + len(quote)}
    return GoldItem.model_validate({"level": level, "evidence": (spot,), **fields})


GOLD = GoldChapter(
    book="b",
    chapter=1,
    body_start=0,
    body_end=len(BOOK.text),
    block_starts=tuple(block.start for block in CHAPTER.blocks),
    entities=(
        GoldEntity(id="orla", kind="character", names=("Orla Penn", "Orla")),
        GoldEntity(id="bram", kind="character", names=("Bram",)),
        GoldEntity(id="ferry", kind="object", descriptors=("the ferry",)),
        GoldEntity(id="marl", kind="place", names=("Marl",)),
    ),
    relations=(),
    changes=(
        item("Orla Penn sold", entity="orla", attribute="possession", op="remove", to="the ferry", alternates=("bram.possession",)),
        item("Bram took", entity="bram", attribute="location", op="set", to="gone to Marl by the ferry"),
        item("Orla was dead", entity="orla", attribute="life_status", op="set", to="died in the night", level="optional"),
    ),
    appearance=(item("Her hair", entity="orla", feature="hair", value="grey " + "and long " * 12, alternates=("age",)),),
)  # fmt: skip
VIEW = GoldView(GOLD, CHAPTER, language_table("en"))
REFS = {
    "orla": Ref(handle="@1", names=("Orla Penn", "Orla")),
    "bram": Ref(handle="@2", names=("Bram",)),
    "ferry": Ref(handle="@3", names=("the ferry",)),
    "marl": Ref(handle="@4", names=("Marl",)),
    "nobody": Ref(handle="@9", names=("Hosea",)),
}
FIRST, HAIR, MOVE, DEATH = Place(1, 1), Place(1, 2), Place(LAST, 1), Place(LAST, 2)


def ask(what: str, who: str, detail: str, *options: str, at: tuple[Place, ...] = (), **more: Any) -> Answer:
    made = tuple(
        Option(mark=REFS[o].handle, key=REFS[o].handle, ref=REFS[o]) if o in REFS else Option(mark=o, key=o, text=o)
        for o in options
    )
    about = (REFS[who],) if who else ()
    key = QuestionKey(step="s", ask=what, chapter=1, about=about, detail=detail)
    more = {"type": "choice", "max_picks": 9, "max_sentences": 3, **more}
    return true_answer(Question(key=key, text="?", options=made, sentences=at, **more), VIEW)


def test_a_look_at_one_finds_all_that_gold_tells_with_the_sentence_of_each() -> None:
    found = ask("state.notice", "orla", "state", "possession", "life_status", "mood", type="select", evidence="must")
    assert found.picked == ("possession", "life_status")
    assert found.by_pick == ((FIRST,), (DEATH,))
    looks = ask("state.notice", "orla", "look", "appearance.hair", "appearance.eyes", type="select", evidence="must")
    assert (looks.picked, looks.sentences) == (("appearance.hair",), (HAIR,))


def test_what_is_not_offered_is_not_picked() -> None:
    assert ask("state.notice", "orla", "state", "mood", type="select", evidence="must").status == "none"
    assert ask("state.notice", "nobody", "state", "mood", "possession", type="select", evidence="must").status == "none"


def test_a_look_for_an_attribute_finds_everybody_of_whom_gold_tells_it() -> None:
    found = ask("state.notice_again", "", "beings:location", "orla", "bram", type="select", evidence="must")
    assert (found.picked, found.sentences) == (("@2",), (MOVE,))
    assert ask("state.notice_again", "", "beings:mood", "orla", "bram", type="select").status == "none"


@pytest.mark.parametrize(
    ("who", "attribute", "at", "nature"),
    [
        ("orla", "possession", FIRST, "lost"),
        ("bram", "possession", FIRST, "lost"),
        ("bram", "location", MOVE, "begins"),
        ("orla", "appearance.hair", HAIR, "begins"),
        ("orla", "appearance.age", HAIR, "begins"),
        ("orla", "possession", MOVE, "not"),
        ("orla", "location", MOVE, "other"),
        ("orla", "mood", FIRST, "not"),
        ("nobody", "location", MOVE, "other"),
    ],
    ids=["own", "alternate", "place", "look", "other feature", "far off", "somebody else's", "nothing", "stranger"],
)  # fmt: skip
def test_the_nature_is_that_of_the_item_nearby(who: str, attribute: str, at: Place, nature: str) -> None:
    assert ask("state.nature", who, f"{attribute}:c1", *NATURES, at=(at,)).picked == (nature,)


@pytest.mark.parametrize(
    ("who", "detail", "at", "picked"),
    [
        ("orla", "wrong_person:possession:c1", FIRST, "holds"),
        ("orla", "wrong_person:location:c1", MOVE, "other"),
        ("orla", "already:mood:c1", MOVE, "not"),
        ("orla", "twice:possession:c1", FIRST, "holds"),
        ("orla", "twice:possession:c1", HAIR, "before"),
    ],
)
def test_a_doubt_is_settled_by_the_item_nearby(who: str, detail: str, at: Place, picked: str) -> None:
    assert ask("state.doubt", who, detail, "not", "other", "before", "unreal", "holds", at=(at,)).picked == (picked,)


def test_a_value_is_golds_own_words_at_most_ten() -> None:
    assert ask("state.value", "orla", "words:possession:c1", at=(FIRST,), type="note").text == "the ferry"
    assert len(ask("state.value", "orla", "words:appearance.hair:c1", at=(HAIR,), type="note").text.split()) == 10
    assert ask("state.value", "orla", "words:mood:c1", at=(FIRST,), type="note").status == "none"


def test_a_value_of_the_cast_is_who_stands_in_golds_words_the_longest_name_first() -> None:
    assert ask("state.value", "orla", "which:possession:c1", "ferry", "marl", "else", at=(FIRST,)).picked == ("@3",)
    assert ask("state.value", "bram", "which:location:c1", "marl", "else", at=(MOVE,)).picked == ("@4",)
    assert ask("state.value", "orla", "which:possession:c1", "marl", "else", at=(FIRST,)).picked == ("else",)
    life = [key for key, _ in LIFE]
    assert ask("state.value", "orla", "which:life_status:c1", *life, at=(DEATH,)).picked == ("dead",)
