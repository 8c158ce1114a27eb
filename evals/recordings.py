"""Recorded answers: made once from a finished book, given again by question, never invented.

`evals/recordings/NAME/` holds `recording.toml` (who answered, when, which case and chapters, what the prompts were) and
`answers.jsonl`, an answer a line: the question's key, whether it was the other wording, hashes of the question as shown and
of its options, the option keys picked, sentences, status. No text of the manuscript: keys hold names, which are facts, and
nothing longer; notes are the answerer's own words.

Keys say people's names instead of their handles wherever that names one question, so that a recording outlives a cast that
is numbered anew. What a question gets:

    answered      the same key, shown in the same words
    stale         the same key and options under other words (question, prompt, standing instructions): answered by key and
                  counted apart; of handles of the cast it is enough that all that was picked are still offered
    unrecorded    no such key, or other options: no line, so that it counts as missing
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date as day
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, Field

from analyzer import pipeline
from analyzer.errors import InputError
from analyzer.hashing import bytes_sha256, content_hash
from analyzer.llm.asker import Profile
from analyzer.llm.formats import write_line
from analyzer.llm.meter import Meter
from analyzer.llm.usage import count_tokens
from analyzer.models.base import Record
from analyzer.models.question import NONE, Answer, Option, Pack, Question, Ref
from analyzer.models.rows import AnswerRow
from analyzer.models.run import AnsweredBy, Reply
from analyzer.models.text import Place
from analyzer.steps._registry import load_steps
from analyzer.storage.store import Store
from analyzer.wording import counted
from evals.files import json_of, read_text, record_of, toml_of, write_whole
from evals.goldset.cases import Case
from evals.records import Asked, ChapterResult, Label, Number, RunResult
from evals.runs import instructions_of, wording_of

RECORDINGS = Path(__file__).parent / "recordings"
ABOUT, ANSWERS = "recording.toml", "answers.jsonl"
LONGEST_NAME = 40
"""Code points of the text that may stand in one piece in a key. Source: the longest name or description in public gold has 33."""
_HANDLE = re.compile(r"@[1-9][0-9]*")
_NAMED_HANDLE = re.compile(r"(?<=[\[ ])@[1-9][0-9]*=")
_PIECES = re.compile(r"[\[\]|=@]| \+ | at [0-9]")
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,79}\Z")
ASKED = ("cast", "relation", "speech", "mask", "state", "secret", "knowledge", "thread", "card")
"""Begin what is asked (`QuestionKey.ask`)."""
_KEY = re.compile(rf"(?:{'|'.join(ASKED)})\.[a-z_]+(?::[^\[]*)? \[.*\] ch(?P<chapter>[1-9][0-9]{{0,5}})\Z", re.DOTALL)
"""A question's key, see `QuestionKey.text`."""
LARGEST = 64 * 1024 * 1024
"""Bytes of one file of a recording; that of a chapter has a hundred thousand."""
_ONE = "recorded answer"


def _date(text: str) -> str:
    try:
        return day.fromisoformat(text).isoformat()
    except ValueError:
        raise ValueError("a date like 2031-05-07 was expected") from None


class About(Record):
    """What a recording is: `who` answered, in plain words; `prompts` are the hashes of the instructions each step had."""

    label: Label
    who: str = Field(min_length=1, max_length=400)
    case: str
    chapters: tuple[Number, ...]
    date: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), AfterValidator(_date)]
    model: str
    prompts: dict[str, str] = Field(default_factory=dict)


class Kept(Record):
    """One recorded answer. `options` is a hash over the steady keys offered, `picked` are such keys."""

    key: str
    again: bool = False
    wording: str
    options: str
    status: Literal["answered", "none"]
    picked: tuple[str, ...] = ()
    sentences: tuple[Place, ...] = ()
    by_pick: tuple[tuple[Place, ...], ...] = ()
    text: str = ""


class Recording(NamedTuple):
    """A recording as read."""

    name: str
    about: About
    answers: tuple[Kept, ...]

    def case_of(self, cases: Iterable[Case]) -> Case:
        """Return the case it was made of; raises InputError where that is not among `cases`."""
        for case in cases:
            if case.name == self.about.case:
                return case
        raise InputError(f"recording {self.name} is of {self.about.case!r}, which is not among the cases asked for")


def steady_key(question: Question) -> str:
    """Return a question's key with names instead of handles; somebody without a name keeps the handle."""
    return _NAMED_HANDLE.sub("", question.key.text)


def steady_options(question: Question) -> dict[str, str]:
    """Return option key -> the key with the name of whom it means instead of the handle, where that is one option's alone."""
    steady = {option.key: _steady(option) for option in question.options if option.key != NONE}
    n = Counter(steady.values())
    return {key: found if n[found] == 1 else key for key, found in steady.items()}


def _steady(option: Option) -> str:
    name = _name(option.ref)
    return _HANDLE.sub(lambda _found: f"@{name}", option.key) if name else option.key


def _name(ref: Ref | None) -> str:
    return ref.names[0] if ref is not None and ref.names else ""


def options_hash(question: Question) -> str:
    """Return a hash over the steady keys of the options shown with a question, whatever their order and marks."""
    texts = {option.key: option.text for option in question.options}
    return _short(content_hash("options", sorted(v for key, v in steady_options(question).items() if texts[key])))


def _short(found: str) -> str:
    return found.rpartition(":")[2][:16]


def kept_of(rows: Sequence[AnswerRow]) -> tuple[Kept, ...]:
    """Return what is kept of a book's answers, a question and wording once, in the order of their keys."""
    by_raw = {(row.key, row.wording): row for row in rows}
    questions: dict[str, set[str]] = {}
    for row in by_raw.values():
        questions.setdefault(steady_key(row.question), set()).add(row.key)
    found = []
    for row in by_raw.values():
        steady, options = steady_key(row.question), steady_options(row.question)
        found.append(
            Kept(
                key=steady if len(questions[steady]) == 1 else row.key,
                again=row.wording > 0,
                wording=_short(wording_of(row.question)),
                options=options_hash(row.question),
                status="answered" if row.answer.status == "answered" else "none",
                picked=tuple(options[key] for key in row.answer.picked if key in options),
                sentences=row.answer.sentences,
                by_pick=row.answer.by_pick,
                text=row.answer.text,
            )
        )
    return tuple(sorted(found, key=lambda kept: (kept.key, kept.again)))


def record(book: Path, case: Case, *, name: str, label: Label, who: str, date: str) -> Recording:
    """Return the recording of a book that was run for a case.

    Raises InputError: the book is of another text, a chapter of gold has open questions, a key holds more than names.
    """
    if not _SLUG.match(name):
        raise InputError(f"{name!r} is no name for a recording: lower-case letters, digits and hyphens")
    text = case.text().read_bytes()
    manuscript = pipeline.manuscript_of(book)
    if manuscript.sha256 != bytes_sha256(text):
        raise InputError(f"{book} is not a book of {case.name}: its manuscript is another text", where=str(book))
    with Store.open(book) as store:
        rows, calls = store.all_answers(), {call.call_id: call.started_at for call in store.calls()}
        left = [issue.detail for _, issue in store.issues() if issue.code in ("unanswered", "refused")]
        tasks = {(task.step, task.chapter) for task in store.tasks()}
    steps = {step for step, _ in tasks} | {LAST_STEP}
    chapters = tuple(number for number in case.numbers if all((step, number) in tasks for step in steps))
    if not chapters:
        raise InputError(f"{book} has no finished chapter of {case.name}", hint="answer what is open and run again")
    if left and label == "by hand":
        raise InputError(f"{counted(len(left), 'question')} without an answer, the first: {left[0]}", where=str(book))
    rows = sorted((row for row in rows if row.chapter in chapters), key=lambda row: calls.get(row.call_id, 0.0))
    answers = kept_of(rows)
    if case.public:
        check_printed(answers, text.decode("utf-8-sig"))
    said = {
        "label": label,
        "who": who,
        "case": case.name,
        "chapters": chapters,
        "date": date,
        "model": rows[-1].model if rows else "",
        "prompts": {step: _short(instructions_of(step)) for step in sorted({row.step for row in rows})},
    }
    about = record_of(About, said, name, what="recording", hint="see --who and --date")
    return Recording(name, about, answers)


LAST_STEP = "relations"
"""The step without which no chapter is whole; those of the parts that were asked belong to it too."""


def check_printed(answers: Iterable[Kept], text: str) -> None:
    """Raise InputError where a key or a pick holds more of somebody else's text in one piece than a name has."""
    for kept in answers:
        for piece in (p.strip() for words in (kept.key, *kept.picked, kept.text) for p in _PIECES.split(words)):
            if len(piece) > LONGEST_NAME and piece in text:
                raise InputError(f"a recorded key holds {len(piece)} characters of the text: {piece[:20]!r}…")


def write_recording(recording: Recording, root: Path = RECORDINGS) -> Path:
    """Write a recording below `root` and return its folder; raises InputError where there is another of its name."""
    folder = root / recording.name
    if folder.exists():
        raise InputError(f"{folder} is there already", hint="give another --name, or remove the old one")
    fields = recording.about.model_dump(mode="json")
    prompts: Mapping[str, str] = fields.pop("prompts")
    lines = [f"{name} = {_toml(value)}" for name, value in fields.items()]
    lines += ["", "[prompts]", *(f"{step} = {_toml(found)}" for step, found in prompts.items())]
    rows = (json.dumps(_row(kept), ensure_ascii=False) for kept in recording.answers)
    write_whole(folder / ANSWERS, "".join(f"{row}\n" for row in rows))
    write_whole(folder / ABOUT, "\n".join(lines) + "\n")
    return folder


def _toml(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _row(kept: Kept) -> dict[str, object]:
    row = kept.model_dump(mode="json", exclude_defaults=True)
    for name in ("sentences", "by_pick"):
        if name in row:
            places = getattr(kept, name)
            row[name] = [str(p) for p in places] if name == "sentences" else [[str(p) for p in one] for one in places]
    return row


def load_recording(name: str, root: Path = RECORDINGS) -> Recording:
    """Read a recording below `root`; raises InputError naming the file, the line and the fault.

    A key twice, one that no step asks and one of a chapter that the recording is not of are faults: such an answer would never be
    given, or hide another.
    """
    folder = root / name if _SLUG.match(name) else None
    if folder is None or not folder.is_dir():
        raise InputError(
            f"there is no recording {name[:80]!r}", hint="recordings: " + (", ".join(recordings(root)) or "none yet")
        )
    place = str(folder / ABOUT)
    said = toml_of(read_text(folder / ABOUT, most=LARGEST, what="recording"), place, what="recording")
    about = record_of(About, said, place, what="recording")
    lines = read_text(folder / ANSWERS, most=LARGEST, what="recording").split("\n")
    answers: dict[tuple[str, bool], Kept] = {}
    for at, line in enumerate(lines, 1):
        if line.strip():
            kept = _read(line, f"{folder / ANSWERS}, line {at}", about)
            if answers.setdefault((kept.key, kept.again), kept) is not kept:
                raise InputError(f"{folder / ANSWERS}, line {at}: {kept.key[:80]!r} was answered above already")
    return Recording(name, about, tuple(answers.values()))


def _read(line: str, place: str, about: About) -> Kept:
    row = json_of(line, place, what=_ONE)
    try:
        row["sentences"] = [_place(p) for p in row.get("sentences", ())]
        row["by_pick"] = [[_place(p) for p in one] for one in row.get("by_pick", ())]
    except (ValueError, TypeError, AttributeError) as error:
        raise InputError(f"{place} is no {_ONE}: {error}", where=place) from error
    kept = record_of(Kept, row, place, what=_ONE)
    key = _KEY.match(kept.key)
    if key is None:
        raise InputError(f"{place} is no {_ONE}: no step asks {kept.key[:80]!r}", where=place)
    if int(key["chapter"]) not in about.chapters:
        of = ", ".join(map(str, about.chapters))
        raise InputError(f"{place} is of chapter {key['chapter']}, the recording is of {of}", where=place)
    return kept


def _place(text: str) -> Place:
    block, dot, sentence = str(text).partition(".")
    if not dot or not (block.isdecimal() and sentence.isdecimal() and len(text) < LONGEST_NAME):
        raise ValueError(
            f"{str(text)[:LONGEST_NAME]!r} names no sentence: a block and a sentence like 12.3 were expected"
        )
    return Place(int(block), int(sentence))


def recordings(root: Path = RECORDINGS) -> tuple[str, ...]:
    """Return the names of all recordings, in order."""
    return tuple(sorted(path.parent.name for path in root.glob(f"*/{ABOUT}")))


State = Literal["answered", "stale", "unrecorded"]


def unrecorded_parts(recording: Recording) -> tuple[str, ...]:
    """Return the parts of which a recording has no step: they are left out when it is replayed, and so are their items."""
    steps = load_steps()
    there = {step.part for step in steps if step.name in recording.about.prompts} | {"cast"}
    return tuple(dict.fromkeys(step.part for step in steps if step.part not in there))


class Recorded:
    """A transport that answers from a recording. `asked` says of every question what it got; `strict_wording` takes no stale one."""

    answered_by: AnsweredBy = "replay"

    def __init__(self, recording: Recording, *, strict_wording: bool = False) -> None:
        self.model = "replay"
        self.profile = Profile(name="replay", release="at_once", min_prefix_tokens=0, priced=False, concurrency=8)
        self.params: dict[str, object] = {}
        self.states: dict[tuple[str, int], tuple[State, Question]] = {}
        self._name = recording.name
        self._kept = {(kept.key, kept.again): kept for kept in recording.answers}
        self._strict = strict_wording
        self._meter = Meter()

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Return a line for every question that has a recorded answer, with the usage a model would have had."""
        lines = []
        for number, question in enumerate(pack.questions, 1):
            state, answer = self._answer(question, again=pack.wording > 0)
            self.states.setdefault((question.key.text, pack.wording), (state, question))
            if answer is not None:
                lines.append(write_line(number, question, answer))
        text = "\n".join(lines)
        if on_first_event is not None:
            on_first_event()
        return Reply(text=text, usage=self._meter.usage(pack, text), model=self.model, answered_by="replay")

    def _answer(self, question: Question, *, again: bool) -> tuple[State, Answer | None]:
        kept = self._kept.get((steady_key(question), again)) or self._kept.get((question.key.text, again))
        if kept is None:
            return "unrecorded", None
        by_steady = {steady: key for key, steady in steady_options(question).items()}
        offered = all(picked in by_steady for picked in kept.picked)
        same = kept.options == options_hash(question)
        never = [picked for picked in kept.picked if picked not in by_steady and "@" not in picked]
        if same and never:
            raise InputError(
                f"recording {self._name}: the answer to {kept.key!r:.120} picks {never[0]!r:.60}, which was never offered",
                where=ANSWERS,
                hint="record it anew from the book: python -m evals record",
            )
        state: State = "answered" if kept.wording == _short(wording_of(question)) else "stale"
        if not offered or not same or (self._strict and state == "stale"):
            return "unrecorded", None
        picked = tuple(by_steady[key] for key in kept.picked)
        return state, Answer(
            status=kept.status, picked=picked, sentences=kept.sentences, by_pick=kept.by_pick, text=kept.text
        )

    async def close(self) -> None:
        """Hold nothing."""


def with_open_questions(found: RunResult, asker: Recorded, chapters: Sequence[int]) -> RunResult:
    """Return the result of a replay with what its recording lacked: counted in `trouble`, and named among the questions asked."""
    states: dict[str, tuple[State, Question]] = {}
    for (key, _wording), (state, question) in sorted(asker.states.items(), key=lambda item: item[0]):
        if key not in states or state == "unrecorded":
            states[key] = (state, question)
    case = found.chapters[0].case if found.chapters else ""
    stale = {key for key, (state, _) in states.items() if state == "stale"}
    open_ = {key: question for key, (state, question) in states.items() if state == "unrecorded"}
    asked = [a.model_copy(update={"status": "stale"}) if a.key in stale else a for a in found.asked]
    asked = [a for a in asked if a.key not in open_] + [_open(case, question) for question in open_.values()]
    rows = [_counted(row, states) for row in found.chapters if row.chapter in chapters]
    return found.model_copy(update={"chapters": tuple(rows), "asked": tuple(asked)})


def _open(case: str, question: Question) -> Asked:
    shown = "\n".join([question.text, *(f"{o.mark} {o.text}" for o in question.options)])
    return Asked(
        case=case,
        chapter=question.key.chapter,
        step=question.key.step,
        key=question.key.text,
        wording=wording_of(question),
        n_options=len([o for o in question.options if o.key != NONE]),
        status="unrecorded",
        tokens=(count_tokens(shown), 0),
    )


def _counted(row: ChapterResult, states: Mapping[str, tuple[State, Question]]) -> ChapterResult:
    n = Counter(state for state, question in states.values() if question.key.chapter == row.chapter)
    left = row.trouble.get("missing", 0) - n["unrecorded"]
    trouble = {name: count for name, count in row.trouble.items() if name != "missing"}
    trouble |= {"missing": left} if left > 0 else {}
    trouble |= {name: n[name] for name in ("stale", "unrecorded") if n[name]}
    return row.model_copy(update={"trouble": dict(sorted(trouble.items()))})
