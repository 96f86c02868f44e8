"""Solvers behind one small protocol; one file per real solver."""
