"""The generated part of the README: long tables are cut by whole rows."""

from __future__ import annotations

from evals.docs import excerpt


def test_the_rest_of_a_folded_row_goes_with_its_row_and_never_stands_alone() -> None:
    rows = (
        " who   n",
        " ─────",
        " @1 A  friend_of  @2 B  current",
        " Long  of   rest",
        " @3 C  friend_of  @4 D  current",
        " Kept  of",
    )
    table = "\n".join(("== how they are related", "", *rows, "", "== next", "  free words", ""))
    shown = excerpt(table)
    assert "Long" not in shown and "Kept" not in shown
    assert "@1 A" in shown and " who " in shown and "free words" in shown
