"""Verdicts and the report: what a run tells its user, as data, text and JSON."""
