"""What can be scored: every goldset as a case, with its text or with the reason why it stays unscored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from analyzer.errors import InputError
from evals.goldset.manifest import GOLDSETS, Manifest, gold_of, load_manifests, manifest_named
from evals.goldset.texts import cache_folder, cached_file, fault_of, find_text

BUNDLED = "dark-of-the-gullick"
"""The serial that the demo reads and the benchmarks measure."""
NO_TEXT = "text not here"
"""Why a public case is unscored; such a case never counts as zero."""


@dataclass(frozen=True)
class Case:
    """A goldset with its manuscript: `manuscript` is None and `unscored` says why where the text is not here.

    `gold` is the folder of gold chapters (or one file), `numbers` are the chapters with gold, `chapters` says them as
    `--chapters` takes them (None: all of the manuscript's).
    """

    name: str
    goldset: Manifest
    manuscript: Path | None
    gold: Path
    language: str
    numbers: tuple[int, ...]
    chapters: str | None
    unscored: str = ""

    @property
    def public(self) -> bool:
        """Whether the text is somebody else's and not kept here."""
        return self.goldset.public

    @property
    def tuned_note(self) -> str:
        """What is said beside every score of this case."""
        use = self.goldset.use
        tuned = "tuned on" if use.tuned_on else "never tuned on"
        known = "; models may know the text by heart" if use.widely_known else ""
        return f"{tuned}{known}"

    def text(self) -> Path:
        """Return the manuscript; raises InputError where it is not here."""
        if self.manuscript is None:
            hint = f"python -m evals.goldset fetch {self.goldset.name} --from FOLDER"
            raise InputError(f"{self.name}: {self.unscored}", hint=hint)
        return self.manuscript


def find_cases(texts: Path | None = None, *, root: Path = GOLDSETS) -> tuple[Case, ...]:
    """Return every goldset as a case, own ones first, in order of their names.

    Public texts are looked for by hash in `texts` (a folder with whatever subfolders), then among the fetched ones.
    Raises InputError for a faulty goldset or a `texts` that is no folder.
    """
    if texts is not None and not texts.is_dir():
        raise InputError(f"{texts} is no folder of texts", where=str(texts))
    return tuple(_case(manifest, texts) for manifest in load_manifests(root))


def own_case(name: str = BUNDLED, *, root: Path = GOLDSETS) -> Case:
    """Return an own serial as a case, the bundled one without a name; raises InputError for an unknown or a public one."""
    manifest = manifest_named(name, root)
    if manifest.public:
        raise InputError(f"{name} is a public edition, an own serial was expected")
    return _case(manifest, None)


def _case(manifest: Manifest, texts: Path | None) -> Case:
    numbers = tuple(sorted(gold_of(manifest)))
    chapters = ",".join(map(str, numbers)) if manifest.public else None
    found = _text(manifest, texts) if manifest.public else manifest.folder / manifest.text.file
    reason = "" if found else NO_TEXT
    return Case(manifest.name, manifest, found, manifest.gold, manifest.language, numbers, chapters, reason)


def _text(manifest: Manifest, texts: Path | None) -> Path | None:
    found = find_text(manifest, texts) if texts is not None else None
    if found is not None:
        return found
    fetched = cached_file(manifest, cache_folder())
    return fetched if fetched.is_file() and not fault_of(fetched.read_bytes(), manifest) else None


def by_chapter(case: Case) -> tuple[Case, ...]:
    """Return one case for each chapter with gold, each to be read alone: "monte-cristo-003"."""
    files = {_number(file): file for file in case.gold.glob("chapter-*.json")}
    return tuple(
        replace(case, name=f"{case.name}-{number:03}", gold=files[number], numbers=(number,), chapters=str(number))
        for number in case.numbers
        if number in files
    )


def _number(file: Path) -> int:
    """Return the chapter's number in a gold file's name."""
    number = file.stem.removeprefix("chapter-")
    if not (number.isascii() and number.isdecimal() and len(number) < 7):
        raise InputError(f"{file.name} is no name of a gold chapter: chapter-03.json was expected", where=str(file))
    return int(number)
