"""The program representation: procedures of basic blocks over terms, its checker, printer and traces."""
