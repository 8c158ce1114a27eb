from __future__ import annotations

import pytest

from analyzer.errors import ReplayMissError
from analyzer.llm.formats import ParsedReply, parse_reply
from analyzer.llm.transports.replay import Replay
from analyzer.llm.transports.scripted import ADVERSARIES, Hostile, Scripted, hostile_text
from analyzer.models.question import NONE, Answer, Pack
from analyzer.models.text import Place

from .build import chapter, handles, note, pack, question

ASKED = [
    *[question("person", "place", evidence="may", sentences=[(1, 1), (2, 1)], name=f"n{n}") for n in range(10)],
    handles(3, 4, 5, max_picks=2),
    note(),
]


def mixed() -> Pack:
    return pack(*ASKED, tail="Answer like this:\n`1 b 12.3`\n`2 -`\n3 @5 @7\n4 = some words\nNow:\n")


async def read(asker: Scripted | Hostile | Replay, asked: Pack) -> ParsedReply:
    reply = await asker.ask(asked, max_output_tokens=99)
    return parse_reply(reply.text, asked.questions, chapter())


async def test_a_script_answers_by_key_or_by_function() -> None:
    one = question("person", "place")
    by_key = await read(Scripted({one.key.text: Answer(status="answered", picked=("k_place",))}), pack(one))
    assert by_key.answers[0].picked == ("k_place",)
    by_call = await read(Scripted(lambda q: Answer(status="none")), pack(one))
    assert by_call.answers[0].status == "none"
    with pytest.raises(ReplayMissError, match="no answer"):
        await read(Scripted({}), pack(one))
    left_out = await read(Scripted({}, missing=Answer(status="missing")), pack(one))
    assert left_out.answers[0].status == "missing"


async def test_a_script_remembers_what_it_was_asked() -> None:
    asker = Scripted(lambda q: Answer(status="none"))
    await asker.ask(mixed(), max_output_tokens=9)
    assert [asked.step for asked in asker.asked] == ["cast_forms"]


@pytest.mark.parametrize("kind", ADVERSARIES)
async def test_every_adversary_survives_parsing_without_an_invented_pick(kind: str) -> None:
    asked = mixed()
    reply = await read(Hostile(kind), asked)  # type: ignore[arg-type]
    for one, answer in zip(asked.questions, reply.answers, strict=True):
        assert set(answer.picked) <= {option.key for option in one.options} - {NONE}
        assert all(place in (Place(1, 1), Place(2, 1), *chapter_places()) for place in answer.sentences)


def chapter_places() -> list[Place]:
    return [Place(block, sentence) for block in range(1, 10) for sentence in range(1, 5)]


async def statuses(kind: str) -> list[str]:
    return [answer.status for answer in (await read(Hostile(kind), mixed())).answers]  # type: ignore[arg-type]


async def test_the_adversaries_do_what_their_names_say() -> None:
    assert set(await statuses("first")) == {"answered"}
    assert set(await statuses("none")) == {"none"}
    assert set(await statuses("repeat")) <= {"unparsed", "missing"}
    assert (await statuses("half"))[6:] == ["missing"] * 6
    assert set((await statuses("invent"))[:11]) == {"unparsed"}
    yes = await read(Hostile("yes"), mixed())
    assert yes.answers[0].sentences == (Place(1, 1), Place(2, 1)) and yes.answers[10].picked == ("@3", "@4")
    assert hostile_text("examples", mixed()).splitlines() == ["1 b 12.3", "2 -", "3 @5 @7", "4 = some words"]


async def test_a_replay_gives_what_was_recorded_whatever_the_order_of_options() -> None:
    one = question("person", "place", evidence="may")
    said = Answer(status="answered", picked=("k_place",), sentences=(Place(2, 1),), confidence=0.5)
    turned = one.model_copy(update={"options": tuple(reversed(one.options))})
    for asked in (one, turned):
        replay = Replay({one.key.text: [said]})
        assert replay.answered_by == "replay"
        found = (await read(replay, pack(asked))).answers[0]
        assert (found.picked, found.sentences) == (said.picked, said.sentences)


async def test_several_recordings_of_a_key_come_in_order_and_the_last_one_stays() -> None:
    one = question("person", "place")
    replay = Replay({one.key.text: [Answer(status="unparsed"), Answer(status="answered", picked=("k_place",))]})
    found = [(await read(replay, pack(one))).answers[0].status for _ in range(3)]
    assert found == ["unparsed", "answered", "answered"]


async def test_what_was_missing_or_refused_stays_apart() -> None:
    one = question("person", "place")
    missing = Replay({one.key.text: [Answer(status="missing")]})
    assert (await read(missing, pack(one))).answers[0].status == "missing"
    refused = await Replay({one.key.text: [Answer(status="refused")]}).ask(pack(one), max_output_tokens=9)
    assert refused.refused


@pytest.mark.parametrize("said", [[], [Answer(status="answered", picked=("k_ghost",))]])
async def test_a_miss_is_an_error_that_names_the_key(said: list[Answer]) -> None:
    one = question("person", "place")
    with pytest.raises(ReplayMissError) as caught:
        await read(Replay({one.key.text: said}), pack(one))
    assert one.key.text in str(caught.value)
