"""Reads what nobody writes."""

from analyzer.steps._step import ComputeStep, Effects

STEP = ComputeStep(
    name="reader", reads=frozenset({"vote"}), writes=frozenset({"claim"}), compute=lambda _unit, _view: Effects()
)
