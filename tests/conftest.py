"""What every test may rely on: no socket leaves the machine, no provider's key is set, slow tests only when asked for."""

from __future__ import annotations

import ipaddress
import os
import re
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.register_assert_rewrite("tests.harness")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
"""Modules are compiled once, whatever the environment says: to do it in every process took a third of its time."""

_SECRET = re.compile(r"(_API_KEY|_KEY|_TOKEN|_SECRET)$|^(OPENAI|ANTHROPIC|GEMINI|GOOGLE|DEEPSEEK|MISTRAL|AZURE|AWS)_")
"""Environment variables that could open a provider's door."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--runslow", action="store_true", help="run the tests marked slow too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--runslow"):
        return
    skip = pytest.mark.skip(reason="slow: pass --runslow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book of the tiny serial after its run with gold, the only one in its folder; not to be changed."""
    from analyzer import pipeline
    from tests.tiny import write_book

    manuscript = write_book(tmp_path_factory.mktemp("finished"))
    assert pipeline.run(manuscript, model="gold").exit_code == 0
    return pipeline.book_folder(manuscript)


@pytest.fixture
def own(finished: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(finished.parent, tmp_path / "own")
    return tmp_path / "own" / finished.name


class Making(NamedTuple):
    """How a store comes to be at a path: as the tool makes it, and as a copy of one made so."""

    really: Callable[[Path], None]
    copied: Callable[[Path], None]


@pytest.fixture(autouse=True, scope="session")
def making(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Making]:
    """A store made in this process is a copy of one made once: half of the time. The tests of storage make theirs really."""
    from analyzer.storage import db
    from analyzer.storage.store import Store

    empty = tmp_path_factory.mktemp("empty")
    Store.open(empty, create=True).close()

    def copied(path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            shutil.copyfile(empty / db.FILE_NAME, path)

    found = Making(db._create, copied)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(db, "_create", copied)
        yield found


class ClosedSocketError(RuntimeError):
    """A test tried to leave the machine."""


def is_local(address: object) -> bool:
    """Say whether an address stays on this machine; a path (a Unix socket) does."""
    if not isinstance(address, tuple):
        return True
    host = str(address[0]).split("%")[0]
    if host in ("", "localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True, scope="session")
def _sockets_closed() -> Iterator[None]:
    """Stops what would reach the network: a forgotten fake, a download, a paid call."""
    connect, connect_ex, resolve = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def guarded(self: socket.socket, address: Any) -> None:
        if not is_local(address):
            raise ClosedSocketError(f"a test tried to reach {address!r}")
        connect(self, address)

    def guarded_ex(self: socket.socket, address: Any) -> int:
        if not is_local(address):
            raise ClosedSocketError(f"a test tried to reach {address!r}")
        return connect_ex(self, address)

    def guarded_resolve(host: Any, *more: Any, **named: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if name is not None and not is_local((name,)):
            raise ClosedSocketError(f"a test tried to look up {name!r}")
        return resolve(host, *more, **named)

    socket.socket.connect = guarded  # type: ignore[method-assign,assignment]
    socket.socket.connect_ex = guarded_ex  # type: ignore[method-assign,assignment]
    socket.getaddrinfo = guarded_resolve
    yield
    socket.socket.connect = connect  # type: ignore[method-assign]
    socket.socket.connect_ex = connect_ex  # type: ignore[method-assign]
    socket.getaddrinfo = resolve


@pytest.fixture(autouse=True, scope="session")
def _no_keys() -> Iterator[None]:
    """Takes every provider's key out of the environment, for the tests and for the processes they start."""
    held = {name: value for name, value in os.environ.items() if _SECRET.search(name)}
    for name in held:
        del os.environ[name]
    yield
    os.environ.update(held)
