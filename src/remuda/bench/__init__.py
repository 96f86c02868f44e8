"""Benchmarks: tools on tasks, under limits, judged against the expected verdicts."""
