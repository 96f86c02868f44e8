"""Proves assertions in the smallest loop or procedure that suffices."""
