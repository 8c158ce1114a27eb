"""Candidates made by code: new names, descriptions of unnamed people, places and things, and the narrator."""

from analyzer.text.candidates.book import BookStats
from analyzer.text.candidates.descriptors import DescriptorCandidate, descriptors
from analyzer.text.candidates.forms import FormCandidate, new_forms
from analyzer.text.candidates.narrator import NarratorCandidate, narrator

__all__ = [
    "BookStats",
    "DescriptorCandidate",
    "FormCandidate",
    "NarratorCandidate",
    "descriptors",
    "narrator",
    "new_forms",
]
