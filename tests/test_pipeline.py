from __future__ import annotations

import asyncio
import json
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analyzer import pipeline
from analyzer.errors import ConfigError, InputError, PermanentModelError, StoreBusyError, StoreError
from analyzer.hashing import bytes_sha256
from analyzer.models.base import Record
from analyzer.scheduler.events import Event
from analyzer.storage.store import Store
from tests.tiny import write_book


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book whose run with its gold has ended."""
    manuscript = write_book(tmp_path_factory.mktemp("done"))
    outcome = pipeline.run(manuscript, model="gold")
    assert (outcome.exit_code, outcome.error, outcome.unanswered) == (0, None, ())
    return pipeline.book_folder(manuscript)


@pytest.fixture
def book(done: Path, tmp_path: Path) -> Path:
    """A copy of it that may be changed."""
    shutil.copytree(done.parent, tmp_path / "copy")
    return tmp_path / "copy" / done.name


def test_init_makes_a_book_and_is_harmless_when_repeated(tmp_path: Path) -> None:
    manuscript = write_book(tmp_path)
    book = pipeline.init(manuscript)
    assert book == tmp_path / "tiny.book"
    assert tomllib.loads((book / "analyzer.toml").read_text("utf-8")) == {"manuscript": "../tiny.txt"}
    before = (book / "analyzer.toml").read_bytes()
    assert pipeline.init(manuscript) == book
    assert (book / "analyzer.toml").read_bytes() == before


def test_init_takes_a_folder_and_a_language(tmp_path: Path) -> None:
    book = pipeline.init(write_book(tmp_path), book=tmp_path / "elsewhere", language="fr")
    assert book == tmp_path / "elsewhere"
    assert pipeline.manuscript_of(book).language == "fr"


def test_a_folder_that_is_another_manuscripts_book_is_refused(tmp_path: Path) -> None:
    first, second = write_book(tmp_path / "a"), write_book(tmp_path / "b")
    pipeline.init(first, book=tmp_path / "shared")
    with pytest.raises(InputError, match="already the book of") as caught:
        pipeline.init(second, book=tmp_path / "shared")
    assert "--book" in caught.value.hint


def test_an_init_that_was_interrupted_is_taken_up_again(tmp_path: Path) -> None:
    manuscript = write_book(tmp_path)
    book = pipeline.init(manuscript)
    for file in book.iterdir():
        if file.name != "analyzer.toml":
            file.unlink()
    assert pipeline.init(manuscript) == book
    assert len(pipeline.chapters(book)) == 3
    assert pipeline.show_cast(book) == ()


def test_a_book_moved_together_with_its_manuscript_works_on(book: Path, tmp_path: Path) -> None:
    moved = book.parent.rename(tmp_path / "moved")
    assert len(pipeline.chapters(moved / book.name)) == 3


def test_a_manuscript_that_is_gone_says_where_to_write_its_new_path(book: Path) -> None:
    (book.parent / "tiny.txt").rename(book.parent / "renamed.txt")
    for verb in (pipeline.chapters, pipeline.plan, pipeline.run):
        with pytest.raises(InputError, match="gone") as caught:
            verb(book)  # type: ignore[operator]
        assert "analyzer.toml" in caught.value.hint
    settings = pipeline.load_settings(book).model_copy(update={"manuscript": "../renamed.txt"})
    pipeline.save_settings(book, settings)
    assert len(pipeline.chapters(book)) == 3


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("manuscript = ", "TOML"),
        ('manuscript = "a.txt"\nmodle = "rules"', "modle"),
        ('manuscript = "a.txt"\ncap_usd = "much"', "cap_usd"),
        ('manuscript = "a.txt"\ncap_usd = -1', "cap_usd"),
        ('manuscript = "a.txt"\nconcurrency = 0', "concurrency"),
        ('manuscript = "a.txt"\ncap_usd = nan', "cap_usd"),
        ("model = 'rules'", "manuscript"),
    ],
)
def test_a_broken_settings_file_names_what_is_wrong(tmp_path: Path, text: str, named: str) -> None:
    (tmp_path / "analyzer.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=named):
        pipeline.load_settings(tmp_path)


def test_settings_that_are_not_utf8_are_an_error_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "analyzer.toml").write_bytes(b"manuscript = '\xff'")
    with pytest.raises(ConfigError, match="TOML"):
        pipeline.load_settings(tmp_path)


@pytest.mark.parametrize("name", ['qu"ote\\.txt', "tab\t.txt", "줄바꿈.txt", "del\x7f.txt", "= [x].txt"])
def test_settings_survive_any_file_name(tmp_path: Path, name: str) -> None:
    wanted = pipeline.Settings(manuscript=name, model="local:x y.gguf", cap_usd=0.5, concurrency=3)
    pipeline.save_settings(tmp_path, wanted)
    assert pipeline.load_settings(tmp_path) == wanted


def test_a_folder_that_is_no_book_says_how_to_make_one(tmp_path: Path) -> None:
    for verb in (pipeline.chapters, pipeline.plan, pipeline.run, pipeline.status):
        with pytest.raises(InputError, match="no book") as caught:
            verb(tmp_path)  # type: ignore[operator]
        assert "analyzer init" in caught.value.hint
    with pytest.raises(StoreError):
        pipeline.show_cast(tmp_path)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [(None, (1, 2, 3)), ("", (1, 2, 3)), ("2", (2,)), ("1-2", (1, 2)), ("2-", (2, 3)), ("3,1", (1, 3)), (" 1 - 2 ,3", (1, 2, 3)),
     ("1,1-1", (1,))],
)  # fmt: skip
def test_chapters_are_named_by_number_and_range(wanted: str | None, found: tuple[int, ...]) -> None:
    assert pipeline.parse_chapters(wanted, 3) == found


@pytest.mark.parametrize("wanted", ["0", "4", "2-9", "3-2", "-2", "x", "1,,2", "1;2", "1-2-3", "1.5", "1e3"])
def test_a_chapter_that_is_not_there_is_named(wanted: str) -> None:
    with pytest.raises(ConfigError, match="--chapters"):
        pipeline.parse_chapters(wanted, 3)


def test_a_plan_sends_nothing_and_names_the_price(tmp_path: Path) -> None:
    manuscript = write_book(tmp_path)
    made = pipeline.plan(manuscript)
    assert made.model == pipeline.DEFAULT_MODEL and made.n_chapters == 3
    assert made.low_usd is not None and made.likely_usd is not None and made.high_usd is not None
    assert 0 < made.low_usd < made.likely_usd < made.high_usd
    assert made.n_calls == sum(row.n_calls for row in made.rows)
    assert made.price_note.startswith(pipeline.DEFAULT_MODEL)
    assert not pipeline.book_folder(manuscript).exists()
    assert pipeline.plan(manuscript, chapters="2").n_chapters == 1


def test_a_plan_for_a_model_without_a_price_is_unpriced_and_never_free(tmp_path: Path) -> None:
    made = pipeline.plan(write_book(tmp_path), model="gpt-0-nothing")
    assert made.likely_usd is None and made.n_calls > 0
    assert all(row.likely_usd is None for row in made.rows)


def test_a_plan_leaves_out_what_is_done(done: Path) -> None:
    assert pipeline.plan(done, model="gold").n_calls == 0
    assert pipeline.plan(done).n_calls > 0, "another model has answered nothing yet"


def test_a_second_identical_run_sends_nothing(book: Path) -> None:
    before = pipeline.bill(book)
    outcome = pipeline.run(book, model="gold")
    assert (outcome.exit_code, outcome.n_calls, outcome.n_answers) == (0, 0, 0)
    assert pipeline.bill(book) == before


def test_chapters_run_one_by_one_leave_what_a_whole_run_leaves(done: Path, tmp_path: Path) -> None:
    manuscript = write_book(tmp_path)
    for chapter in ("1", "2", "3"):
        assert pipeline.run(manuscript, model="gold", chapters=chapter).exit_code == 0
    book = pipeline.book_folder(manuscript)
    assert pipeline.show_cast(book) == pipeline.show_cast(done)
    assert pipeline.show_relations(book) == pipeline.show_relations(done)


def test_the_gold_of_the_tiny_book_comes_out(done: Path) -> None:
    found = {(r.subject_name, r.relation, r.object_name): r for r in pipeline.show_relations(done)}
    assert set(found) == {
        ("Oda Marrin", "sibling_of", "Ludo Marrin"),
        ("Oda Marrin", "enemy_of", "Captain Hesk"),
        ("Captain Hesk", "employs", "Ludo Marrin"),
        ("Captain Hesk", "lives_in", "Sallow"),
        ("Captain Hesk", "parent_of", "Pia Hesk"),
        ("Ludo Marrin", "lover_of", "Pia Hesk"),
    }
    assert found["Ludo Marrin", "lover_of", "Pia Hesk"].visibility == "secret"
    for row in found.values():
        assert row.votes == "for for" and row.evidence


def test_every_quote_shown_stands_in_the_manuscript(done: Path) -> None:
    text = pipeline.manuscript_of(done).text
    for row in pipeline.show_relations(done, hidden=True):
        assert all(quote.text in text for quote in row.evidence)


def test_as_of_shows_the_book_as_it_stood(done: Path) -> None:
    assert pipeline.show_cast(done, as_of=0) == ()
    early = {row.name for row in pipeline.show_cast(done, as_of=1)}
    assert "Captain Hesk" in early and "Pia Hesk" not in early
    kinds = [{r.relation for r in pipeline.show_relations(done, as_of=n)} for n in (1, 2, 3)]
    assert "parent_of" not in kinds[0] and "parent_of" in kinds[1]
    assert "lover_of" not in kinds[1] and "lover_of" in kinds[2]
    assert pipeline.show_cast(done) == pipeline.show_cast(done, as_of=3)
    for wrong in (-1, 4, 10**9):
        with pytest.raises(ConfigError, match="outside 1-"):
            pipeline.show_cast(done, as_of=wrong)


def test_a_chapter_shows_who_is_there_and_what_it_tells(done: Path) -> None:
    view = pipeline.show_chapter(done, 2)
    assert (view.no, view.title) == (2, "The Lantern")
    assert {r.relation for r in view.relations} == {"parent_of"}
    assert "Sallow" not in {row.name for row in view.cast}
    assert pipeline.show_chapter(done, 1, as_of=3).no == 1
    for number in (0, 4, -1):
        with pytest.raises(ConfigError, match=f"chapter {number} is not"):
            pipeline.show_chapter(done, number)
    with pytest.raises(ConfigError, match="before chapter 2"):
        pipeline.show_chapter(done, 2, as_of=1)


def test_why_finds_a_fact_by_id_by_the_beginning_of_it_and_by_words(done: Path) -> None:
    [row] = [r for r in pipeline.show_relations(done) if r.relation == "sibling_of"]
    [by_id] = pipeline.why(done, row.fact_id)
    assert by_id == pipeline.why(done, row.fact_id.split(":")[1][:12])[0]
    assert by_id == pipeline.why(done, f"{row.subject}  {row.relation} {row.object}")[0]
    assert by_id.kept and by_id.votes == ("first: for", "second: for")
    steps = [asked.step for asked in by_id.asked]
    for step in ("relation_select", "relation_kind", "relation_confirm", "relation_confirm_again"):
        assert step in steps
    assert all(
        asked.options and asked.answered_by == "gold" for asked in by_id.asked if asked.step == "relation_confirm"
    )
    assert all(asked.input_tokens for asked in by_id.asked)


def test_why_explains_an_entity_and_where_its_handle_comes_from(done: Path) -> None:
    [row] = [r for r in pipeline.show_cast(done) if r.name == "Pia Hesk"]
    [found] = pipeline.why(done, row.handle)
    assert found.fact_id == row.fact_id and found.kept
    assert "cast_same" in found.rule


@pytest.mark.parametrize(
    "wanted", ["", "  ", "@99", "nobody", "@1 loves", "x:abc", "@1 parent_of @1 @1", "%", "'; drop table facts"]
)
def test_why_of_nothing_known_says_how_to_ask(done: Path, wanted: str) -> None:
    with pytest.raises(ConfigError, match="no fact") as caught:
        pipeline.why(done, wanted)
    assert "@1 parent_of @2" in caught.value.hint


def test_the_bill_of_a_run_without_a_model_shows_what_one_would_have_cost(done: Path) -> None:
    made = pipeline.bill(done)
    assert made.spent_usd == 0 and made.n_open == 0
    assert all(call.answered_by == "gold" and call.status == "ok" for call in made.calls)
    assert made.would_be_usd is not None and 0 < made.would_be_usd < 0.05
    assert sum(call.cost_usd or 0 for call in made.calls) == 0 and len(made.calls) > 20
    assert pipeline.bill(done, would_be="nobody/knows").would_be_usd is None


def test_status_tells_how_the_last_run_ended(done: Path, tmp_path: Path) -> None:
    found = pipeline.status(done)
    assert found is not None and not found.is_running and found.status.model == "gold"
    assert pipeline.status(pipeline.init(write_book(tmp_path))) is None


def test_the_store_is_whole_after_a_run(done: Path) -> None:
    assert pipeline.verify(done) == []


def test_a_run_tells_its_progress(tmp_path: Path) -> None:
    events: list[Event] = []
    outcome = pipeline.run(write_book(tmp_path), model="rules", on_event=events.append)
    assert outcome.exit_code in (0, 7)
    assert events and events[-1].progress.n_tasks_done == events[-1].progress.n_tasks > 0


def test_rules_are_not_asked_for_what_they_cannot_know_unless_told_to(tmp_path: Path) -> None:
    manuscript = write_book(tmp_path)

    def steps(*off: tuple[str, ...]) -> set[str]:
        request = pipeline.RunRequest(model="rules", off=off[0] if off else None)
        planned = {row.step for row in pipeline.prepare(manuscript, request).estimate.rows}
        pipeline.run(manuscript, request)
        with Store.open(pipeline.book_folder(manuscript)) as store:
            ran = {task.step for task in store.tasks()}
        assert planned <= ran
        return ran

    by_rules = steps()
    assert {"relations", "speech_cues", "cards"} <= by_rules
    assert not {"state_notice", "secret_notice", "knowledge_notice", "thread_notice", "mask_ask"} & by_rules
    assert {row.step for row in pipeline.plan(manuscript, model="rules").rows} <= by_rules
    assert {task.step for task in pipeline.due(manuscript, model="rules")} == by_rules
    assert "thread_notice" in steps(())


def test_a_book_another_holder_has_open_says_so(book: Path) -> None:
    with Store.open(book), pytest.raises(StoreBusyError):
        pipeline.show_cast(book)


def test_a_missing_key_is_told_before_anything_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(
        PermanentModelError, match=r"OPENAI_API_KEY.*--model local:.*--model inbox:.*--model rules"
    ) as caught:
        pipeline.prepare(write_book(tmp_path), pipeline.RunRequest())
    assert caught.value.exit_code == 4


def test_a_confirming_model_that_costs_money_makes_the_run_priced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    request = pipeline.RunRequest(model="rules", confirm_model="gpt-6-luna")
    prepared = pipeline.prepare(write_book(tmp_path), request)
    assert prepared.priced and prepared.estimate.likely_usd
    assert not pipeline.prepare(tmp_path / "tiny.txt", pipeline.RunRequest(model="rules")).priced


@pytest.mark.parametrize("model", ["gold:nowhere", "inbox", "local:nowhere.gguf", "what/ever", "x"])
def test_a_model_that_cannot_be_asked_is_an_error_with_a_hint(tmp_path: Path, model: str) -> None:
    with pytest.raises((ConfigError, InputError)):
        pipeline.run(write_book(tmp_path), model=model)


def test_a_cap_counts_all_runs_since_it_was_set(book: Path) -> None:
    first = pipeline.prepare(book, pipeline.RunRequest(model="gold", cap_usd=0.25))
    pipeline.start(first)
    with Store.open(book) as store:
        since = store.setting("cap_set_at")
    pipeline.run(book, model="gold", cap_usd=0.25)
    pipeline.run(book, model="gold")
    with Store.open(book) as store:
        assert (store.setting("cap_usd"), store.setting("cap_set_at")) == ("0.25", since)
    pipeline.run(book, model="gold", cap_usd=0.5)
    with Store.open(book) as store:
        assert store.setting("cap_usd") == "0.5" and store.setting("cap_set_at") != since


def test_a_changed_chapter_is_read_anew_and_handles_stay(book: Path) -> None:
    before = {row.name: row.handle for row in pipeline.show_cast(book)}
    manuscript, file = book.parent / "tiny.txt", book.parent / "gold" / "chapter-1.json"
    manuscript.write_text(manuscript.read_text("utf-8").replace("turned her back", "turned her face"), encoding="utf-8")
    gold = json.loads(file.read_text("utf-8"))
    body = manuscript.read_text("utf-8")[gold["body_start"] : gold["body_end"]]
    file.write_text(json.dumps({**gold, "body_sha256": bytes_sha256(body.encode())}), encoding="utf-8")
    outcome = pipeline.run(book, model="gold")
    assert outcome.exit_code == 0 and 0 < outcome.n_calls < len(pipeline.bill(book).calls) / 2
    assert {row.name: row.handle for row in pipeline.show_cast(book)} == before
    [quote] = [
        q for r in pipeline.show_relations(book) if r.relation == "enemy_of" for q in r.evidence if "turned" in q.text
    ]
    assert "turned her face" in quote.text


def test_a_gold_file_made_for_another_text_is_refused(book: Path) -> None:
    manuscript = book.parent / "tiny.txt"
    manuscript.write_text(manuscript.read_text("utf-8").replace("Ludo", "Lude"), encoding="utf-8")
    with pytest.raises(InputError, match="another text"):
        pipeline.run(book, model="gold")
    assert pipeline.verify(book) == []


def test_every_verb_returns_frozen_records(done: Path) -> None:
    records: list[object] = [pipeline.bill(done), pipeline.show_chapter(done, 1), pipeline.plan(done)]
    records += [*pipeline.show_cast(done), *pipeline.show_relations(done)]
    assert all(isinstance(record, Record) and record.model_config["frozen"] for record in records)


@pytest.mark.parametrize(
    "wishes",
    [{"cap_usd": float("inf")}, {"cap_usd": float("nan")}, {"cap_usd": -1.0}, {"balance_usd": float("inf")}, {"concurrency": 0},
     {"concurrency": 257}],
    ids=str,
)  # fmt: skip
def test_a_wish_that_is_no_amount_is_refused_before_anything_is_asked(book: Path, wishes: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="--"):
        pipeline.run(book, model="rules", **wishes)


@pytest.mark.parametrize(
    "verb", [pipeline.chapters, pipeline.plan, pipeline.status, pipeline.bill, pipeline.show_cast, pipeline.verify]
)
def test_a_manuscript_is_not_answered_with_the_book_of_another_of_its_name(
    tmp_path: Path, verb: Callable[[Path], object]
) -> None:
    manuscript = write_book(tmp_path)
    pipeline.init(manuscript)
    other = manuscript.with_suffix(".md")
    other.write_text("# One\n\nAnother story.\n", "utf-8")
    with pytest.raises(InputError, match="is the book of"):
        verb(other)


@pytest.mark.parametrize("verb", [pipeline.chapters, pipeline.run, pipeline.status, pipeline.bill, pipeline.show_cast])
def test_what_is_not_there_is_said_to_be_missing(tmp_path: Path, verb: Callable[[Path], object]) -> None:
    with pytest.raises(InputError, match="nothing is there"):
        verb(tmp_path / "missing.txt")


@pytest.mark.parametrize(
    ("text", "said"),
    [("modle = 1\nmanuscript = 's.txt'", "modle: Extra inputs"), ("", "manuscript: Field required"),
     ("manuscript = 's.txt'\ncap_usd = inf", "cap_usd is inf"), ('manuscript = "s\\u0000.txt"', "no path can have")],
)  # fmt: skip
def test_a_wrong_setting_is_named_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "analyzer.toml").write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=said) as caught:
        pipeline.load_settings(tmp_path)
    assert "\n" not in str(caught.value) and "http" not in str(caught.value)


def test_a_run_works_in_a_thread_and_says_so_where_an_event_loop_runs(book: Path) -> None:
    async def inside() -> tuple[str, int]:
        with pytest.raises(ConfigError, match="event loop") as caught:
            pipeline.run(book, model="gold")
        outcome = await asyncio.to_thread(pipeline.run, book, model="rules", chapters="1")
        return caught.value.hint, outcome.exit_code

    hint, code = asyncio.run(inside())
    assert "to_thread" in hint and code in (0, 7)


def test_a_plan_knows_what_is_done_by_any_way_of_naming_the_model(done: Path) -> None:
    for model in ("gold", f"gold:{done.parent / 'gold'}", f"gold:{done.parent}/./gold"):
        assert pipeline.prepare(done, pipeline.RunRequest(model=model)).estimate.n_calls == 0
    assert pipeline.prepare(done, pipeline.RunRequest(model="rules")).estimate.n_calls > 0
