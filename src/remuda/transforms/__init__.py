"""Transforms: `Program -> Program`, each with the way a trace travels back. One pass per file."""
