"""Many books: each in a process of its own, money and rate shared by all."""
