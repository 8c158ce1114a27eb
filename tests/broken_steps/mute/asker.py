"""An ask step whose prompt file is not there."""

from analyzer.steps._step import AskStep, Effects

STEP = AskStep(
    name="asker",
    reads=frozenset(),
    writes=frozenset(),
    candidates=lambda _unit, _view: (),
    question=lambda _candidate, _unit, _view: _candidate,
    effects=lambda _answers, _unit, _view: Effects(),
    prompt="no_such_prompt",
)
