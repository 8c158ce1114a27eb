"""`python -m evals.goldset`: write gold by quoting, check it, list and fetch goldsets."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from analyzer.cli._screen import safe
from analyzer.errors import AnalyzerError
from analyzer.text.manuscript import read_manuscript
from evals.goldset.draft import Built, build, read_drafts, write_gold


def _blocks(options: argparse.Namespace) -> int:
    """Print chapters with numbered blocks; without `--chapter` only the list of chapters."""
    serial = read_manuscript(options.serial, language=options.language)
    for chapter in serial.chapters:
        if options.chapter in (None, chapter.no):
            print(f"# {chapter.no}: {safe(chapter.heading)} ({len(chapter.blocks)} blocks, {chapter.language})")
        if options.chapter == chapter.no:
            for block in chapter.blocks:
                print(f"[{block.no}] {safe(block.text)}")
    if options.chapter is not None and serial.chapter(options.chapter) is None:
        print(f"there is no chapter {options.chapter}, the serial has {len(serial.chapters)}", file=sys.stderr)
        return 2
    return 0


def _built(options: argparse.Namespace) -> Built:
    drafts, _ = read_drafts(options.drafts)
    language = next((draft.language for draft in drafts.values()), None)
    return build(options.drafts, read_manuscript(options.serial, language=language))


def _check(options: argparse.Namespace) -> int:
    """Print all faults of a folder of drafts; 1 where there are any."""
    built = _built(options)
    for fault in built.faults:
        print(safe(fault), file=sys.stderr)
    for name, gold in built.chapters.items():
        sections = ("entities", "relations", "changes", "appearance", "identities", "secrets", "knowledge", "plants")
        core = {section: sum(1 for item in gold[section] if item["level"] == "core") for section in sections}
        print(f"{name}: " + ", ".join(f"{section} {core[section]}/{len(gold[section])}" for section in sections))
    print(f"{len(built.chapters)} chapters read (core/all), {len(built.faults)} faults")
    return 1 if built.faults else 0


def _draft(options: argparse.Namespace) -> int:
    """Turn a folder of drafts into gold; writes nothing and gives 1 where there is any fault."""
    built = _built(options)
    for fault in built.faults:
        print(safe(fault), file=sys.stderr)
    if built.faults:
        print(f"{len(built.faults)} faults, nothing was written", file=sys.stderr)
        return 1
    for path in write_gold(built, options.out):
        print(f"wrote {safe(path)}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals.goldset", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    blocks = actions.add_parser("blocks", help="print a serial's chapters with numbered blocks, as gold counts them")
    blocks.add_argument("serial", type=Path)
    blocks.add_argument("--chapter", type=int, help="print this chapter's blocks")
    blocks.add_argument("--language", help="the serial's language tag; found out without it")
    blocks.set_defaults(do=_blocks)
    check = actions.add_parser("check", help="say what is wrong with a folder of drafts; writes nothing")
    draft = actions.add_parser("draft", help="turn a folder of drafts into gold chapters")
    for action in (check, draft):
        action.add_argument("drafts", type=Path, help="folder of drafts, one *.json for each chapter")
        action.add_argument("serial", type=Path, help="the serial's text")
    check.set_defaults(do=_check)
    draft.add_argument("--out", type=Path, required=True, help="folder the gold chapters are written to")
    draft.set_defaults(do=_draft)
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Do one action; return 0, 1 for faults found, 2 for what cannot be read."""
    options = _parser().parse_args(words)
    try:
        return int(options.do(options))
    except AnalyzerError as error:
        print(f"error: {safe(error)}" + (f" ({safe(error.hint)})" if error.hint else ""), file=sys.stderr)
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
