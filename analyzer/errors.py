"""Every exception the project raises.

    AnalyzerError                         exit 1   .where (step, unit, path, line)  .hint (what to do next)
      ConfigError                         exit 2   the user can fix settings
        TellsAheadError                   exit 8   what readers of a chapter would get may tell of later ones
      InputError                          exit 2   manuscript, gold file or answer folder unreadable
      DefinitionError                     exit 3   a step, prompt or graph breaks its contract
      ModelError                          exit 4   the asked side failed
        TransientModelError                        retried by the run (`.retry_after_s`)
        PermanentModelError                        never retried (quota, key, refused request)
        ReplayMissError                            an offline replay met a question it has no answer for
      BudgetReachedError                  exit 5   planned stop, everything is saved
      StoreError                          exit 6
        StoreBusyError                             another process holds the book (`.pid`)
        MigrationError                             a migration failed; the database is unchanged
        IntegrityError                             stored rows contradict each other

An exception means this unit cannot go on; odd data is an `Issue` value instead (`analyzer.models.issue`).
Exit 7 (finished, some questions unanswered) and 130 (Ctrl-C) are results of a run, not exceptions.
"""

from __future__ import annotations


class AnalyzerError(Exception):
    """The root; `str(error)` is one sentence: what, where, what was got against what is allowed."""

    exit_code = 1

    def __init__(self, message: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.where = where
        self.hint = hint


class ConfigError(AnalyzerError):
    """A setting, flag or environment variable the user can fix."""

    exit_code = 2


class TellsAheadError(ConfigError):
    """What readers of a chapter would be given may tell of later ones; nothing is written unless the author asks for it by name."""

    exit_code = 8


class InputError(AnalyzerError):
    """A manuscript, gold file or answer file that cannot be read."""

    exit_code = 2


class DefinitionError(AnalyzerError):
    """A step, prompt or graph that breaks its contract: our own fault, found before any call."""

    exit_code = 3


class ModelError(AnalyzerError):
    """The asked side (provider, local server, recording) failed."""

    exit_code = 4


class TransientModelError(ModelError):
    """Worth trying again; `retry_after_s` is the provider's wish in seconds, or None."""

    def __init__(self, message: str, *, where: str = "", hint: str = "", retry_after_s: float | None = None) -> None:
        super().__init__(message, where=where, hint=hint)
        self.retry_after_s = retry_after_s


class PermanentModelError(ModelError):
    """Trying again cannot help: quota, key, unknown model, refused request."""


class ReplayMissError(ModelError):
    """A replay met a question without a recorded answer."""


class BudgetReachedError(AnalyzerError):
    """The cap, the 4x stop or the balance was reached; everything that arrived is stored."""

    exit_code = 5


class StoreError(AnalyzerError):
    """The book's database cannot be used."""

    exit_code = 6


class StoreBusyError(StoreError):
    """Another process holds the book; `pid` is that process, or None where unknown."""

    def __init__(self, message: str, *, where: str = "", hint: str = "", pid: int | None = None) -> None:
        super().__init__(message, where=where, hint=hint)
        self.pid = pid


class MigrationError(StoreError):
    """A migration failed and was rolled back whole."""


class IntegrityError(StoreError):
    """Stored rows contradict each other."""
