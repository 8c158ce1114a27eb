"""The decisions transport: the real SDK against the simulator, hostile replies through the same reading as any other."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import ConfigError, PermanentModelError, TransientModelError
from analyzer.llm.asker import asker_of
from analyzer.llm.certainty import certainty, judged, read_certainty
from analyzer.llm.connect import answering_names, check_spec, connect
from analyzer.llm.decisions import Hunt, Verdict, advanced, asked_of, first_round, predicates_for, verdicts_in
from analyzer.llm.formats import parse_reply
from analyzer.llm.prices import price_of
from analyzer.llm.profiles import DECISIONS, DECISIONS_CHOICES, DECISIONS_COMPATIBLE
from analyzer.llm.transports.decisions import Decisions
from analyzer.llm.usage import worst_usage
from analyzer.models.question import NONE, Answer, Option, Pack, Part, Question, QuestionKey
from analyzer.models.run import Reply
from analyzer.models.text import Place
from analyzer.prompts import render_questions
from tests.simulator import Fault, FaultPlan, Simulator, preset

BLOCKS = 40
TEXT = "CHAPTER\n" + "\n".join(f"[{no}] The gate was shut. (2) Nobody came." for no in range(1, BLOCKS + 1)) + "\n\n"
OPTIONS = tuple(Option(mark=mark, key=key, text=f"he is {key}") for mark, key in (("a", "calm"), ("b", "cross")))


def question(n: int, type_: Any = "choice", **more: Any) -> Question:
    key = QuestionKey(step="step", ask="mood", chapter=1, about=(), detail=str(n))
    given = {"options": OPTIONS, **more}
    return Question(key=key, type=type_, text=f"man number {n}", **given)


def pack_of(*questions: Question) -> Pack:
    parts = (
        Part(name="system", text="Read. " * 900),
        Part(name="cast", text="Nobody.\n"),
        Part(name="chapter", text=TEXT),
    )
    tail = f"TASK: the mood.\n\nQUESTIONS\n{render_questions(questions)}\n\nANSWERS"
    return Pack(step="step", chapter=1, parts=parts, tail=tail, questions=questions)


def leaning(said: Mapping[str, Any], default: Any) -> Any:
    """Answer by the name of a question, else alike."""
    return lambda body: [said.get(q["name"], default(q)) for q in body["questions"]]


def first_or_yes(asked: Mapping[str, Any]) -> Any:
    return asked["choices"][0]["value"] if asked["type"] == "choice" else 0.9


@contextmanager
def served(decider: Any = "first", faults: FaultPlan | None = None, profile: str = "decisions") -> Iterator[Any]:
    with Simulator(preset("openai"), decider=decider, faults=faults or FaultPlan()) as sim:
        yield sim, connect("decisions:gpt-6-luna", base_url=sim.base_url, profile=profile)


async def answers_to(asker: Any, pack: Pack, **more: Any) -> tuple[Reply, tuple[Answer, ...]]:
    reply = await asker.ask(pack, max_output_tokens=64)
    await asker.close()
    parsed = parse_reply(reply.text, pack.questions, None, reply.confidences)
    return reply, judged(parsed, pack.questions, reply, **more).answers


async def test_prefix_parts_end_in_breakpoints_and_the_task_stands_once_without_the_questions() -> None:
    pack = pack_of(question(1), question(2))
    with served() as (_, asker):
        body = asker.request(pack, first_round(pack.questions, {0, 1}))
        await asker.close()
    system, user = body["input"]
    assert [part["text"] for part in (*system["content"], *user["content"])][:3] == [part.text for part in pack.parts]
    assert all("prompt_cache_breakpoint" in part for part in (*system["content"], *user["content"][:-1]))
    task = user["content"][-1]
    assert "prompt_cache_breakpoint" not in task
    assert task["text"].count("TASK: the mood.") == 1 and "man number" not in task["text"]
    assert "Options for every question: a he is calm; b he is cross" in task["text"]
    values = [[choice["value"] for choice in one["choices"]] for one in body["questions"]]
    assert values == [["a", "b", "-"]] * 2 and body["prompt_cache_options"] == {"mode": "explicit"}
    assert not set(body) - {"model", "input", "questions", "prompt_cache_options"}


async def test_choices_selects_and_their_sentences_come_back_as_ordinary_answers_with_probabilities() -> None:
    shown = (Place(7, 2), Place(40, 1))
    select = question(2, "select", max_picks=2, evidence="must", sentences=shown)
    said = {
        "q1": {"a": 0.2, "b": 0.7, "-": 0.1},
        "q2": {"a": 0.5, "b": 0.45, "-": 0.05},
        "q2_1": 0.9,
        "q2_2": 0.8,
    }

    def decide(body: dict[str, Any]) -> list[Any]:
        def evidence(asked: Mapping[str, Any]) -> Any:
            values = [choice["value"] for choice in asked["choices"]]
            wanted = {"q2_1_e": ("7-8", "7.2"), "q2_2_e": ("39-40", "40.1")}[asked["name"]]
            return next(value for value in values if value in wanted)

        return [said[q["name"]] if q["name"] in said else evidence(q) for q in body["questions"]]

    with served(decide) as (sim, asker):
        reply, (choice, picked) = await answers_to(asker, pack_of(question(1), select))
        rows = sim.rows()
    assert reply.text == "1 b\n2 a 7.2 b 40.1" and reply.model == "decisions:gpt-6-luna"
    assert (choice.pick, choice.confidence) == ("cross", 0.7)
    assert dict(choice.probabilities) == {"calm": 0.2, "cross": 0.7, NONE: 0.1}
    assert (picked.picked, picked.by_pick) == (("calm", "cross"), ((Place(7, 2),), (Place(40, 1),)))
    assert (picked.confidence, dict(picked.probabilities)) == (0.8, {"calm": 0.9, "cross": 0.8})
    assert len(rows) == 4, "what is picked, the options of the select, stretches, sentences"
    assert reply.usage.total_input == sum(row.prompt_tokens for row in rows)
    assert rows[0].write and all(row.read and not row.write for row in rows[1:])


async def test_a_select_of_which_nothing_applies_takes_one_decision() -> None:
    with served(leaning({}, lambda q: "-")) as (sim, asker):
        _, (answer,) = await answers_to(asker, pack_of(question(1, "select", max_picks=2, evidence="must")))
        assert len(sim.rows()) == 1
    assert answer.status == "none" and answer.confidence == pytest.approx(0.9)


def test_notes_and_what_the_endpoint_cannot_take_go_to_the_chat_beside_it() -> None:
    people = tuple(Option(mark=f"@{n}", key=f"@{n}") for n in range(1, 31))
    asker = connect("decisions:some", base_url="http://127.0.0.1:9/v1")
    assert isinstance(asker, Decisions) and asker.profile == DECISIONS_COMPATIBLE
    assert asker_of(asker, question(1)) is asker
    assert asker_of(asker, question(1, options=people)) is asker.beside, "26 choices at most"
    assert asker_of(asker, question(1, "note", options=())) is asker.beside
    openai = Decisions(asker.beside, DECISIONS)
    assert openai.takes(question(1, "select", options=people))
    assert not Decisions(asker.beside, DECISIONS_CHOICES).takes(question(1, "select", options=people))


@pytest.mark.parametrize(
    ("kind", "statuses"),
    [
        ("wrong_order", ("answered", "answered")),
        ("nameless", ("answered", "answered")),
        ("duplicated", ("answered", "answered")),
        ("one_refused", ("refused", "answered")),
        ("refusal", ("refused", "refused")),
        ("half", ("answered", "missing")),
        ("empty", ("missing", "missing")),
        ("strangers", ("unparsed", "unparsed")),
        ("not_one", ("answered", "answered")),
        ("nan", ("answered", "answered")),
    ],
)
async def test_a_hostile_reply_never_turns_into_none_or_another_answer(kind: str, statuses: tuple[str, ...]) -> None:
    decide = leaning({"q1": "a", "q2": "b"}, first_or_yes)
    with served(decide, FaultPlan(by_index={0: Fault(kind)})) as (_, asker):
        _, answers = await answers_to(asker, pack_of(question(1), question(2)))
    assert tuple(answer.status for answer in answers) == statuses
    wanted = (("calm",), ("cross",))
    assert all(a.picked == w for a, w in zip(answers, wanted, strict=True) if a.status == "answered")
    if kind in ("not_one", "nan"):
        assert all(answer.confidence is None and not answer.probabilities for answer in answers)


@pytest.mark.parametrize("kind", ["nan", "not_one", "strangers"])
async def test_a_predicate_that_cannot_be_read_leaves_its_question_unparsed(kind: str) -> None:
    with served(leaning({}, first_or_yes), FaultPlan(by_index={1: Fault(kind)})) as (_, asker):
        _, answers = await answers_to(asker, pack_of(question(1, "select", max_picks=2), question(2)))
    assert [answer.status for answer in answers] == ["unparsed", "answered"]


@pytest.mark.parametrize("kind", ["null", "not_json", "half_json", "truncated", "server_error", "rate_limit"])
async def test_a_first_request_that_fails_is_transient(kind: str) -> None:
    with served(faults=FaultPlan(by_index={0: Fault(kind)})) as (_, asker):
        with pytest.raises(TransientModelError):
            await asker.ask(pack_of(question(1)), max_output_tokens=64)
        await asker.close()


@pytest.mark.parametrize(("kind", "n_billed"), [("rate_limit", 1), ("quota", 1), ("reset_mid", 2)])
async def test_a_later_request_that_fails_loses_nothing_that_was_paid_for(kind: str, n_billed: int) -> None:
    pack = pack_of(question(1), question(2, evidence="must"))
    with served("first", FaultPlan(by_index={1: Fault(kind)})) as (sim, asker):
        reply, (kept, lost) = await answers_to(asker, pack)
        billed = [row for row in sim.rows() if row.billed]
    assert (kept.status, lost.status, len(billed)) == ("answered", "missing", n_billed)
    assert reply.usage.total_input >= sum(row.prompt_tokens for row in billed), "never less than the provider bills"
    assert "broke_off" in reply.finish


async def test_a_bad_key_is_permanent_and_never_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANALYZER_BASE_URL_KEY", "sk-very-secret-key")
    with Simulator(preset("openai", {"keys": ["another"]})) as sim:
        asker = connect("decisions:gpt-6-luna", base_url=sim.base_url)
        with pytest.raises(PermanentModelError) as raised:
            await asker.ask(pack_of(question(1)), max_output_tokens=64)
        await asker.close()
    assert "very-secret" not in str(raised.value)


async def test_a_server_of_ones_own_is_asked_within_its_bounds_without_fields_of_openai() -> None:
    questions = tuple(question(n, "select", max_picks=2) for n in range(150))
    with Simulator(preset("vllm"), decider="first") as sim:
        asker = connect("decisions:any", base_url=sim.base_url)
        body = asker.request(pack_of(*questions), [])  # type: ignore[attr-defined]
        _, answers = await answers_to(asker, pack_of(*questions))
        assert [row.status for row in sim.rows()] == [200] * 3, "150 choices, then 300 predicates in two requests"
    assert set(body) == {"model", "input", "questions"}
    assert all(answer.picked == ("calm", "cross") for answer in answers)


@pytest.mark.parametrize(
    ("said", "status", "picked"),
    [
        ({"q1": {"a": 0.45, "b": 0.46, "-": 0.09}}, "abstained", ()),
        ({"q1": {"a": 0.1, "b": 0.45, "-": 0.45}}, "abstained", ()),
        ({"q1": {"a": 0.3, "b": 0.6, "-": 0.1}}, "answered", ("cross",)),
    ],
)
async def test_a_choice_near_a_tie_is_abstained_from(
    said: dict[str, Any], status: str, picked: tuple[str, ...]
) -> None:
    with served(leaning(said, first_or_yes)) as (_, asker):
        _, (answer,) = await answers_to(asker, pack_of(question(1)), margin=0.02)
    assert (answer.status, answer.picked) == (status, picked)
    assert answer.probabilities and answer.raw, "what was said is kept"


async def test_a_select_leaves_out_what_is_near_even_and_abstains_where_nothing_else_is_picked() -> None:
    said = {"q1_1": 0.504, "q1_2": 0.9, "q2_1": 0.496, "q2_2": 0.1, "q3_1": 0.1, "q3_2": 0.1}
    pack = pack_of(*(question(n, "select", max_picks=2) for n in (1, 2, 3)))
    with served(leaning(said, first_or_yes)) as (_, asker):
        _, answers = await answers_to(asker, pack, margin=0.02)
    assert [(answer.status, answer.picked) for answer in answers] == [
        ("answered", ("cross",)), ("abstained", ()), ("none", ())
    ]  # fmt: skip


def test_the_rules_in_force_spare_nothing_and_every_rule_needs_a_source() -> None:
    assert certainty().spares == () and 0 < certainty().margin < 0.1
    row = {"step": "b", "after": "a", "model": "m", "at_least": 0.9, "source": "", "date": "2026-11-30"}
    with pytest.raises(Exception, match="cannot be spared"):
        read_certainty({"tie": {"margin": 0.02}, "spare": [row]})
    with pytest.raises(Exception, match="margin"):
        read_certainty({"tie": {"margin": 1.5}})


@settings(max_examples=60)
@given(st.data())
def test_any_answers_give_a_verdict_for_every_question_asked(data: st.DataObject) -> None:
    junk = st.recursive(
        st.none() | st.booleans() | st.floats() | st.sampled_from(["a", "-", "q1", "choice", "predicate", "refusal"]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["name", "type", "choice", "probability", "probabilities", "value"]), inner, max_size=5
            )
        ),
        max_leaves=12,
    )
    questions = [question(1), question(2, "select", max_picks=2)]
    asked = [*first_round(questions), *predicates_for(1, questions[1], Verdict("read", "calm"))]
    found = verdicts_in(data.draw(st.lists(junk, max_size=6)), asked)
    assert set(found) == {one.name for one in asked}
    for one in asked:
        verdict = found[one.name]
        assert verdict.state != "read" or verdict.pick in (*one.meanings, one.key, "")
        assert all(0 <= p <= 1 for p in verdict.spread.values())


@settings(max_examples=60)
@given(st.lists(st.integers(1, 12), min_size=1, max_size=90), st.data())
def test_every_hunt_ends_at_the_sentences_it_is_led_to(sizes: list[int], data: st.DataObject) -> None:
    places = tuple(Place(no, at) for no, size in enumerate(sizes, 1) for at in range(1, size + 1))
    wanted = data.draw(st.sets(st.sampled_from(places), min_size=1, max_size=3))
    asked_for = question(1, evidence="must")
    hunt: Hunt | tuple[Place, ...] | None = Hunt(0, "calm", places)
    for _ in range(6):
        if not isinstance(hunt, Hunt):
            break
        asked = asked_of(hunt, asked_for)
        assert 2 <= len(asked.body["choices"]) <= 21
        right = [m for m in asked.meanings if {str(place) for place in wanted} & set(m.split())]
        hunt = advanced(hunt, Verdict("read", right[0], dict.fromkeys(right, 1 / len(right))), asked_for)
    assert isinstance(hunt, tuple) and set(hunt) == wanted


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 40), st.integers(0, 20), st.sampled_from(["no", "may", "must"]))
def test_the_worst_case_covers_every_request_a_pack_can_take(n_selects: int, n_choices: int, evidence: Any) -> None:
    selects = [question(n, "select", max_picks=2, evidence=evidence) for n in range(n_selects)]
    pack = pack_of(*selects, *(question(100 + n, evidence=evidence) for n in range(n_choices)))
    with served(leaning({}, first_or_yes)) as (sim, asker):
        worst = asker.worst_usage(pack, writes_cache=True)
        asyncio.run(answers_to(asker, pack))
        price = price_of(asker.model)
        assert price is not None
        assert sim.totals()["cost_nano"] <= price.cost_usd(worst) * 1e9
    assert worst.total_input > worst_usage(pack, max_output_tokens=0, writes_cache=True).total_input


def test_the_model_is_named_checked_and_priced_by_its_own_row() -> None:
    price = price_of("decisions:gpt-6-luna")
    assert price is not None
    assert (price.input, price.cache_read, price.cache_write, price.output) == (0.10, 0.01, 0.125, 0.0)
    for spec in ("decisions:", "decisions:gpt-6.1-terra"):
        with pytest.raises(ConfigError, match="decisions:gpt-6-luna"):
            check_spec(spec, manuscript=None)  # type: ignore[arg-type]
    check_spec("decisions:gpt-6-luna", manuscript=None)  # type: ignore[arg-type]
    check_spec("decisions:own", manuscript=None, base_url="http://127.0.0.1:9")  # type: ignore[arg-type]
    assert answering_names("decisions:gpt-6-luna") == {"decisions:gpt-6-luna", "gpt-6-luna"}
