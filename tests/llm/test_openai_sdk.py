from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer.llm.transports.openai_sdk import certificates, hidden
from tests.simulator import Simulator, preset

USE_BOTH = """
import asyncio, sys
from analyzer.llm.connect import connect
from analyzer.llm.transports.litellm_chat import load_litellm
own = connect("gpt-6-luna", base_url=sys.argv[1])
print("aiohttp" in sys.modules)
litellm = load_litellm()
import aiohttp
said = [{"role": "user", "content": "1. so? | a yes; b no"}]
async def ask():
    mocked = await litellm.acompletion(model="gpt-4o", messages=said, mock_response="it is so")
    print(mocked.choices[0].message.content)
    real = await litellm.acompletion(model="openai/gpt-6-luna", messages=said, api_base=sys.argv[1], api_key="k")
    print(bool(real.choices))
    await litellm.close_litellm_async_clients()
    await own.close()
asyncio.run(ask())
print(aiohttp.ClientSession.__module__)
"""


def test_the_client_comes_without_aiohttp_and_litellm_finds_it_afterwards() -> None:
    with Simulator(preset("openai"), "first") as sim:
        words = [sys.executable, "-c", USE_BOTH, sim.base_url]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        n_arrived = len(sim.rows())
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n") == ["False", "it is so", "True", "aiohttp.client", ""]
    assert n_arrived == 1


def test_starting_a_run_imports_neither_networkx_nor_aiohttp() -> None:
    code = (
        "import sys\n"
        "import analyzer.scheduler.run, analyzer.pipeline\n"
        "from analyzer.steps._registry import load_steps\n"
        "from analyzer.scheduler.graph import build_graph\n"
        "from analyzer.llm.connect import connect\n"
        "build_graph(load_steps())\n"
        "connect('m', base_url='http://127.0.0.1:9')\n"
        "print([name for name in ('aiohttp', 'networkx') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package that can be imported and is not yet."""
    (tmp_path / "lighthouse").mkdir()
    (tmp_path / "lighthouse" / "__init__.py").write_text("lamp = 1\n")
    (tmp_path / "lighthouse" / "stairs.py").write_text("steps = 99\n")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("lighthouse", "lighthouse.stairs"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return "lighthouse"


def test_what_is_hidden_cannot_be_imported_inside_and_can_afterwards(package: str) -> None:
    with hidden(package), pytest.raises(ImportError):
        __import__(f"{package}.stairs")
    assert package not in sys.modules
    assert __import__(f"{package}.stairs").stairs.steps == 99


def test_an_exception_leaves_the_modules_as_they_were(package: str) -> None:
    with pytest.raises(KeyError), hidden(package):
        raise KeyError(package)
    assert package not in sys.modules
    assert __import__(package).lamp == 1


def test_what_is_loaded_already_stays_loaded_and_seen(package: str) -> None:
    loaded = __import__(package)
    with hidden(package):
        assert __import__(package) is loaded
    assert sys.modules[package] is loaded


def test_what_was_hidden_by_others_stays_hidden(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with hidden(package):
        pass
    assert sys.modules[package] is None


def test_certificates_are_read_once_and_again_where_the_environment_names_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    usual = certificates(trust_env=True)
    assert certificates(trust_env=True) is usual
    monkeypatch.setenv("SSL_CERT_FILE", os.fspath(tmp_path / "gone.pem"))
    with pytest.raises(OSError):
        certificates(trust_env=True)
    assert certificates(trust_env=False).get_ca_certs() == usual.get_ca_certs()
