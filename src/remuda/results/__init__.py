"""Verdicts and the report of a run, as data, text and JSON."""
