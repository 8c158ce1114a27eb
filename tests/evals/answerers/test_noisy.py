from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from analyzer.models.question import Pack
from analyzer.text.manuscript import read_manuscript
from evals.answerers.named import answerer_named, noisy
from evals.answerers.noisy import NoisyAnswers
from evals.answerers.rates import VOTES, Rates, read_rates
from evals.goldset.cases import Case
from evals.records import ChapterResult, RunResult
from evals.runs import TRUTHFUL, Answerer, run_case, run_cases
from evals.scoring.figures import count, precision_of, recall_of
from tests.evals.goldset.tales import TALES, Tale
from tests.evals.small import tale_case, tiny_case


def outcomes(result: RunResult) -> list[Any]:
    return [(c.chapter, c.outcomes, c.b_cubed) for c in result.chapters]


@pytest.mark.parametrize("tale", TALES, ids=lambda tale: tale.language)
def test_without_errors_it_says_what_gold_says_in_every_language(tale: Tale, tmp_path: Path) -> None:
    case = tale_case(tmp_path, tale)
    true, same = run_cases([case], TRUTHFUL), run_cases([case], answerer_named("noisy:0"))
    assert outcomes(true) == outcomes(same)
    assert same.label == "simulated" and same.answers == "noisy:0"


@pytest.mark.parametrize("tale", TALES, ids=lambda tale: tale.language)
def test_who_misses_everything_says_nothing_in_any_language(tale: Tale, tmp_path: Path) -> None:
    [chapter] = run_cases([tale_case(tmp_path, tale)], answerer_named("noisy:miss=1")).chapters
    assert not [o for o in chapter.outcomes if o.side == "said"]
    assert count(chapter.outcomes, recall_of("relation"))[0] == 0


def test_equal_seeds_give_equal_runs_and_another_seed_another(tmp_path: Path) -> None:
    case = tale_case(tmp_path)
    first, again, other = (run_cases([case], answerer_named(f"noisy:0.2,seed={s}")) for s in (1, 1, 2))
    assert outcomes(first) == outcomes(again) != outcomes(other)
    assert first.asked == again.asked


class Kept(NoisyAnswers):
    """Keeps its packs."""

    packs: list[Pack]

    async def ask(self, pack: Pack, **more: Any) -> Any:
        self.packs.append(pack)
        return await super().ask(pack, **more)


def kept_run(case: Case, folder: Path, rates: Rates) -> Kept:
    asker = Kept.open(case.gold, read_manuscript(case.text(), language=case.language), rates)
    assert isinstance(asker, Kept)
    asker.packs = []
    run_case(case, Answerer("kept", "simulated", lambda _case: asker), folder)
    return asker


def test_a_question_has_the_same_fate_in_any_pack_and_order(tmp_path: Path) -> None:
    case, rates = tiny_case(tmp_path), Rates(0.3, seed=4)
    asker = kept_run(case, tmp_path / "books", rates)
    assert len({pack.step for pack in asker.packs}) > 8
    fresh = NoisyAnswers.open(case.gold, read_manuscript(case.text(), language="en"), rates)
    for pack in asker.packs:
        whole = dict(zip(pack.questions, asker.answers(pack), strict=True))
        turned = pack.model_copy(update={"questions": pack.questions[::-1]})
        assert dict(zip(turned.questions, fresh.answers(turned), strict=True)) == whole
        for question in pack.questions:
            assert fresh.answers(pack.model_copy(update={"questions": (question,)})) == (whole[question],)


def test_a_dropped_line_is_missing_and_the_others_keep_their_numbers(tmp_path: Path) -> None:
    case = tiny_case(tmp_path)
    asker = kept_run(case, tmp_path / "books", read_rates("drop_line=0.5"))
    pack = max(asker.packs, key=lambda p: len(p.questions))
    said = [answer.status != "missing" for answer in asker.answers(pack)]
    text = asyncio.run(NoisyAnswers.ask(asker, pack, max_output_tokens=9999)).text
    assert [int(line.split()[0]) for line in text.splitlines()] == [n for n, there in enumerate(said, 1) if there]
    assert any(said) and not all(said)


def figures(chapters: tuple[ChapterResult, ...]) -> tuple[float, float]:
    found = [o for c in chapters for o in c.outcomes]
    recall, precision = count(found, recall_of("relation", "kind")), count(found, precision_of("relation", "kind"))
    return recall[0] / recall[1], precision[0] / max(1, precision[1])


def test_a_model_that_repeats_its_error_confirms_what_it_claimed_wrongly(tmp_path: Path) -> None:
    """Every kind is wrong; votes that know better fell it all, votes that repeat the error let it all stand."""
    case = tiny_case(tmp_path)
    wrong = "steps=relation_kind.wrong_kind:1"
    honest = run_cases([case], answerer_named(f"noisy:{wrong}")).chapters
    stubborn = run_cases([case], answerer_named(f"noisy:{wrong},correlation=1")).chapters
    n_honest, n_stubborn = (
        sum(o.side == "said" and o.cls == "relation" for c in r for o in c.outcomes) for r in (honest, stubborn)
    )
    assert n_stubborn > n_honest
    assert figures(stubborn)[1] == 0


def test_where_every_vote_denies_only_an_unasked_one_lets_claims_stand(tmp_path: Path) -> None:
    case = tale_case(tmp_path)
    true = figures(run_cases([case], TRUTHFUL).chapters)[0]
    assert true > 0
    denying = {f"relation_{name}": 1.0 for name in ("confirm", "confirm_again", "third")}
    found = {}
    for votes in VOTES:
        rates = Rates(pairs={(step, "miss"): rate for step, rate in denying.items()}, votes=votes)
        found[votes] = figures(run_cases([case], noisy(rates)).chapters)[0]
    assert found == {"none": true, "one": 0.0, "two": 0.0, "all": 0.0}
