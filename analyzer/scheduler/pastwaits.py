"""Which chapters a step with a past may start at: those before which whoever writes its past is done everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


class PastWaits:
    """Counts, for each step with a past, how far its writers are done without a gap; chapters outside the run count as done.

    Cost: one step on for every chapter, however the writers finish.
    """

    def __init__(self, writers: Mapping[str, frozenset[str]], chapters: Sequence[int]) -> None:
        self._chapters = tuple(chapters)
        self._writers = {name: frozenset(by) for name, by in writers.items()}
        self._left: dict[str, dict[int, int]] = {
            name: {no: len(by) for no in self._chapters} for name, by in self._writers.items()
        }
        self._done = {name: 0 for name in self._writers}
        for name, by in self._writers.items():
            if not by:
                self._done[name] = len(self._chapters)

    def is_there(self, name: str, chapter: int) -> bool:
        """Say whether the past of step `name` before `chapter` (one of the run) is complete."""
        return self._chapters.index(chapter) <= self._done[name]

    def settle(self, writer: str, chapter: int) -> Iterator[tuple[str, int]]:
        """Take in that `writer` is done with `chapter`; yields each (step, chapter) whose past is complete by that."""
        for name, by in self._writers.items():
            if writer not in by:
                continue
            self._left[name][chapter] -= 1
            while self._done[name] < len(self._chapters) and not self._left[name][self._chapters[self._done[name]]]:
                self._done[name] += 1
                if self._done[name] < len(self._chapters):
                    yield name, self._chapters[self._done[name]]
