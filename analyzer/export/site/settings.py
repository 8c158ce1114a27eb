"""What an author says of the site of a book: `wiki.toml` beside `analyzer.toml`. Everything has a default."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, StrictBool, ValidationError

from analyzer.errors import ConfigError
from analyzer.export.show import HIDDEN_BY_DEFAULT
from analyzer.export.site.snapshot import PAGES, QUIET, Shown
from analyzer.export.site.words import interface_languages
from analyzer.models.base import Record, fault_of
from analyzer.models.facts import RELATION_KINDS
from analyzer.models.story import ThreadKind

WIKI_FILE = "wiki.toml"
COVERS = {
    ".jpg": b"\xff\xd8\xff", ".jpeg": b"\xff\xd8\xff", ".png": b"\x89PNG", ".webp": b"RIFF", ".gif": b"GIF8", ".avif": b"",
}  # fmt: skip
"""Kinds of pictures a cover may be, and how their files begin."""
MAX_COVER_BYTES = 2_000_000
"""A cover weighs no more than this: it is part of the first view."""
_COLOUR = re.compile(r"#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?")
_FONTS = re.compile(r"[^<>{}();:\\\"\x00-\x1f\x7f@/]{1,300}")
_LINK = re.compile(r"https?://[^\s<>\"'`\\\x00-\x1f\x7f]{1,2000}|mailto:[^\s<>\"'`\\\x00-\x1f\x7f]{1,300}")


def _one_of(known: tuple[str, ...], what: str) -> AfterValidator:
    def check(value: str) -> str:
        if value not in known:
            raise ValueError(f"no {what}; known: {', '.join(known)}")
        return value

    return AfterValidator(check)


def _like(pattern: re.Pattern[str], what: str) -> AfterValidator:
    def check(value: str) -> str:
        if value and not pattern.fullmatch(value):
            raise ValueError(f"no {what}")
        return value

    return AfterValidator(check)


Colour = Annotated[str, _like(_COLOUR, "colour: write #rrggbb")]
Fonts = Annotated[str, _like(_FONTS, "list of fonts: write their names with commas between them")]
Link = Annotated[str, _like(_LINK, "link: write http://…, https://… or mailto:…")]
PageName = Annotated[str, _one_of(PAGES, "part of a wiki")]
ThreadName = Annotated[str, _one_of(get_args(ThreadKind), "kind of thread")]
RelationName = Annotated[str, _one_of(tuple(RELATION_KINDS), "kind of relation")]


class Licence(Record):
    """A text with a link, both may be empty."""

    text: str = ""
    url: Link = ""


class Colours(Record):
    """The colours of one scheme; "" keeps the site's own."""

    paper: Colour = ""
    ink: Colour = ""
    muted: Colour = ""
    line: Colour = ""
    accent: Colour = ""
    accent_ink: Colour = ""


class Theme(Record):
    """Colours by scheme, fonts as lists of names, cover as a file beside `wiki.toml`."""

    light: Colours = Colours()
    dark: Colours = Colours()
    font_body: Fonts = ""
    font_head: Fonts = ""
    cover: str = ""


class Hide(Record):
    """What is left out: parts of a wiki, kinds of relations (those of low confidence unless said otherwise), and kinds of threads.

    Threads of these kinds are left out until they are paid.
    """

    parts: tuple[PageName, ...] = ()
    threads: tuple[ThreadName, ...] = tuple(sorted(QUIET))
    relations: tuple[RelationName, ...] = tuple(sorted(HIDDEN_BY_DEFAULT))


class WikiSettings(Record):
    """What `wiki.toml` says; "" and none mean the default."""

    title: str = ""
    subtitle: str = ""
    author: str = ""
    description: str = ""
    interface: str = ""
    credits: tuple[str, ...] = ()
    licence: Licence = Licence()
    source: Licence = Licence()
    noindex: StrictBool = False
    quotes: StrictBool = True
    proposals: Literal["hidden", "marked"] = "hidden"
    may_tell_ahead: StrictBool = False
    hide: Hide = Hide()
    theme: Theme = Theme()

    @property
    def shown(self) -> Shown:
        """What of a book is shown."""
        return Shown(
            hide=frozenset(self.hide.parts),
            relations=frozenset(self.hide.relations),
            quiet=frozenset(self.hide.threads),
            quotes=self.quotes,
        )


def load_wiki_settings(folder: Path) -> WikiSettings:
    """Return what a book's `wiki.toml` says, the defaults without one; raises ConfigError naming the key at fault."""
    file = folder / WIKI_FILE
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        return WikiSettings()
    except OSError as error:
        raise ConfigError(f"{WIKI_FILE} cannot be read: {error.strerror}", where=str(file), hint="check it") from error
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{WIKI_FILE} is not UTF-8: {error.reason}", where=str(file), hint="save it as UTF-8"
        ) from error
    try:
        found = WikiSettings.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(
            f"{WIKI_FILE} is not valid TOML: {error}", where=str(file), hint="mend the line named"
        ) from error
    except ValidationError as error:
        raise ConfigError(
            f"{WIKI_FILE} has a setting that is not allowed: {fault_of(error)}",
            where=str(file),
            hint=_known(error),
        ) from error
    known = interface_languages()
    if found.interface and found.interface not in known:
        raise ConfigError(
            f"{WIKI_FILE}: interface: {found.interface!r} is not spoken",
            where=str(file),
            hint=f"known: {', '.join(known)}",
        )
    return found


def _known(error: ValidationError) -> str:
    """Return which settings there are where the fault is: at the top, or in the table it is in."""
    where = [str(part) for part in error.errors()[0]["loc"] if not isinstance(part, int)][:-1]
    record: type[Record] = WikiSettings
    for part in where:
        inner = record.model_fields[part].annotation
        if isinstance(inner, type) and issubclass(inner, Record):
            record = inner
    table = f" in [{'.'.join(where)}]" if record is not WikiSettings else ""
    return f"known settings{table}: {', '.join(record.model_fields)}; an example: analyzer wiki BOOK --write"


def cover_of(folder: Path, settings: WikiSettings) -> tuple[str, bytes]:
    """Return name and bytes of the cover, "" and none without one; raises ConfigError for what is no picture of a book's size."""
    if not settings.theme.cover:
        return "", b""
    path = Path(settings.theme.cover)
    ending = path.suffix.lower()

    def refused(why: str, hint: str) -> ConfigError:
        return ConfigError(f"{WIKI_FILE}: theme.cover: {why}", where=str(folder / WIKI_FILE), hint=hint)

    if path.is_absolute() or ".." in path.parts or "\0" in settings.theme.cover:
        raise refused(f"{settings.theme.cover!r} is not beside {WIKI_FILE}", "put the picture into the book's folder")
    if ending not in COVERS:
        raise refused(f"{path.name!r} is no picture", f"known endings: {', '.join(COVERS)}")
    try:
        with (folder / path).open("rb") as file:
            content = file.read(MAX_COVER_BYTES + 1)
    except OSError as error:
        raise refused(f"{path.name!r} cannot be read: {error.strerror}", "check its name and permissions") from error
    if len(content) > MAX_COVER_BYTES:
        raise refused(f"{path.name!r} has more than {MAX_COVER_BYTES:,} bytes", "make the picture smaller")
    if not content.startswith(COVERS[ending]):
        raise refused(f"{path.name!r} is not what its ending says", "save it as a picture of that kind")
    return f"cover{ending}", content


def example(title: str) -> str:
    """Return a `wiki.toml` that says what can be said, everything at its default."""
    quoted = _quoted(title)
    parts = ", ".join(f'"{one}"' for one in PAGES)
    return f"""# The wiki of this book: uncomment what should differ, then run: analyzer wiki BOOK --out FOLDER
# title = {quoted}
# subtitle = ""
# author = ""
# description = "What a new reader sees before anything of the story."
# interface = "en"          # the language of buttons and headings; without it the manuscript's
# credits = ["Read by …"]
# noindex = true            # asks search engines to stay away
# quotes = false            # no words of the manuscript, only where they stand
# proposals = "marked"      # disguises you have not decided on: "hidden" or "marked"
# may_tell_ahead = true     # publish answers by rules, which rest on the whole book: early chapters may show later things

# [licence]
# text = "All rights reserved"
# url = "https://example.org/licence"

# [source]                  # where the serial is read
# text = "Read the serial"
# url = "https://example.org/"

# [hide]
# parts = []                # any of: {parts}
# relations = [{", ".join(f'"{one}"' for one in sorted(HIDDEN_BY_DEFAULT))}]  # kinds of relations left out
# threads = [{", ".join(f'"{one}"' for one in sorted(QUIET))}]  # kinds of threads left out until they are paid

# [theme]
# cover = "cover.jpg"       # a picture in this folder
# font_body = "Georgia, serif"
# font_head = "Georgia, serif"
# [theme.light]             # paper, ink, muted, line, accent, accent_ink
# accent = "#7a3b2e"
# [theme.dark]
# accent = "#e0a58f"
"""


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def as_site(value: Licence) -> dict[str, Any]:
    """Return a text with its link as the site has it."""
    return {"text": value.text or value.url, "url": value.url}
