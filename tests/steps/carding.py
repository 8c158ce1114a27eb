"""Cards in five languages, for the tests of both steps."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.models.facts import Fact, PresenceFact
from analyzer.models.question import Question
from analyzer.models.story import CardFact, CardSayFact
from tests.harness import chapter_of, person, run_step
from tests.steps.tale import EN, FR, JA, KO, ZH

TALES = {
    "en": (EN, "Mara Vell", "The mill stands. @1 lets @2 in. Nothing else happens."),
    "ko": (KO, "마라", "@1 물레방아를 지킨다. @2 들어온다."),
    "zh-Hant": (ZH, "林黛", "@1住在柳村。@2走進來。"),
    "ja": (JA, "田中", "@1は橋のそばに住んでいる。@2が来る。"),
    "fr": (FR, "Marthe Vaux", "@1 garde le moulin. @2 entre."),
}


def there(*handles: str, presence: str = "on_page") -> list[Fact]:
    return [
        PresenceFact(entity=h, chapter=1, presence=presence, n_mentions=9 - int(h[1:]))  # type: ignore[arg-type]
        for h in handles
    ]


def cast(name: str) -> list[Fact]:
    return [*person("@1", name), *person("@2", "Zwei"), *person("@3", "Drei", kind="place")]


def say(summary: str, time: str = "-", eyes: str = "-") -> dict[str, str]:
    return {"card.summary": summary, "card.time": time, "card.point_of_view": eyes}


def asked(language: str, answers: dict[str, str], facts: Sequence[Fact]) -> tuple[list[CardSayFact], list[str]]:
    text = TALES[language][0]

    def line(question: Question) -> str:
        said = answers[question.key.ask]
        return f"= {said}" if question.type == "note" and said != "-" else said

    ran = run_step("card_notes", chapter_of(text, language=language), facts=facts, say=line)
    return [f for f, _ in ran.effects.facts if isinstance(f, CardSayFact)], list(ran.shown)


def card_of(language: str, said: Sequence[Fact], facts: Sequence[Fact]) -> tuple[list[CardFact], list[str]]:
    ran = run_step("cards", chapter_of(TALES[language][0], language=language), facts=[*facts, *said])
    return [f for f, _ in ran.effects.facts if isinstance(f, CardFact)], ran.codes
