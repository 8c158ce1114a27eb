from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer.errors import PermanentModelError
from analyzer.llm.asker import Profile
from analyzer.llm.connect import connect
from analyzer.llm.entrance import CAST, CHAPTER, KNOWN, NEEDED, Examined, examine, packs
from analyzer.llm.profiles import LOCAL_SMALL, OFFLINE
from analyzer.llm.transports import local
from analyzer.llm.transports.local import LocalModel
from analyzer.models.question import NONE, Pack
from analyzer.models.run import AnsweredBy, Reply, Usage

from .build import pack

RIGHT = {known.question.text: known.right for known in KNOWN}


class Scripted:
    """Answers the first `n` known questions right and the rest with `wrong`; counts what it was asked."""

    answered_by: AnsweredBy = "scripted"

    def __init__(self, n: int, *, profile: Profile = LOCAL_SMALL, wrong: str = "-") -> None:
        self.model, self.profile, self.params = "local:tiny.gguf", profile, {"seed": 1}
        self.steps: list[str] = []
        self.closed = False
        self._n, self._wrong, self._seen = n, wrong, 0

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        self.steps.append(pack.step)
        lines = []
        for number, question in enumerate(pack.questions, 1):
            option = question.option_by_key(RIGHT.get(question.text, NONE))
            right = option.mark if option else "-"
            other = next(o.mark for o in question.options if o.mark != right)
            lines.append(f"{number} {right if self._seen < self._n else (self._wrong or other)}")
            self._seen += 1
        return Reply(text="\n".join(lines), usage=Usage(input=1), model=self.model)

    async def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("profile", [LOCAL_SMALL, OFFLINE])
async def test_right_answers_are_counted_one_by_one_or_in_a_pack(profile: Profile) -> None:
    asker = Scripted(len(KNOWN), profile=profile)
    result = await examine(asker)
    assert (result.n_right, result.n, result.passed) == (12, 12, True)
    assert len(asker.steps) == (12 if profile.max_pack == 1 else 1)


@pytest.mark.parametrize(("n", "passed"), [(NEEDED, True), (NEEDED - 1, False), (0, False)])
async def test_the_bar_is_where_it_says(n: int, passed: bool) -> None:
    result = await examine(Scripted(n, wrong=""))
    assert (result.n_right, result.passed) == (n, passed)


@pytest.mark.parametrize("wrong", ["-", "a", "b", "c", "d", "zz", "I cannot answer that."])
async def test_no_constant_answer_passes(wrong: str) -> None:
    assert not (await examine(Scripted(0, wrong=wrong))).passed


async def test_what_cannot_be_read_is_not_none() -> None:
    result = await examine(Scripted(0, wrong="?!"))
    assert result.n_right == 0 and set(result.picked) == {None}


async def test_a_model_that_passes_is_asked_as_if_nothing_were_there() -> None:
    inner = Scripted(99)
    asker = Examined(inner)
    for _ in range(2):
        await asker.ask(pack(), max_output_tokens=9)
    assert inner.steps == ["entrance"] * 12 + ["cast_forms"] * 2
    assert (asker.model, asker.params, asker.profile, asker.answered_by) == (
        inner.model, inner.params, inner.profile, "scripted",
    )  # fmt: skip
    await asker.close()
    assert inner.closed


async def test_a_model_that_fails_gets_no_work_and_one_plain_sentence() -> None:
    inner = Scripted(5)
    asker = Examined(inner)
    for _ in range(2):
        with pytest.raises(PermanentModelError, match=r"tiny\.gguf is too weak.*10 are needed") as caught:
            await asker.ask(pack(), max_output_tokens=9)
        assert "--untested" in caught.value.hint
    assert inner.steps == ["entrance"] * 12


def test_every_known_question_can_be_answered_from_its_passage() -> None:
    shown = "".join(part.text for part in packs(OFFLINE)[0].parts)
    assert CAST in shown and CHAPTER in shown
    for known in KNOWN:
        assert known.right == NONE or known.question.option_by_key(known.right)
        for handle in re.findall(r"@\d+", known.question.text):
            assert f"{handle} " in CAST
        for name, block in re.findall(r"“([^”]+)” \((\d+)\.", known.question.text):
            assert name in next(line for line in CHAPTER.split("\n") if line.startswith(f"[{block}]"))
    assert len(RIGHT) == len(KNOWN) == 12


def test_local_models_are_examined_unless_told_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(b"GGUF")
    monkeypatch.setattr(local.importlib.util, "find_spec", lambda name: object())
    assert isinstance(connect(f"local:{path}"), Examined)
    assert isinstance(connect(f"local:{path}", untested=True), LocalModel)
