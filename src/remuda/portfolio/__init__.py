"""The portfolio: facts about a program, and which strategies verify it."""
