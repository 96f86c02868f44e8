"""Writes programs after a transform as text for other verifiers."""
