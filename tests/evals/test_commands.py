"""The commands of `python -m evals` beside the gate."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.__main__ import TOOLS, main
from evals.goldset.cases import own_case
from evals.results import read_result


@pytest.mark.parametrize("name", TOOLS)
def test_every_tool_of_its_own_says_what_it_takes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    assert f"evals.{name}" in capsys.readouterr().out.replace("evals report", "evals.report")


def test_a_run_on_renamed_texts_stands_beside_the_one_on_the_texts_as_they_are(tmp_path: Path) -> None:
    slug = "goose-in-the-paper"
    for file, more in (("as-is.json", []), ("renamed.json", ["--renamed", "3"])):
        assert main(["run", "--answers", "rules", "--cases", slug, "--out", str(tmp_path / file), *more]) == 0
    as_is, renamed = (read_result(tmp_path / file) for file in ("as-is.json", "renamed.json"))
    text = own_case(slug).text().read_text("utf-8")

    def named(result: object) -> set[str]:
        chapters = getattr(result, "chapters", ())
        return {o.text for c in chapters for o in c.outcomes if o.side == "gold" and o.group == "character"}

    assert [c.chapter for c in renamed.chapters] == [c.chapter for c in as_is.chapters] == [1, 2, 3]
    gone = named(as_is) - named(renamed)
    assert len(gone) > 10
    assert not any(name in text for name in named(renamed) - named(as_is) if "(" not in name)
