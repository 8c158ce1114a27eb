"""The tables of a report, with their cells as text: terminal, Markdown and page show the same ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from evals.records import ChapterResult, ItemClass
from evals.report.groups import Group, cents_of, cents_per_unit
from evals.report.wording import (
    CLASS_NAMES,
    NOTHING,
    WORDS_UNIT,
    amount,
    cents,
    figure_cells,
    interval,
    language_name,
    percent,
    share_of_n,
    shown,
)
from evals.scoring.difference import difference
from evals.scoring.figures import (
    By,
    Line,
    Pick,
    figure,
    lines,
    name_clusters,
    precision_of,
    recall_of,
    spread,
)


@dataclass(frozen=True)
class Table:
    """A table: `label` (runs and where their answers came from) stands beside it. The first column is text, `left` others are too."""

    id: str
    title: str
    label: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    left: tuple[int, ...] = ()

    @property
    def right(self) -> tuple[int, ...]:
        """Indexes of the columns of numbers."""
        text = {0, *self.left, *(i for i, name in enumerate(self.columns) if name in ("run", "what", "label"))}
        return tuple(i for i in range(len(self.columns)) if i not in text)


INTERVAL_NOTE = (
    "95 %: interval, chapters drawn with replacement; w: one chapter, or all alike: Wilson's on items, too narrow."
)
LINE_NOTE = f"found: of core gold. right: of what is stated. open: not in gold and judged by nobody / debatable. {INTERVAL_NOTE}"
LINE_COLUMNS = ("found", "95 %", "right against gold", "95 %", "right as judged", "95 %", "open")


def tables(groups: Sequence[Group]) -> tuple[Table, ...]:
    """Return all tables that have rows; unscored chapters are named in `trouble`, and in no figure."""
    made = (
        _of_lines("people", "People, places and things", groups, "entity", "class"),
        _of_lines("people-kinds", "People, places and things by kind", groups, "entity", "family"),
        _of_lines("relations", "Relations by pair, family and kind", groups, "relation", "match"),
        _of_lines("families", "Relations by family", groups, "relation", "family"),
        _of_lines("languages", "Relations by language", groups, "relation", "language"),
        _of_lines("chapters", "Relations by chapter", groups, "relation", "chapter"),
        story(groups),
        story(groups, by="language"),
        details(groups),
        trouble(groups),
        money(groups),
        repeats(groups),
        changes(groups),
    )
    return tuple(table for table in made if table.rows)


def _labels(groups: Sequence[Group]) -> str:
    return "; ".join(group.title for group in groups)


def _row(groups: Sequence[Group], group: Group, first: str, *rest: str) -> tuple[str, ...]:
    return (first, group.title, *rest) if len(groups) > 1 else (first, *rest)


def _head(groups: Sequence[Group], first: str, *rest: str) -> tuple[str, ...]:
    return (first, "run", *rest) if len(groups) > 1 else (first, *rest)


_FIRST: dict[ItemClass, dict[By, str]] = {
    "entity": {"class": "", "family": "kind"},
    "relation": {"match": "agreeing in"},
}


def _of_lines(id: str, title: str, groups: Sequence[Group], cls: ItemClass, by: By) -> Table:
    found: dict[str, list[tuple[Group, Line]]] = {}
    for group in groups:
        for line in lines(group.chapters, cls, by):
            if line.recall.n or line.precision.n:
                found.setdefault(line.of, []).append((group, line))
    names: dict[By, Callable[[str], str]] = {"language": language_name, "class": lambda name: "all"}
    name_of = names.get(by, shown)
    rows = [_row(groups, group, name_of(of), *_line_cells(line)) for of, own in found.items() for group, line in own]
    return Table(
        id,
        title,
        _labels(groups),
        _head(groups, _FIRST.get(cls, {}).get(by, by), *LINE_COLUMNS),
        tuple(rows),
        LINE_NOTE,
    )


STORY: tuple[ItemClass, ...] = ("change", "appearance", "identity", "secret", "knowledge", "plant")
"""The classes of the story beside people and relations."""


def story(groups: Sequence[Group], by: By = "class") -> Table:
    """Return the classes of the story, a row each, or one for each language; those of parts that were off have none."""
    rows = []
    for cls in STORY:
        for group in groups:
            for line in lines(group.chapters, cls, by):
                if line.recall.n or line.precision.n:
                    first = (CLASS_NAMES[cls], language_name(line.of)) if by == "language" else (CLASS_NAMES[cls],)
                    rows.append(_row(groups, group, ", ".join(first), *_line_cells(line)))
    title = "The story: states, identities, secrets, knowledge, threads" + (" by language" if by == "language" else "")
    head = _head(groups, "class", *LINE_COLUMNS)
    return Table("story" if by == "class" else f"story-{by}", title, _labels(groups), head, tuple(rows), LINE_NOTE)


def _line_cells(line: Line) -> tuple[str, ...]:
    figures = (line.recall, line.precision, line.precision_judged)
    cells = [cell for value in figures for cell in (share_of_n(value), interval(value))]
    return (*cells, f"{line.n_unjudged} / {line.n_debatable}")


_DETAILS: tuple[tuple[str, Pick], ...] = (
    ("found among what the chapter tells anew", recall_of("relation", again=False)),
    ("found, counting what judges found said in other words", recall_of("relation", judged=True)),
    ("direction right, of what names the kind", recall_of("relation", "direction")),
    ("status right", recall_of("relation", "status")),
    ("affinity right", recall_of("relation", "affinity")),
    ("source right", recall_of("relation", "source")),
    ("visibility right", recall_of("relation", "visibility")),
    ("evidence shares words with gold's", precision_of("relation", "evidence")),
    ("evidence near gold's", precision_of("relation", "near")),
    ("kind of person, place or thing right", recall_of("entity", "kind")),
    ("presence right", recall_of("entity", "presence")),
    ("said once, no duplicate", precision_of("entity", "single")),
    ("unnamed ones found", recall_of("entity", "described")),
    ("what becomes of a state right", recall_of("change", "op")),
    ("of identities, whether told here right", recall_of("identity", "revealed")),
    ("from whom a secret is kept right", recall_of("secret", "hidden_from")),
    ("to whom a secret gets out right", recall_of("secret", "exposed_to")),
    ("by which way one knows right", recall_of("knowledge", "via")),
    ("kind of plant right", recall_of("plant", "kind")),
    ("event of a plant right", recall_of("plant", "event")),
)


def details(groups: Sequence[Group]) -> Table:
    """Return evidence and the measures that are reported apart and never a condition."""
    rows = []
    for what, pick in _DETAILS:
        for group in groups:
            value = figure(group.chapters, pick)
            if value.n:
                rows.append(_row(groups, group, what, *figure_cells(value)))
    for i, what in enumerate(("names put together rightly (B-cubed precision)", "names put together (B-cubed recall)")):
        for group in groups:
            value = name_clusters(group.chapters)[i]
            if value.n:
                rows.append(_row(groups, group, what, *figure_cells(value)))
    head = _head(groups, "what", "share", "n", "95 %")
    return Table("details", "Evidence and details", _labels(groups), head, tuple(rows), INTERVAL_NOTE)


_TROUBLE_NAMES = {
    "unparsed": "answers that could not be read",
    "refused": "answers refused",
    "missing": "questions left without an answer",
    "abstained": "answers too near a tie",
}


def trouble(groups: Sequence[Group]) -> Table:
    """Return what has no score or no answer: unscored chapters with their reason, and counts over the scored ones."""
    rows = []
    for group in groups:
        unscored = [c for c in group.chapters if c.unscored]
        reasons = Counter(c.unscored for c in unscored)
        why = ", ".join(f"{shown(reason, 60)} {n}" for reason, n in sorted(reasons.items()))
        rows.append(_row(groups, group, "chapters without a score", amount(len(unscored)), why or NOTHING))
        halves = Counter(c.partial for c in group.scored if c.partial)
        told = ", ".join(f"{shown(reason, 60)} {n}" for reason, n in sorted(halves.items()))
        if halves:
            rows.append(
                _row(groups, group, "chapters read in part: the rest counts as missed", amount(halves.total()), told)
            )
        counts: Counter[str] = Counter()
        for chapter in group.scored:
            counts.update(chapter.trouble)
        n_questions = sum(c.n_questions for c in group.scored)
        for name, words in _TROUBLE_NAMES.items():
            rows.append(_row(groups, group, words, amount(counts.pop(name, 0)), f"of {amount(n_questions)} questions"))
        for name, n in sorted(counts.items()):
            words = f"refused by rule {name[5:]}" if name.startswith("rule:") else name
            rows.append(_row(groups, group, shown(words, 60), amount(n), NOTHING))
    columns = _head(groups, "what", "count", "of what")
    left = (len(columns) - 1,)
    return Table("trouble", "What went without an answer or a score", _labels(groups), columns, tuple(rows), left=left)


def money(groups: Sequence[Group]) -> Table:
    """Return calls, cents and the estimate beside the bill, over the scored chapters of each run."""
    rows: list[tuple[str, ...]] = []
    for what, cell in _MONEY:
        rows += [_row(groups, group, what, cell(group.scored)) for group in groups if group.scored]
    models = list(dict.fromkeys(shown(g.first.price_model, 60) or "no price" for g in groups))
    note = f"At the price of {', '.join(models)}; where no provider was asked, what it would have charged for the same calls."
    return Table("money", "Calls and money", _labels(groups), _head(groups, "what", "value"), tuple(rows), note)


def _per_chapter(rows: Sequence[ChapterResult]) -> str:
    total = cents_of(rows)
    return cents(None if total is None else total / len(rows))


def _per_unit(rows: Sequence[ChapterResult]) -> str:
    value = cents_per_unit(rows)
    span = f" ({cents(value.low)}–{cents(value.high)})" if value.low is not None else ""
    return cents(value.share) + span


def _estimate(rows: Sequence[ChapterResult]) -> str:
    return cents(None if cents_of(rows) is None else sum(c.estimate_usd for c in rows) * 100)


def _ratio(rows: Sequence[ChapterResult]) -> str:
    estimate = sum(c.estimate_usd for c in rows)
    return percent(sum(c.usd for c in rows) / estimate if estimate and cents_of(rows) is not None else None)


def _cached(rows: Sequence[ChapterResult]) -> str:
    shares = [c.cached_share for c in rows if c.cached_share is not None]
    return percent(fmean(shares) if shares else None)


_MONEY: tuple[tuple[str, Callable[[Sequence[ChapterResult]], str]], ...] = (
    ("chapters scored", lambda rows: amount(len(rows))),
    ("words", lambda rows: amount(sum(c.words for c in rows))),
    ("calls", lambda rows: amount(sum(c.n_calls for c in rows))),
    ("questions", lambda rows: amount(sum(c.n_questions for c in rows))),
    ("bill, cents", lambda rows: cents(cents_of(rows))),
    ("estimate before reading, cents", _estimate),
    ("bill, of the estimate", _ratio),
    ("cents a chapter", _per_chapter),
    (f"cents for {WORDS_UNIT:,} words", _per_unit),
    ("input read from the provider's cache, mean over chapters", _cached),
)

MAIN_PICKS: tuple[tuple[str, Pick], ...] = (
    ("core people, places, things found", recall_of("entity")),
    ("core relations found", recall_of("relation")),
    ("core relations found by exact kind", recall_of("relation", "kind")),
    ("relations right against gold", precision_of("relation")),
    ("relations right as judged", precision_of("relation", judged=True)),
    *((f"core {CLASS_NAMES[cls]} found", recall_of(cls)) for cls in STORY),
    *((f"{CLASS_NAMES[cls]} right against gold", precision_of(cls)) for cls in STORY),
)


def repeats(groups: Sequence[Group]) -> Table:
    """Return mean and spread over the repeats of each run that has any."""
    rows = []
    for what, pick in MAIN_PICKS:
        for group in groups:
            found = spread(group.results, pick)
            if len(group.results) > 1 and found.n_runs:
                shares = (percent(x) for x in (found.mean, found.sd, found.least, found.most))
                rows.append(_row(groups, group, what, amount(found.n_runs), *shares))
    head = _head(groups, "what", "repeats", "mean", "standard deviation", "least", "most")
    return Table(
        "repeats", "Repeats", _labels(groups), head, tuple(rows), "Other tables show the first of the repeats."
    )


def changes(groups: Sequence[Group]) -> Table:
    """Return, for two runs, how far the second differs from the first on the chapters both scored."""
    rows = []
    for what, pick in MAIN_PICKS if len(groups) == 2 else ():
        found = difference(groups[0].chapters, groups[1].chapters, pick)
        if found.difference is None:
            continue
        low, high = found.low, found.high
        bounds = NOTHING if low is None or high is None else f"{low * 100:+.1f} to {high * 100:+.1f}"
        counts = (amount(len(found.gained)), amount(len(found.lost)))
        shares = (percent(found.before), percent(found.after), f"{found.difference * 100:+.1f}", bounds)
        rows.append((what, *shares, *counts, "<0.001" if found.p_items < 0.001 else f"{found.p_items:.3f}"))
    head = ("what", "first", "second", "points", "95 %", "gained", "lost", "p (McNemar)")
    note = "Over the chapters both runs scored; gained and lost are items."
    title = " against ".join(g.title for g in groups[::-1]) if len(groups) == 2 else ""
    return Table("changes", f"Difference: {title}", _labels(groups), head, tuple(rows), note)
