"""Everybody of a book keeps his handle over an edit, in any language; whoever cannot is told."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer import pipeline
from analyzer.bible import fold
from analyzer.models.facts import EntityFact, NameFact, SameFact
from analyzer.storage.store import Store
from analyzer.succession import Known, unkept
from evals.edits import run_once as run_whole
from evals.made_serial import Story, World
from evals.runs import STORY

run_once = partial(run_whole, off=STORY)
"""What is said of the story changes nothing here."""


class Tale(NamedTuple):
    """A tale whose first person is called `short` in it and by the full name alone in the chapter put before it."""

    head: str
    full: str
    short: str
    other: str
    story: Story
    before: list[str]


TALES = {
    "en": Tale(
        "Chapter {}",
        "Toby Farrow",
        "Toby",
        "Quill",
        [
            ["The rain fell on Toby. Nobody spoke to Toby.", "At the gate Toby met Quill. Then Quill left."],
            ["In the dark Toby slept, and Quill watched."],
        ],
        ["The clerk knew Toby Farrow. Everybody knew Toby Farrow.", "In the rain Toby Farrow came home."],
    ),
    "fr": Tale(
        "Chapitre {}",
        "Aline Corvin",
        "Aline",
        "Tobie",
        [
            [
                "La pluie tombait sur Aline. Personne ne parlait à Aline.",
                "Devant la porte Aline vit Tobie. Puis Tobie partit.",
            ],
            ["Dans le noir Aline dormait, et Tobie veillait."],
        ],
        [
            "Le greffier connaissait Aline Corvin. Tous connaissaient Aline Corvin.",
            "Sous la pluie Aline Corvin rentra.",
        ],
    ),
    "ko": Tale(
        "제{}화",
        "김미라",
        "미라",
        "최민수",
        [
            [
                "미라가 나루터로 내려왔다. 미라는 배를 기다렸다.",
                "최민수이 미라를 불렀다. 최민수은 늘 늦었다.",
                "“앉아요.” 최민수이 말했다. 최민수은 미라를 보았다.",
            ],
            ["“앉아요.” 최민수이 미라에게 말했다. 미라는 최민수을 보았다."],
        ],
        ["김미라가 집으로 왔다. 김미라는 말이 없었다.", "사람들이 김미라를 보았다."],
    ),
    "zh": Tale(
        "第{}章",
        "林米拉",
        "米拉",
        "王托班",
        [
            ["米拉走到渡口。米拉在等船。", "米拉笑道：“来了。”王托班叫住米拉。王托班总是迟到。"],
            ["王托班对米拉说道。米拉说：“好。”"],
        ],
        ["林米拉回到家里。林米拉没有说话。", "众人看着林米拉。林米拉笑道：“好。”"],
    ),
    "ja": Tale(
        "第{}話",
        "佐藤健介",
        "健介",
        "トバン",
        [
            ["健介は渡し場へ下りて来た。健介は舟を待っていた。", "トバンは健介を呼んだ。トバンはいつも遅れる。"],
            ["「座れ」とトバンは健介に言った。健介が笑った。"],
        ],
        ["佐藤健介は家へ帰った。佐藤健介は黙っていた。", "みんなが佐藤健介を見た。"],
    ),
}


@pytest.mark.parametrize("language", TALES)
def test_who_comes_in_earlier_by_a_name_never_seen_before_has_the_handle_of_before(
    language: str, tmp_path: Path
) -> None:
    tale = TALES[language]
    world = World({0: (tale.full, tale.short), 1: (tale.other,)}, {(0, 1): "friend_of"}, ())
    first = run_once(tmp_path / "book", tale.story, world, head=tale.head)
    assert first.handles == {tale.short: "@1", tale.other: "@2"}
    longer = [tale.before, *tale.story]
    after = run_once(tmp_path / "book", longer, world, head=tale.head)
    assert after.handles == {tale.full: "@1", tale.other: "@2"}
    assert after.found == run_once(tmp_path / "fresh", longer, world, head=tale.head).found
    assert after.problems == () and after.unkept == ()
    assert run_once(tmp_path / "book", longer, world, head=tale.head).n_calls == 0
    back = run_once(tmp_path / "book", tale.story, world, head=tale.head)
    assert (back.handles, back.found, back.unkept) == (first.handles, first.found, ())


NAMES = {
    "en": ("Bridget Ashdown", "Bridget"),
    "fr": ("Aline Corvin", "Aline"),
    "ko": ("김미라", "미라"),
    "zh": ("林米拉", "米拉"),
    "ja": ("佐藤健介", "健介"),
}
SAID = {
    "en": "At noon {0} came. Rain fell on {0}.",
    "fr": "À midi {0} vint. La pluie tombait sur {0}.",
    "ko": "{0}가 왔다. 비가 {0}를 적셨다. {0}는 웃었다.",
    "zh": "{0}走到渡口。{0}笑道：“来了。”众人看着{0}。",
    "ja": "{0}は渡し場へ来た。{0}が笑った。{0}は黙った。",
}


@pytest.mark.parametrize("language", NAMES)
def test_of_two_who_were_one_the_one_with_the_fuller_name_keeps_the_handle_and_the_other_is_told(
    language: str, tmp_path: Path
) -> None:
    full, short = NAMES[language]
    head = TALES[language].head
    story = [[SAID[language].format(short), SAID[language].format(full)]]
    one, two = World({0: (full, short)}, {}, ()), World({0: (full,), 1: (short,)}, {}, ())
    first = run_once(tmp_path / "book", story, one, head=head)
    assert list(first.handles.values()) == ["@1"]
    edited = [[*story[0], SAID[language].format(short)]]
    after = run_once(tmp_path / "book", edited, two, head=head)
    assert after.handles == {full: "@1", short: "@2"}
    assert [(news.handle, news.how, news.now, news.names) for news in after.unkept] == [
        ("@1", "split", (f"@2 {short}",), (short,))
    ]


# --- what is told ------------------------------------------------------------------------------------------------------


def _facts(cast: dict[str, list[str]]) -> list[EntityFact | NameFact | SameFact]:
    found: list[EntityFact | NameFact | SameFact] = []
    for handle, names in cast.items():
        found.append(
            EntityFact(entity=handle, entity_kind="character", label=names[0], anchor=f"name:{names[0]}", chapter=1)
        )
        found += [NameFact(entity=handle, surface=name, name_kind="full", chapter=1) for name in names]
    return found


SURFACES = st.sampled_from(["Mira", "미라", "米拉", "ミラ", "Мира", "Toban", "도반", "王"])
CASTS = st.dictionaries(
    st.integers(1, 6).map(lambda n: f"@{n}"), st.lists(SURFACES, min_size=1, max_size=3, unique=True)
)


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(CASTS, CASTS)
def test_everybody_of_before_either_has_his_handle_and_names_or_is_told(
    before: dict[str, list[str]], now: dict[str, list[str]]
) -> None:
    bible = fold(_facts(now), through=1)
    told = {u.handle: u for u in unkept({h: Known(names[0], frozenset(names)) for h, names in before.items()}, bible)}
    everybody = {name for names in now.values() for name in names}
    for handle, names in before.items():
        mine = set(now.get(handle, ()))
        if not mine and not set(names) & everybody:
            assert told[handle].how == "gone"
        elif set(names) & everybody <= mine and mine:
            assert handle not in told or told[handle].how == "split"
        else:
            assert told[handle].now


def test_a_handle_that_became_another_s_is_told_as_joined_and_a_new_name_is_no_loss() -> None:
    facts = [*_facts({"@1": ["Mira"], "@2": ["Toban"]}), SameFact(entity="@2", same_as="@1", chapter=1)]
    before = {"@1": Known("Mira", frozenset({"Mira"})), "@2": Known("Toban", frozenset({"Toban"}))}
    assert [(u.handle, u.how, u.now) for u in unkept(before, fold(facts, through=1))] == [
        ("@2", "joined", ("@1 Mira",))
    ]
    renamed = fold(_facts({"@1": ["Lena"], "@2": ["Toban"]}), through=1)
    assert unkept(before, renamed) == ()


def test_a_run_that_is_not_over_the_whole_book_leaves_the_telling_to_the_one_that_is(tmp_path: Path) -> None:
    tale = TALES["en"]
    world = World({0: (tale.full, tale.short), 1: (tale.other,)}, {}, ())
    run_once(tmp_path, tale.story, world)
    gone = [["The rain fell on Toby. Nobody spoke to Toby."]]
    assert run_once(tmp_path, [*gone, *gone], world, chapters="1").unkept == ()
    told = run_once(tmp_path, [*gone, *gone], world)
    assert [(news.handle, news.name, news.how) for news in told.unkept] == [("@2", "Quill", "gone")]
    with Store.open(pipeline.book_folder(tmp_path / "serial.txt")) as store:
        assert store.verify() == []
    assert run_once(tmp_path, [*gone, *gone], world).unkept == ()
