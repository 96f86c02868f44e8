"""Which assertions follow from others, and the order to check them in."""
