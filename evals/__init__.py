"""Measures the pipeline against gold chapters."""
