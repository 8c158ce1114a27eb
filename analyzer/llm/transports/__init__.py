"""Transports: one module per way of getting answers; see `analyzer.llm.asker` for the contract."""
