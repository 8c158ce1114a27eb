"""A tiny serial, an answerer that judges every question by its words alone, and runs against the simulator."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analyzer import pipeline
from analyzer.hashing import content_hash
from analyzer.llm.asker import Profile
from analyzer.llm.profiles import OPENAI
from analyzer.llm.transports.openai_chat import OpenAIChat
from analyzer.models.run import CallRecord
from analyzer.scheduler.events import Event, RunOutcome
from analyzer.steps._relations import FAMILY_WORDS
from analyzer.steps.cast_forms import KINDS
from analyzer.storage.store import Store
from tests.simulator import Clock, FaultPlan, Simulator, preset, questions_of
from tests.simulator.answerers import Seen, tail_of, texts_of

MODEL = "gpt-6-luna"
SERIAL = """\
Chapter 1

The ferry to Harrow Point left late, and Mara Quill stood at the rail beside her brother Tobin. “You wrote to him,” said Tobin.

“I wrote to Captain Orrin because nobody else would,” Mara answered. Her father had sailed under Orrin for nine years.

On the quay Orrin was waiting, and with him old Sabine Vey, who kept the light. Sabine did not trust the captain.

“Your father owed me money,” said Orrin. Mara laughed at him, and Tobin took her arm.

Chapter 2

Sabine Vey locked the lamp room. She had hidden the ledger of the Marigold there since the wreck.

“Who else knows?” asked Tobin Quill. “Only Father Ansel,” said Sabine, “and he is bound to keep it.”

Captain Orrin came up the stairs with his mate, Dorn Hasket. Dorn was the son of the harbour master.

Mara Quill loved Dorn once; now she would not look at him. “Give me the ledger,” said Orrin to Sabine.

Chapter 3

Father Ansel buried Sabine Vey on a wet morning. Mara and Tobin stood apart from Dorn Hasket.

“He killed her,” said Mara of Captain Orrin. Ansel begged her to be silent before the harbour master heard it.

Tobin had the ledger under his coat. It said that the Marigold belonged to their father, and that Orrin had sunk her.

That night Dorn came to Mara and told her everything. Orrin had left Harrow Point before the tide.
"""
"""Long enough for the prefix to be cached together with the standing instructions."""
_CAST_LINE = re.compile(r"^(@[1-9][0-9]*) (?:character|group): ([^/\n]+?)(?: /|$)", re.MULTILINE)

_HANDLE = re.compile(r"@[1-9][0-9]*")
_BLOCK = re.compile(r"^\[([1-9][0-9]*)\] ", re.MULTILINE)
_STRETCH = re.compile(r"[1-9][0-9]*\.[1-9][0-9]* to ")
STORY = ("speech", "identities", "state", "secrets", "knowledge", "threads", "card")
"""The parts that tests of how a run goes leave out: they ask nothing in another way than cast and relations do."""


def _drawn(*words: str) -> int:
    return int.from_bytes(hashlib.blake2b("|".join(words).encode(), digest_size=6).digest(), "big")


def _alike(words: str, option: str) -> str:
    """Return an option as it reads in a pack whose questions share theirs: the two of the question as X and Y."""
    for handle, end in zip(_HANDLE.findall(words)[:2], "XY", strict=False):
        option = re.sub(rf"{handle}(?![0-9])", end, option)
    return option


def _shown(words: str, handle: str, places: list[str]) -> str:
    """Return a handle with a sentence that shows it."""
    return f"{handle} {min(places, key=lambda place: _drawn(words, handle, place))}"


def _line(seen: Seen, handles: list[str], places: list[str], forgets: bool) -> str | None:
    """Return the line that a question gets wherever and in whatever order its options stand; None: it is left out."""
    words = seen.line.split(" | ")[0]
    if _drawn("none", words) % 5 == 0:
        return f"{seen.number} -"
    if forgets and _drawn("forgotten", words) % 7 == 0:
        return None
    if not seen.options and (seen.line.startswith("things: ") or _STRETCH.match(seen.line)):
        return f"{seen.number} -"  # these are people, some of them only spoken of
    if not seen.options:
        others = [h for h in handles if not words.startswith(f"{h} ")]
        picked = sorted(others, key=lambda h: _drawn(words, h))[: 2 + _drawn("n", words) % 2]
        if places:
            picked = [_shown(words, h, places) for h in picked]
        return f"{seen.number} {' '.join(picked) or '-'}"
    person = [mark for mark, text in seen.options if text == dict(KINDS)["character"]]
    mark, _ = min(seen.options, key=lambda option: _drawn(words, _alike(words, option[1])))
    if person and _drawn("person", words) % 4:
        mark = person[0]
    return f"{seen.number} {mark}{seen.evidence if ' | see ' in seen.line else ''}"


def _stands(name: str, chapter: str) -> bool:
    """Say whether a name stands in the chapter by itself, not as the beginning of a longer one."""
    return re.search(rf"(?<!\w){re.escape(name)}(?! [A-Z])(?!\w)", chapter) is not None


def judged(body: dict[str, Any], *, forgets: bool = False) -> str:
    """Answer a request; what it says to a question depends on that question alone, so that packs may be cut anyhow."""
    found = questions_of(body)
    prefix = "".join(text for _, text, marked in texts_of(body) if marked)
    chapter = prefix[prefix.find("\nCHAPTER") :]
    handles = [hit[1] for hit in _CAST_LINE.finditer(prefix) if _stands(hit[2], chapter)]
    if FAMILY_WORDS["place"] in tail_of(body):
        handles = []  # people live in places; these are people
    behind = re.search("right behind (it|each handle) the number", tail_of(body)) and "handle" in tail_of(body)
    places = [f"{number}.1" for number in _BLOCK.findall(chapter)] if behind else []
    lines = (_line(seen, handles, places, forgets and len(found) > 7) for seen in found)
    return "\n".join(line for line in lines if line)


def forgetful(body: dict[str, Any]) -> str:
    """Like `judged`, but some questions get no line in a pack of more than seven, the least a pack is halved to."""
    return judged(body, forgets=True)


def request_hash(body: dict[str, Any]) -> str:
    """Return what the store calls a request, from the body as received."""
    texts = [text for _, text, _ in texts_of(body)]
    params = {name: body[name] for name in ("reasoning_effort", "temperature") if name in body}
    return content_hash("request", [texts[:-1], texts[-1], body["model"], params])


def make_book(folder: Path, text: str = SERIAL, *, off: tuple[str, ...] = STORY) -> Path:
    """Make the tiny book, without the parts named, and return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    manuscript = folder / "tiny.txt"
    manuscript.write_text(text, "utf-8")
    return without(pipeline.init(manuscript, language="en"), off)


def without(book: Path, parts: tuple[str, ...] = STORY) -> Path:
    """Switch parts of a book off and return it."""
    with (book / "analyzer.toml").open("a", encoding="utf-8") as settings:
        settings.write(f"off = {list(parts)}\n")
    return book


def client_of(sim: Simulator, profile: Profile = OPENAI, **more: Any) -> OpenAIChat:
    """Return the real client, pointed at the simulator."""
    return OpenAIChat(MODEL, base_url=sim.base_url, profile=profile, **more)


@contextmanager
def simulated(
    answerer: Any = judged,
    faults: FaultPlan | None = None,
    clock: Clock | None = None,
    decider: Any = "first",
    **options: Any,
) -> Iterator[Simulator]:
    """Serve the OpenAI preset with dotted options written with `__` for the dot."""
    named = {name.replace("__", "."): value for name, value in options.items()}
    with Simulator(
        preset("openai", named), answerer, decider=decider, clock=clock, faults=faults or FaultPlan()
    ) as sim:
        yield sim


@dataclass
class Told:
    """What a run said, by kind."""

    events: list[Event] = field(default_factory=list)

    def of(self, kind: str) -> list[str]:
        return [event.text for event in self.events if event.kind == kind]


def analyse(
    book: Path, sim: Simulator, *, profile: Profile = OPENAI, told: Told | None = None, **wishes: Any
) -> RunOutcome:
    """Run the pipeline with the real client against the simulator."""
    listen = (told or Told()).events.append
    return pipeline.run(book, pipeline.RunRequest(asker=client_of(sim, profile), **wishes), on_event=listen)


TABLES = (
    ("answers", ("call_id", "row_hash")),
    ("facts", ()),
    ("issues", ()),
    ("handles", ()),
    ("tasks", ()),
    ("steps", ()),
    ("decisions", ()),
)
"""What two runs over the same book must agree in: all but attempts, times and bills."""


def contents(book: Path, *, without: tuple[str, ...] = ()) -> dict[str, list[tuple[object, ...]]]:
    """Return all that must not depend on how a run went; the store is sound."""
    with Store.open(book) as store:
        assert store.verify() == []
        return {
            table: store.export_rows(table, without=(*left_out, *(without if table == "answers" else ())))
            for table, left_out in TABLES
        }


def meaning(book: Path) -> dict[str, object]:
    """Return what a book says, whatever it was asked in: facts without what they rest on, issues, handles, what was picked."""
    with Store.open(book) as store:
        assert store.verify() == []
        return {
            "facts": [(f.step, f.chapter, f.fact) for f in store.facts()],
            "issues": [issue.model_copy(update={"because": ()}) for _, issue in store.issues()],
            "handles": store.handles(),
            "picked": {a.key: (a.answer.status, a.answer.picked, a.answer.sentences) for a in store.all_answers()},
        }


def calls(book: Path) -> list[CallRecord]:
    """Return the bill."""
    with Store.open(book) as store:
        return list(store.calls())


def written_twice(sim: Simulator) -> list[dict[str, Any]]:
    """Return the marked prefixes that were not written exactly once."""
    return [row for row in sim.totals()["prefixes"] if row["write"] != 1]


def flags(sim: Simulator) -> Counter[str]:
    """Return what the simulator found odd, counted."""
    return Counter(sim.totals()["flags"])
