"""Waits for the hen."""

from analyzer.steps._step import ComputeStep, Effects

STEP = ComputeStep(
    name="egg", reads=frozenset({"claim"}), writes=frozenset({"form"}), compute=lambda _unit, _view: Effects()
)
