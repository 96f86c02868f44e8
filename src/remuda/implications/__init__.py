"""Finds assertions that follow from others, and orders the checks of assertions."""
