"""Contracts of procedures and invariants of loops: inference, stated ones, modular checks, printing."""
