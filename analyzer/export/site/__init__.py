"""A book as a site for its readers, or as one page for its author: what it says as of every chapter, and nothing from later ones."""
