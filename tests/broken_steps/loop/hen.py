"""Waits for the egg."""

from analyzer.steps._step import ComputeStep, Effects

STEP = ComputeStep(
    name="hen", reads=frozenset({"form"}), writes=frozenset({"claim"}), compute=lambda _unit, _view: Effects()
)
