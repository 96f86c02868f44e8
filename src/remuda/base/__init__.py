"""What every room stands on: source spans, error kinds, budgets, graph algorithms."""
