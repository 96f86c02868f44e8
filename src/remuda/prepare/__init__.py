"""Makes a program that can be searched from source texts: loading, passes in order, bounds, assumptions."""
