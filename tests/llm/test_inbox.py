from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from analyzer.errors import InputError
from analyzer.llm.transports.inbox import ANSWER_BYTES, AnswerPendingError, Inbox

from .build import pack


def prompts(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.prompt.md"))


async def pending(inbox: Inbox, **asked: str) -> Path:
    with pytest.raises(AnswerPendingError) as caught:
        await inbox.ask(pack(**asked), max_output_tokens=9)
    return caught.value.path


async def test_a_pack_becomes_a_file_with_exactly_what_a_model_would_get(tmp_path: Path) -> None:
    asked = pack()
    await pending(Inbox(tmp_path / "in"))
    [path] = prompts(tmp_path / "in")
    assert path.read_text(encoding="utf-8") == "".join(part.text for part in asked.parts) + asked.tail
    assert path.name.startswith("0001-cast_forms-ch3-") and len(path.name.split("-")[3]) == len("12345678.prompt.md")


async def test_a_later_run_finds_its_files_and_reads_the_answers(tmp_path: Path) -> None:
    answer = await pending(Inbox(tmp_path), tail="one")
    await pending(Inbox(tmp_path), tail="two")
    assert [path.name[:4] for path in prompts(tmp_path)] == ["0001", "0002"]
    answer.write_text("\ufeff1 a\r\n2 -\r\n", encoding="utf-8")
    inbox = Inbox(tmp_path)
    reply = await inbox.ask(pack(tail="one"), max_output_tokens=9)
    assert (reply.text, reply.answered_by, inbox.answered_by) == ("1 a\n2 -\n", "hand", "hand")
    assert reply.usage.total_input == 0
    await pending(inbox, tail="two")
    assert len(prompts(tmp_path)) == 2


async def test_an_empty_answer_file_is_still_pending_and_the_error_names_it(tmp_path: Path) -> None:
    answer = await pending(Inbox(tmp_path))
    answer.write_text(" \n", encoding="utf-8")
    assert await pending(Inbox(tmp_path)) == answer
    with pytest.raises(AnswerPendingError) as caught:
        await Inbox(tmp_path).ask(pack(), max_output_tokens=9)
    assert answer.name in str(caught.value) and "run again" in caught.value.hint


async def test_a_waiting_inbox_takes_the_answer_when_it_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = await pending(Inbox(tmp_path))
    naps: list[float] = []

    async def nap(seconds: float) -> None:
        naps.append(seconds)
        if len(naps) == 2:
            answer.write_text("1 a", encoding="utf-8")

    monkeypatch.setattr(asyncio, "sleep", nap)
    assert (await Inbox(tmp_path, wait_s=5).ask(pack(), max_output_tokens=9)).text == "1 a"
    answer.unlink()
    naps[:] = [0.0] * 3
    await_s = Inbox(tmp_path, wait_s=1)
    with pytest.raises(AnswerPendingError):
        await await_s.ask(pack(), max_output_tokens=9)
    assert len(naps) == 5


async def test_lean_prompts_name_the_prefix_that_is_written_once(tmp_path: Path) -> None:
    inbox = Inbox(tmp_path, lean=True)
    await pending(inbox, tail="one")
    await pending(inbox, tail="two")
    [prefix] = tmp_path.glob("prefix-*.md")
    assert prefix.read_text(encoding="utf-8") == "".join(part.text for part in pack().parts)
    assert all(prefix.name in path.read_text(encoding="utf-8") for path in prompts(tmp_path))


async def test_a_prompt_file_of_another_pack_is_not_taken_for_this_one(tmp_path: Path) -> None:
    await pending(Inbox(tmp_path), tail="one")
    [path] = prompts(tmp_path)
    path.write_text("quite another question", encoding="utf-8")
    answer = await pending(Inbox(tmp_path), tail="one")
    assert len(prompts(tmp_path)) == 2 and not answer.name.startswith("0001")


async def test_links_are_never_followed(tmp_path: Path) -> None:
    outside = tmp_path / "secret.txt"
    outside.write_text("1 a", encoding="utf-8")
    folder = tmp_path / "in"
    answer = await pending(Inbox(folder))
    answer.symlink_to(outside)
    with pytest.raises(InputError, match="is a link"):
        await Inbox(folder).ask(pack(), max_output_tokens=9)
    answer.unlink()
    [prompt] = prompts(folder)
    prompt.unlink()
    prompt.symlink_to(outside)
    with pytest.raises((InputError, AnswerPendingError)):
        await Inbox(folder).ask(pack(), max_output_tokens=9)
    assert outside.read_text(encoding="utf-8") == "1 a"


async def test_odd_answer_files_are_one_plain_error(tmp_path: Path) -> None:
    answer = await pending(Inbox(tmp_path))
    for data, words in ((b"\xff\xfe1 a", "not UTF-8"), (b"1" * (ANSWER_BYTES + 1), "longer than")):
        answer.write_bytes(data)
        with pytest.raises(InputError, match=words):
            await Inbox(tmp_path).ask(pack(), max_output_tokens=9)
    answer.unlink()
    answer.mkdir()
    with pytest.raises(InputError):
        await Inbox(tmp_path).ask(pack(), max_output_tokens=9)
    answer.rmdir()
    os.mkfifo(answer)
    with pytest.raises(InputError, match="ordinary"):
        await Inbox(tmp_path).ask(pack(), max_output_tokens=9)


async def test_a_step_name_cannot_leave_the_folder(tmp_path: Path) -> None:
    await pending(Inbox(tmp_path / "in"), step="../../evil/№")
    assert [path.parent for path in prompts(tmp_path / "in")] == [tmp_path / "in"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in"]


def test_a_folder_that_is_a_file_is_one_plain_error(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be used"):
        Inbox(tmp_path / "f")
