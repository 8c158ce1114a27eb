"""Two people whose tie changes in a second chapter, in five languages, told for these tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from analyzer.models.facts import Fact, RelationFact
from analyzer.models.story import TurnFact, TurnVoteFact
from tests.harness import Ran, Say, chapter_of, evidence, person, run_step


@dataclass(frozen=True)
class Tale:
    """A second chapter about @1 and @2, with @3 beside them."""

    language: str
    names: tuple[str, str, str]
    text: str

    @property
    def start(self) -> list[Fact]:
        """The cast, as the first chapter left it."""
        return [f for n, name in enumerate(self.names, 1) for f in person(f"@{n}", name)]

    def stated(self, triple: str, *, chapter: int = 1, **more: Any) -> RelationFact:
        """Return a relation stated in a chapter."""
        subject, relation, target = triple.split()
        shown = evidence(chapter_of(self.text, no=chapter, language=self.language), (1, 1))
        return RelationFact(
            claim=f"c {triple} {chapter}",
            chapter=chapter,
            subject=subject,
            relation=relation,
            object=target,
            evidence=shown,
            **more,
        )

    def vote(self, triple: str, turn: str, *places: tuple[int, int], look: str = "first") -> TurnVoteFact:
        """Return a vote on a turn in the second chapter."""
        subject, relation, target = triple.split()
        return TurnVoteFact(
            chapter=2,
            subject=subject,
            relation=relation,
            object=target,
            look=look,
            turn=turn,
            evidence=evidence(chapter_of(self.text, no=2, language=self.language), *places),
        )

    def run(self, step: str, *before: Fact, facts: tuple[Fact, ...] = (), say: Say | None = None) -> Ran:
        """Run a step over the second chapter."""
        chapter = chapter_of(self.text, no=2, language=self.language)
        return run_step(step, chapter, start=[*self.start, *before], facts=facts, say=say)


EN = Tale(
    "en",
    ("Ida", "Corb", "Vesta"),
    "Ida gave Corb the ring back.\n“It is over,” said Ida, and Corb went. Vesta shut the door.",
)
KO = Tale(
    "ko",
    ("이순영", "강대수", "오말순"),
    "이순영은 강대수에게 반지를 돌려주었다.\n“끝났어요.” 이순영이 말하자 강대수는 떠났다. 오말순이 문을 닫았다.",
)
ZH = Tale(
    "zh", ("林秀英", "郭大海", "何三娘"), "林秀英把戒指还给郭大海。\n“完了。”林秀英说，郭大海就走了。何三娘关上门。"
)
JA = Tale(
    "ja",
    ("千代", "熊吉", "おとよ"),
    "千代は熊吉に指輪を返した。\n「終わりです」と千代は言い、熊吉は去った。おとよは戸を閉めた。",
)
FR = Tale(
    "fr",
    ("Irène", "Corbin", "Agathe"),
    "Irène rendit la bague à Corbin.\n« C’est fini », dit Irène, et Corbin partit. Agathe ferma la porte.",
)
TALES = (EN, KO, ZH, JA, FR)
ENGAGED = "@1 betrothed_to @2"


def in_short(fact: Fact) -> str:
    """Return a vote or a turn in one line."""
    assert isinstance(fact, TurnVoteFact | TurnFact)
    places = " ".join(str(e.place) for e in fact.evidence)
    how = fact.look if isinstance(fact, TurnVoteFact) else (fact.affinity or "=")
    return f"{fact.turn} {how} {fact.subject} {fact.relation} {fact.object}: {places}".rstrip()


def facts_of(ran: Ran) -> list[str]:
    """Return what a step wrote, in short."""
    return [in_short(fact) for fact, _ in ran.effects.facts]
