"""Synthesizes assertions for programs that have few."""
