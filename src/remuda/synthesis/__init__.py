"""Writes assertions for programs that have few."""
