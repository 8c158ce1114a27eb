"""Decides for each open secret whose people are here whether this chapter touches it; must not decide to whom it is told."""

from __future__ import annotations

from analyzer.steps._options import lettered
from analyzer.steps._secret_touch import touch_step

STEP = touch_step(
    "secret_touch",
    "first",
    lettered(
        (
            ("touched", "it is thought of, hinted at or acted on; nobody new learns it", None),
            ("shared", "somebody new is let into it; others are still kept from it", None),
            ("exposed", "those it was kept from find it out, or it becomes known", None),
        )
    ),
)
