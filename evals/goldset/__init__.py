"""Goldsets: what they are, how gold is written by quoting, where texts come from, which cases there are."""
