"""What the plots show, as data: each chart is drawn and written as a table from the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from evals.records import ChapterResult, Figure, ItemClass
from evals.report.groups import Group, cents_of, cents_per_unit
from evals.report.tables import Table
from evals.report.wording import (
    CENTS_MARK,
    CLASS_NAMES,
    PRECISION_MARK,
    RECALL_MARK,
    cents,
    figure_cells,
    language_name,
    percent,
    shown,
)
from evals.scoring.figures import CLASSES, Line, figure, lines, recall_of

FOUND, RIGHT = "found", "right"
"""The two panels: recall over core gold, precision as judged."""
_SHORT: dict[ItemClass, str] = {"entity": "people, things"}


@dataclass(frozen=True)
class Dots:
    """A row of dots with intervals: `cells` by (run, panel). A `heading` row has none."""

    name: str
    cells: dict[tuple[int, str], Figure] = field(default_factory=dict)
    heading: bool = False


@dataclass(frozen=True)
class Spot:
    """A point of the cost chart: US cents for 4,000 words against a share; `whole` is all chapters of a run together."""

    run: int
    name: str
    cents: float
    found: Figure
    whole: bool = False


@dataclass(frozen=True)
class Bill:
    """A chapter's estimate and bill in US cents, by run."""

    name: str
    cells: dict[int, tuple[float, float]] = field(default_factory=dict)
    heading: bool = False


@dataclass(frozen=True)
class Chart:
    """A chart: one of `dots`, `spots`, `bills` is filled. `runs` are titles (name and label), `says` one sentence for a newcomer."""

    id: str
    title: str
    says: str
    runs: tuple[str, ...]
    dots: tuple[Dots, ...] = ()
    spots: tuple[Spot, ...] = ()
    bills: tuple[Bill, ...] = ()
    marks: tuple[tuple[str, float], ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not any(dot.cells for dot in self.dots) and not self.spots and not any(b.cells for b in self.bills)


def charts(groups: Sequence[Group]) -> tuple[Chart, ...]:
    """Return all charts that have something to show."""
    made = (
        by_class(groups),
        by_family(groups),
        by_language(groups),
        by_chapter(groups),
        cost_quality(groups),
        estimate_bill(groups),
    )
    return tuple(chart for chart in made if not chart.empty)


def _runs(groups: Sequence[Group]) -> tuple[str, ...]:
    return tuple(group.title for group in groups)


def _figures(groups: Sequence[Group], rows_of: Callable[[Group], Iterable[Line]]) -> dict[str, Dots]:
    """Return dots by what a line is of, in the order first met; rows with nothing to count in any run are left out."""
    found: dict[str, dict[tuple[int, str], Figure]] = {}
    for run, group in enumerate(groups):
        for line in rows_of(group):
            cells = found.setdefault(line.of, {})
            for panel, value in ((FOUND, line.recall), (RIGHT, line.precision_judged)):
                if value.share is not None:
                    cells[run, panel] = value
    return {name: Dots(name, cells) for name, cells in found.items() if cells}


def said_classes(groups: Sequence[Group]) -> tuple[ItemClass, ...]:
    """Return the classes of which any run states something; the others no step writes."""
    said = {o.cls for g in groups for c in g.scored for o in c.outcomes if o.side == "said"}
    return tuple(cls for cls in CLASSES if cls in said)


def by_class(groups: Sequence[Group]) -> Chart:
    """Return found and right by class."""
    rows = []
    for cls in said_classes(groups):
        dots = _figures(groups, lambda g, cls=cls: lines(g.chapters, cls))  # type: ignore[misc]
        rows += [Dots(_SHORT.get(cls, CLASS_NAMES[cls]), one.cells) for one in dots.values()]
    left = [cls for cls in CLASSES if cls not in said_classes(groups)]
    says = "How much of what careful readers hold essential was found, and how much of what was stated is right."
    if left:
        says += f" Nothing is stated yet of: {', '.join(CLASS_NAMES[cls] for cls in left)}."
    return Chart("class", "People and relations", says, _runs(groups), dots=tuple(rows))


def by_family(groups: Sequence[Group]) -> Chart:
    """Return found and right by family of relation."""
    dots = _figures(groups, lambda g: lines(g.chapters, "relation", "family"))
    return Chart(
        "family",
        "Relations by family",
        "Which sort of relation is found best: kin, romance, bond (friends, allies), conflict, work, place (lives in, owns).",
        _runs(groups),
        dots=tuple(dots[name] for name in sorted(dots)),
        marks=((FOUND, RECALL_MARK), (RIGHT, PRECISION_MARK)),
    )


def by_language(groups: Sequence[Group]) -> Chart:
    """Return found and right by language, people and relations apart."""
    classes: tuple[ItemClass, ...] = ("entity", "relation")
    found = {cls: _figures(groups, lambda g, cls=cls: lines(g.chapters, cls, "language")) for cls in classes}  # type: ignore[misc]
    rows = []
    for tag in dict.fromkeys(tag for cls in classes for tag in found[cls]):
        rows.append(Dots(language_name(tag), heading=True))
        rows += [Dots(_SHORT.get(cls, CLASS_NAMES[cls]), found[cls][tag].cells) for cls in classes if tag in found[cls]]
    return Chart(
        "language", "By language", "Whether one language is read worse than another.", _runs(groups), dots=tuple(rows)
    )


def by_chapter(groups: Sequence[Group]) -> Chart:
    """Return relations found and right by chapter, under a heading for each case."""
    places = list(dict.fromkeys((c.case, c.chapter) for g in groups for c in g.scored))
    rows = []
    for case in dict.fromkeys(case for case, _ in places):
        inside = []
        for number in [n for other, n in places if other == case]:
            cells = {}
            for run, group in enumerate(groups):
                own = [c for c in group.scored if (c.case, c.chapter) == (case, number)]
                for line in lines(own, "relation"):
                    for panel, value in ((FOUND, line.recall), (RIGHT, line.precision_judged)):
                        if value.share is not None:
                            cells[run, panel] = value
            if cells:
                inside.append(Dots(f"chapter {number}", cells))
        rows += [Dots(shown(case, 44), heading=True), *inside] if inside else []
    return Chart(
        "chapter",
        "Relations by chapter",
        "Whether a few chapters carry the errors. One chapter holds few relations, so the lines (95 % intervals) are long.",
        _runs(groups),
        dots=tuple(rows),
        marks=((FOUND, RECALL_MARK), (RIGHT, PRECISION_MARK)),
    )


def cost_quality(groups: Sequence[Group]) -> Chart:
    """Return cents for 4,000 words against core relations found: a point a chapter, a large one a run."""
    spots = []
    for run, group in enumerate(groups):
        chapters = [(f"{shown(c.case, 44)} {c.chapter}", [c], False) for c in group.scored]
        whole: list[tuple[str, list[ChapterResult], bool]] = [("all chapters", group.scored, True)]
        for name, rows, is_whole in chapters + whole:
            price, found = cents_per_unit(rows), figure(rows, recall_of("relation"))
            if price.share is not None and found.share is not None:
                spots.append(Spot(run, name, price.share, found, is_whole))
    return Chart(
        "cost",
        "Cost against quality",
        "Each small mark is a chapter, each large one a whole run. Further left is cheaper, further up is better.",
        _runs(groups),
        spots=tuple(spots),
        marks=((FOUND, RECALL_MARK), ("cents", CENTS_MARK)),
    )


def estimate_bill(groups: Sequence[Group]) -> Chart:
    """Return what was estimated before a chapter was read beside what its calls came to."""
    places = list(dict.fromkeys((c.case, c.chapter) for g in groups for c in g.scored))
    rows = []
    for case in dict.fromkeys(case for case, _ in places):
        inside = []
        for number in [n for other, n in places if other == case]:
            own = [(run, c) for run, g in enumerate(groups) for c in g.scored if (c.case, c.chapter) == (case, number)]
            cells = {run: (c.estimate_usd * 100, c.usd * 100) for run, c in own if cents_of([c]) is not None}
            if cells:
                inside.append(Bill(f"chapter {number}", cells))
        rows += [Bill(shown(case, 44), heading=True), *inside] if inside else []
    return Chart(
        "bill",
        "Estimate against bill",
        "Open mark: estimated before reading. Filled mark: what the calls came to. The nearer the two, the better the estimate.",
        _runs(groups),
        bills=tuple(rows),
    )


def table_of(chart: Chart) -> Table:
    """Return the numbers of a chart as a table: all that is drawn and nothing else."""
    several = len(chart.runs) > 1
    label = "; ".join(chart.runs)
    run_column = ("run",) if several else ()

    def row(run: int, *cells: str) -> tuple[str, ...]:
        return (cells[0], chart.runs[run], *cells[1:]) if several else cells

    if chart.spots:
        spots = [row(s.run, s.name, cents(s.cents), *figure_cells(s.found)) for s in chart.spots]
        head = ("chapter", *run_column, "cents per 4,000 words", "relations found", "n", "95 % interval")
        return Table(f"{chart.id}-numbers", chart.title, label, head, tuple(spots))
    if chart.bills:
        head = ("chapter", *run_column, "estimate (cents)", "bill (cents)", "bill of estimate")
        return Table(f"{chart.id}-numbers", chart.title, label, head, tuple(_bill_rows(chart, row)))
    head = ("of", *run_column, "found", "n", "95 % interval", "right", "n", "95 % interval")
    return Table(f"{chart.id}-numbers", chart.title, label, head, tuple(_dot_rows(chart, row)))


def _bill_rows(chart: Chart, row: Callable[..., tuple[str, ...]]) -> Iterable[tuple[str, ...]]:
    under = ""
    for bill in chart.bills:
        under = bill.name if bill.heading else under
        for run, (estimate, paid) in sorted(bill.cells.items()):
            ratio = percent(paid / estimate) if estimate else percent(None)
            yield row(run, f"{under} {bill.name}".strip(), cents(estimate), cents(paid), ratio)


def _dot_rows(chart: Chart, row: Callable[..., tuple[str, ...]]) -> Iterable[tuple[str, ...]]:
    under, nothing = "", Figure(hit=0, n=0)
    for dots in chart.dots:
        under = dots.name if dots.heading else under
        for run in sorted({run for run, _ in dots.cells}):
            found, right = (dots.cells.get((run, panel), nothing) for panel in (FOUND, RIGHT))
            yield row(run, f"{under} {dots.name}".strip(), *figure_cells(found), *figure_cells(right))
