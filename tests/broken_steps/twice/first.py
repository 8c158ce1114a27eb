"""Takes a name."""

from analyzer.steps._step import ComputeStep, Effects

STEP = ComputeStep(
    name="same_name", reads=frozenset({}), writes=frozenset({"form"}), compute=lambda _unit, _view: Effects()
)
