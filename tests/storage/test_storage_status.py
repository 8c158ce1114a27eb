from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from storage_rows import HOSTILE

from analyzer.errors import StoreError
from analyzer.storage.status import STATUS_NAME, StatusRecord, StepCount, read_status, remove_status, write_status
from analyzer.storage.store import Store


def status(phase: str = "asking", *, pid: int | None = None, n_done: int = 3) -> StatusRecord:
    return StatusRecord(
        run_id="run-1",
        pid=os.getpid() if pid is None else pid,
        model=phase,
        phase=phase,
        n_calls_done=n_done,
        n_calls_planned=40,
        cache_share=0.85,
        spent_usd=0.004,
        cap_usd=None,
        eta_s=12.5,
        steps=(StepCount(step=phase, n_done=n_done, n_planned=9),),
        updated_at=100.0,
    )


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:20]))
def test_a_status_comes_back_as_it_was_written(tmp_path: Path, text: str) -> None:
    write_status(tmp_path, status(text))
    found = read_status(tmp_path)
    assert found is not None
    assert found.status == status(text)
    assert found.is_running


def test_no_status_is_none_and_one_removed_is_gone(tmp_path: Path) -> None:
    assert read_status(tmp_path) is None
    write_status(tmp_path, status())
    remove_status(tmp_path)
    remove_status(tmp_path)
    assert read_status(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_the_status_of_a_process_that_died_says_so(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    write_status(tmp_path, status(pid=child.pid))
    found = read_status(tmp_path)
    assert found is not None
    assert not found.is_running
    assert found.status.n_calls_done == 3


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux says when a process started")
def test_a_later_process_with_the_id_of_a_dead_run_is_not_taken_for_it(tmp_path: Path) -> None:
    write_status(tmp_path, status())
    path = tmp_path / STATUS_NAME
    before, _, _ = path.read_text().rpartition('"mark":')
    path.write_text(before + '"mark":"1"}')
    found = read_status(tmp_path)
    assert found is not None
    assert not found.is_running


def test_a_reader_never_sees_half_a_status(tmp_path: Path) -> None:
    write_status(tmp_path, status("x" * 9000, n_done=0))
    stop = threading.Event()

    def replace() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            write_status(tmp_path, status("xy"[number % 2] * 9000, n_done=number))

    writer = threading.Thread(target=replace)
    writer.start()
    try:
        for _ in range(300):
            found = read_status(tmp_path)
            assert found is not None
            assert len(set(found.status.phase)) == 1
            assert found.status.steps[0].n_done == found.status.n_calls_done
    finally:
        stop.set()
        writer.join()
    assert [path.name for path in tmp_path.iterdir()] == [STATUS_NAME]


def test_the_status_is_read_while_another_holds_the_database(tmp_path: Path) -> None:
    with Store.open(tmp_path, create=True):
        write_status(tmp_path, status())
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys; from pathlib import Path; from analyzer.storage.status import read_status;"
                "found = read_status(Path(sys.argv[1])); print(found.is_running, found.status.phase, 'duckdb' in sys.modules)",
                str(tmp_path),
            ],
            capture_output=True,
            text=True,
            check=True,
        )
    assert done.stdout == "True asking False\n"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b'{"status": {}, "mark": ""}', b"null"])
def test_a_file_that_is_no_status_is_one_clear_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / STATUS_NAME).write_bytes(content)
    with pytest.raises(StoreError, match="cannot be read") as caught:
        read_status(tmp_path)
    assert caught.value.hint


def test_a_folder_that_takes_no_file_is_one_clear_sentence_and_leaves_no_draft(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        write_status(tmp_path / "none", status())
    (tmp_path / STATUS_NAME).mkdir()
    with pytest.raises(StoreError, match="cannot be written"):
        write_status(tmp_path, status())
    assert [path.name for path in tmp_path.iterdir()] == [STATUS_NAME]
