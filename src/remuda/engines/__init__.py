"""Engines: they decide what to ask the solver next. The only room that asks."""
