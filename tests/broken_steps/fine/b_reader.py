"""Comes after the writer, whatever its name."""

from analyzer.steps._step import ComputeStep, Effects

STEP = ComputeStep(
    name="a_reader", reads=frozenset({"form"}), writes=frozenset({"claim"}), compute=lambda _unit, _view: Effects()
)
