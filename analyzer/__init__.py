"""Reads a serial novel chapter by chapter and keeps a story bible true."""

__version__ = "0.1.0"
