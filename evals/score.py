"""One chapter of a bible against gold in short: the counts and lists of cast and relations, over `evals.scoring`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from analyzer.bible import Bible
from analyzer.models.gold import GoldChapter
from evals.reading import names_of, reading_of_bible, reading_of_gold
from evals.records import Outcome
from evals.scoring.entities import match_entities
from evals.scoring.figures import Pick, count, precision_of, recall_of
from evals.scoring.outcomes import compare_matched


@dataclass(frozen=True)
class Count:
    """`hit` of `n`; the share is None where there is nothing to count."""

    hit: int
    n: int

    @property
    def share(self) -> float | None:
        """Hit / n."""
        return self.hit / self.n if self.n else None

    def __add__(self, other: Count) -> Count:
        """Return pooled counts."""
        return Count(self.hit + other.hit, self.n + other.n)

    def __str__(self) -> str:
        return f"{self.hit}/{self.n}" + (f" {self.share:.3f}" if self.share is not None else "")


@dataclass(frozen=True)
class ChapterScore:
    """Counts of one chapter and the lists behind them; `entity_precision` is over everybody present, named or not."""

    chapter: str
    entities: Count
    entity_precision: Count
    pairs: Count
    families: Count
    kinds: Count
    status: Count
    precision: Count
    missed_entities: tuple[str, ...] = ()
    missed_relations: tuple[str, ...] = ()
    wrong_relations: tuple[str, ...] = ()
    extra_entities: tuple[str, ...] = ()
    duplicates: int = 0
    matched: dict[str, str] = field(default_factory=dict)


def score_chapter(
    bible: Bible,
    gold: GoldChapter,
    *,
    earlier: Iterable[GoldChapter] = (),
    label: str = "",
    known: Mapping[str, str] | None = None,
) -> ChapterScore:
    """Return the scores of chapter `gold.number`; relations of earlier chapters of the bible count as found.

    `known` are handles matched in earlier chapters (`ChapterScore.matched`, merged).
    """
    before = tuple(earlier)
    wanted = reading_of_gold(gold, names_of(before))
    said = reading_of_bible(bible, gold.number, gold=gold)
    matched = match_entities(wanted, said, earlier=[reading_of_gold(g) for g in before], known=known)
    outcomes = compare_matched(wanted, said, matched)

    def counted(pick: Pick) -> Count:
        return Count(*count(outcomes, pick))

    return ChapterScore(
        chapter=label or f"{gold.book} {gold.chapter}",
        entities=counted(recall_of("entity")),
        entity_precision=counted(precision_of("entity")) + counted(precision_of("entity", "described")),
        pairs=counted(recall_of("relation", "pair")),
        families=counted(recall_of("relation", "family")),
        kinds=counted(recall_of("relation", "kind")),
        status=counted(precision_of("relation", "status")),
        precision=counted(precision_of("relation")),
        missed_entities=_texts(outcomes, recall_of("entity")),
        missed_relations=_texts(outcomes, recall_of("relation")),
        wrong_relations=_texts(outcomes, precision_of("relation")),
        extra_entities=(
            *_texts(outcomes, precision_of("entity")),
            *_texts(outcomes, precision_of("entity", "described")),
        ),
        duplicates=len(matched.duplicates),
        matched=dict(matched.of),
    )


def _texts(outcomes: Iterable[Outcome], pick: Pick) -> tuple[str, ...]:
    """Return the texts of what was missed or is wrong."""
    return tuple(o.text for o in outcomes if count([o], pick) == (0, 1))
