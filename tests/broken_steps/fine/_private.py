"""No step: its name begins with _."""
