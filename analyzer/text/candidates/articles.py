"""How often a word stands after an article: tells nouns from names where every noun has a capital."""

from __future__ import annotations

import re
from collections import Counter

from analyzer.text.candidates.capital_rules import UPPER
from analyzer.text.candidates.lexicon import alternation, word_list
from analyzer.text.languages import LanguageTable


def led_counts(text: str, table: LanguageTable) -> Counter[str]:
    """Return how often each capitalised word stands after an article, possessive or number, with or without an adjective."""
    determiners = alternation(word_list(table.names, "determiners"))
    led = re.compile(rf"(?i:\b{determiners})[ \n](?:[^\W\d_{UPPER}]+[ \n]){{0,2}}([{UPPER}]\w+(?:-\w+)*)")
    return Counter(led.findall(text))
