"""What an error makes of a true answer. Every fate is drawn from (seed, question, kind of error), never from an order.

A choice errs as a whole. A select errs pick by pick: each true pick may be missed or exchanged, and one that is not true may be
added. A confirmation says something when it says that a claim stands (or stands turned round), and none when it denies it;
so does a doubt about anything else (`DENIALS`). Where a select asks for the sentences of each pick (what a chapter tells of
somebody, kind by kind), every sentence behind a pick is an item: it may be missed, stand behind another pick, or be another
sentence. A note may be left out, or be the words of something else in the chapter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from analyzer.hashing import content_hash
from analyzer.models.facts import RELATION_KINDS
from analyzer.models.question import NONE, Answer, Question
from analyzer.models.text import Place
from evals.answerers.rates import ErrorKind, Rates

CONFIRM, KIND = "relation.confirm", "relation.kind"
DENY = "deny"
DENIALS: Mapping[str, tuple[str, ...]] = {
    "state.nature": ("not",),
    "state.doubt": ("not",),
    "secret.doubt": ("open", "private"),
    "knowledge.stance": ("nothing",),
    "knowledge.way": ("nothing",),
    "knowledge.settle": ("nothing",),
    "mask.same": ("apart", "different"),
    "mask.called_again": ("usual",),
    "relation.turn_again": ("same",),
}
"""By what is asked, the options of a doubt that say there is nothing of the kind, the plainest first: as good as none."""
_DIGITS = 13
"""Hexadecimal digits of a hash that make a share: 52 bits, all a float holds."""


_OF_THE_LINE = frozenset({"drop_line", "wrong_evidence"})
"""Errors of writing, not of judgement: no vote repeats them because another made them."""


def share(*parts: object) -> float:
    """Return a share in [0, 1) that hangs on the parts alone."""
    digits = content_hash("fate", [str(p) for p in parts]).rpartition(":")[2][:_DIGITS]
    return float(int(digits, 16) / float(16**_DIGITS))


@dataclass(frozen=True)
class Fate:
    """What befalls one question: its draws hang on its key, those of judgement on `claim` where it repeats an earlier error."""

    rates: Rates
    step: str
    question: str
    claim: str = ""

    def errs(self, kind: ErrorKind, pick: str = "") -> bool:
        """Say whether this kind of error is made here (at this pick of a select)."""
        rate = self.rates.of(self.step, kind)
        about = self.question if kind in _OF_THE_LINE else self.claim or self.question
        return rate > 0 and share(self.rates.seed, about, kind, pick) < rate

    def choose(self, kind: ErrorKind, options: Iterable[str], pick: str = "") -> str | None:
        """Return one of the options, the same in whatever order they come; None of none."""
        ranked = ((share(self.rates.seed, self.question, kind, pick, option), option) for option in options)
        return min(ranked, default=(0.0, None))[1]


def erring(question: Question, truth: Answer, fate: Fate, places: Sequence[Place], notes: Sequence[str] = ()) -> Answer:
    """Return what is answered instead of the truth; status missing where the line is dropped.

    `places` are the sentences of the chapter; a wrong one is another of them. `notes` are words said of other things in it.
    """
    if fate.errs("drop_line"):
        return Answer(status="missing")
    if question.type == "note":
        return _note(truth, fate, notes)
    if question.key.ask == CONFIRM:
        return _with_places(_vote(question, truth, fate), fate, places)
    if question.type == "select" and question.evidence == "must" and question.key.ask != KIND:
        return _items(question, truth, fate, places)
    if question.type == "select":
        return _with_places(_picks(question, truth, fate, places), fate, places)
    return _with_places(_choice(question, truth, fate, places), fate, places)


def _note(truth: Answer, fate: Fate, notes: Sequence[str]) -> Answer:
    """Return a note that is left out, or says what is true of something else."""
    has_words = truth.status == "answered"
    if has_words and fate.errs("miss"):
        return Answer(status="none")
    if fate.errs("wrong_kind" if has_words else "invent"):
        other = fate.choose("wrong_kind", (words for words in notes if words != truth.text))
        if other is not None:
            return Answer(status="answered", text=other)
    return truth


def _items(question: Question, truth: Answer, fate: Fate, places: Sequence[Place]) -> Answer:
    """Return the picks of a select with their sentences, each sentence behind each pick with a fate of its own."""
    found: dict[str, dict[Place, None]] = {}
    for pick in truth.picked:
        for place in truth.sentences_of(pick) or (None,):
            name = f"{pick} {place}"
            if fate.errs("miss", name):
                continue
            others = _others(question, truth.picked) or _others(question, (pick,))
            other = fate.choose("wrong_kind", others, name) if fate.errs("wrong_kind", name) else None
            errs = place is not None and fate.errs("wrong_evidence", name)
            wrong = _place(fate, "wrong_evidence", places, truth.sentences, name) if place and errs else ()
            found.setdefault(other or pick, {}).update(dict.fromkeys(wrong or ((place,) if place else ())))
    extra = fate.choose("invent", _others(question, truth.picked)) if fate.errs("invent") else None
    if extra is not None:
        found.setdefault(extra, {}).update(dict.fromkeys(_sentences(question, fate, places)))
    if not found:
        return Answer(status="none")
    kept = {key: tuple(own)[: question.max_sentences] for key, own in list(found.items())[: question.max_picks]}
    together = tuple(dict.fromkeys(place for own in kept.values() for place in own))
    by_pick = tuple(kept.values()) if len(kept) > 1 and together else ()
    return Answer(status="answered", picked=tuple(kept), sentences=together, by_pick=by_pick)


def _denials(question: Question) -> tuple[str, ...]:
    """Return the options offered that say there is nothing of the kind."""
    return tuple(key for key in DENIALS.get(question.key.ask, ()) if question.option_by_key(key) is not None)


def _choice(question: Question, truth: Answer, fate: Fate, places: Sequence[Place]) -> Answer:
    denials = _denials(question)
    if truth.status != "answered" or truth.pick in denials:
        return _invented(question, truth, fate, places)
    if fate.errs("miss"):
        return Answer(status="answered", picked=denials[:1]) if denials else Answer(status="none")
    if fate.errs("wrong_kind"):
        other = fate.choose("wrong_kind", _others(question, (*truth.picked, *_itself(question))))
        if other is not None:
            return truth.model_copy(update={"picked": (other,)})
    return truth


def _vote(question: Question, truth: Answer, fate: Fate) -> Answer:
    offered = {option.key for option in question.options}
    if truth.pick in (DENY, NONE):
        found = fate.choose("invent", offered - {DENY, NONE}) if fate.errs("invent") else None
        sentences = question.sentences[:1] if found else ()
        return Answer(status="answered", picked=(found,), sentences=sentences) if found else truth
    if fate.errs("miss") and DENY in offered:
        return Answer(status="answered", picked=(DENY,))
    if fate.errs("wrong_kind") and "nearest" in offered:
        return truth.model_copy(update={"picked": ("nearest",)})
    turned = "for" if truth.pick == "reverse" else "reverse"
    if fate.errs("wrong_direction") and turned in offered:
        return truth.model_copy(update={"picked": (turned,)})
    return truth


def _picks(question: Question, truth: Answer, fate: Fate, places: Sequence[Place]) -> Answer:
    kept: dict[str, tuple[Place, ...]] = {}
    for pick in truth.picked:
        said = _pick(question, truth, pick, fate)
        if said is not None and said not in kept:
            kept[said] = truth.sentences_of(pick)
    may_add = question.evidence == "no" or truth.status != "answered"  # beside a true kind another is "wrong kind"
    if may_add:
        extra = fate.choose("invent", _others(question, truth.picked)) if fate.errs("invent") else None
        if extra is not None and extra not in kept:
            kept[extra] = _sentences(question, fate, places)
    if not kept:
        return Answer(status="none")
    picked = tuple(kept)[: question.max_picks]
    by_pick = tuple(kept[key] for key in picked)
    sentences = tuple(dict.fromkeys(place for own in by_pick for place in own))
    several = len(picked) > 1 and bool(sentences)
    return Answer(status="answered", picked=picked, sentences=sentences, by_pick=by_pick if several else ())


def _pick(question: Question, truth: Answer, pick: str, fate: Fate) -> str | None:
    """Return what becomes of one true pick: itself, another, or None."""
    if fate.errs("miss", pick):
        return None
    if fate.errs("wrong_kind", pick):
        return fate.choose("wrong_kind", _same_way(question, truth.picked, pick), pick) or pick
    turned = _turned(pick)
    if fate.errs("wrong_direction", pick) and turned and question.option_by_key(turned):
        return turned
    return pick


def _turned(pick: str) -> str:
    """Return the pick `kind:ab` with its ends swapped, "" where it has no direction."""
    kind, _, order = pick.partition(":")
    rule = RELATION_KINDS.get(kind)
    if rule is None or rule.symmetric or order not in ("ab", "ba"):
        return ""
    return f"{kind}:{'ba' if order == 'ab' else 'ab'}"


def _others(question: Question, but: Sequence[str]) -> list[str]:
    return [o.key for o in question.options if o.key not in but and o.key != NONE]


def _same_way(question: Question, true: Sequence[str], pick: str) -> list[str]:
    """Return options that are another kind than any true one; of a relation's kinds those of the same direction, if any."""
    kinds = {key.partition(":")[0] for key in true} if _turned(pick) or ":" in pick else set(true)
    others = [o for o in _others(question, true) if o not in kinds and o.partition(":")[0] not in kinds]
    alike = [o for o in others if o.endswith(pick[-3:])] if ":" in pick else []
    return alike or others


def _itself(question: Question) -> list[str]:
    """Return the options by which a form is nobody but itself: they say none."""
    return [f"form:{name}" for ref in question.key.about for name in ref.names]


def _invented(question: Question, truth: Answer, fate: Fate, places: Sequence[Place]) -> Answer:
    but = (*_itself(question), *_denials(question))
    found = fate.choose("invent", _others(question, but)) if fate.errs("invent") else None
    if found is None:
        return truth
    return Answer(status="answered", picked=(found,), sentences=_sentences(question, fate, places))


def _sentences(question: Question, fate: Fate, places: Sequence[Place]) -> tuple[Place, ...]:
    """Return a sentence for what was invented: one that was offered, else any."""
    if question.evidence == "no":
        return ()
    if question.sentences:
        return question.sentences[:1]
    return _place(fate, "invent", places, ())


def _place(
    fate: Fate, kind: ErrorKind, places: Sequence[Place], but: Sequence[Place], name: str = ""
) -> tuple[Place, ...]:
    named = {str(place): place for place in places if place not in but}
    found = fate.choose(kind, named, name)
    return (named[found],) if found is not None else ()


def _with_places(answer: Answer, fate: Fate, places: Sequence[Place]) -> Answer:
    """Return the answer with another sentence that exists, where that error is made."""
    if not answer.sentences or not fate.errs("wrong_evidence"):
        return answer
    wrong = _place(fate, "wrong_evidence", places, answer.sentences)
    if not wrong:
        return answer
    by_pick = tuple(wrong for _ in answer.by_pick)
    return answer.model_copy(update={"sentences": wrong, "by_pick": by_pick})
