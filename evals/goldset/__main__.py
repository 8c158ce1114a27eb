"""`python -m evals.goldset`: write gold by quoting, check it, list and fetch goldsets."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from analyzer.errors import AnalyzerError
from analyzer.text.manuscript import read_manuscript
from analyzer.wording import counted
from evals.command import command, complain, say, show, show_json, show_table
from evals.files import check_apart
from evals.goldset.cases import Case, find_cases
from evals.goldset.convert import convert, misplaced
from evals.goldset.draft import Built, build, read_drafts, write_gold
from evals.goldset.fetch import fetch
from evals.goldset.manifest import Manifest, gold_of, load_manifests, manifest_named
from evals.goldset.places import not_in_text
from evals.goldset.texts import cache_folder, wrong_bodies
from evals.goldset.vocabulary import SECTIONS
from evals.goldset.writing import write_chapters


def _blocks(options: argparse.Namespace) -> int:
    """Print chapters with numbered blocks; without `--chapter` only the list of chapters."""
    serial = read_manuscript(options.serial, language=options.language)
    for chapter in serial.chapters:
        if options.chapter in (None, chapter.no):
            show(f"# {chapter.no}: {chapter.heading} ({counted(len(chapter.blocks), 'block')}, {chapter.language})")
        if options.chapter == chapter.no:
            for block in chapter.blocks:
                show(f"[{block.no}] {block.text}")
    if options.chapter is not None and serial.chapter(options.chapter) is None:
        say(f"there is no chapter {options.chapter}, the serial has {len(serial.chapters)}")
        return 2
    return 0


def _built(options: argparse.Namespace) -> Built:
    drafts, _ = read_drafts(options.drafts)
    language = next((draft.language for draft in drafts.values()), None)
    return build(options.drafts, read_manuscript(options.serial, language=language))


def _check(options: argparse.Namespace) -> int:
    """Print all faults of a folder of drafts, or of the goldsets there are; 1 where there are any."""
    if options.drafts is None or options.serial is None:
        return _check_goldsets(options.drafts)
    built = _built(options)
    for fault in built.faults:
        say(fault)
    for name, gold in built.chapters.items():
        core = {section: sum(1 for item in gold[section] if item["level"] == "core") for section in SECTIONS}
        show(f"{name}: " + ", ".join(f"{section} {core[section]}/{len(gold[section])}" for section in SECTIONS))
    show(f"{counted(len(built.chapters), 'chapter')} read (core/all), {counted(len(built.faults), 'fault')}")
    return 1 if built.faults else 0


def _check_goldsets(slug: Path | None) -> int:
    """Check manifests, offsets and, where the text is here, the chapters' hashes, blocks and names."""
    wanted = load_manifests() if slug is None else (manifest_named(str(slug)),)
    texts = {case.goldset.name: case.manuscript for case in find_cases()}
    n_faults = 0
    for manifest in wanted:
        faults = list(_faults(manifest, texts[manifest.name]))
        for fault in faults:
            say(f"{manifest.name}: {fault}")
        n_faults += len(faults)
        show(
            f"{manifest.name}: {'text not here, ' if texts[manifest.name] is None else ''}{counted(len(faults), 'fault')}"
        )
    return 1 if n_faults else 0


def _faults(manifest: Manifest, text: Path | None) -> Iterator[str]:
    golds = gold_of(manifest)
    for number, gold in golds.items():
        yield from (f"chapter {number}: {told}" for told in misplaced(gold))
    if text is not None:
        wrong = wrong_bodies(text.read_bytes(), manifest)
        yield from (f"chapter {number}: the text is not that of the gold" for number in wrong)
        serial = read_manuscript(text, language=manifest.language)
        for number in sorted(golds.keys() - set(wrong)):
            yield from (f"chapter {number}: {told}" for told in not_in_text(golds[number], serial))


def _draft(options: argparse.Namespace) -> int:
    """Turn a folder of drafts into gold; writes nothing and gives 1 where there is any fault."""
    check_apart(options.out, options.drafts)
    built = _built(options)
    for fault in built.faults:
        say(fault)
    if built.faults:
        say(f"{counted(len(built.faults), 'fault')}, nothing was written")
        return 1
    for path in write_gold(built, options.out):
        show(f"wrote {path}")
    return 0


def _agreed(manifest: Manifest) -> str:
    """Return how far the readers agreed, in one cell."""
    agreed = manifest.agreement
    shown = (
        ("names", agreed.named_entities),
        ("pair+family", agreed.relation_families),
        ("kind", agreed.relation_kinds),
    )
    return ", ".join(f"{name} {share:.2f}" for name, share in shown if share is not None) or "none"


def _readings(manifest: Manifest) -> str:
    return " ".join(manifest.made.readings) + (", adjudicated" if manifest.made.adjudicated else "")


def _said(case: Case) -> dict[str, object]:
    """Return a case as `list --json` prints it."""
    manifest = case.goldset
    return {
        "name": case.name,
        "title": manifest.title,
        "language": case.language,
        "chapters": list(case.numbers),
        "public": case.public,
        "text": "" if case.manuscript is None else str(case.manuscript),
        "unscored": case.unscored,
        "readings": list(manifest.made.readings),
        "adjudicated": manifest.made.adjudicated,
        "agreement": manifest.agreement.model_dump(exclude_none=True, exclude={"source"}),
        "tuned_on": manifest.use.tuned_on,
        "widely_known": manifest.use.widely_known,
        "licence": manifest.licence,
    }


def _list(options: argparse.Namespace) -> int:
    """Print all goldsets: how they were made, what was tuned on them, whether their text is here."""
    cases = find_cases(options.texts)
    if options.json:
        show_json([_said(case) for case in cases])
        return 0
    rows = [
        (
            case.name,
            case.language,
            " ".join(map(str, case.numbers)),
            "public" if case.public else "own",
            _readings(case.goldset),
            _agreed(case.goldset),
            case.tuned_note,
            case.unscored or "here",
        )
        for case in cases
    ]
    columns = ("goldset", "language", "chapters", "", "readings", "agreement (F1)", "beside every score", "text")
    show_table(columns, rows, title="Goldsets")
    return 0


def _fetch(options: argparse.Namespace) -> int:
    """Bring the texts of public editions into the cache; the first error after all were tried decides the exit code."""
    wanted = [manifest_named(options.slug)] if options.slug else [m for m in load_manifests() if m.public]
    code = 0
    for manifest in wanted:
        try:
            show(f"{manifest.name}: {fetch(manifest, cache_folder(options.cache), source=options.source)}")
        except AnalyzerError as error:
            complain(error)
            code = code or error.exit_code
    return code


def _convert(options: argparse.Namespace) -> int:
    """Turn a folder of public gold chapters into a goldset's gold."""
    check_apart(options.out, options.source)
    for path in write_chapters(convert(options.source, book=options.book, language=options.language), options.out):
        show(f"wrote {path}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals.goldset", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    _add_writing(actions)
    listing = actions.add_parser("list", help="show all goldsets")
    listing.add_argument("--texts", type=Path, help="folder in which the texts of public editions are looked for")
    listing.add_argument("--json", action="store_true", help="print them as JSON")
    listing.set_defaults(do=_list)
    fetching = actions.add_parser("fetch", help="bring the texts of public editions into the cache, checked by SHA-256")
    fetching.add_argument("slug", nargs="?", help="only this goldset")
    fetching.add_argument("--from", dest="source", type=Path, help="take the text from this folder or file")
    fetching.add_argument(
        "--cache", type=Path, help="where texts are kept (default: $ANALYZER_TEXTS, ~/.cache/analyzer/texts)"
    )
    fetching.set_defaults(do=_fetch)
    converting = actions.add_parser("convert", help="take over public gold chapters: facts and offsets only")
    converting.add_argument("source", type=Path, help="folder of gold chapters")
    converting.add_argument("--book", default="", help="only the chapters of this book")
    converting.add_argument("--language", default="", help="the language, where the chapters name none")
    converting.add_argument("--out", type=Path, required=True, help="folder the gold is written to")
    converting.set_defaults(do=_convert)
    return parser


def _add_writing(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the actions of writing gold by quoting."""
    blocks = actions.add_parser("blocks", help="print a serial's chapters with numbered blocks, as gold counts them")
    blocks.add_argument("serial", type=Path)
    blocks.add_argument("--chapter", type=int, help="print this chapter's blocks")
    blocks.add_argument("--language", help="the serial's language tag; found out without it")
    blocks.set_defaults(do=_blocks)
    check = actions.add_parser(
        "check", help="say what is wrong with a folder of drafts, or with the goldsets; writes nothing"
    )
    check.add_argument("drafts", type=Path, nargs="?", help="folder of drafts, or (without a serial) a goldset's name")
    check.add_argument("serial", type=Path, nargs="?", help="the serial's text")
    check.set_defaults(do=_check)
    draft = actions.add_parser("draft", help="turn a folder of drafts into gold chapters")
    draft.add_argument("drafts", type=Path, help="folder of drafts, one *.json for each chapter")
    draft.add_argument("serial", type=Path, help="the serial's text")
    draft.add_argument("--out", type=Path, required=True, help="folder the gold chapters are written to")
    draft.set_defaults(do=_draft)


@command
def main(words: Sequence[str] | None = None) -> int:
    """Do one action; return 0, 1 for faults found, 2 for what cannot be read or had."""
    options = _parser().parse_args(words)
    return int(options.do(options))


if __name__ == "__main__":
    sys.exit(main())
