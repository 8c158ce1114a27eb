"""Wider public checks: other people's annotations of novels and plays, read from a folder; never part of the gate."""
