"""The one expression language: types, interned terms, and the values they evaluate to.

Front ends build terms, transforms rewrite them, solvers translate them and the interpreter evaluates them, so
that a shared subterm stays shared from the source text to the solver.
"""
