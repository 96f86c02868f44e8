"""Runs failing executions again before a violation is claimed, and challenges proofs of C programs."""
