"""Transforms: `Program -> Program`, each with the way back for traces. One pass per file."""
