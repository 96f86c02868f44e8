"""Proves assertions in the smallest loop or procedure that is enough."""
