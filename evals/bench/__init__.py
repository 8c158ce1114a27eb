"""Benchmarks, one module a part; each gives `run`."""
