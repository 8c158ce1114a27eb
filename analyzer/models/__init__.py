"""Frozen records; the vocabulary everything else speaks. Import from the submodules."""
