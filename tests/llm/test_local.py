from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer.errors import ConfigError, PermanentModelError
from analyzer.llm.formats import parse_reply
from analyzer.llm.transports import local
from analyzer.llm.transports.local import LocalModel

from .build import pack, question

FAKE = '''
"""Stands in for the extra: a loopback server that always prefers B."""
import http.server, json, os, threading

class Obj:
    def __init__(self): self.__dict__["kept"] = {}
    def __getattr__(self, name): return self.kept.setdefault(name, Obj())

class CommonParams(Obj): pass

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *a): pass
    def send(self, body):
        out = json.dumps(body).encode()
        self.send_response(200); self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(out))); self.end_headers(); self.wfile.write(out)
    def do_GET(self): self.send({"status": "ok"})
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send({"choices": [{"message": {"content": 'B"}'}, "finish_reason": "stop"}],
                   "timings": {"cache_n": 30, "prompt_n": 5, "predicted_n": 2}, "model": os.environ["OMP_WAIT_POLICY"]})

class Server:
    def __init__(self, params):
        if params.model.path.endswith("broken.gguf"): raise RuntimeError("cannot load")
        print("loading tensors ...", flush=True)
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.listening_address = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
'''


@pytest.fixture
def model_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "fake").mkdir()
    (tmp_path / "fake" / "xllamacpp.py").write_text(FAKE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "fake"))
    root = Path(local.__file__).parents[3]
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path / 'fake'}{os.pathsep}{root}")
    path = tmp_path / "모델 x.gguf"
    path.write_bytes(b"GGUF" + b"\0" * 16)
    return path


def alive(pid: int) -> bool:
    """Say whether the process still runs (one that only waits to be collected does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_the_child_answers_and_ends_with_close(model_file: Path) -> None:
    model = LocalModel(model_file)
    asked = question("person", "place")
    reply = await model.ask(pack(asked), max_output_tokens=24)
    assert model._child is not None
    pid = model._child.pid
    assert alive(pid)
    assert parse_reply(reply.text, [asked], None).answers[0].status == "answered"
    assert (reply.model, reply.usage.cache_read, reply.usage.input) == ("local:모델 x.gguf", 90, 15)
    assert not model.profile.priced
    await model.close()
    assert not alive(pid)
    await model.close()


async def test_a_child_that_died_is_started_again_and_ctrl_c_does_not_reach_it(model_file: Path) -> None:
    model = LocalModel(model_file)
    await model.ask(pack(), max_output_tokens=24)
    assert model._child is not None
    first = model._child
    assert os.getsid(first.pid) != os.getsid(0)
    first.kill()
    await first.wait()
    await model.ask(pack(), max_output_tokens=24)
    assert model._child.pid != first.pid
    await model.close()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads process states from /proc")
def test_the_child_ends_when_its_parent_is_killed(model_file: Path) -> None:
    code = (
        "import asyncio, os, signal, sys\n"
        "from pathlib import Path\n"
        "from analyzer.llm.transports.local import LocalModel\n"
        "async def go():\n"
        "    model = LocalModel(Path(sys.argv[1]))\n"
        "    await model._begin()\n"
        "    print(model._child.pid, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(go())\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(model_file)], stdout=subprocess.PIPE, text=True)
    assert done.returncode == -signal.SIGKILL
    pid = int(done.stdout)
    pidfd = None
    try:
        pidfd = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        import select

        ready, _, _ = select.select([pidfd], [], [], 10)
        assert ready, "the child outlived its parent"
    finally:
        os.close(pidfd)


async def test_a_model_that_does_not_load_is_one_plain_sentence(model_file: Path) -> None:
    broken = model_file.with_name("broken.gguf")
    broken.write_bytes(b"GGUF")
    model = LocalModel(broken)
    with pytest.raises(PermanentModelError, match=r"broken\.gguf.*ended before it was ready") as caught:
        await model.ask(pack(), max_output_tokens=24)
    assert "memory" in caught.value.hint
    await model.close()


def test_missing_extra_missing_file_and_wrong_file_are_settings_to_fix(
    model_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        LocalModel(model_file.with_name("absent.gguf"))
    model_file.write_bytes(b"PK\3\4")
    with pytest.raises(ConfigError, match="no GGUF file"):
        LocalModel(model_file)
    monkeypatch.setattr(local.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="optional extra `local`"):
        LocalModel(model_file)
