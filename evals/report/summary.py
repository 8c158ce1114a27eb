"""What stands first in a report: what was measured in plain words, the headline figures against their marks, how to reproduce."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evals.records import Figure, RunResult
from evals.report.groups import Group, cents_per_unit
from evals.report.tables import Table
from evals.report.wording import (
    CENTS_MARK,
    PRECISION_MARK,
    RECALL_MARK,
    WORDS_UNIT,
    against,
    amount,
    cents,
    counted_words,
    interval,
    language_name,
    listed,
    of_n,
    percent,
    shown,
)
from evals.scoring.figures import figure, precision_of, recall_of, spread


class Headline(NamedTuple):
    """One headline figure: `standing` says where it is against its mark ("" without one), `above` whether that is good."""

    name: str
    value: str
    n: str
    interval: str
    mark: str
    standing: str
    above: bool | None
    more: str = ""


GLOSSARY: tuple[tuple[str, str], ...] = (
    ("gold", "What careful readers wrote down about a chapter before any run: who is in it and how they are related."),
    ("core", "What whoever keeps a story bible must not miss. The rest of gold is optional: it counts neither way."),
    ("found (recall)", "Of the core items of gold, how many the run found."),
    ("right (precision)", "Of what the run stated of a chapter, how much is right."),
    (
        "against gold",
        "Right is what some item of gold matches, core or optional. Gold is never complete: this is a lower bound.",
    ),
    (
        "as judged",
        "The same, but what gold lacks was looked up on the page by a judge; what nobody judged counts as wrong.",
    ),
    ("debatable", "A statement that one careful reader holds true and another does not: in neither number."),
    ("relation", "Two people, groups, places or things, with a kind (parent of, serves, lives in) and a direction."),
    (
        "family",
        "One of six sorts of relations: kin, romance, bond, conflict, work, place. A relation is found when pair and family agree.",
    ),
    ("kind", "The exact relation in its direction: stricter than the family."),
    (
        "question",
        "A multiple-choice question about one name or one pair; code makes it, and every question offers none.",
    ),
    (
        "vote",
        "The answer to a question that puts a claim again in other words; claims without enough votes are dropped.",
    ),
    (
        "95 % interval",
        "Where the figure would lie for other chapters like these: chapters drawn with replacement, 2,000 times.",
    ),
    (
        "w",
        "The interval is Wilson's, on items: with one chapter, or all alike, drawing chapters says nothing. It is too narrow.",
    ),
    (
        "B-cubed",
        "Whether names are put together rightly: of the names put with a name, how many belong there, and the reverse.",
    ),
    ("estimate, bill", "US cents expected before a chapter was read; US cents its calls came to."),
    (
        "label",
        "Where the answers came from. Only answers by hand, by a local model or by a provider say how good a model is.",
    ),
)


def lead(groups: Sequence[Group]) -> str:
    """Return what was measured, in two plain sentences."""
    done = list(dict.fromkeys((c.case, c.chapter, c.language) for g in groups for c in g.scored))
    if not done:
        return "Nothing was measured: no chapter of this run has a score. The table of what went without says why."
    languages = listed(list(dict.fromkeys(language_name(language) for *_, language in done)))
    n_cases = len({case for case, *_ in done})
    told = f"{counted_words(len(done), 'chapter')} of {counted_words(n_cases, 'text')} ({languages})"
    halves = {(c.case, c.chapter) for g in groups for c in g.scored if c.partial}
    short = (
        f" {counted_words(len(halves), 'chapter')} read in part only: the rest counts as missed there."
        if halves
        else ""
    )
    return (
        f"The program read {told} and wrote down who is there and how they are related."
        f" Here that is held against gold: what careful readers had written down about the same chapters.{short}"
    )


def headlines(group: Group) -> tuple[Headline, ...]:
    """Return relations found and right, people found, and cents, of one run."""
    chapters = group.chapters
    found, people = figure(chapters, recall_of("relation")), figure(chapters, recall_of("entity"))
    right = figure(chapters, precision_of("relation", judged=True))
    bare = figure(chapters, precision_of("relation"))
    price = cents_per_unit(chapters)
    by_gold = f"against gold alone {percent(bare.share)} ({of_n(bare)})" if bare.n else ""
    return (
        _headline("core relations found", found, RECALL_MARK, _repeats(group, judged=False)),
        _headline("stated relations that are right", right, PRECISION_MARK, by_gold),
        _headline("core people, places, things found", people, None),
        _price(price),
    )


def _repeats(group: Group, *, judged: bool) -> str:
    if len(group.results) < 2:
        return ""
    found = spread(group.results, recall_of("relation", judged=judged))
    return f"over {found.n_runs} repeats: mean {percent(found.mean)}, standard deviation {percent(found.sd)}"


def _headline(name: str, value: Figure, mark: float | None, more: str = "") -> Headline:
    standing = "" if mark is None else against(value, mark)
    above = None if mark is None or value.share is None else value.share >= mark
    told = "" if mark is None else f"mark {mark * 100:.0f} %"
    return Headline(name, percent(value.share), of_n(value), interval(value), told, standing, above, more)


def _price(value: Figure) -> Headline:
    name = f"US cents for {WORDS_UNIT:,} words"
    span = f"{cents(value.low)}–{cents(value.high)}" if value.low is not None else "–"
    if value.share is None:
        return Headline(name, "–", "no price or no text", span, f"mark {CENTS_MARK:g} cent", "", None)
    under = value.share <= CENTS_MARK
    words = f"{amount(round(value.n * WORDS_UNIT))} words"
    return Headline(
        name,
        cents(value.share),
        words,
        span,
        f"mark {CENTS_MARK:g} cent",
        "within the mark" if under else "over the mark",
        under,
    )


def headline_table(groups: Sequence[Group]) -> Table:
    """Return the headline figures of all runs as a table."""
    rows = []
    for i in range(4):
        for group in groups:
            one = headlines(group)[i]
            standing = f"{one.mark}: {one.standing}" if one.standing else one.mark or "–"
            rows.append((one.name, group.name, group.label, one.value, one.n, one.interval, standing))
    columns = ("what", "run", "label", "value", "n", "95 %", "mark")
    return Table("headline", "In short", "; ".join(g.title for g in groups), columns, tuple(rows), left=(1, 2, 6))


def how_made(result: RunResult) -> tuple[tuple[str, str], ...]:
    """Return what reproduces a run: command, seed, version, prompts. Parts the result does not hold are named as unknown."""
    prompts = ", ".join(f"{shown(name, 40)} {shown(value, 16)}" for name, value in result.prompts.items())
    return (
        ("command", shown(result.command) or "not recorded"),
        ("answers from", shown(result.answers, 80)),
        ("seed", str(result.seed)),
        ("version", shown(result.version, 40) or "not recorded"),
        ("priced as", shown(result.price_model, 80) or "no price"),
        ("hashes of prompts", prompts or "not recorded"),
    )
