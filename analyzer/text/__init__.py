"""Pure text work: readers, chapters, blocks, sentences, names, quotes; one language table per language."""
