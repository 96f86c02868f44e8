"""Runs other verifiers and the C compiler as separate programs."""
