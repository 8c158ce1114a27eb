"""The provider's own books: one row a request, billed in whole nano-dollars from what it received and sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from tests.simulator.cache import Charge
from tests.simulator.prompt import Prompt
from tests.simulator.settings import Price


@dataclass(frozen=True, slots=True)
class PartRow:
    """One prompt part in a row: `hash` of its text, `prefix` of everything up to its end, and how its tokens were billed.

    `outcome`: read, write or input. Framing tokens of a message are counted with its first part.
    """

    role: str
    hash: str
    prefix: str
    tokens: int
    mark: str
    outcome: str


@dataclass(slots=True)
class Row:
    """One request. Times are simulated seconds since the start; `input`, `read` and `write` are disjoint.

    `readable_at` is None while nobody may read what it wrote. `billed` is false for requests that were turned away.
    """

    index: int
    api: str
    model: str
    arrival: float
    status: int = 200
    fault: str = ""
    stream: bool = False
    prewarm: bool = False
    billed: bool = False
    machine: int = 0
    input: int = 0
    read: int = 0
    write: int = 0
    write_long: int = 0
    output: int = 0
    reasoning: int = 0
    cost_nano: int = 0
    first_event_at: float | None = None
    readable_at: float | None = None
    ended_at: float | None = None
    flags: list[str] = field(default_factory=list)
    parts: list[PartRow] = field(default_factory=list)

    @property
    def prompt_tokens(self) -> int:
        """All input tokens, however billed."""
        return self.input + self.read + self.write


def cost_nano(price: Price, charge: Charge, output: int) -> int:
    """Return what a request costs, in nano-dollars; exact."""
    return (
        charge.fresh * price.fresh
        + charge.read * price.read
        + (charge.write - charge.write_long) * price.write
        + charge.write_long * price.write_long
        + output * price.output
    )


def bill(row: Row, prompt: Prompt, charge: Charge, price: Price) -> None:
    """Enter the input side of a request; its output is added by `bill_output`."""
    row.billed = True
    row.input, row.read, row.write, row.write_long = charge.fresh, charge.read, charge.write, charge.write_long
    row.cost_nano = cost_nano(price, charge, 0)
    row.prewarm = prompt.prewarm
    noted = {"sent_before_readable": charge.pending, "written_again": charge.again, "expired": charge.expired}
    row.flags += [name for name, holds in noted.items() if holds]
    if row.machine:
        row.flags.append("overflow")
    before = 0
    for place, part in enumerate(prompt.parts):
        outcome = "read" if place < charge.read_parts else "write" if place < charge.written_parts else "input"
        row.parts.append(PartRow(part.role, part.digest.hex(), part.chain.hex(), part.end - before, part.mark, outcome))
        before = part.end


def bill_output(row: Row, price: Price, output: int, reasoning: int) -> None:
    """Enter the tokens that were generated; `output` includes `reasoning`."""
    row.output, row.reasoning = output, reasoning
    row.cost_nano += output * price.output


def usd(nano: int) -> str:
    """Return nano-dollars as dollars, exact, nine decimals."""
    return f"{nano // 1_000_000_000}.{nano % 1_000_000_000:09d}"


_SUMMED = ("input", "read", "write", "write_long", "output", "reasoning", "cost_nano")


def totals(rows: Iterable[Row]) -> dict[str, Any]:
    """Return sums over billed rows, the same per model, flags counted, and what became of each marked prefix."""
    billed = [row for row in rows if row.billed]
    models = sorted({row.model for row in billed})
    return {
        **_sums(billed),
        "flags": dict(Counter(flag for row in billed for flag in row.flags)),
        "by_model": {model: _sums([row for row in billed if row.model == model]) for model in models},
        "prefixes": _prefixes(billed),
    }


def _sums(billed: Sequence[Row]) -> dict[str, Any]:
    sums: dict[str, Any] = {name: sum(getattr(row, name) for row in billed) for name in _SUMMED}
    total_input = sums["input"] + sums["read"] + sums["write"]
    return {
        **sums,
        "requests": len(billed),
        "prompt_tokens": total_input,
        "cost_usd": usd(sums["cost_nano"]),
        "cached_share": sums["read"] / total_input if total_input else 0.0,
    }


def _prefixes(billed: Sequence[Row]) -> list[dict[str, Any]]:
    """Return one row per model and marked prefix, in order of first use: how often its last part was written and read.

    `tokens` are those of the last part, `prefix_tokens` those of the whole. A prefix that was written more than once for
    a model was paid for more than once, whatever the reason.
    """
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in billed:
        end = 0
        for part in row.parts:
            end += part.tokens
            if not part.mark:
                continue
            fresh = {"tokens": part.tokens, "prefix_tokens": end, "write": 0, "read": 0, "input": 0}
            named = {"model": row.model, "prefix": part.prefix, "part": part.hash}
            found.setdefault((row.model, part.prefix), {**named, **fresh})[part.outcome] += 1
    return list(found.values())


def as_json(rows: Iterable[Row]) -> dict[str, Any]:
    """Return the whole ledger: every row in order of arrival, and the totals."""
    rows = list(rows)
    return {"rows": [asdict(row) for row in rows], "totals": totals(rows)}
