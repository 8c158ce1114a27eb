"""`goldsets/SLUG/goldset.toml` as a frozen record: what a goldset is, where its text is, how its gold was made, what was tuned on it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, ConfigDict, Field, ValidationError, model_validator

from analyzer.errors import ConfigError, InputError
from analyzer.llm.transports.gold_book import load_gold
from analyzer.models.base import Record
from analyzer.models.gold import GoldChapter
from analyzer.text.languages import language_table

GOLDSETS = Path(__file__).parents[2] / "goldsets"
MANIFEST = "goldset.toml"
LARGEST_TEXT = 64 * 1024 * 1024
"""Bytes; as much as the analyzer reads of one manuscript."""
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
"""Hosts that may be reached without TLS, for tests."""


def _slug(name: str) -> str:
    if not name.replace("-", "").isalnum() or not name.isascii() or name != name.lower() or name.strip("-") != name:
        raise ValueError(f"{name!r} is no slug: lower-case letters, digits and hyphens")
    return name


def checked_url(url: str) -> str:
    """Return a url that may be fetched: https, or http to the loopback; raises ValueError for any other."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise ValueError(f"{url!r} is no url: {error}") from error
    plain = parts.scheme == "http" and host in LOOPBACK
    if not host or port == 0 or not (parts.scheme == "https" or plain):
        raise ValueError(f"{url!r} is not fetched: only https urls are")
    if parts.username or parts.password or not url.isprintable() or " " in url:
        raise ValueError(f"{url!r} is not fetched: a plain address without user, password and spaces was expected")
    return url


def _plain_file(name: str) -> str:
    if Path(name).name != name or name in ("", ".", "..") or not name.isprintable():
        raise ValueError(f"{name!r} is no file beside the manifest: a bare file name was expected")
    return name


Said = Annotated[str, Field(min_length=1, max_length=4000)]
Share = Annotated[float, Field(ge=0, le=1)]
Letter = Annotated[str, Field(pattern=r"^[A-Z]$")]


class TextSource(Record):
    """Where the text is: `file` beside the manifest, or a public edition by hash.

    Of an edition `sha256` and `n_bytes` are those of the whole file as the reader must have it; without `url` it can only be
    supplied from a folder, and `source` says what it was made from.
    """

    file: Annotated[str, AfterValidator(_plain_file)] = ""
    edition: str = ""
    title: str = ""
    url: Annotated[str, AfterValidator(lambda url: checked_url(url) if url else url)] = ""
    sha256: Annotated[str, Field(pattern=r"^(?:[0-9a-f]{64})?$")] = ""
    n_bytes: int = Field(default=0, ge=0, le=LARGEST_TEXT)
    encoding: Literal["utf-8", "utf-16"] = "utf-8"
    source: str = ""

    @model_validator(mode="after")
    def _one_kind(self) -> TextSource:
        told = [self.edition, self.title, self.sha256, self.n_bytes]
        if self.file and any([*told, self.url, self.source]):
            raise ValueError("give either file (a text beside the manifest) or an edition, not both")
        if not self.file and not all(told):
            raise ValueError("give file, or all of edition, title, sha256 and n_bytes")
        if not self.file and not self.url and not self.source:
            raise ValueError("an edition without url needs source: what the file was made from")
        return self


class Made(Record):
    """How the gold was made: the readings (one letter each), whether an adjudication went back to the page, and in words."""

    readings: Annotated[tuple[Letter, ...], Field(min_length=1, max_length=9)]
    adjudicated: bool
    how: Said

    @model_validator(mode="after")
    def _fits(self) -> Made:
        if len(set(self.readings)) != len(self.readings):
            raise ValueError("readings names one of them twice")
        if self.adjudicated and len(self.readings) < 2:
            raise ValueError("adjudicated is true, but there is only one reading")
        return self


class Agreement(Record):
    """F1 of the two readers before adjudication, all items against all; None where it was not measured."""

    named_entities: Share | None = None
    entities: Share | None = None
    relation_pairs: Share | None = None
    relation_families: Share | None = None
    relation_kinds: Share | None = None
    source: str = ""


class Use(Record):
    """What stands beside every score: was anything tuned on this text, and may a model know it by heart; `note` says it in words."""

    tuned_on: bool
    widely_known: bool
    note: Said


class Manifest(Record):
    """A goldset; `folder` is where the manifest lies, `public` whether its text is somebody else's and not here."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, AfterValidator(_slug)]
    title: Said
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$")]
    licence: Said
    text: TextSource
    made: Made
    use: Use
    agreement: Agreement = Agreement()
    folder: Path = Path()

    @property
    def public(self) -> bool:
        """Whether the text is a public edition that is not kept here."""
        return not self.text.file

    @property
    def gold(self) -> Path:
        """The folder of gold chapters."""
        return self.folder / "gold"


def load_manifest(folder: Path) -> Manifest:
    """Return the manifest in a goldset's folder; raises InputError that names the file, the field and what is wrong with it."""
    path = folder / MANIFEST
    where = f"{folder.name}/{MANIFEST}"
    try:
        raw: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        hint = "a goldset is a folder with a goldset.toml and a folder gold: see goldsets/README.md"
        raise InputError(f"there is no {where}", where=str(path), hint=hint) from error
    except OSError as error:
        raise InputError(f"{where} cannot be read: {error.strerror}", where=str(path)) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is not TOML in UTF-8: {error}", where=str(path)) from error
    if "folder" in raw:
        raise InputError(f"{where}: folder: no such field", where=str(path))
    try:
        manifest = Manifest.model_validate(raw | {"folder": folder})
    except ValidationError as error:
        raise InputError(f"{where}: {_first(error)}", where=str(path), hint="see goldsets/README.md") from error
    _check(manifest, where)
    return manifest


def _first(error: ValidationError) -> str:
    """Return the first fault in one line: field, and what was expected."""
    one = error.errors(include_url=False)[0]
    field = ".".join(str(part + 1 if isinstance(part, int) else part) for part in one["loc"])
    words = {"missing": "is missing", "extra_forbidden": "no such field"}
    said = words.get(one["type"], one["msg"].removeprefix("Value error, "))
    shown = one["type"] not in words and isinstance(one["input"], str | int | float) and repr(one["input"]) not in said
    return (f"{field}: " if field else "") + said + (f", not {one['input']!r:.80}" if shown else "")


def _check(manifest: Manifest, where: str) -> None:
    """Raise InputError where the manifest does not fit what lies beside it."""
    if manifest.name != manifest.folder.name:
        raise InputError(f"{where}: name: is {manifest.name!r}, the folder is {manifest.folder.name!r}")
    try:
        language_table(manifest.language)
    except ConfigError as error:
        raise InputError(f"{where}: language: {error}") from error
    if manifest.text.file and not (manifest.folder / manifest.text.file).is_file():
        raise InputError(f"{where}: text.file: there is no {manifest.text.file!r} beside the manifest")
    for number, gold in gold_of(manifest).items():
        if gold.language != manifest.language:
            said = f"gold of chapter {number} is in {gold.language!r}, the manifest says {manifest.language!r}"
            raise InputError(f"{where}: language: {said}")
        if not gold.body_sha256:
            raise InputError(f"{where}: the gold of chapter {number} has no body_sha256: nothing could be checked")


def gold_of(manifest: Manifest) -> dict[int, GoldChapter]:
    """Return the gold chapters by number; raises InputError where there are none or one cannot be read."""
    return load_gold(manifest.gold)


def load_manifests(root: Path = GOLDSETS) -> tuple[Manifest, ...]:
    """Return all goldsets under `root`, own ones first, then those of `root/public`; raises InputError for a faulty or doubled one."""
    folders = [
        folder for pattern in ("*/gold", "public/*/gold") for folder in sorted(p.parent for p in root.glob(pattern))
    ]
    found: dict[str, Manifest] = {}
    for folder in folders:
        manifest = load_manifest(folder)
        if manifest.name in found:
            raise InputError(f"two goldsets are named {manifest.name!r}: {found[manifest.name].folder} and {folder}")
        found[manifest.name] = manifest
    return tuple(found.values())


def manifest_named(slug: str, root: Path = GOLDSETS) -> Manifest:
    """Return one goldset; raises InputError naming the known ones."""
    found = {manifest.name: manifest for manifest in load_manifests(root)}
    if slug not in found:
        raise InputError(f"there is no goldset {slug!r}; known are {', '.join(found) or 'none'}")
    return found[slug]
