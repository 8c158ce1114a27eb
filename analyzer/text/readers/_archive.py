"""ZIP archives of books, read in memory with bounds: nothing is unpacked to disk, nothing grows without limit.

EPUB, DOCX and ODT are ZIP archives whose members are stored or deflated and never encrypted.
"""

from __future__ import annotations

import io
import zlib
from typing import TYPE_CHECKING

from analyzer.errors import InputError

if TYPE_CHECKING:
    import zipfile

LARGEST_TOTAL = 64 * 1024 * 1024
"""Bytes all members that are read may have together; the longest serials known have about 30 MB of text."""

LARGEST_RATIO = 200
"""Unpacked to packed size of one member; text of novels packs 2 to 10 times, deflate's limit is 1,032."""

RATIO_FROM = 1024 * 1024
"""Bytes from which the ratio counts: small members of repeated markup may pack better."""

MOST_MEMBERS = 20_000
"""The largest books known have some thousand pages and pictures."""

_ENTRY = b"PK\x01\x02"
_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = 0x1
_METHODS = (0, 8)


class Archive:
    """The members of a ZIP archive; `names` in the order of its directory, with slashes, folders left out."""

    def __init__(self, file: zipfile.ZipFile, where: str) -> None:
        self.where = where
        self._file = file
        named = {info.filename.replace("\\", "/"): info for info in file.infolist()}
        self._members = {name: info for name, info in named.items() if not name.endswith("/")}
        self._folded = {name.casefold(): name for name in reversed(self._members)}
        self._sizes: dict[str, int] = {}
        self.names: tuple[str, ...] = tuple(self._members)

    def __contains__(self, name: object) -> bool:
        return name in self._members

    def spelled(self, name: str) -> str:
        """Return the member of this name in the letter case it is stored in; `name` itself where there is none."""
        return name if name in self._members else self._folded.get(name.casefold(), name)

    def read(self, name: str) -> bytes:
        """Return the bytes of a member.

        Raises InputError where it is missing, damaged, packed in another way than ZIP's usual one, or a bomb: over
        `LARGEST_RATIO` times its packed size from 1 MB on, or over 64 MB with all other members read so far.
        """
        import zipfile

        info = self._members.get(name)
        if info is None:
            raise InputError(
                f"{self.where} is incomplete: it has no {_shown(name)}",
                where=self.where,
                hint="export the book again",
            )
        self._check(info)
        try:
            with self._file.open(info) as member:
                data = member.read(info.file_size + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError) as error:
            raise InputError(
                f"{self.where} is damaged: its part {_shown(name)} cannot be unpacked",
                where=self.where,
                hint="copy or export the file again",
            ) from error
        self._sizes[name] = len(data)
        return data

    def _check(self, info: zipfile.ZipInfo) -> None:
        name = _shown(info.filename)
        if info.compress_type not in _METHODS:
            raise InputError(
                f"{self.where} packs {name} by method {info.compress_type}, only stored and deflated parts are read",
                where=self.where,
                hint="export the book again",
            )
        if info.file_size > RATIO_FROM and info.file_size > LARGEST_RATIO * max(info.compress_size, 1):
            raise InputError(
                f"{self.where} is refused: {name} unpacks to {info.file_size:,} bytes, more than {LARGEST_RATIO} times "
                f"its packed size",
                where=self.where,
                hint="it looks like a ZIP bomb and not like a book; export the book again",
            )
        total = info.file_size + sum(size for other, size in self._sizes.items() if other != info.filename)
        if total > LARGEST_TOTAL:
            raise InputError(
                f"{self.where} unpacks to more than {LARGEST_TOTAL:,} bytes, the most that is read",
                where=self.where,
                hint="split the manuscript",
            )


def open_archive(data: bytes, where: str) -> Archive:
    """Return the archive in `data`, read in memory; `where` names the file in errors.

    Raises InputError where it is no ZIP archive, cut off, encrypted, holds over `MOST_MEMBERS` members or one whose
    name leads out of the archive.
    """
    import zipfile

    if data.startswith(_OFFICE):
        raise InputError(
            f"{where} is not a ZIP archive but an Office file that is protected by a password or of the time before 2007",
            where=where,
            hint="open it, take the password away, and save it in the current format",
        )
    if data.count(_ENTRY) > MOST_MEMBERS:
        raise InputError(
            f"{where} has more than {MOST_MEMBERS:,} parts, the most that are read", where=where, hint="split the book"
        )
    try:
        file = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, EOFError, OSError, ValueError, RuntimeError) as error:
        state = "cut off or damaged" if data.startswith(b"PK") else "no ZIP archive, which its ending promises"
        raise InputError(f"{where} is {state}", where=where, hint="copy or export the file again") from error
    for info in file.infolist():
        _check_name(info, where)
    return Archive(file, where)


def _check_name(info: zipfile.ZipInfo, where: str) -> None:
    name = info.filename.replace("\\", "/")
    if name.startswith("/") or ".." in name.split("/") or ":" in name.split("/")[0]:
        raise InputError(
            f"{where} is refused: its part {_shown(info.filename)} would lie outside the archive",
            where=where,
            hint="export the book again",
        )
    if info.flag_bits & _ENCRYPTED:
        raise InputError(
            f"{where} is protected by a password: its part {_shown(info.filename)} is encrypted",
            where=where,
            hint="save it without a password",
        )


def _shown(name: str) -> str:
    """Return a member's name for a sentence: quoted, control characters escaped, at most 80 code points."""
    return repr(name if len(name) <= 80 else name[:79] + "…")
