"""Pure views: a bible or rows in, plain records out. No I/O, no rendering."""
