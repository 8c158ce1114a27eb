"""The store of a book: the only SQL in the project, its migrations, the writer and the status file."""
