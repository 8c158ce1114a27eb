"""Which chapters were read and what was left out, as chapters and as sentences."""

from __future__ import annotations

import pytest

from analyzer.coverage import WRITERS, Coverage, parts_left_out
from analyzer.steps._registry import load_steps

ALL = frozenset(range(1, 10))


def covered(read: frozenset[int], *, without: str = "", ended: bool = True) -> Coverage:
    done = {writer.step: read for kind, writer in WRITERS.items() if kind != without}
    return Coverage(tuple(sorted(ALL)), {"cast_same": read, **done}, ended)


def test_the_steps_that_write_what_views_show_are_those_named_here() -> None:
    written = {(kind, step.name, step.part) for step in load_steps() for kind in step.writes if kind in WRITERS}
    assert written == {(kind, *writer) for kind, writer in WRITERS.items()}


@pytest.mark.parametrize(
    ("read", "last", "unread"),
    [
        (frozenset({1, 2, 3}), 3, (4, 5, 6, 7, 8, 9)),
        (frozenset({1, 2, 7}), 7, (3, 4, 5, 6, 8, 9)),
        (ALL, 9, ()),
        (frozenset(), 9, tuple(range(1, 10))),
    ],
)
def test_the_last_chapter_read_and_those_not_read(read: frozenset[int], last: int, unread: tuple[int, ...]) -> None:
    assert (covered(read).last, covered(read).unread(9)) == (last, unread)


def test_what_no_chapter_read_has_was_left_out_unless_the_run_did_not_end() -> None:
    assert parts_left_out(covered(ALL, without="thread")) == ("threads",)
    assert parts_left_out(covered(ALL, without="thread", ended=False)) == ()
    assert parts_left_out(covered(ALL)) == () == parts_left_out(covered(frozenset()))
