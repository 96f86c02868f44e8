"""The lowest folder: source spans, kinds of errors, the clock, graph algorithms, fresh names."""
