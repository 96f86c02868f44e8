"""Benchmarks: run tools on tasks under limits, and compare their verdicts with the expected ones."""
