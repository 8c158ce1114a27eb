"""The provider's prompt cache: what a request reads, what it writes, and from when on others can read that.

Two families behind one door: entries at marks (explicit, implicit, `cache_control`) and whole units of the prompt
(automatic). A charge splits the prompt into three disjoint counts; nothing is ever counted twice.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from zlib import crc32

from tests.simulator.prompt import Prompt
from tests.simulator.settings import LONG_TTLS, TTL_SECONDS, CacheRule
from tests.simulator.tokens import tokens_of


@dataclass(slots=True)
class Entry:
    """One stored prefix: readable from `readable_at` on (infinite while nobody knows), gone at `expires_at`."""

    readable_at: float
    expires_at: float
    ttl_s: float
    writers: int = 0


@dataclass(slots=True)
class Charge:
    """What one request reads and writes, in tokens, and the entries its own prefill brings.

    `write` includes `write_long`. `read_parts` and `written_parts` are counts of whole parts from the start (a part
    below both is read, between them written). `pending` tells that a prefix it needed was just being written by another
    request; `again` that it wrote what had been written before.
    """

    total: int
    read: int = 0
    write: int = 0
    write_long: int = 0
    read_parts: int = 0
    written_parts: int = 0
    pending: bool = False
    again: bool = False
    expired: bool = False
    entries: list[tuple[tuple[str, int, bytes], Entry]] = field(default_factory=list)

    @property
    def fresh(self) -> int:
        """Input tokens that were neither read nor written."""
        return self.total - self.read - self.write

    @property
    def uncached(self) -> int:
        """Input tokens that have to be prefilled."""
        return self.total - self.read


class PromptCache:
    """All entries of one provider, per namespace, machine and prefix."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, int, bytes], Entry] = {}
        self._written: set[tuple[str, bytes]] = set()
        self._units: dict[tuple[str, bytes, int], tuple[tuple[bytes, ...], tuple[int, ...]]] = {}
        self._n_charged = 0

    def charge(self, prompt: Prompt, rule: CacheRule, *, machine: int, now: float) -> Charge:
        """Return what this request reads and writes now; its new entries stay unreadable until `publish`."""
        if rule.kind == "off":
            return Charge(prompt.total)
        if rule.kind == "automatic":
            return self._charge_units(prompt, rule, machine, now)
        return self._charge_marks(prompt, rule, machine, now)

    def publish(self, charge: Charge, readable_at: float) -> None:
        """Make the entries of a charge readable from this moment on (an earlier moment stands)."""
        for _, entry in charge.entries:
            entry.readable_at = min(entry.readable_at, readable_at)

    def drop(self, charge: Charge) -> None:
        """Forget the entries of a charge that nobody has made readable and no other request is writing."""
        for key, entry in charge.entries:
            entry.writers -= 1
            if not entry.writers and math.isinf(entry.readable_at) and self._entries.get(key) is entry:
                del self._entries[key]

    def clear(self) -> None:
        """Forget everything."""
        self._entries.clear()
        self._written.clear()
        self._units.clear()

    def _look(self, charge: Charge, key: tuple[str, int, bytes], now: float) -> Entry | None:
        """Return the entry when it can be read; otherwise note in the charge why not."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        if entry.expires_at <= now:
            del self._entries[key]
            charge.expired = True
            return None
        if entry.readable_at > now:
            charge.pending = True
            return None
        return entry

    def _write(self, charge: Charge, key: tuple[str, int, bytes], ttl_s: float, now: float) -> None:
        entry = self._entries.get(key)
        if entry is None or entry.expires_at <= now:
            entry = self._entries[key] = Entry(math.inf, now + ttl_s, ttl_s)
        entry.writers += 1
        entry.ttl_s = max(entry.ttl_s, ttl_s)
        entry.expires_at = max(entry.expires_at, now + entry.ttl_s)
        charge.entries.append((key, entry))

    def _charge_marks(self, prompt: Prompt, rule: CacheRule, machine: int, now: float) -> Charge:
        charge = Charge(prompt.total)
        marks = _marks(prompt, rule)
        self._n_charged += 1
        drops = bool(rule.drops_every) and self._n_charged % rule.drops_every == 0
        for index in _read_places(prompt, marks, rule):
            part = prompt.parts[index]
            entry = self._look(charge, (prompt.namespace, machine, part.chain), now)
            if entry is not None and drops:
                del self._entries[(prompt.namespace, machine, part.chain)]
                drops = False
            elif entry is not None:
                charge.read, charge.read_parts = part.end, index + 1
                break
        self._refresh(prompt, charge.read_parts, machine, now)
        previous = charge.read
        for index, ttl in marks[-rule.max_writes :]:
            part = prompt.parts[index]
            if part.end <= charge.read:
                continue
            self._write(charge, (prompt.namespace, machine, part.chain), TTL_SECONDS[ttl], now)
            charge.write_long += part.end - previous if ttl in LONG_TTLS else 0
            charge.again |= (prompt.namespace, part.chain) in self._written
            self._written.add((prompt.namespace, part.chain))
            previous = part.end
            charge.written_parts = index + 1
        charge.write = previous - charge.read
        return charge

    def _refresh(self, prompt: Prompt, read_parts: int, machine: int, now: float) -> None:
        """Reuse refreshes the lifetime of every entry on the way, for nothing."""
        for part in prompt.parts[:read_parts]:
            entry = self._entries.get((prompt.namespace, machine, part.chain))
            if entry is not None and entry.expires_at > now:
                entry.expires_at = max(entry.expires_at, now + entry.ttl_s)

    def _charge_units(self, prompt: Prompt, rule: CacheRule, machine: int, now: float) -> Charge:
        """Whole units from the start, the reply's priming tokens never among them; no write fee."""
        charge = Charge(prompt.total)
        units = self._unit_chain(prompt, rule.unit)
        matched = 0
        ttl_s = TTL_SECONDS[rule.default_ttl]
        keys = [(prompt.namespace, machine, unit) for unit in units]
        for key in keys:
            entry = self._look(charge, key, now)
            if entry is None:
                break
            entry.expires_at = now + ttl_s
            matched += 1
        if matched * rule.unit >= rule.min_tokens:
            charge.read = matched * rule.unit
        if len(units) * rule.unit >= rule.min_tokens:
            for key in keys[matched:]:
                charge.again |= (key[0], key[2]) in self._written
                self._written.add((key[0], key[2]))
                self._write(charge, key, ttl_s, now)
        charge.read_parts = sum(part.end <= charge.read for part in prompt.parts)
        charge.written_parts = charge.read_parts
        return charge

    def _unit_chain(self, prompt: Prompt, unit: int) -> tuple[bytes, ...]:
        """Return one name per whole unit of the prompt; a shared beginning is worked out once."""
        done: tuple[bytes, ...] = ()
        rest: tuple[int, ...] = ()
        for place, part in enumerate(prompt.parts):
            last = place == len(prompt.parts) - 1
            known = self._units.get((prompt.namespace, part.chain, unit))
            if known is None:
                framing = part.end - part.tokens - (prompt.parts[place - 1].end if place else 0)
                done, rest = _extend(
                    done, [*rest, *[-1 - crc32(part.role.encode())] * framing, *tokens_of(part.text)], unit
                )
                if not last:
                    self._units[(prompt.namespace, part.chain, unit)] = (done, rest)
            else:
                done, rest = known
        return done


def _extend(done: tuple[bytes, ...], tokens: Sequence[int], unit: int) -> tuple[tuple[bytes, ...], tuple[int, ...]]:
    fresh: list[bytes] = []
    chain = done[-1] if done else b""
    whole = len(tokens) // unit * unit
    for start in range(0, whole, unit):
        chain = hashlib.blake2b(chain + repr(tokens[start : start + unit]).encode(), digest_size=12).digest()
        fresh.append(chain)
    return done + tuple(fresh), tuple(tokens[whole:])


def _marks(prompt: Prompt, rule: CacheRule) -> list[tuple[int, str]]:
    """Return part index and lifetime of every breakpoint of the request that is long enough, in order."""
    marks = {index: part.mark for index, part in enumerate(prompt.parts) if part.mark}
    if rule.kind == "breakpoints" and prompt.mode == "implicit":
        marks.setdefault(len(prompt.parts) - 1, prompt.ttl or rule.default_ttl)
    return [(i, ttl) for i, ttl in sorted(marks.items()) if prompt.parts[i].visible >= rule.min_tokens]


def _read_places(prompt: Prompt, marks: Sequence[tuple[int, str]], rule: CacheRule) -> list[int]:
    """Return the part ends where an older entry may be matched, longest first.

    Explicit mode matches its own marks only; implicit mode also the ends of earlier messages, where earlier turns of a
    conversation had their automatic breakpoint; a lookback reaches unmarked parts before a mark.
    """
    parts = prompt.parts
    window = [index for index, _ in marks[-rule.match_window :]]
    near = {back for index in window for back in range(max(0, index - rule.lookback), index + 1)}
    if rule.kind == "breakpoints" and prompt.mode == "implicit":
        closing = [i for i in range(len(parts) - 1) if parts[i + 1].end - parts[i].end > parts[i + 1].tokens]
        near |= set(closing[-rule.match_window :])
    return sorted((i for i in near if parts[i].visible >= rule.min_tokens), reverse=True)
