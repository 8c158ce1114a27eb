"""`local:FILE.gguf`: the user's own model, served by xllamacpp (optional extra `local`) in a child process.

Run as a program (`python -m analyzer.llm.transports.local FILE --port 0`) this module is that child: it prints one JSON line
with its address and ends when its standard input closes, which happens when the run ends, however it ends.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib
import importlib.util
import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from analyzer.errors import ConfigError, PermanentModelError
from analyzer.llm.asker import Profile
from analyzer.llm.profiles import LOCAL_SMALL
from analyzer.llm.transports.letter_chat import TURNS, LetterChat, letter_params
from analyzer.llm.transports.openai_chat import OpenAIChat
from analyzer.models.question import Pack
from analyzer.models.run import AnsweredBy, Reply

CONTEXT_TOKENS = 16_384
"""Context of the server: a chapter of 10,000 tokens, the cast and a question."""
START_S = 180.0
"""Longest wait until the model is loaded: 3 s for 1 GB on an idle machine, far more from a slow disk."""
ASK_S = 900.0
"""Longest call: a 1.5B model reads a prefix at 57 to 75 tokens a second on two cores, so 10,000 tokens take 3 minutes."""
HEALTH_S = 0.2
END_S = 5.0
_MAGIC = b"GGUF"


def checked_model_file(path: Path) -> Path:
    """Return `path` made absolute; raises ConfigError where the extra, the file or its first bytes are missing."""
    if importlib.util.find_spec("xllamacpp") is None:
        raise ConfigError(
            "a local model needs the optional extra `local`, which is not installed",
            where="--model local:FILE.gguf",
            hint='pip install "analyzer[local]"',
        )
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise ConfigError(f"the model file {str(path)!r} cannot be read: {error.strerror}", where="--model") from error
    if magic != _MAGIC:
        raise ConfigError(f"{str(path)!r} is no GGUF file", where="--model", hint="give the path of a .gguf file")
    return path.absolute()


class LocalModel:
    """A model on this machine, free of charge. The child process starts with the first question and ends with `close`.

    Raises ConfigError where the extra or the file is missing. `params` name the file by its name and size, not its path.
    """

    answered_by: AnsweredBy = "model"

    def __init__(self, path: Path, *, profile: Profile = LOCAL_SMALL, turns: int = TURNS) -> None:
        self._path = checked_model_file(path)
        self.model = f"local:{path.name}"
        self.profile = profile
        self._turns = turns
        self.params: dict[str, object] = {
            "temperature": 0,
            "bytes": self._path.stat().st_size,
            **letter_params(profile, turns),
        }
        self._start = asyncio.Lock()
        self._child: asyncio.subprocess.Process | None = None
        self._asker: LetterChat | OpenAIChat | None = None

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Send `pack` to the child and return the reply; starts the child on the first call.

        Raises PermanentModelError where the child does not start, else as `OpenAIChat.ask` does.
        """
        async with self._start:
            if self._asker is None or self._child is None or self._child.returncode is not None:
                # a child that died between two questions is started again
                await self.close()
                self._asker = await self._begin()
        reply = await self._asker.ask(pack, max_output_tokens=max_output_tokens, on_first_event=on_first_event)
        return reply.model_copy(update={"model": self.model})

    async def _begin(self) -> LetterChat | OpenAIChat:
        self._child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "analyzer.llm.transports.local", str(self._path), "--port", "0",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, "OMP_WAIT_POLICY": "passive"},
            # Ctrl-C reaches the run alone, which lets the call in flight end first
            start_new_session=True,
        )  # fmt: skip
        try:
            async with asyncio.timeout(START_S):
                url = await self._address(self._child)
                await _wait_healthy(url)
        except TimeoutError:
            await self._end_child()
            raise self._failed(f"did not load within {START_S:.0f} s") from None
        chat = OpenAIChat(self.model, base_url=url, profile=self.profile, params={"temperature": 0}, timeout_s=ASK_S)
        return LetterChat(chat, turns=self._turns) if self.profile.answer_format == "letter_json" else chat

    async def _address(self, child: asyncio.subprocess.Process) -> str:
        """Return the address the child prints; other lines that its libraries print are passed over."""
        assert child.stdout is not None
        async for line in child.stdout:
            with contextlib.suppress(ValueError):
                found = json.loads(line)
                if isinstance(found, dict) and isinstance(found.get("listening"), str):
                    return str(found["listening"])
        await self._end_child()
        raise self._failed("ended before it was ready")

    def _failed(self, what: str) -> PermanentModelError:
        hint = "the file may be damaged, of an unknown kind, or too large for this machine's memory"
        return PermanentModelError(f"the server for {self.model!r} {what}", where=f"model {self.model}", hint=hint)

    async def _end_child(self) -> None:
        child, self._child = self._child, None
        if child is None or child.returncode is not None:
            return
        assert child.stdin is not None
        child.stdin.close()
        try:
            await asyncio.wait_for(child.wait(), END_S)
        except TimeoutError:
            child.kill()
            await child.wait()

    async def close(self) -> None:
        """End the child process and close the connections."""
        if self._asker is not None:
            await self._asker.close()
            self._asker = None
        await self._end_child()


async def _wait_healthy(url: str) -> None:
    """Return once the server says that its model is loaded (503 until then)."""
    import httpx2

    async with httpx2.AsyncClient(trust_env=False, timeout=HEALTH_S * 10) as client:
        while True:
            with contextlib.suppress(httpx2.HTTPError):
                if (await client.get(f"{url}/health")).status_code == 200:
                    return
            await asyncio.sleep(HEALTH_S)


def _serve(path: str, port: int) -> None:
    """Load the model, say where, and stay."""
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    xllamacpp: Any = importlib.import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.port = port
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.verbosity = 0
    threads = _n_cores()
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    server = xllamacpp.Server(params)
    sys.stdout.write(json.dumps({"listening": str(server.listening_address)}) + "\n")
    sys.stdout.flush()
    threading.Event().wait()


def _n_cores() -> int:
    """Return how many cores this process may use, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


def _leave_with_parent() -> None:
    """End this process once standard input closes: on `close`, or when the parent is gone, even while the model loads."""

    def watch() -> None:
        while sys.stdin.buffer.read(4096):
            pass
        # the server's own threads would keep the process alive
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def main(argv: list[str] | None = None) -> None:
    """Be the child process."""
    parser = argparse.ArgumentParser(prog="python -m analyzer.llm.transports.local")
    parser.add_argument("file")
    parser.add_argument("--port", type=int, default=0)
    arguments = parser.parse_args(argv)
    _leave_with_parent()
    _serve(arguments.file, arguments.port)


if __name__ == "__main__":
    main()
