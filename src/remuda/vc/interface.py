"""The values that pass between a caller and a callee: parameters, and the relevant globals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.analysis.modifies import modified_globals, used_globals

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remuda.ir.program import Program
    from remuda.terms.symbols import Variable


@final
@dataclass(frozen=True, slots=True, eq=False)
class Interface:
    """The variables that a call passes in and out. Only globals that the callee can access are part of it."""

    inputs: tuple[Variable, ...]  # parameters, then globals read or written
    outputs: tuple[Variable, ...]  # results, then globals written


def interfaces(program: Program, *, summaries: str) -> Mapping[str, Interface]:
    """The interface of every procedure.

    With summaries "modset" a call changes what the callee can change; with "none" a call not yet inlined may
    change every global.
    """
    everything = tuple(program.globals)
    modified = modified_globals(program)
    used = used_globals(program)
    result = {}
    for name, procedure in program.procedures.items():
        written = everything if summaries == "none" and procedure.blocks is not None else modified[name]
        read = everything if summaries == "none" and procedure.blocks is not None else used[name]
        result[name] = Interface((*procedure.inputs, *read), (*procedure.outputs, *written))
    return result
