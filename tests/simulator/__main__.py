"""Run the simulator as a process of its own: prints its address, serves until SIGTERM, SIGINT or the end of stdin."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.simulator.answerers import NAMES
from tests.simulator.clock import Clock
from tests.simulator.faults import FaultPlan, plan_from_json
from tests.simulator.server import Simulator
from tests.simulator.settings import PRESETS, preset


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"expected name=value, got {text!r}")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.simulator", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--preset", choices=sorted(PRESETS), default="openai")
    parser.add_argument(
        "--set", type=_option, action="append", default=[], metavar="NAME=VALUE", help="e.g. latency.base_s=0.2"
    )
    parser.add_argument("--answerer", default="first", help=f"{', '.join(NAMES)}, or scripted:FILE")
    parser.add_argument("--faults", type=Path, help="a fault plan, JSON")
    parser.add_argument("--speed", type=float, default=1.0, help="simulated seconds in a real one")
    parser.add_argument("--until-eof", action="store_true", help="end when standard input ends")
    parser.add_argument("--ledger", type=Path, help="write the books here at the end")
    return parser.parse_args(argv)


def _end_with_stdin(ended: threading.Event) -> None:
    while os.read(sys.stdin.fileno(), 4096):  # unbuffered: a buffered read would hold its lock at exit
        pass
    ended.set()


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until told to stop; returns 0."""
    given = _arguments(argv)
    faults = plan_from_json(given.faults.read_text("utf-8")) if given.faults else FaultPlan()
    simulator = Simulator(
        preset(given.preset, dict(given.set)),
        given.answerer,
        faults=faults,
        clock=Clock(speed=given.speed),
        port=given.port,
    )
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    with simulator:
        print(simulator.base_url, flush=True)
        if given.until_eof:
            threading.Thread(target=_end_with_stdin, args=(ended,), daemon=True).start()
        ended.wait()
        if given.ledger:
            given.ledger.write_text(json.dumps(simulator.ledger(), indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
