"""Which solver searches a program, how it is set up, and who takes turns with it.

Measured on driver programs (integers and maps) and on C programs (bit-vectors and maps); docs/explain/vc.md has tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, final

from remuda.analysis.arithmetic import is_mostly_linear
from remuda.analysis.bit_programs import is_bit_program

if TYPE_CHECKING:
    from remuda.ir.program import Program
    from remuda.options import Options

BEST_JOINS: Final = {"z3": "equations", "cvc5": "equations", "bitwuzla": "ite"}


@final
@dataclass(frozen=True, slots=True)
class Mount:
    """A solver and what suits it: how values meet where paths join, and settings of its own."""

    solver: str
    joins: str
    settings: Mapping[str, str] = field(default_factory=dict)


def mounts(program: Program, options: Options) -> list[Mount]:
    """The one to begin with, and those that take turns with it when it takes long.

    Z3's older arithmetic is two to ten times faster on driver programs, but has no procedure for products of variables.
    Splitting cases along the formula's structure, backwards from what fails, is now ten times faster, now slower.
    """
    own = {"smt.arith.solver": "2"} if is_mostly_linear(program) else {}
    z3 = Mount("z3", _joins("z3", options), own)
    match options.solver:
        case "auto" if is_bit_program(program):
            return [Mount("bitwuzla", _joins("bitwuzla", options)), z3]
        case "auto" | "z3":
            return [z3, Mount("z3", z3.joins, {**own, "smt.case_split": "3"})]
        case name:
            return [Mount(name, _joins(name, options))]


def _joins(solver: str, options: Options) -> str:
    return BEST_JOINS[solver] if options.joins == "auto" else options.joins
