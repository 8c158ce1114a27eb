"""A cast row as `show cast` gives it, for tests of what is counted over casts."""

from __future__ import annotations

from analyzer.export.show import CastRow


def row(handle: str, *names: str, kind: str = "character") -> CastRow:
    return CastRow(
        handle=handle,
        kind=kind,
        name=names[0],
        names=names,
        named=True,
        narrator=False,
        first_chapter=1,
        presence={},
        n_mentions=1,
    )
