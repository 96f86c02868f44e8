"""Solvers by name. A solver's library is only loaded for that solver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.base.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remuda.smt.solver import Solver

SOLVER_NAMES: Final = ("z3", "cvc5", "bitwuzla")


def create_solver(name: str, *, settings: Mapping[str, str] | None = None) -> Solver:
    """A new solver. `settings` are the solver's own options, added to Remuda's defaults for it."""
    match name:
        case "z3":
            from remuda.smt.z3_solver import Z3Solver

            return Z3Solver(settings)
        case "cvc5":
            from remuda.smt.cvc5_solver import Cvc5Solver

            return Cvc5Solver(settings)
        case "bitwuzla":
            from remuda.smt.bitwuzla_solver import BitwuzlaSolver

            return BitwuzlaSolver(settings)
        case _:
            raise UsageError(f"unknown solver {name}: choose one of {', '.join(SOLVER_NAMES)}")
