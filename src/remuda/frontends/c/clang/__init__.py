"""C files to syntax trees, by libclang."""
