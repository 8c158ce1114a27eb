"""How gold answers the questions of the story's parts: one module a part, found by folder.

Each module has `ANSWERERS`: what is asked (`QuestionKey.ask`) -> a function of question and view that returns the true
answer, or none where gold says nothing. A key asked by two modules is a DefinitionError.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import lru_cache

from analyzer.errors import DefinitionError
from analyzer.llm.transports.gold_book import GoldView
from analyzer.models.question import Answer, Question

Answerer = Callable[[Question, GoldView], Answer]


@lru_cache(maxsize=1)
def story_answerers() -> dict[str, Answerer]:
    """Return all of them by what is asked."""
    found: dict[str, Answerer] = {}
    for info in pkgutil.iter_modules(__path__):
        if info.name.startswith("_"):
            continue
        module = importlib.import_module(f"{__name__}.{info.name}")
        for ask, answerer in module.ANSWERERS.items():
            if ask in found:
                raise DefinitionError(f"{ask!r} has two ways to be answered from gold", where=module.__name__)
            found[ask] = answerer
    return found
