"""A concrete interpreter of programs: it confirms traces, tells them to people, and is the oracle of tests."""
