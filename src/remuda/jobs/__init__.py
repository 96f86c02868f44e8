"""Runs functions in child processes, under hard limits on time and memory."""
