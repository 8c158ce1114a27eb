"""Puts each open secret a second time, in other words; must not find new ones."""

from __future__ import annotations

from analyzer.steps._options import lettered
from analyzer.steps._secret_touch import touch_step

STEP = touch_step(
    "secret_touch_again",
    "second",
    lettered(
        (
            ("exposed", "it is out: nobody is left from whom it is kept", None),
            ("shared", "the circle of those who know it grows, but it is kept from some", None),
            ("touched", "it plays a part here, but the same people know it as before", None),
        )
    ),
)
