"""A provider simulator for tests: OpenAI-compatible HTTP on the loopback that counts, caches and bills on its own.

It shares no code with the package under test and bills from the bytes it receives. See README.md beside this file.
"""

from tests.simulator.answerers import Answerer, built_in, questions_of, scripted, tail_of
from tests.simulator.clock import Clock
from tests.simulator.decisions import Decider, Leaning, built_in_decider
from tests.simulator.faults import Fault, FaultPlan
from tests.simulator.ledger import PartRow, Row
from tests.simulator.server import Simulator
from tests.simulator.settings import (
    CacheRule,
    DecisionsRule,
    Latency,
    Limits,
    ModelRow,
    Patterns,
    Price,
    Settings,
    preset,
)

__all__ = [
    "Answerer",
    "CacheRule",
    "Clock",
    "Decider",
    "DecisionsRule",
    "Fault",
    "FaultPlan",
    "Latency",
    "Leaning",
    "Limits",
    "ModelRow",
    "PartRow",
    "Patterns",
    "Price",
    "Row",
    "Settings",
    "Simulator",
    "built_in",
    "built_in_decider",
    "preset",
    "questions_of",
    "scripted",
    "tail_of",
]
