"""Points-to analysis, and the regions that it divides memory into."""
