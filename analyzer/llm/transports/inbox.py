"""`inbox:DIR`: every pack becomes a file, its answer is read from a file beside it, whenever somebody has written it.

`0007-cast_forms-ch3-1a2b3c4d.prompt.md` holds exactly what a model would get; the answer goes into
`0007-cast_forms-ch3-1a2b3c4d.answer.txt`. The name follows from the content, so a later run finds its own files again. A pack
without an answer raises `AnswerPendingError`: the run finishes what it can, names the open files, and goes on when run again.

Files are opened without following links, must be ordinary files, and answers are at most `ANSWER_BYTES` of UTF-8.
"""

from __future__ import annotations

import asyncio
import errno
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path

from analyzer.errors import InputError, TransientModelError
from analyzer.hashing import content_hash
from analyzer.llm.asker import Profile
from analyzer.llm.formats import storable
from analyzer.llm.profiles import HAND
from analyzer.models.question import Pack
from analyzer.models.run import AnsweredBy, Reply, Usage

ANSWER_BYTES = 256 * 1024
"""Longest answer file read; a pack's answer is a few kB."""
POLL_S = 0.5
"""How often a waiting run looks for an answer."""
PROMPT_BYTES = 16 * 1024 * 1024
"""Longest prompt file read back."""
MAX_FILES = 100_000
"""Most prompt files in one folder."""
_NO_FOLLOW: int = getattr(os, "O_NOFOLLOW", 0)

_NUMBERED = re.compile(r"([0-9]{4,6})-[a-z0-9_]+-ch[0-9]+-([0-9a-f]{8})\.prompt\.md\Z")
_README = """# Questions waiting for answers

Each `….prompt.md` asks for one short line per question. Write the lines into a file of the same name that ends in
`.answer.txt` instead of `.prompt.md`, as UTF-8 text, then run the same command again. Unanswered files may wait.
"""


class AnswerPendingError(TransientModelError):
    """Nobody has answered this pack yet: not a fault, and asking again at once is useless. `path` is the file to write."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"the answer file {path.name!r} is not there yet",
            where=str(path),
            hint=f"write it beside its prompt in {path.parent} and run again",
        )
        self.path = path


class Inbox:
    """Answers from people's files in `folder`, which is made where it is missing.

    `lean`: the shared prefix is written once to a file of its own and each prompt begins by naming it; otherwise every prompt
    can be answered by itself. `wait_s` is how long `ask` waits for an answer before it gives up for this run.

    Raises InputError where the folder cannot be used.
    """

    answered_by: AnsweredBy = "hand"

    def __init__(self, folder: Path, *, lean: bool = False, wait_s: float = 0.0, profile: Profile = HAND) -> None:
        self.model = "inbox"
        self.profile = profile
        self.params: dict[str, object] = {}
        self._lean = lean
        self._wait_s = wait_s
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._folder = folder.resolve(strict=True)
            self._stems = self._found()
        except OSError as error:
            raise InputError(f"the folder {str(folder)!r} cannot be used: {error.strerror}", where="inbox") from error
        self._write("README.md", _README)

    def _found(self) -> dict[str, str]:
        """Return the stems of the prompts already there, by the hash in their names."""
        stems: dict[str, str] = {}
        for path in sorted(self._folder.iterdir()):
            found = _NUMBERED.match(path.name)
            if found is not None:
                stems.setdefault(found.group(2), path.name.removesuffix(".prompt.md"))
        return stems

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Write the prompt where it is new and return the answer where it is there.

        Raises AnswerPendingError where it is not, InputError where the answer file is no readable text.
        """
        answer = self._folder / f"{self._stem(pack)}.answer.txt"
        waited = 0.0
        text = self._read(answer)
        while text is None:
            if waited >= self._wait_s:
                raise AnswerPendingError(answer)
            await asyncio.sleep(min(POLL_S, self._wait_s - waited))
            waited += POLL_S
            text = self._read(answer)
        found = storable(text)
        return Reply(text=found, usage=Usage(), model=self.model, answered_by="hand", source=str(answer))

    def _stem(self, pack: Pack) -> str:
        """Return the file stem of `pack`, writing its prompt where that is not there yet."""
        prefix = "".join(part.text for part in pack.parts)
        for salt in range(MAX_FILES):
            asked = [pack.step, pack.chapter, prefix, pack.tail, *([salt] if salt else [])]
            mark = content_hash("inbox", asked).rpartition(":")[2][:8]
            stem = self._stems.get(mark)
            if stem is None or self._holds(f"{stem}.prompt.md", pack.tail):
                break
        else:
            raise InputError("no file name is left for a prompt", where=str(self._folder))
        if stem is None:
            number = 1 + max((int(name.split("-", 1)[0]) for name in self._stems.values()), default=0)
            if number > MAX_FILES:
                raise InputError(
                    f"there are {number - 1} prompts already, {MAX_FILES} allowed", where=str(self._folder)
                )
            step = re.sub(r"[^a-z0-9_]+", "_", pack.step.lower()) or "step"
            stem = f"{number:04}-{step}-ch{pack.chapter}-{mark}"
            self._stems[mark] = stem
        self._write(f"{stem}.prompt.md", self._prompt(prefix, pack.tail))
        return stem

    def _holds(self, name: str, tail: str) -> bool:
        """Say whether the prompt file is this pack's (or gone): eight hex digits may meet once in a great while."""
        data = self._bytes(self._folder / name, PROMPT_BYTES)
        return data is None or data.decode("utf-8", "replace").split()[-len(tail.split()) :] == tail.split()

    def _prompt(self, prefix: str, tail: str) -> str:
        if not self._lean or not prefix:
            return prefix + tail
        name = f"prefix-{content_hash('prefix', prefix).rpartition(':')[2][:8]}.md"
        self._write(name, prefix)
        return f"(Read {name} first; what follows belongs behind it.)\n\n{tail}"

    def _write(self, name: str, text: str) -> None:
        """Make the file, whole or not at all; one that is there already, whatever it is, stays as it is."""
        path, half = self._folder / name, self._folder / f".{name}.half"
        if os.path.lexists(path):
            return
        try:
            half.unlink(missing_ok=True)
            handle = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW, 0o644)
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            half.rename(path)
        except OSError as error:
            raise InputError(f"{name!r} cannot be written: {error.strerror}", where=str(self._folder)) from error

    def _read(self, path: Path) -> str | None:
        """Return the answer, None where the file is missing or still empty."""
        data = self._bytes(path, ANSWER_BYTES)
        if data is None:
            return None
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            message = f"{path.name!r} is not UTF-8 text (byte {error.start})"
            raise InputError(message, where=str(path), hint="save it as UTF-8") from error
        return text if text.strip() else None

    def _bytes(self, path: Path, limit: int) -> bytes | None:
        """Return an ordinary file's bytes, None where it is missing; raises InputError for anything else or longer."""
        try:
            handle = os.open(path, os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_NONBLOCK", 0))
        except FileNotFoundError:
            return None
        except OSError as error:
            if error.errno == errno.ELOOP:
                message = f"{path.name!r} is a link, an ordinary file was expected"
                raise InputError(message, where=str(path), hint="put the file itself there") from error
            raise InputError(f"{path.name!r} cannot be read: {error.strerror}", where=str(path)) from error
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise InputError(f"{path.name!r} is no ordinary file", where=str(path))
        with os.fdopen(handle, "rb") as file:
            data = file.read(limit + 1)
        if len(data) > limit:
            raise InputError(f"{path.name!r} is longer than {limit} bytes", where=str(path))
        return data

    async def close(self) -> None:
        """Nothing to release."""
