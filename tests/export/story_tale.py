"""A small story told in facts alone, the same in four languages: a mask, a secret, a letter, a scar, a quarrel.

1  Oda (@1) and the Weaver (@2) are on the page, Hesk (@3) hides the will from Oda and the reader; the letter (@5) is planted.
2  Hesk and the Weaver: Hesk employs the Weaver, goes to the mill (@4), deceives Oda; the Weaver suspects the will.
3  Oda and the Weaver: Oda is told of the will. Hesk is not there; his first name is given.
4  Oda and Hesk: the secret is out before all, Hesk is hurt, the Weaver leaves his service.
5  Oda and the Weaver: the Weaver is Ludo (@6), told to Oda and the reader (a proposal); the letter is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from analyzer.models.evidence import Evidence
from analyzer.models.facts import EntityFact, Fact, NameFact, PresenceFact, RelationFact, StoredFact
from analyzer.models.story import (
    READER,
    CardFact,
    CardSayFact,
    ChangeFact,
    KnowledgeFact,
    RevealFact,
    SecretEventFact,
    SecretFact,
    SpeechFact,
    StateNoticeFact,
    StateSayFact,
    ThreadEventFact,
    ThreadFact,
    ThreadTouchFact,
    TurnFact,
)
from analyzer.models.text import Place
from analyzer.storage.tasks import fact_id_of

LAST = 5


class Words(NamedTuple):
    """What the story is told with in one language."""

    oda: str
    weaver: str
    hesk: str
    hesk_named: str
    mill: str
    letter: str
    ludo: str
    hair: str
    wound: str
    will: str
    question: str
    summary: str
    night: str
    sentence: str


LANGUAGES: dict[str, Words] = {
    "en": Words(
        "Oda Marrin", "the Weaver", "Captain Hesk", "Barnaby Hesk", "Sallow Mill", "the sealed letter", "Ludo Marrin",
        "red", "hurt at the arm", "@3 holds the old will", "What is in the letter?", "@1 meets @2; @6 is not named.",
        "at night", "It was so in chapter {}.",
    ),
    "ko": Words(
        "오다", "베 짜는 사람", "헤스크 대위", "바너비 헤스크", "버들방앗간", "봉한 편지", "루도",
        "붉은 머리", "팔을 다쳤다", "@3이 옛 유언장을 가지고 있다", "편지에는 무엇이 있을까?", "@1은 @2를 만나고 @6은 말이 없다.",
        "밤에", "{}장에서는 그러하였다.",
    ),
    "zh": Words(
        "林晚", "织布人", "贺队长", "贺伯年", "柳磨坊", "封口的信", "陆渡",
        "红发", "手臂受了伤", "@3藏着旧遗嘱", "信里写了什么？", "@1遇见@2，@6没有出现。",
        "夜里", "第{}章里是这样。",
    ),
    "ja": Words(
        "小田", "機織り", "辺須隊長", "辺須直也", "柳の水車小屋", "封をした手紙", "流渡",
        "赤い髪", "腕に傷を負った", "@3は古い遺言を持っている", "手紙には何があるのか。", "@1は@2に会う。@6は出てこない。",
        "夜", "第{}章ではそうだった。",
    ),
}  # fmt: skip


def said(words: Words, chapter: int, block: int = 1, *, source: str = "narration") -> tuple[Evidence, ...]:
    """Return a sentence of a chapter."""
    text = words.sentence.format(chapter)
    return (
        Evidence(
            chapter=chapter, block=block, sentence=1, start=0, end=len(text), text=text, source=source
        ),
    )  # fmt: skip


def story(words: Words) -> list[Fact]:
    """Return the facts in the order in which a run would store them."""
    cast = ((1, "@1", words.oda, "character"), (1, "@2", words.weaver, "character"), (1, "@3", words.hesk, "character"),
            (2, "@4", words.mill, "place"), (1, "@5", words.letter, "object"), (1, "@6", words.ludo, "character"))  # fmt: skip
    found: list[Fact] = []
    for chapter, handle, name, kind in cast:
        found.append(
            EntityFact(
                entity=handle, entity_kind=kind, label=name, anchor=f"name:{name}", chapter=chapter,
                persona=handle == "@2", evidence=said(words, chapter, int(handle[1:])),
            )
        )  # fmt: skip
        found.append(NameFact(entity=handle, surface=name, name_kind="full", chapter=chapter))
    found.append(NameFact(entity="@3", surface=words.hesk_named, name_kind="full", chapter=3))
    there = {1: ("@1", "@2", "@3"), 2: ("@2", "@3"), 3: ("@1", "@2"), 4: ("@1", "@3"), 5: ("@1", "@2")}
    for chapter, handles in there.items():
        for handle in handles:
            found.append(
                PresenceFact(
                    entity=handle, chapter=chapter, presence="on_page", n_mentions=2, first=Place(int(handle[1:]), 1)
                )
            )
    found.append(PresenceFact(entity="@6", chapter=1, presence="mentioned", n_mentions=1, first=Place(6, 1)))
    found.append(PresenceFact(entity="@4", chapter=2, presence="on_page", n_mentions=1, first=Place(4, 1)))
    return [*found, *_relations(words), *_states(words), *_secrets(words), *_threads(words), *_rest(words)]


def _relations(words: Words) -> list[Fact]:
    made = (("@1", "sibling_of", "@6", 1, "public"), ("@3", "employs", "@2", 2, "public"),
            ("@3", "deceives", "@1", 2, "secret"))  # fmt: skip
    found: list[Fact] = [
        RelationFact(
            claim=f"claim:{a}{kind}{b}", chapter=chapter, subject=a, relation=kind, object=b,
            visibility=kept, evidence=said(words, chapter, 7), votes=("for", "for"),
        )
        for a, kind, b, chapter, kept in made
    ]  # fmt: skip
    ended = TurnFact(chapter=4, subject="@3", relation="employs", object="@2", turn="ends", evidence=said(words, 4, 7))
    shown = TurnFact(
        chapter=4,
        subject="@3",
        relation="deceives",
        object="@1",
        turn="revealed",
        affinity="-",
        evidence=said(words, 4, 8),
    )
    return [*found, ended, shown]


def _states(words: Words) -> list[Fact]:
    def change(chapter: int, entity: str, attribute: str, to: str, **more: object) -> ChangeFact:
        name = f"c{chapter}{entity[1:]}{attribute[:3]}".ljust(9, "0")
        return ChangeFact(
            change=name, chapter=chapter, entity=entity, attribute=attribute, to=to, op="set",
            evidence=said(words, chapter, 9), **more,
        )  # fmt: skip

    return [
        StateNoticeFact(chapter=1, entity="@1", attribute="appearance.hair", look="first", evidence=said(words, 1, 9)),
        StateNoticeFact(chapter=1, entity="@1", attribute="appearance.hair", look="second", evidence=said(words, 1, 9)),
        StateSayFact(chapter=1, change="c11app000", what="value", value=words.hair),
        StateSayFact(chapter=1, change="c11app000", what="nature", value="begins"),
        change(1, "@1", "appearance.hair", words.hair),
        change(1, "@3", "possession", words.letter, to_entity="@5"),
        change(2, "@3", "location", words.mill, to_entity="@4"),
        change(4, "@3", "health", words.wound),
        change(4, "@3", "location", words.oda, before=words.mill),
        change(5, "@1", "goal", words.question, modality="planned"),
    ]


def _secrets(words: Words) -> list[Fact]:
    return [
        SecretFact(
            secret="s00000001", chapter=1, proposition=words.will, holders=("@3",), hidden_from=("@1", READER),
            evidence=said(words, 1, 10),
        ),
        KnowledgeFact(
            chapter=2, piece="p00000001", knower="@2", proposition=words.will, stance="suspects", via="overheard",
            secret="s00000001", evidence=said(words, 2, 10),
        ),
        KnowledgeFact(
            chapter=2, piece="p00000001", knower="@1", proposition=words.will, stance="unaware", secret="s00000001",
            evidence=said(words, 2, 11),
        ),
        SecretEventFact(secret="s00000001", chapter=3, event="shared", to=("@1",), evidence=said(words, 3, 10)),
        KnowledgeFact(
            chapter=3, piece="p00000001", knower="@1", proposition=words.will, stance="knows", via="told", told_by="@2",
            secret="s00000001", evidence=said(words, 3, 10),
        ),
        SecretEventFact(secret="s00000001", chapter=4, event="exposed", to=(READER, "@1"), evidence=said(words, 4, 10)),
    ]  # fmt: skip


def _threads(words: Words) -> list[Fact]:
    def event(chapter: int, what: str) -> ThreadEventFact:
        return ThreadEventFact(
            thread="t00000001", chapter=chapter, event=what, evidence=said(words, chapter, 12)
        )  # fmt: skip

    return [
        ThreadFact(
            thread="t00000001", chapter=1, kind="object", statement=words.question, about=("@5", "@3"),
            evidence=said(words, 1, 12),
        ),
        event(1, "plant"),
        ThreadTouchFact(chapter=2, thread="t00000001", look="first", event="reinforce", evidence=said(words, 2, 12)),
        ThreadTouchFact(chapter=2, thread="t00000001", look="second", event="reinforce", evidence=said(words, 2, 12)),
        event(2, "reinforce"),
        event(5, "payoff"),
    ]  # fmt: skip


def _rest(words: Words) -> list[Fact]:
    found: list[Fact] = [
        SpeechFact(
            chapter=3, block=10, start=0, end=4, place=Place(10, 1), conversation=1, speaker="@2", hearers=("@1",), by="tag"
        ),
        SpeechFact(chapter=4, block=3, start=0, end=4, place=Place(3, 1), conversation=1, by="unknown"),
        RevealFact(
            reveal="r00000001", chapter=5, persona="@2", behind="@6", to=(READER, "@1"), evidence=said(words, 5, 13),
            votes=("same", "same"),
        ),
    ]  # fmt: skip
    for chapter, people in ((1, ("@1", "@2", "@3")), (3, ("@1", "@2")), (5, ("@1", "@2"))):
        found.append(CardSayFact(chapter=chapter, what="summary", value=words.summary))
        found.append(
            CardFact(chapter=chapter, summary=words.summary, people=people, time=words.night, point_of_view="@1")
        )
    return found


def stored(facts: Iterable[Fact]) -> tuple[StoredFact, ...]:
    """Return facts as the store gives them: by chapter, each class written by a step of its own name."""
    made = {
        fact_id_of(fact.fact, fact.chapter, fact): StoredFact(
            fact_id=fact_id_of(fact.fact, fact.chapter, fact), step=fact.fact, chapter=fact.chapter, fact=fact
        )
        for fact in facts
    }
    return tuple(sorted(made.values(), key=lambda s: s.chapter))
