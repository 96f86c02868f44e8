"""Engines: the algorithms that decide what to ask the solver next. Only they ask solvers."""
