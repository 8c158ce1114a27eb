"""A case with every person and place renamed, so that a model cannot answer from memory; gold moves along."""

from evals.rename._case import LeftName, Renamed, rename_case, renamed

__all__ = ["LeftName", "Renamed", "rename_case", "renamed"]
