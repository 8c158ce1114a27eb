"""The bible in words, as lines of Markdown: what there is to tell of one of the cast, a chapter, a thread, the secrets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from analyzer.export.columns import BookView, Table, Value
from analyzer.export.formats._markup import inline, quoted

Record = Mapping[str, Value]
Link = Callable[[str, Value, str], str]
"""From (`cast`, `chapters` or `threads`; its key; the words to show) to Markdown."""
QUOTES_SHOWN = 3
"""Quotations under one relation, thread or secret; the tables have all."""


@dataclass(frozen=True)
class Pages:
    """Renders the tables of a book; `link` makes the links between pages."""

    book: BookView
    tables: Mapping[str, Table]
    link: Link

    @cached_property
    def _grouped(self) -> dict[tuple[str, str], dict[Value, list[Record]]]:
        return {}

    def rows(self, table: str, column: str, value: Value) -> list[Record]:
        """Return the rows of a table that have a value in a column, in order."""
        known = self._grouped.get((table, column))
        if known is None:
            known = self._grouped[table, column] = {}
            for row in self.tables[table].records():
                known.setdefault(row[column], []).append(row)
        return known.get(value, [])

    def who(self, handle: Value, name: Value) -> str:
        """Return somebody by name, linked where they have a page."""
        return self.link("cast", handle, str(name)) if handle else inline(str(name))

    def chapter_link(self, no: Value) -> str:
        """Return a chapter by number, linked."""
        return self.link("chapters", no, f"chapter {no}")

    def heading_of(self, row: Record) -> str:
        """Return how a chapter is headed."""
        title = str(row["title"] or "")
        label = str(row["label"] or "")
        named = title if title not in ("", label) else label if label not in ("", str(row["chapter"])) else ""
        return f"Chapter {row['chapter']}" + (f": {named}" if named else "")

    def entity(self, row: Record) -> list[str]:
        """Return the page of one of the cast."""
        handle = row["entity"]
        names = [inline(str(n["name"])) for n in self.rows("names", "entity", handle) if n["name"] != row["name"]]
        what = f"{str(row['kind']).capitalize()}, since {self.chapter_link(row['since'])}."
        lines = [what + (" Says I." if row["is_narrator"] else "")]
        lines += ["", f"Also called: {'; '.join(names)}."] if names else []
        return [
            *lines,
            *_section("Relations", self._relations(handle)),
            *_section("Looks", self._changes("looks", handle)),
            *_section("State", self._changes("changes", handle)),
            *_section("Who it is", self._reveals(handle)),
            *_section("Knows", [self._knowledge(r) for r in self.rows("knowledge", "knower", handle)]),
            *_section("Secrets", self._secrets_of(handle)),
            *_section("Threads", self._threads_of(handle)),
            *_section("Chapters", [self._presence(r) for r in self.rows("presence", "entity", handle)]),
        ]

    def _relations(self, handle: Value) -> list[str]:
        lines = []
        for row in self.rows("relations", "subject", handle):
            lines += self._relation(row, row["kind"], self.who(row["object"], row["object_name"]))
        for row in self.rows("relations", "object", handle):
            lines += self._relation(row, row["inverse"], self.who(row["subject"], row["subject_name"]))
        return lines

    def _relation(self, row: Record, kind: Value, other: str) -> list[str]:
        told = [str(row["status"])] if row["status"] != "current" else []
        told += ["secret"] if row["visibility"] == "secret" else []
        told += [f"affinity {row['affinity']}"] if row["affinity"] != "0" else []
        told += [f"since {self.chapter_link(row['since'])}"]
        told += [f"until {self.chapter_link(row['until'])}"] if row["until"] is not None else []
        return [
            f"- {_words(kind)} {other} ({', '.join(told)})",
            *self._quotes("relation_words", "relation", row["relation"]),
        ]

    def _changes(self, table: str, handle: Value) -> list[str]:
        return [self._change(row) for row in self.rows(table, "entity", handle)]

    def _change(self, row: Record) -> str:
        value = self.who(row["value_of"], row["value_of_name"]) if row["value_of"] else inline(str(row["value"]))
        op = {"set": "", "add": "also ", "remove": "no longer ", "end": "no longer "}[str(row["op"])]
        how = "" if row["modality"] == "asserted" else f", {row['modality']}"
        now = "" if row["holds"] or row["modality"] != "asserted" else ", no more as of now"
        return f"- {_words(row['attribute'])}: {op}{value} ({self.chapter_link(row['chapter'])}{how}{now})"

    def _reveals(self, handle: Value) -> list[str]:
        rows = {str(r["id"]): r for end in ("persona", "behind") for r in self.rows("reveals", end, handle)}
        return [self._reveal(row) for row in rows.values()]

    def _reveal(self, row: Record) -> str:
        persona = self.who(row["persona"], row["persona_name"])
        if row["called"]:
            persona = inline(str(row["called"]))
        behind = self.who(row["behind"], row["behind_name"])
        return f"- {persona} is {behind} ({row['status']}, {self.chapter_link(row['chapter'])})"

    def _knowledge(self, row: Record) -> str:
        via = f", {row['via']}" if row["via"] else ""
        by = f" by {self.who(row['told_by'], row['told_by_name'])}" if row["told_by_name"] else ""
        told = f"({row['stance']}{via}{by}, {self.chapter_link(row['chapter'])})"
        return f"- {inline(str(row['proposition']))} {told}"

    def _secrets_of(self, handle: Value) -> list[str]:
        lines = []
        for row in self.rows("secret_people", "entity", handle):
            [secret] = self.rows("secrets", "secret", row["secret"])
            part = "holds" if row["role"] == "holder" else "does not know"
            lines.append(f"- {part}: {inline(str(secret['proposition']))} ({secret['status']})")
        return lines

    def _threads_of(self, handle: Value) -> list[str]:
        found = (self.rows("threads", "thread", row["thread"]) for row in self.rows("thread_people", "entity", handle))
        return [self.thread_line(row) for rows in found for row in rows]

    def thread_line(self, row: Record) -> str:
        """Return a thread as an item of a list."""
        link = self.link("threads", row["thread"], str(row["statement"]))
        return f"- {link} ({row['kind']}, {row['status']}, since {self.chapter_link(row['chapter'])})"

    def _presence(self, row: Record) -> str:
        return f"- {self.chapter_link(row['chapter'])}: {_words(row['presence'])}"

    def _quotes(self, table: str, column: str, key: Value, *, indent: str = "  ") -> list[str]:
        lines: list[str] = []
        for row in self.rows(table, column, key)[:QUOTES_SHOWN]:
            lines += [*([""] if not indent else [f"{indent}"]), *self._quote(row, indent)]
        return [line.rstrip() for line in lines]

    def _quote(self, row: Record, indent: str) -> list[str]:
        return quoted(str(row["text"]), f"{self.chapter_link(row['chapter'])}, {row['place']}", indent=indent)

    def chapter(self, row: Record) -> list[str]:
        """Return the page of a chapter."""
        no = row["chapter"]
        lines = [] if row["was_read"] else ["This chapter has not been read."]
        for card in self.rows("cards", "chapter", no):
            lines += [inline(str(card["summary"])), ""] + (
                [f"When: {inline(str(card['time']))}."] if card["time"] else []
            )
            eyes = (
                self.who(card["eyes"], card["eyes_name"]) if card["eyes_name"] else inline(str(card["point_of_view"]))
            )
            lines += ["", f"Told by the eyes of {eyes}."] if eyes else []
        people = [
            f"- {self.who(r['entity'], self._name(r['entity']))}: {_words(r['presence'])}"
            for r in self.rows("presence", "chapter", no)
        ]
        return [
            *lines,
            *_section("Who is there", people),
            *_section("What changes", self._happens(no)),
            *_section("Threads", self._thread_events(no)),
        ]

    def _name(self, handle: Value) -> str:
        return str(self.rows("cast", "entity", handle)[0]["name"])

    def _happens(self, no: Value) -> list[str]:
        lines = [self._reveal(row) for row in self.rows("reveals", "chapter", no)]
        for row in self.rows("turns", "chapter", no):
            [tie] = self.rows("relations", "relation", row["relation"])
            ends = (self.who(tie[end], tie[f"{end}_name"]) for end in ("subject", "object"))
            kind = _words(tie["kind"])
            lines.append(f"- {f' {kind} '.join(ends)}: {row['turn']}")
        for table in ("changes", "looks"):
            for row in self.rows(table, "chapter", no):
                lines.append(f"- {self.who(row['entity'], row['entity_name'])}, {self._change(row)[2:]}")
        for row in self.rows("secret_events", "chapter", no):
            [secret] = self.rows("secrets", "secret", row["secret"])
            lines.append(f"- secret {row['event']}: {inline(str(secret['proposition']))}")
        for row in self.rows("knowledge", "chapter", no):
            lines.append(f"- {self.who(row['knower'], row['knower_name'])}: {self._knowledge(row)[2:]}")
        return lines

    def _thread_events(self, no: Value) -> list[str]:
        lines = []
        for row in self.rows("thread_events", "chapter", no):
            [thread] = self.rows("threads", "thread", row["thread"])
            lines.append(f"- {_words(row['event'])}: {self.link('threads', row['thread'], str(thread['statement']))}")
        return lines

    def thread(self, row: Record) -> list[str]:
        """Return the page of a thread."""
        about = [self.who(r["entity"], r["entity_name"]) for r in self.rows("thread_people", "thread", row["thread"])]
        events = [
            f"- {self.chapter_link(r['chapter'])}: {_words(r['event'])}"
            for r in self.rows("thread_events", "thread", row["thread"])
        ]
        return [
            f"A thread of kind {row['kind']}: {row['status']}, {row['health']}; {row['silent']} chapters without an event.",
            *(["", f"About {', '.join(about)}."] if about else []),
            *_section("Events", events),
            *_section("Words", self._quotes("thread_words", "thread", row["thread"], indent="")),
        ]

    def secret(self, row: Record) -> list[str]:
        """Return a secret as an item of a list, with what belongs to it."""
        lines = [f"- {inline(str(row['proposition']))} ({row['status']}, since {self.chapter_link(row['chapter'])})"]
        for role, told in (("holder", "known to"), ("kept_from", "kept from")):
            people = self.rows("secret_people", "secret", row["secret"])
            some = [self.who(r["entity"], r["entity_name"]) for r in people if r["role"] == role]
            lines += [f"  - {told} {', '.join(some)}"] if some else []
        for event in self.rows("secret_events", "secret", row["secret"]):
            lines.append(f"  - {event['event']} in {self.chapter_link(event['chapter'])}")
        return [*lines, *self._quotes("secret_words", "secret", row["secret"])]


def joined(lines: Iterable[str]) -> bytes:
    """Return a file of lines: one blank line at most between two others, none at the end."""
    kept: list[str] = []
    for line in lines:
        if line or (kept and kept[-1]):
            kept.append(line)
    return ("\n".join(kept).rstrip("\n") + "\n").encode("utf-8")


def _section(title: str, lines: Iterable[str]) -> list[str]:
    """Return a section with its heading, nothing where it is empty."""
    found = list(lines)
    return ["", f"## {title}", "", *found] if found else []


def _words(kind: Value) -> str:
    """Return a word of a closed list as people read it."""
    return inline(str(kind).replace("_", " "))
