"""Who gets which handle: the one given before, never one that stands for somebody else."""

from __future__ import annotations

import pytest

from analyzer.bible import fold
from analyzer.steps._cast import Handles
from tests.harness import person

GIVEN = {"name:Mira Voss": "@1", "name:Toban": "@2", "name:Voss": "@1"}


def after(*handles: str, given: dict[str, str] = GIVEN) -> Handles:
    """Return handles after a chapter that brought these."""
    return Handles(fold([f for h in handles for f in person(h, f"N{h}")], through=1), given)


@pytest.mark.parametrize("names", [("Mira Voss",), ("Voss",), ("Voss", "Mira Voss"), ("미라", "Voss")])
def test_any_name_that_stands_for_somebody_gives_the_handle_of_before(names: tuple[str, ...]) -> None:
    handle, anchor = after().take(f"name:{name}" for name in names)
    assert (handle, GIVEN[anchor]) == ("@1", "@1")


def test_a_new_name_gets_the_next_number_never_one_of_somebody_who_is_yet_to_come() -> None:
    handles = after()
    assert handles.take(["name:米拉"]) == ("@3", "name:米拉")
    assert handles.take(["name:ミラ"]) == ("@4", "name:ミラ")


def test_where_the_handle_stands_for_somebody_else_by_now_the_anchor_is_numbered_on() -> None:
    assert after("@1").take(["name:Mira Voss"]) == ("@3", "name:Mira Voss#2")
    known = GIVEN | {"name:Mira Voss#2": "@3"}
    assert after("@1", given=known).take(["name:Mira Voss"]) == ("@3", "name:Mira Voss#2")
    assert after("@1", "@3", given=known).take(["name:Mira Voss"]) == ("@4", "name:Mira Voss#3")


def test_the_same_words_for_two_in_one_chapter_are_two_and_stay_so_in_another_run() -> None:
    handles = after(given={})
    first, second = handles.take(["own:a man:ch1"]), handles.take(["own:a man:ch1"])
    assert (first, second) == (("@1", "own:a man:ch1"), ("@2", "own:a man:ch1#2"))
    again = after(given={anchor: handle for handle, anchor in (first, second)})
    assert [again.take(["own:a man:ch1"]), again.take(["own:a man:ch1"])] == [first, second]
