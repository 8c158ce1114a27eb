"""Writes."""

from analyzer.steps._step import ComputeStep, Effects

STEP = ComputeStep(
    name="z_writer", reads=frozenset({}), writes=frozenset({"form"}), compute=lambda _unit, _view: Effects()
)
