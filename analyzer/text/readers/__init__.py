"""One file per manuscript format; the only place where characters may change."""
