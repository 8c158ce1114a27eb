"""Asking: the one door (`asker`), answer formats, transports, profiles, usage and prices; nothing here imports an SDK until it asks."""
