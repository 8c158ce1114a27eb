"""`python -m evals`: the gate; `accept`, `run`, `compare`, `record`, `live` and tools of their own beside it. See docs/evaluation.md.

Exit codes: 0 all is well, 1 something fell, else that of the error (2: wrong words or files, 5: a cap, 130: Ctrl-C).
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from analyzer.errors import ConfigError, InputError
from analyzer.wording import counted, numbered
from evals import compare as comparing
from evals import gate, live
from evals.answering import ALLOWED, on_verdicts, run_named
from evals.command import chosen, command, say, show, show_json
from evals.files import check_new_folder, check_target
from evals.goldset.cases import Case, find_cases
from evals.recordings import RECORDINGS, record, write_recording
from evals.records import RunResult
from evals.rename import renamed
from evals.results import read_result, write_result
from evals.revisions import run_revision
from evals.runs import alone

_FELL = 1
JOBS = min(2, os.cpu_count() or 1)
"""Runs of the gate side by side. Source: a machine of CI has two cores."""


def _texts(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--texts", "--data", type=Path, help="a folder with the texts of public editions; without it own serials only"
    )


def _cases(texts: Path | None, wanted: str | None) -> tuple[Case, ...]:
    """Return the cases of these names (comma between them; parts of names; None: all that are here), public ones with `texts` only."""
    cases = list(alone(case for case in find_cases(texts) if texts is not None or not case.public))
    names = chosen("--cases", wanted, [case.name for case in cases])
    return tuple(case for case in cases if case.name in names)


def _gate_words(parser: argparse.ArgumentParser) -> None:
    _texts(parser)
    parser.add_argument("--only", help="only runs whose name (case and answers) contains this")


def _gate(options: argparse.Namespace) -> int:
    report = gate.go(gate.Sources(texts=options.texts), only=options.only, say=say, n_jobs=JOBS)
    if options.json:
        show_json(gate.as_json(report))
    else:
        show(*gate.shown(report))
    return _FELL if report.failed else 0


def _gate_parser(parser: argparse.ArgumentParser) -> None:
    _gate_words(parser)
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def _accept(options: argparse.Namespace) -> int:
    sources = gate.Sources(texts=options.texts)
    report = gate.go(sources, only=options.only, say=say, n_jobs=JOBS)
    show(*gate.shown(report))
    written = gate.accept(report, reason=options.reason, root=sources.baselines)
    show(*(f"accepted: {path.name}" for path in written))
    if not written:
        show("all baselines are as they were")
    return 0


def _accept_parser(parser: argparse.ArgumentParser) -> None:
    _gate_words(parser)
    parser.add_argument("--reason", default="", help="why figures may fall or cost may rise; kept in the baselines")


def _run_words(parser: argparse.ArgumentParser) -> None:
    _texts(parser)
    parser.add_argument("--answers", default="gold", help=ALLOWED)
    parser.add_argument("--cases", help="parts of case names, comma between them")
    parser.add_argument("--recordings", type=Path, default=RECORDINGS, help="the folder of recordings")


def _run(options: argparse.Namespace) -> int:
    check_target(options.out)
    say(f"running {options.answers}")
    cases = _cases(options.texts, options.cases)
    with tempfile.TemporaryDirectory() as folder:
        if options.renamed is not None:
            there = [case for case in cases if case.manuscript is not None]
            cases = tuple(renamed(case, Path(folder) / case.name, seed=options.renamed) for case in there)
        result = run_named(
            cases,
            options.answers,
            name=options.out.stem,
            price_model=options.price_model,
            recordings=options.recordings,
            strict_wording=options.strict_wording,
        )
    for line in on_verdicts(result):
        say(line)
    say(f"written: {write_result(result, options.out)}")
    return 0


def _run_parser(parser: argparse.ArgumentParser) -> None:
    _run_words(parser)
    parser.add_argument("--out", type=Path, required=True, help="the file of the result")
    parser.add_argument("--price-model", default=gate.PRICE_MODEL, help="at whose price calls are counted")
    parser.add_argument("--strict-wording", action="store_true", help="a replay answers nothing put in other words")
    parser.add_argument(
        "--renamed",
        type=int,
        metavar="SEED",
        help="every person and place renamed, so that nothing is answered from memory",
    )


def _compare(options: argparse.Namespace) -> int:
    found = comparing.compare(_side(options.a, options), _side(options.b, options), price_model=options.price_model)
    if options.json:
        show_json(found)
    else:
        show(*comparing.shown(found))
    return 0


def _side(named: str, options: argparse.Namespace) -> RunResult:
    path = Path(named)
    if path.is_file():
        return read_result(path)
    say(f"running {named} with {options.answers}")
    return run_revision(named, options.answers, cases=options.cases, texts=options.texts, recordings=options.recordings)


def _compare_parser(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", help="a result file, or a git revision")
    parser.add_argument("b", metavar="B", help="a result file, or a git revision")
    _run_words(parser)
    parser.add_argument("--price-model", default=gate.PRICE_MODEL, help="at whose price questions to ask are counted")
    parser.add_argument("--json", action="store_true", help="print the comparison as JSON")


def _record(options: argparse.Namespace) -> int:
    case = next((c for c in alone(find_cases(options.texts)) if c.name == options.case), None)
    if case is None:
        raise InputError(f"there is no case {options.case!r}", hint="a public chapter is called like monte-cristo-003")
    made = record(
        options.book,
        case,
        name=options.name,
        label=options.label,
        who=options.who,
        date=options.date or datetime.now(UTC).date().isoformat(),
    )
    folder = write_recording(made, options.recordings)
    show(f"{counted(len(made.answers), 'answer')} of {numbered('chapter', made.about.chapters)} recorded in {folder}")
    return 0


def _record_parser(parser: argparse.ArgumentParser) -> None:
    _texts(parser)
    parser.add_argument("book", type=Path, metavar="BOOK", help="the folder of a finished book")
    parser.add_argument("--case", required=True, help="the case it was run for")
    parser.add_argument("--name", required=True, help="lower-case letters, digits and hyphens")
    parser.add_argument("--label", default="by hand", choices=["by hand", "local model", "provider"])
    parser.add_argument(
        "--who", default="a reader who saw nothing but the prompts", help="who answered, in plain words"
    )
    parser.add_argument("--date", default="", help="when, as 2031-05-07; today without it")
    parser.add_argument("--recordings", type=Path, default=RECORDINGS, help="the folder of recordings")


def _live(options: argparse.Namespace) -> int:
    wish = live.Wish(options.model, options.repeats, options.cap_usd, options.base_url, options.profile)
    cases = _cases(options.texts, options.cases)
    out = options.out or Path("live-runs") / f"{wish.slug}-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    check_new_folder(out)
    show(*live.estimate_lines(live.expected(cases, wish), wish))
    if not options.yes and not _agreed():
        say("nothing was asked")
        return ConfigError.exit_code
    done = live.run_live(cases, wish, out, say=say)
    show(*live.report_lines(done))
    show(f"results, recordings and report: {out}")
    return done.exit_code


def _agreed() -> bool:
    if not sys.stdin.isatty():
        raise ConfigError("this costs money and nobody is at a terminal to agree", hint="add --yes")
    try:
        return input("Ask for real? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:  # Ctrl-D
        return False


def _live_parser(parser: argparse.ArgumentParser) -> None:
    _texts(parser)
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("--cases", help="parts of case names, comma between them")
    parser.add_argument("--repeats", type=int, default=1, help=f"1 to {live.MOST_REPEATS}")
    parser.add_argument("--cap-usd", type=float, help="never spend more than this, all repeats together")
    parser.add_argument("--base-url", help="a server of your own")
    parser.add_argument("--profile", help="what that server can do: openai, …")
    parser.add_argument("--out", type=Path, help="an empty or new folder for results, recordings and report")
    parser.add_argument("--yes", action="store_true", help="do not ask")


Fill = Callable[[argparse.ArgumentParser], None]
Do = Callable[[argparse.Namespace], int]
COMMANDS: dict[str, tuple[str, Fill, Do]] = {
    "gate": ("hold everything against its baselines; without a word this is what runs", _gate_parser, _gate),
    "accept": ("make what is found the new baselines, with a reason where anything falls", _accept_parser, _accept),
    "run": ("run cases with some answers and write the result to a file", _run_parser, _run),
    "compare": ("compare two results or two git revisions", _compare_parser, _compare),
    "record": ("record the answers of a finished book", _record_parser, _record),
    "live": ("ask a provider's model; prints the estimate and asks first", _live_parser, _live),
}


TOOLS = {
    "report": "show results as tables, Markdown or one page",
    "losses": "at which step every missed item of a run was lost",
    "ceilings": "what truthful answers lose at which step, and scores with every name replaced",
    "curves": "precision and recall over error rate, simulated",
    "rename": "write a case with every person and place renamed",
    "goldset": "list, check, draft and fetch goldsets",
    "scoring": "agreement of two readers",
    "public": "wider checks against public annotations",
}
"""Commands that read their own words: `python -m evals NAME` is `python -m evals.NAME`."""


def _tool(name: str, words: list[str]) -> int:
    own = importlib.import_module(f"evals.{name}")
    module = importlib.import_module(f"evals.{name}.__main__") if hasattr(own, "__path__") else own
    code: int = module.main(words)
    return code


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    found = argparse.ArgumentParser(prog="python -m evals", description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    commands = found.add_subparsers(dest="command", required=True)
    for name, (told, fill, _do) in COMMANDS.items():
        fill(commands.add_parser(name, help=told, description=told))
    for name, told in TOOLS.items():
        commands.add_parser(name, help=told, add_help=False)
    return found


@command
def main(words: Sequence[str] | None = None) -> int:
    """Run a command (the gate where none is named) and return its exit code."""
    given = list(sys.argv[1:] if words is None else words)
    if not given or (given[0].startswith("-") and given[0] not in ("-h", "--help")):
        given = ["gate", *given]
    if given[0] in TOOLS:
        return _tool(given[0], given[1:])
    options = parser().parse_args(given)
    return COMMANDS[options.command][2](options)


if __name__ == "__main__":
    sys.exit(main())
