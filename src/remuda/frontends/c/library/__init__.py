"""Models of library functions, for programs that do not define them."""
