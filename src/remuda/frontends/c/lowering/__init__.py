"""Syntax trees to procedures of the IR."""
