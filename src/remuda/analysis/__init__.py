"""Analyses of programs without a solver: control flow, loops, calls, modified globals."""
