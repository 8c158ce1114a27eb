"""Getting the text of a public edition: from its address or from a folder, checked by hash, whole or not at all."""

from __future__ import annotations

import http.client
import os
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from analyzer.errors import InputError
from evals.goldset.manifest import LARGEST_TEXT, LOOPBACK, Manifest, checked_url
from evals.goldset.texts import cached_file, fault_of, find_text

SOCKET_S = 20.0
"""Longest silence of a server."""
TOTAL_S = 300.0
"""Longest time for one text: 64 MB at 2 Mbit/s."""
CHUNK = 1 << 16


def fetch(manifest: Manifest, cache: Path, *, source: Path | None = None, timeout_s: float = SOCKET_S) -> Path:
    """Return the text of a public edition in the cache, brought there from `source` or from its address if need be.

    What is in the cache is checked each time. Raises InputError in plain words: no address, no network, not found, another
    edition, cut short, a web page, too large, or sent to another host; the cache is then as it was.
    """
    if not manifest.public:
        raise InputError(f"{manifest.name} has its text beside its gold: nothing to fetch")
    target = cached_file(manifest, cache)
    if target.is_file() and not fault_of(target.read_bytes(), manifest):
        return target
    data = _from_folder(manifest, source) if source is not None else _from_address(manifest, timeout_s)
    fault = fault_of(data, manifest)
    if fault:
        place = source or manifest.text.url
        raise InputError(
            f"{manifest.name}: the text at {place} is refused: {fault}",
            hint=f"the edition is {manifest.text.edition}, SHA-256 {manifest.text.sha256}",
        )
    _keep(data, target)
    return target


def _from_folder(manifest: Manifest, source: Path) -> bytes:
    """Return the bytes of the edition in a folder, or of the file that is named."""
    if not source.exists():
        raise InputError(f"{source} does not exist", where=str(source))
    found = source if source.is_file() else find_text(manifest, source)
    if found is None:
        hint = f"the edition has {manifest.text.n_bytes:,} bytes and SHA-256 {manifest.text.sha256}; name a file to hear how it differs"
        raise InputError(f"{manifest.name}: no .txt file under {source} is this edition", where=str(source), hint=hint)
    try:
        with found.open("rb") as file:
            return file.read(LARGEST_TEXT)
    except OSError as error:
        raise InputError(f"{found} cannot be read: {error.strerror}", where=str(found)) from error


class _SameHost(urllib.request.HTTPRedirectHandler):
    """Follows a redirect only to the host and port it started from, and never from TLS to none."""

    def __init__(self, name: str, url: str) -> None:
        self._name, self._start = name, urlsplit(url)

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        try:
            there = urlsplit(checked_url(newurl))
        except ValueError as error:
            fp.close()
            raise InputError(f"{self._name}: the server sends to another address: {error}") from error
        here = self._start
        if (there.scheme, there.hostname, there.port) != (here.scheme, here.hostname, here.port):
            fp.close()
            raise InputError(f"{self._name}: {here.hostname} sends to another host, {there.hostname}: not followed")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _from_address(manifest: Manifest, timeout_s: float) -> bytes:
    """Return at most one byte more than the edition has from its address."""
    edition, name = manifest.text, manifest.name
    if not edition.url:
        hint = "get it from whoever made the gold and give its folder: fetch --from FOLDER"
        raise InputError(f"{name}: the text has no address; it was {edition.source.strip()}", hint=hint)
    handlers: list[urllib.request.BaseHandler] = [_SameHost(name, edition.url)]
    if urlsplit(edition.url).hostname in LOOPBACK:
        handlers.append(urllib.request.ProxyHandler({}))
    opener = urllib.request.build_opener(*handlers)
    request = urllib.request.Request(edition.url, headers={"Accept-Encoding": "identity", "User-Agent": "analyzer"})
    until = time.monotonic() + TOTAL_S
    try:
        with opener.open(request, timeout=timeout_s) as reply:
            return _body(reply, edition.n_bytes, until)
    except urllib.error.HTTPError as error:
        error.close()
        raise InputError(f"{name}: {edition.url} answers {error.code} {error.reason}") from error
    except TimeoutError as error:
        raise InputError(f"{name}: {edition.url} was silent for {timeout_s:.0f} s or took too long") from error
    except (OSError, http.client.HTTPException) as error:
        said = error.reason if isinstance(error, urllib.error.URLError) else error
        hint = "without a network give the text's folder: fetch --from FOLDER"
        raise InputError(f"{name}: {edition.url} cannot be reached: {said}", hint=hint) from error


def _body(reply: IO[bytes], n_bytes: int, until: float) -> bytes:
    """Return the body up to one byte more than `n_bytes`: more is another text and is not read."""
    found = bytearray()
    while len(found) <= n_bytes:
        if time.monotonic() > until:
            raise TimeoutError
        piece = reply.read(min(CHUNK, n_bytes + 1 - len(found)))
        if not piece:
            break
        found += piece
    return bytes(found)


def _keep(data: bytes, target: Path) -> None:
    """Write a text into the cache, whole or not at all."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        new = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            new.replace(target)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error.strerror}", where=str(target)) from error
