"""Scenes in four languages with something left open, and threads in short, for the tests of their steps."""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.models.facts import Fact
from analyzer.models.story import (
    Look,
    ThreadEvent,
    ThreadEventFact,
    ThreadFact,
    ThreadKind,
    ThreadNoticeFact,
    ThreadSayFact,
    ThreadTouchFact,
)
from analyzer.models.text import Chapter
from analyzer.steps._threads import notice
from tests.harness import Ran, evidence, person

EN = (
    "Ilse Roth hid the brass key under the hearth. She told nobody. “I will come back before the first frost,” said Anders.\n"
    "The bell of Sankt Olai rang once, though nobody stood in the tower. Ilse counted the coins.\n"
    "The miller laughed and went home."
)
KO = (
    "은수는 놋쇠 열쇠를 아궁이 밑에 숨겼다. 아무에게도 말하지 않았다. “첫서리 전에 돌아올게.” 태호가 말했다.\n"
    "종루에는 아무도 없었는데 종이 한 번 울렸다. 은수는 동전을 세었다."
)
ZH = "柳青把铜钥匙藏在灶下。她谁也没有告诉。“霜降以前我一定回来。”方岳说。\n塔上没有人，钟却响了一声。柳青数着铜钱。"
JA = (
    "千代は真鍮の鍵を竈の下に隠した。誰にも言わなかった。「初霜の前に帰る」と宗介は言った。\n"
    "塔には誰もいないのに鐘が一度鳴った。千代は銭を数えた。"
)
LATER = (
    "Anders did not come with the first frost. Ilse Roth took the brass key from under the hearth and opened the chest.\n"
    "The letters in it were blank. The miller sang."
)


def cast() -> list[Fact]:
    """The cast of the English scenes."""
    return [*person("@1", "Ilse Roth", "Ilse"), *person("@2", "Anders"), *person("@3", "Sankt Olai", kind="place")]


def noticed(chapter: Chapter, kind: ThreadKind, place: tuple[int, int], *looks: Look) -> list[ThreadNoticeFact]:
    """Return the notices of a sentence under a kind, one a look (the first where none is given)."""
    return [notice(chapter.no, kind, evidence(chapter, place)[0], look) for look in looks or ("first",)]


def id_of(chapter: Chapter, kind: ThreadKind, place: tuple[int, int]) -> str:
    """Return the id of a candidate."""
    return noticed(chapter, kind, place)[0].thread


def check(chapter: Chapter, kind: ThreadKind, place: tuple[int, int], value: str) -> ThreadSayFact:
    """Return what the doubt left of a candidate."""
    return ThreadSayFact(chapter=chapter.no, thread=id_of(chapter, kind, place), what="check", value=value)


def said(chapter: Chapter, kind: ThreadKind, place: tuple[int, int], words: str) -> ThreadSayFact:
    """Return the statement of a candidate."""
    return ThreadSayFact(chapter=chapter.no, thread=id_of(chapter, kind, place), what="statement", value=words)


def candidate(
    chapter: Chapter, kind: ThreadKind, place: tuple[int, int], value: str, words: str | None = None
) -> list[Fact]:
    """Return a candidate with its check, and its statement where it has one."""
    found: list[Fact] = [*noticed(chapter, kind, place), check(chapter, kind, place, value)]
    return found if words is None else [*found, said(chapter, kind, place, words)]


def thread(
    name: str,
    chapter: Chapter,
    kind: ThreadKind,
    statement: str,
    *places: tuple[int, int],
    about: tuple[str, ...] = (),
    events: Iterable[tuple[int, ThreadEvent]] = (),
) -> list[Fact]:
    """Return a thread planted in `chapter`, and later events by (chapter, event) with the same words."""
    shown = evidence(chapter, *places)
    fact = ThreadFact(thread=name, chapter=chapter.no, kind=kind, statement=statement, about=about, evidence=shown)
    made: list[tuple[int, ThreadEvent]] = [(chapter.no, "plant"), *events]
    return [
        fact,
        *(ThreadEventFact(thread=name, chapter=no, event=event, evidence=shown) for no, event in made),
    ]


def touch(chapter: Chapter, name: str, look: Look, event: str, *places: tuple[int, int]) -> ThreadTouchFact:
    """Return one look at a thread."""
    return ThreadTouchFact(chapter=chapter.no, thread=name, look=look, event=event, evidence=evidence(chapter, *places))


def short(ran: Ran) -> list[str]:
    """Return the facts of a thread step in short."""
    return [_short(fact) for fact, _ in ran.effects.facts]


def _short(fact: Fact) -> str:
    shown = " ".join(str(e.place) for e in getattr(fact, "evidence", ()))
    match fact:
        case ThreadNoticeFact():
            return f"{fact.kind} {fact.look} {shown}"
        case ThreadSayFact():
            return f"{fact.what} {fact.value}"
        case ThreadTouchFact():
            return f"{fact.thread} {fact.look} {fact.event} {shown}".rstrip()
        case ThreadFact():
            return f"thread {fact.kind}: {fact.statement} {' '.join(fact.about)} {shown}".replace("  ", " ")
        case ThreadEventFact():
            return f"event {fact.event} {shown}"
        case _:
            raise AssertionError(f"no fact of threads: {fact!r}")
