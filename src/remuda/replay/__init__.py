"""A concrete interpreter of programs: it confirms traces, makes them readable, and is the oracle of tests."""
