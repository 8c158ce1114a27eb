"""One unmasking in five languages, told for these tests: a tuner of pianos turns out to be the brother believed dead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.models.base import Record
from analyzer.models.facts import Fact, PresenceFact
from analyzer.models.story import MaskFact, MaskSayFact, RevealFact
from tests.harness import Ran, Say, chapter_of, evidence, person, run_step

PELL, ANDERS, LENA, CARTER = "@1", "@2", "@3", "@4"


@dataclass(frozen=True)
class Tale:
    """A second chapter; `told` is the sentence that tells it. The tuner was there in the first, the brother spoken of."""

    language: str
    names: tuple[str, ...]
    text: str
    told: tuple[int, int] = (2, 1)

    @property
    def start(self) -> list[Fact]:
        """What the first chapter left."""
        facts = [
            f
            for handle, name in zip((PELL, ANDERS, LENA, CARTER), self.names, strict=True)
            for f in person(handle, name)
        ]
        return [*facts, *(there(h, 1) for h in (PELL, LENA, CARTER)), there(ANDERS, 1, "mentioned")]

    @property
    def here(self) -> list[Fact]:
        """Who is there in the second."""
        return [there(handle, 2) for handle in (PELL, ANDERS, LENA, CARTER)]

    def run(
        self, step: str, facts: Sequence[Record] = (), *, before: Sequence[Fact] = (), say: Say | None = None
    ) -> Ran:
        """Run a step over the second chapter: `facts` are noticed in it, `before` left by the first."""
        chapter = chapter_of(self.text, no=2, language=self.language)
        here: list[Fact] = [*self.here, *(fact for fact in facts)]  # type: ignore[list-item]
        return run_step(step, chapter, start=[*self.start, *before], facts=here, say=say)


EN = Tale(
    "en",
    ("Pell", "Anders Holm", "Lena", "Grout"),
    "Pell came in from the rain and took off his wig.\n“I am Anders Holm,” said Pell. Lena let the lamp fall.\n"
    "By the door Grout counted his coins.",
)
KO = Tale(
    "ko",
    ("박돌쇠", "이진우", "연희", "최만수"),
    "박돌쇠가 비를 맞고 들어와 가발을 벗었다.\n“저는 이진우입니다.” 박돌쇠가 말했다. 연희는 등불을 떨어뜨렸다.\n"
    "문가에서 최만수가 돈을 세었다.",
)
ZH = Tale(
    "zh",
    ("王调琴", "沈子安", "秀兰", "赵车夫"),
    "王调琴冒雨进来，摘下了假髮。\n“我就是沈子安。”王调琴说。秀兰把灯掉在地上。\n门边赵车夫在数铜钱。",
)
JA = Tale(
    "ja",
    ("黒田", "藤村健一", "小夜", "権蔵"),
    "黒田は雨の中から入ってきて、かつらを外した。\n「藤村健一と申します」と黒田は言った。小夜は灯を落とした。\n戸口で権蔵は銭を数えていた。",
)
FR = Tale(
    "fr",
    ("Perrin", "André Haume", "Hélène", "Grosjean"),
    "Perrin entra, ruisselant, et ôta sa perruque.\n« Je suis André Haume », dit Perrin. Hélène laissa tomber la lampe.\n"
    "Près de la porte, Grosjean comptait ses sous.",
)
TALES = (EN, KO, ZH, JA, FR)


def there(handle: str, chapter: int, how: str = "on_page") -> PresenceFact:
    """Return how somebody is there in a chapter."""
    return PresenceFact(entity=handle, chapter=chapter, presence=how, n_mentions=1)


def mask(
    tale: Tale, *places: tuple[int, int], ends: tuple[str, str] = (PELL, ANDERS), way: str = "", vote: str = "same"
) -> MaskFact:
    """Return a noticed mask of the second chapter."""
    chapter = chapter_of(tale.text, no=2, language=tale.language)
    return MaskFact(
        chapter=2,
        persona=ends[0],
        behind=ends[1],
        cues=(way,) if way else (),
        vote=vote,
        evidence=evidence(chapter, *places),
    )


def say(
    tale: Tale,
    what: str,
    value: str,
    *places: tuple[int, int],
    ends: tuple[str, str] = (PELL, ANDERS),
    to: tuple[str, ...] = (),
) -> MaskSayFact:
    """Return what was answered about it."""
    chapter = chapter_of(tale.text, no=2, language=tale.language)
    return MaskSayFact(
        chapter=2,
        persona=ends[0],
        behind=ends[1],
        what=what,
        value=value,
        handles=to,
        evidence=evidence(chapter, *places),
    )


def in_short(fact: Fact) -> str:
    """Return a fact of identities in one line."""
    match fact:
        case MaskFact():
            places = " ".join(str(e.place) for e in fact.evidence)
            return f"mask {fact.persona} {fact.behind} {fact.vote} {places}".rstrip()
        case MaskSayFact():
            places = " ".join((*fact.handles, *(str(e.place) for e in fact.evidence)))
            return f"say {fact.what} {fact.persona} {fact.behind} {fact.value} {places}".rstrip()
        case RevealFact():
            words = f" “{fact.called}”" if fact.called else ""
            places = " ".join(str(e.place) for e in fact.evidence)
            return f"reveal {fact.persona} {fact.behind}{words} to {' '.join(fact.to)}: {places}"
        case _:
            raise AssertionError(fact)


def facts_of(ran: Ran) -> list[str]:
    """Return what a step wrote, in short."""
    return [in_short(fact) for fact, _ in ran.effects.facts]
