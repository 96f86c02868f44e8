"""Contracts of procedures and invariants of loops: found, stated, checked modularly, printed."""
