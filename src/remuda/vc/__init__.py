"""Verification conditions: each procedure becomes a formula template once, whatever number of times it is used."""
