"""A module without a STEP."""
