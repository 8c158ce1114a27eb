from __future__ import annotations

from collections import Counter

import pytest

from analyzer.models.question import Answer, Option, Question, QuestionKey, Ref
from analyzer.models.text import Place
from evals.answerers.errors import Fate, erring, share
from evals.answerers.rates import ErrorKind, Rates

PLACES = tuple(Place(block, 1) for block in range(1, 30))
N = 2000
NONE = Answer(status="none")
NAMES = ("Oda", "민서", "林小雨", "葵")


def choice(n: int, *keys: str, ask: str = "cast.kind", step: str = "cast_forms") -> Question:
    options = tuple(Option(mark=chr(97 + i), key=key, text=key) for i, key in enumerate(keys))
    key = QuestionKey(step=step, ask=ask, chapter=1, about=(Ref(names=(f"{NAMES[n % 4]} {n}",)),))
    return Question(key=key, type="choice", text="?", options=options, evidence="may", sentences=PLACES[:2])


def select(n: int, *keys: str, evidence: str = "must", most: int = 3) -> Question:
    plain = choice(n, *keys, ask="relation.kind", step="relation_kind")
    return plain.model_copy(update={"type": "select", "max_picks": most, "evidence": evidence})


def vote(n: int, *keys: str) -> Question:
    return choice(n, *keys, ask="relation.confirm", step="relation_confirm")


def said(question: Question, truth: Answer, rates: Rates, claim: str = "") -> Answer:
    return erring(question, truth, Fate(rates, question.key.step, question.key.text, claim), PLACES)


def pick(*keys: str, places: tuple[Place, ...] = ()) -> Answer:
    return Answer(status="answered", picked=keys, sentences=places)


CASES: tuple[tuple[ErrorKind, str, Answer, Answer | None], ...] = (
    ("miss", "choice", pick("group"), NONE),
    ("invent", "choice", NONE, None),
    ("wrong_kind", "choice", pick("group"), None),
    ("drop_line", "choice", pick("group"), Answer(status="missing")),
    ("miss", "vote", pick("for"), pick("deny")),
    ("invent", "vote", pick("deny"), None),
    ("wrong_kind", "vote", pick("for"), pick("nearest")),
    ("wrong_direction", "vote", pick("for"), pick("reverse")),
    ("wrong_direction", "vote", pick("reverse"), pick("for")),
    ("miss", "select", pick("employs:ab", places=PLACES[:1]), NONE),
    ("wrong_direction", "select", pick("employs:ab", places=PLACES[:1]), pick("employs:ba", places=PLACES[:1])),
    ("wrong_kind", "select", pick("employs:ab", places=PLACES[:1]), pick("serves:ab", places=PLACES[:1])),
    ("invent", "select", NONE, None),
    ("wrong_evidence", "select", pick("employs:ab", places=PLACES[:1]), None),
)
OFFERED = {
    "choice": ("character", "group", "place"),
    "vote": ("for", "reverse", "nearest", "deny"),
    "select": ("employs:ab", "employs:ba", "serves:ab"),
}


@pytest.mark.parametrize(("kind", "what", "truth", "wrong"), CASES)
def test_a_kind_of_error_is_made_at_its_rate_and_nothing_else_happens(
    kind: ErrorKind, what: str, truth: Answer, wrong: Answer | None
) -> None:
    make = {"choice": choice, "vote": vote, "select": select}[what]
    answers = [said(make(n, *OFFERED[what]), truth, Rates(kinds={kind: 0.1}, seed=5)) for n in range(N)]
    changed = [answer for answer in answers if answer != truth]
    assert 0.08 * N < len(changed) < 0.12 * N  # three standard deviations
    if wrong is not None:
        assert set(changed) == {wrong}
    all_wrong = [said(make(n, *OFFERED[what]), truth, Rates(kinds={kind: 1})) for n in range(50)]
    assert truth not in all_wrong


def test_no_error_leaves_the_truth_and_a_rate_of_another_step_does_too() -> None:
    truth = pick("group")
    for rates in (Rates(), Rates(steps={"relation_kind": 1.0}), Rates(pairs={("cast_forms", "invent"): 1.0})):
        assert all(said(choice(n, *OFFERED["choice"]), truth, rates) == truth for n in range(200))


def test_what_was_invented_or_exchanged_is_offered_and_spread_over_the_options() -> None:
    keys = ("character", "group", "place", "text")
    invented = Counter(said(choice(n, *keys), NONE, Rates(kinds={"invent": 1})).pick for n in range(400))
    assert set(invented) == set(keys) and min(invented.values()) > 60
    changed = Counter(said(choice(n, *keys), pick("group"), Rates(kinds={"wrong_kind": 1})).pick for n in range(400))
    assert set(changed) == set(keys) - {"group"}


def test_a_fate_hangs_on_no_order_of_options() -> None:
    keys = ("character", "group", "place", "text", "lore")
    for n in range(100):
        one, other = choice(n, *keys), choice(n, *keys[::-1])
        for truth in (NONE, pick("group")):
            assert said(one, truth, Rates(0.4, seed=n)) == said(other, truth, Rates(0.4, seed=n))


def test_another_seed_is_another_fate() -> None:
    fates = [[share(seed, "q", n) < 0.5 for n in range(64)] for seed in range(8)]
    assert len({tuple(fate) for fate in fates}) == 8


def test_a_kind_with_nothing_else_to_say_stays_true() -> None:
    assert said(choice(1, "group"), pick("group"), Rates(kinds={"wrong_kind": 1})) == pick("group")
    assert said(vote(1, "for", "deny"), pick("for"), Rates(kinds={"wrong_kind": 1, "wrong_direction": 1})) == pick(
        "for"
    )
    symmetric = pick("friend_of:ab", places=PLACES[:1])
    turned = said(select(1, "friend_of:ab", "ally_of:ab"), symmetric, Rates(kinds={"wrong_direction": 1}))
    assert turned == symmetric


def test_a_select_errs_pick_by_pick_and_may_add_one_within_its_bound() -> None:
    keys = tuple(f"@{n}" for n in range(1, 9))
    truth = pick("@1", "@2", "@3")
    question = [select(n, *keys, evidence="no", most=4) for n in range(N)]
    missed = [said(q, truth, Rates(kinds={"miss": 0.2})) for q in question]
    lost = sum(3 - len(answer.picked) for answer in missed)
    assert 0.17 * 3 * N < lost < 0.23 * 3 * N
    assert len({answer.picked for answer in missed}) == 8  # every subset: picks fall one by one
    added = [said(q, truth, Rates(kinds={"invent": 1})) for q in question[:50]]
    assert all(answer.picked[:3] == truth.picked and len(answer.picked) == 4 for answer in added)


def test_wrong_evidence_is_another_sentence_that_exists() -> None:
    truth = pick("employs:ab", places=(Place(3, 1),))
    for n in range(50):
        [place] = said(select(n, "employs:ab"), truth, Rates(kinds={"wrong_evidence": 1})).sentences
        assert place in PLACES and place != Place(3, 1)


def test_votes_err_apart_from_each_other_unless_they_share_a_claim() -> None:
    rates = Rates(kinds={"miss": 0.3})

    def pair(n: int, claim: str) -> tuple[bool, bool]:
        first, second = vote(n, "for", "deny"), vote(n + N, "for", "deny")
        return said(first, pick("for"), rates, claim) == pick("deny"), said(second, pick("for"), rates, claim) == pick(
            "deny"
        )

    apart = [pair(n, "") for n in range(N)]
    both = sum(a and b for a, b in apart)
    assert 0.06 * N < both < 0.12 * N  # 0.3 times 0.3
    shared = [pair(n, f"claim {n}") for n in range(N)]
    assert all(a == b for a, b in shared) and 0.27 * N < sum(a for a, _ in shared) < 0.33 * N
