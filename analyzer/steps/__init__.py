"""One decision per file, found by folder; what several steps share stands in the modules whose names start with `_`."""
