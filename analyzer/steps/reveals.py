"""Folds what was answered about masks and names into proposed reveals; every rule at the door is here, named and counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from analyzer.bible import Bible
from analyzer.models.facts import RELATION_KINDS, Evidence, Fact, NameFact
from analyzer.models.issue import Issue, IssueCode
from analyzer.models.story import READER, MaskFact, RevealFact
from analyzer.models.text import Place
from analyzer.steps._identities import TOLD, Agreed, agreed_pairs, is_pair, masks_here, says_here
from analyzer.steps._scope import Mentions, cast_mentions, offset_of
from analyzer.steps._step import ComputeStep, Effects, Unit
from analyzer.steps._story import near, story_id
from analyzer.text.namefold import fold_name

REACH_CHARS = 1500
"""Code points within which a sentence must have a mention of those of whom it tells who they are, as relations hold it."""
NAMED_CHARS = 600
"""The same for somebody of whom a sentence tells what is meant by other words. Source: so it is for every core identity of the
gold chapters but one."""
Shut = tuple[IssueCode, str]
Pair = tuple[str, str]


def compute(unit: Unit, bible: Bible) -> Effects:
    """Return the chapter's reveals, those of two of the cast first, and an issue for whatever was noticed and fell."""
    mentions = cast_mentions(unit, bible)
    masks, masked_issues = _masks(unit, bible, mentions)
    named, named_issues = _named(unit, bible, mentions, masks)
    facts: list[tuple[Fact, tuple[str, ...]]] = [(reveal, ()) for reveal in (*masks, *named)]
    return Effects(tuple(facts), (*masked_issues, *named_issues))


def reveal_id(persona: str, behind: str, bible: Bible) -> str:
    """Return the id of a reveal: of the two alone, so that who learns it later learns the same."""
    return story_id("r", bible.cast[persona].entity.anchor, bible.cast[behind].entity.anchor)


def _masks(unit: Unit, bible: Bible, mentions: Mentions) -> tuple[list[RevealFact], list[Issue]]:
    agreed = agreed_pairs(unit, bible)
    before = _told_before(unit, bible)
    kept: list[RevealFact] = []
    issues = [
        _issue("undecided", pair, unit, "the two looks do not agree")
        for pair in dict.fromkeys((m.persona, m.behind) for m in masks_here(unit, bible) if is_pair(m))
        if pair not in {(a.persona, a.behind) for a in agreed}
    ]
    for one in agreed:
        pair = (one.persona, one.behind)
        shut = _door(one, agreed, before, unit, bible, mentions)
        if shut is not None:
            issues.append(_issue(shut[0], pair, unit, shut[1]))
            continue
        to = tuple(who for who in (READER, *_learners(pair, unit, bible)) if who not in before.get(pair, ()))
        if to:
            kept.append(
                RevealFact(
                    reveal=reveal_id(*pair, bible),
                    chapter=unit.chapter.no,
                    persona=one.persona,
                    behind=one.behind,
                    to=to,
                    evidence=one.evidence,
                    votes=one.votes,
                )
            )
    return kept, issues


def _told_before(unit: Unit, bible: Bible) -> dict[Pair, frozenset[str]]:
    """Return who was told of which pair in earlier chapters; a pair has the same sides as then."""
    found: dict[Pair, frozenset[str]] = {}
    for fact in bible.reveals:
        if fact.chapter < unit.chapter.no and fact.is_mask:
            for sides in ((fact.persona, fact.behind), (fact.behind, fact.persona)):
                found[sides] = found.get(sides, frozenset()) | frozenset(fact.to)
    return found


def _door(
    one: Agreed,
    agreed: Sequence[Agreed],
    before: dict[Pair, frozenset[str]],
    unit: Unit,
    bible: Bible,
    mentions: Mentions,
) -> Shut | None:
    """Return the rule that keeps a pair out, with its reason, or None."""
    kinds = {bible.cast[h].entity.entity_kind for h in (one.persona, one.behind)}
    if kinds != {"character"}:
        return "wrong_entity_kinds", "only people wear masks"
    if not one.evidence:
        return "no_evidence", "no words of the chapter tell it"
    if one.apart:
        return "looks_apart", "the two looks name sentences of different scenes"
    if _far(one.evidence[0], (one.persona, one.behind), unit, mentions):
        return "evidence_not_in_chapter", f"neither is mentioned within {REACH_CHARS} characters of the words cited"
    others = {a.behind for a in agreed if a.persona == one.persona} - {one.behind}
    others |= {a.persona for a in agreed if a.behind == one.persona}
    others |= {behind for persona, behind in before if persona == one.persona and behind != one.behind}
    if others and (one.persona, one.behind) not in before:
        return "mask_conflict", f"the same mask is said to hide {' '.join(sorted(others))}"
    if _kin(one.persona, one.behind, bible):
        return "mask_of_kin", "earlier chapters show the two as relatives"
    return None


def _far(evidence: Evidence, handles: Iterable[str], unit: Unit, mentions: Mentions, reach: int = REACH_CHARS) -> bool:
    if unit.chapter.sentence_text(evidence.place) != evidence.text:
        return True
    at = offset_of(unit, evidence.place)
    return not any(abs(s.offset - at) <= reach for h in handles for s in mentions.spots.get(h, ()))


def _kin(a: str, b: str, bible: Bible) -> bool:
    return any(
        {r.subject, r.object} == {a, b}
        and RELATION_KINDS[r.relation].family == "kin"
        and r.status == "current"
        and r.votes.count("for") > 1
        for r in bible.relations
    )


def _learners(pair: Pair, unit: Unit, bible: Bible) -> tuple[str, ...]:
    says = (say for say in says_here(unit, bible, "to") if (say.persona, say.behind) == pair)
    found = dict.fromkeys(handle for say in says for handle in say.handles)
    return tuple(h for h in found if h in bible.cast and h not in pair)


def _issue(code: IssueCode, about: tuple[str, ...], unit: Unit, detail: str) -> Issue:
    return Issue(code=code, step=STEP.name, chapter=unit.chapter.no, about=about, detail=detail)


def _named(
    unit: Unit, bible: Bible, mentions: Mentions, masks: Sequence[RevealFact]
) -> tuple[list[RevealFact], list[Issue]]:
    """Return who is told to be whom without another entity: in order of the sentences, each sentence of each person once."""
    says = (say for say in says_here(unit, bible, "called") if say.value == TOLD)
    told = {(say.behind, e.place) for say in says for e in say.evidence}
    noticed: dict[tuple[str, Place], list[MaskFact]] = {}
    for mask in masks_here(unit, bible):
        if not is_pair(mask) and mask.evidence and mask.cues[:1] and mask.cues[0] in WAYS:
            noticed.setdefault((mask.behind, mask.evidence[0].place), []).append(mask)
    kept: list[RevealFact] = []
    issues: list[Issue] = []
    for (handle, place), votes in sorted(noticed.items(), key=lambda row: (row[0][1], bible.arrival[row[0][0]])):
        evidence = votes[0].evidence
        ways = [v.cues[0] for v in votes if _may(v.cues[0], handle, unit, bible)]
        if (handle, place) not in told:
            issues.append(_issue("undecided", (handle, str(place)), unit, "the two looks do not agree"))
        elif _far(evidence[0], (handle,), unit, mentions, NAMED_CHARS):
            detail = f"not mentioned within {NAMED_CHARS} characters of the words cited"
            issues.append(_issue("evidence_not_in_chapter", (handle, str(place)), unit, detail))
        elif not ways:
            issues.append(
                _issue("no_new_name", (handle, str(place)), unit, "no name of this one is new in this chapter")
            )
        elif not _told_by(masks, handle, evidence, unit):
            called = _called(ways[0], handle, place, unit, bible)
            kept.append(
                RevealFact(
                    reveal=story_id("r", bible.cast[handle].entity.anchor, evidence[0].text),
                    chapter=unit.chapter.no,
                    persona=handle,
                    behind=handle,
                    called=called,
                    evidence=evidence,
                    votes=(*ways, TOLD),
                )
            )
    return kept, issues


WAYS = ("stranger", "doer", "name")
"""Ways of the first look, the likeliest first."""


def _words(handle: str, unit: Unit, bible: Bible) -> tuple[list[NameFact], list[NameFact]]:
    """Return the names and the descriptions by which somebody is new in this chapter."""
    here = [n for n in bible.cast[handle].names if n.chapter == unit.chapter.no]
    names = [n for n in here if n.name_kind != "descriptor"]
    described = sorted(
        (n for n in here if n.name_kind == "descriptor" and n.place is not None), key=lambda n: n.place or Place(1, 1)
    )
    return names, described


def _may(way: str, handle: str, unit: Unit, bible: Bible) -> bool:
    """Say whether the cast allows a way: another name needs one that is new here and no fuller or shorter form of one borne before."""
    if way != "name":
        return True
    new = [name.surface for name in _words(handle, unit, bible)[0]]
    old = [n.surface for n in bible.cast[handle].names if n.chapter < unit.chapter.no and n.name_kind != "descriptor"]
    return any(not any(_forms(one, other) for other in old) for one in new)


def _forms(one: str, other: str) -> bool:
    """Say whether one of two names holds the other."""
    first, second = fold_name(one).casefold(), fold_name(other).casefold()
    return first in second or second in first


def _called(way: str, handle: str, place: Place, unit: Unit, bible: Bible) -> str:
    """Return the words that turn out to mean somebody, "" where the text has none of its own."""
    names, described = _words(handle, unit, bible)
    entry = bible.cast[handle]
    if way == "name":
        text = unit.chapter.sentence_text(place) or ""
        return max((n.surface for n in names if n.surface in text), key=len, default=names[0].surface)
    if way == "stranger":
        return entry.entity.label if not entry.entity.named else next((n.surface for n in described), "")
    return next((n.surface for n in described if n.place == place), "")


def _told_by(masks: Sequence[RevealFact], handle: str, evidence: Sequence[Evidence], unit: Unit) -> bool:
    """Say whether a reveal of two of the cast tells the same in the same place."""
    return any(handle in (m.persona, m.behind) and near(unit, m.evidence, evidence) for m in masks)


STEP = ComputeStep(
    name="reveals",
    reads=frozenset({"entity", "name", "same", "mask", "mask_say"}),
    writes=frozenset({"reveal"}),
    compute=compute,
    part="identities",
    past=frozenset({"reveal", "relation"}),
)
