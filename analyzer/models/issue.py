"""Issues: odd data as a value. Stored, counted, shown; codes are stable."""

from __future__ import annotations

from typing import Literal

from analyzer.models.base import Record

IssueCode = Literal[
    "unparsed_answer",
    "missing_line",
    "extra_line",
    "duplicate_line",
    "refused",
    "degenerate_reply",
    "empty_reply",
    "unknown_handle",
    "unknown_mark",
    "no_evidence",
    "evidence_not_in_chapter",
    "name_not_in_text",
    "self_relation",
    "wrong_entity_kinds",
    "both_directions",
    "parent_cycle",
    "duplicate_relation",
    "contradictory_kinds",
    "example_only",
    "denied_twice",
    "undecided",
    "unanswered",
    "near_tie",
    "ambiguous_name",
    "conflicting_merge",
    "too_many_picks",
    "odd_length",
    "state_denied",
    "state_already_so",
    "state_contradicts",
    "state_no_value",
    "looks_apart",
    "mask_conflict",
    "mask_of_kin",
    "no_new_name",
    "turn_of_nothing",
    "turn_impossible",
    "turn_already_so",
    "contradictory_turns",
    "not_kept",
    "no_holder",
    "no_words",
    "known_already",
    "kept_from_holder",
    "nobody_told",
    "far_from_knower",
    "learns_it_here",
    "no_statement",
    "duplicate_thread",
    "thread_not_there",
]


class Issue(Record):
    """One odd thing: `code` is stable, `about` names handles or a surface form, `because` lists answer ids it rests on."""

    code: IssueCode
    step: str
    chapter: int
    about: tuple[str, ...] = ()
    detail: str = ""
    because: tuple[str, ...] = ()
