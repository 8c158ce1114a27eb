"""A report on the terminal: the same tables as everywhere, and how many errors of which sort."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evals.command import show, show_table
from evals.report.groups import Group, label_notes
from evals.report.mistakes import class_title, mistakes
from evals.report.summary import headline_table, lead
from evals.report.tables import Table, tables


def print_report(groups: Sequence[Group]) -> None:
    """Print all tables on stdout; the label stands in the line above each."""
    show(lead(groups))
    for name, label, told in label_notes(groups):
        show(f"{label.upper()} ({name}): {told}")
    for table in (headline_table(groups), *tables(groups), errors(groups)):
        show("", f"{table.title}: {table.label}")
        show_table(table.columns, table.rows, right=table.right)
        if table.note:
            show(table.note)


def errors(groups: Sequence[Group]) -> Table:
    """Return how many errors of which sort each run has."""
    counts = [Counter(class_title(m.cls, m.kind) for m in mistakes(group.first)) for group in groups]
    names = list(dict.fromkeys(name for count in counts for name in count))
    rows = tuple((name, *(f"{count[name]:,}" for count in counts)) for name in names)
    columns = ("what", *(group.name for group in groups))
    note = "Every one with its questions and votes: --html FILE" if names else "No errors."
    return Table("errors", "Errors", "; ".join(g.title for g in groups), columns, rows, note)
