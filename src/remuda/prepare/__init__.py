"""From source texts to a program that can be searched: load, passes in order, bounds, assumptions."""
