"""The formats of an export: one module each, found by itself; each renders the tables of a book and writes them."""
