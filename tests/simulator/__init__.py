"""A provider simulator for tests: OpenAI-compatible HTTP on the loopback that counts, caches and bills on its own.

It shares no code with the package under test and bills from the bytes it receives. See README.md beside this file.
"""

from tests.simulator.answerers import Answerer, built_in, questions_of, scripted, tail_of
from tests.simulator.clock import Clock
from tests.simulator.faults import Fault, FaultPlan
from tests.simulator.ledger import PartRow, Row
from tests.simulator.server import Simulator
from tests.simulator.settings import CacheRule, Latency, Limits, ModelRow, Patterns, Price, Settings, preset

__all__ = [
    "Answerer",
    "CacheRule",
    "Clock",
    "Fault",
    "FaultPlan",
    "Latency",
    "Limits",
    "ModelRow",
    "PartRow",
    "Patterns",
    "Price",
    "Row",
    "Settings",
    "Simulator",
    "built_in",
    "preset",
    "questions_of",
    "scripted",
    "tail_of",
]
