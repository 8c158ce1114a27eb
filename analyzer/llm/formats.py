"""The answer format of every step: one short line per question; written and read here, nowhere else.

    `3 b 12.3 12.4`   choice, predicate, score: the mark, then sentence handles where evidence is asked for
    `3 a c @7`        select: all marks that apply
    `3 = some words`  note
    `3 -`             none

Reading is tolerant in form (full-width characters, `Q3`, `3.`, `3)`, brackets, commas, code fences, capitals, a missing
@, words after ` - ` or `#`) and strict in substance: a mark counts only if it was offered, a sentence only if it exists.
What cannot be read is `unparsed`, never none. Refusals are known from `Reply.refused` alone, never from words.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from analyzer.llm.line_tokens import DASHES, INVISIBLE, Reading, read_marks
from analyzer.models.issue import IssueCode
from analyzer.models.question import NONE, NONE_MARK, Answer, AnswerStatus, Question
from analyzer.models.text import Chapter, Place
from analyzer.wording import counted

RAW_CHARS = 2_000
"""Longest line read and kept in `Answer.raw`; ordinary lines are under 100 characters, the rest of a runaway one is cut."""
NOTE_CHARS = 600
"""Longest note kept; notes are one or two sentences, the rest of a runaway line is cut."""
PATTERN_LINES = 8
"""Fewest lines on which a reply can be judged to copy a pattern or to be uniform."""
PATTERN_ODDS = 10_000
"""An honest reply may follow a cycle of m marks over n lines by chance once in m**(n-1); rarer than this is a pattern."""
LOOP_LINES = 8
"""Identical lines from which a reply counts as looping."""

_HEAD = re.compile(
    r"""[\s"'\[({<*_`>•|\-]*  [Qq]?\s*  (?P<number>[0-9]{1,4})  (?![0-9])
        (?: (?:["'\])}>*_`]*(?:[:)|、,]|\.(?![0-9]))["'*_`]*) | (?=[\s"'\])}>*_`@=\-]) | (?=[A-Za-z](?![A-Za-z])) | $ )""",
    re.VERBOSE,
)
_ONE_LINE = re.compile(r"""[,;|]\s*(?=["'(\[]*[Qq]?([0-9]{1,4})["')\].:=\s])""")


Found = tuple[IssueCode, str]
"""Something odd: a stable code and a detail for people."""


@dataclass(frozen=True)
class ParsedReply:
    """A reply read: `answers[i]` belongs to `questions[i]`, always one each.

    `issues` are (code, detail) in the order met. `degenerate`: the reply copies a pattern, loops or runs on, and no answer
    was taken from it. `uniform`: `PATTERN_LINES` or more lines, all with the same mark: legitimate, worth a look.
    """

    answers: tuple[Answer, ...]
    issues: tuple[Found, ...] = ()
    degenerate: bool = False
    uniform: bool = False


class _Line(NamedTuple):
    number: int
    raw: str
    body: str


class _Shown(NamedTuple):
    number: int
    mark: str
    """The first mark of the line as shown, offered or not; "" where it has none."""


class _Read(NamedTuple):
    answer: Answer
    mark: str = ""
    issues: tuple[Found, ...] = ()


def storable(text: str) -> str:
    """Return `text` with lone surrogates replaced and control characters except tab and line feed turned to spaces."""
    folded = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(_storable(ch) for ch in folded) if not folded.isprintable() else folded


def _storable(ch: str) -> str:
    if "\ud800" <= ch <= "\udfff":
        return "\ufffd"
    return " " if ch not in "\n\t" and unicodedata.category(ch) == "Cc" else ch


def write_line(number: int, question: Question, answer: Answer) -> str:
    """Return the line that says `answer` to `question`, shown as number `number` (1-based).

    Raises ValueError where the answer is neither answered nor none, or picks a key that is not offered.
    """
    if answer.status == "none":
        return f"{number} {NONE_MARK}"
    if answer.status != "answered":
        raise ValueError(f"an answer that is {answer.status!r} has no line")
    if question.type == "note":
        words = " ".join(storable(answer.text).split())
        return f"{number} = {words}" if words else f"{number} {NONE_MARK}"
    marks = [_mark_of(question, key) for key in answer.picked]
    if answer.by_pick:
        pairs = zip(marks, answer.by_pick, strict=True)
        return " ".join([str(number), *(" ".join([mark, *map(str, places)]) for mark, places in pairs)])
    return " ".join([str(number), *(marks or [NONE_MARK]), *map(str, answer.sentences)])


def _mark_of(question: Question, key: str) -> str:
    if key == NONE:
        return NONE_MARK
    option = question.option_by_key(key)
    if option is None:
        raise ValueError(f"{key!r} is not offered by {question.key.text!r}")
    return option.mark


def refused_reply(questions: Sequence[Question]) -> ParsedReply:
    """Return what stands for a reply whose `refused` flag is set: every question refused."""
    return ParsedReply(tuple(Answer(status="refused") for _ in questions), (("refused", "the whole reply"),))


def parse_reply(
    text: str,
    questions: Sequence[Question],
    chapter: Chapter | None,
    confidences: Sequence[float | None] = (),
    *,
    cut: bool = False,
) -> ParsedReply:
    """Read `text` as the answers to `questions`; never raises on any text.

    `chapter` is where sentence handles must exist; None leaves only the questions' own `sentences`. `confidences` (one
    per question, or none at all) are put into the answers that were given. The last line of a reply that was `cut` is no answer
    unless it was ended: `@1` may be the beginning of `@12`.
    """
    if not questions:
        return ParsedReply(())
    lines, shown = _lines(storable(text), len(questions))
    if not shown:
        missing = tuple(Answer(status="missing") for _ in questions)
        return ParsedReply(missing, (("empty_reply", f"no line for {counted(len(questions), 'question')}"),))
    runaway = _runaway(lines, shown, len(questions))
    if runaway:
        return _withdrawn(lines, len(questions), runaway)
    torn = lines.pop() if cut and lines and not text.endswith("\n") and lines[-1].raw == shown[-1][:RAW_CHARS] else None
    own: dict[int, list[_Line]] = {}
    for line in lines:
        own.setdefault(line.number, []).append(line)
    reads = [_answer(number, question, own.get(number, ()), chapter) for number, question in enumerate(questions, 1)]
    if torn and torn.number not in own and 1 <= torn.number <= len(reads):
        broken: Found = ("unparsed_answer", f"line {torn.number} is the last of a reply that was cut")
        reads[torn.number - 1] = _Read(Answer(status="unparsed", raw=torn.raw), issues=(broken,))
    marks = [_Shown(number, read.mark) for number, read in enumerate(reads, 1) if read.mark]
    if _counts_up(marks) or _cycle(marks):
        return _withdrawn(lines, len(questions), f"{len(marks)} lines follow a pattern")
    issues = (*(issue for read in reads for issue in read.issues), *_extra(lines, len(questions)))
    answers = tuple(read.answer for read in reads)
    if len(confidences) == len(questions):
        answers = tuple(_sure(answer, c) for answer, c in zip(answers, confidences, strict=True))
    return ParsedReply(answers, issues, uniform=_uniform(marks, len(questions)))


def _withdrawn(lines: Sequence[_Line], n_questions: int, fault: str) -> ParsedReply:
    """Return the reply that gives no answers at all; what stood in a line is kept as `raw`."""
    first = {line.number: line.raw for line in reversed(lines)}
    answers = tuple(
        Answer(status="unparsed", raw=first[number]) if number in first else Answer(status="missing")
        for number in range(1, n_questions + 1)
    )
    return ParsedReply(answers, (("degenerate_reply", fault),), degenerate=True)


def _sure(answer: Answer, confidence: float | None) -> Answer:
    if confidence is None or answer.status not in ("answered", "none") or not 0 <= confidence <= 1:
        return answer
    return answer.model_copy(update={"confidence": confidence})


def _lines(text: str, n_questions: int) -> tuple[list[_Line], list[str]]:
    """Return the numbered lines, and all lines that say anything, code fences left out."""
    stripped = (line.strip().lstrip(INVISIBLE).strip() for line in text.splitlines())
    shown = [line for line in stripped if line and not line.startswith("```")]
    if len(shown) == 1 and n_questions > 1:
        shown = _cut_one_line(shown[0])
    numbered = []
    for raw in shown:
        head = _HEAD.match(unicodedata.normalize("NFKC", raw[:40]).translate(DASHES))
        if head is not None:
            kept = raw[:RAW_CHARS]
            numbered.append(_Line(int(head["number"]), kept, _after(kept, head.end())))
    return numbered, shown


def _after(raw: str, end: int) -> str:
    """Return what follows the first `end` folded characters of `raw`, unfolded (folding may change lengths)."""
    at = taken = 0
    while at < len(raw) and taken < end:
        taken += len(unicodedata.normalize("NFKC", raw[at]))
        at += 1
    return raw[at:]


def _cut_one_line(line: str) -> list[str]:
    """Return the answers of a reply that stands on one line, `1 a, 2 b, 3 c`, where the numbers count up from 1."""
    folded = unicodedata.normalize("NFKC", line)
    head = _HEAD.match(folded)
    if head is None or int(head["number"]) != 1:
        return [line]
    cuts, want = [0], 2
    for found in _ONE_LINE.finditer(folded):
        if int(found.group(1)) == want:
            cuts.append(found.end())
            want += 1
    if len(cuts) == 1:
        return [line]
    return [folded[a:b].strip().rstrip(",;|") for a, b in zip(cuts, [*cuts[1:], len(folded)], strict=True)]


def _answer(number: int, question: Question, own: Sequence[_Line], chapter: Chapter | None) -> _Read:
    if not own:
        return _Read(Answer(status="missing"), issues=(("missing_line", f"line {number}"),))
    reads = [_read(number, question, line, chapter) for line in own]
    if len(reads) == 1:
        return reads[0]
    said = {read.answer.model_copy(update={"raw": ""}) for read in reads}
    if len(said) == 1:
        return reads[0]
    raw = " / ".join(line.raw for line in own)[:RAW_CHARS]
    detail = f"line {number} came {counted(len(own), 'time')} and differs"
    return _Read(Answer(status="unparsed", raw=raw), reads[0].mark, (("duplicate_line", detail),))


def _read(number: int, question: Question, line: _Line, chapter: Chapter | None) -> _Read:
    if question.type == "note":
        return _read_note(number, line)
    reading = read_marks(line.body, question.options)
    sentences, lost, issues = _evidence(number, question, reading, chapter)
    for token in reading.unknown:
        code: IssueCode = "unknown_handle" if token.lstrip("@").isdigit() else "unknown_mark"
        issues.append((code, f"line {number}: {token[:40]!r} was not offered"))
    status, picked = _picks(question, reading)
    bound = question.max_picks if question.type == "select" else 1
    if len(picked) > bound:
        issues.append(("too_many_picks", f"line {number}: {counted(len(picked), 'pick')}, {bound} allowed"))
        status, picked = ("answered", picked[:bound]) if question.type == "select" else ("unparsed", ())
    if status == "unparsed":
        issues.append(("unparsed_answer", f"line {number}: {line.raw[:80]!r}"))
    answer = Answer(
        status=status,
        picked=picked,
        sentences=sentences if status == "answered" else (),
        by_pick=_by_pick(picked, reading, sentences) if status == "answered" else (),
        raw=line.raw,
        dropped=(*reading.unknown, *reading.prose, *lost),
    )
    return _Read(answer, reading.first, tuple(issues))


def _read_note(number: int, line: _Line) -> _Read:
    words = " ".join(line.body.split())
    if words[:1] in ("=", "＝"):
        words = words[1:].strip()
    if not words:
        issue: Found = ("unparsed_answer", f"line {number}: no words")
        return _Read(Answer(status="unparsed", raw=line.raw), issues=(issue,))
    if not words.translate(DASHES).replace("－", "-").strip("- "):
        return _Read(Answer(status="none", raw=line.raw))
    return _Read(Answer(status="answered", raw=line.raw, text=words[:NOTE_CHARS]))


def _picks(question: Question, reading: Reading) -> tuple[AnswerStatus, tuple[str, ...]]:
    """Return the status and the distinct keys picked; none together with a pick is unparsed."""
    picked = tuple(dict.fromkeys(option.key for option in reading.options))
    none = reading.none or NONE in picked
    real = tuple(key for key in picked if key != NONE)
    if reading.unclear or none == bool(real):
        return "unparsed", ()
    return ("none", ()) if none else ("answered", real)


def _by_pick(picked: Sequence[str], reading: Reading, kept: Sequence[Place]) -> tuple[tuple[Place, ...], ...]:
    """Return the sentences right behind each pick; () where all stand behind the last one and so are meant for all."""
    if len(picked) < 2 or all(n == len(reading.options) for n in reading.behind):
        return ()
    named: dict[str, list[Place]] = {key: [] for key in picked}
    for place, n_before in zip(reading.places, reading.behind, strict=True):
        key = reading.options[max(n_before, 1) - 1].key
        if place in kept and key in named and place not in named[key]:
            named[key].append(place)
    return tuple(tuple(places) for places in named.values())


def _evidence(
    number: int, question: Question, reading: Reading, chapter: Chapter | None
) -> tuple[tuple[Place, ...], list[str], list[Found]]:
    """Return the sentences that count, the handles dropped, and an issue for each that names nothing allowed."""
    if question.evidence == "no":
        return (), [str(place) for place in reading.places], []
    kept: list[Place] = []
    lost: list[str] = []
    issues: list[Found] = []
    for place in dict.fromkeys(reading.places):
        closed = question.closed_evidence or chapter is None
        if (closed and place not in question.sentences) or (chapter and chapter.sentence_text(place) is None):
            lost.append(str(place))
            issues.append(("evidence_not_in_chapter", f"line {number}: sentence {place} is not offered"))
        else:
            kept.append(place)
    return tuple(kept), lost, issues


def _extra(lines: Sequence[_Line], n_questions: int) -> list[Found]:
    outside = [line for line in lines if not 1 <= line.number <= n_questions]
    return [("extra_line", f"line {line.number}: asked: {counted(n_questions, 'question')}") for line in outside]


def _runaway(lines: Sequence[_Line], shown: Sequence[str], n_questions: int) -> str:
    """Say how the reply loops or runs on, or ""."""
    text, count = Counter(shown).most_common(1)[0]
    if count >= LOOP_LINES:
        return f"the line {text[:40]!r} came {counted(count, 'time')}"
    if len(lines) > 2 * n_questions + PATTERN_LINES:
        return f"{counted(len(lines), 'line')} for {counted(n_questions, 'question')}"
    return ""


def _counts_up(marks: Sequence[_Shown]) -> bool:
    """Say whether most lines give the handle with the line's own number: `1 @1`, `2 @2`."""
    same = sum(shown.mark == f"@{shown.number}" for shown in marks)
    return same >= PATTERN_LINES and 4 * same >= 3 * len(marks)


def _cycle(marks: Sequence[_Shown]) -> bool:
    """Say whether most lines step through the first letters in order, longer than chance would have it."""
    letters = [ord(s.mark.lower()) - ord("a") if len(s.mark) == 1 and s.mark.isalpha() else -1 for s in marks]
    if sum(letter >= 0 for letter in letters) < PATTERN_LINES:
        return False
    return any(_cycles(letters, m) for m in range(2, 27))


def _cycles(letters: Sequence[int], m: int) -> bool:
    """Say whether most lines step through the first `m` letters (-1: no letter), longer than chance would have it."""
    longest = run = 1
    for before, after in pairwise(letters):
        run = run + 1 if 0 <= before < m and after == (before + 1) % m else 1
        longest = max(longest, run)
    return longest >= PATTERN_LINES and 4 * longest >= 3 * len(letters) and m ** (longest - 1) >= PATTERN_ODDS


def _uniform(marks: Sequence[_Shown], n_questions: int) -> bool:
    found = {shown.mark for shown in marks}
    return len(marks) == n_questions >= PATTERN_LINES and len(found) == 1 and found != {NONE_MARK}
