"""Reports of evaluation runs: a terminal table, Markdown, one self-contained HTML page; all show the same tables."""
