"""The scripts of a site are joined into one closure: what that asks of them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import analyzer.export.site

_APP = Path(analyzer.export.site.__file__).parent / "app"
_DECLARED = re.compile(r"^(?:async )?(?:function\*?|class|const|let) (\w+)", re.MULTILINE)
_MARKUP = re.compile(r"\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|new Function)\b")


def _scripts() -> list[Path]:
    return sorted(_APP.glob("*.js"))


def test_no_name_is_declared_by_two_scripts() -> None:
    names = Counter(name for path in _scripts() for name in _DECLARED.findall(path.read_text(encoding="utf-8")))
    assert names["el"] == 1, "the pattern finds declarations"
    assert [name for name, times in names.items() if times > 1] == []


def test_no_script_makes_markup_or_code_from_strings() -> None:
    assert [path.name for path in _scripts() if _MARKUP.search(path.read_text(encoding="utf-8"))] == []


def test_no_script_is_longer_than_a_file_may_be() -> None:
    assert [path.name for path in _scripts() if len(path.read_text(encoding="utf-8").splitlines()) >= 400] == []
