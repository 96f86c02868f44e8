"""Remuda: a verifier for assertions in Boogie and C programs."""
