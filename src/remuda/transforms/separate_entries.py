"""Give an entry procedure that is also called a start of its own.

before:  procedure {:entrypoint} main() { ...; call main(); ... }
after:   procedure {:entrypoint} main$start() { free call main(); }     procedure main() { ...; call main(); ... }

What holds only where an execution starts (the globals' `where` conditions), or counts only where it ends (reaching
the entry's end), must not happen at an inner call. Entries that nothing calls stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, final

from remuda.base.names import FreshNames
from remuda.ir.passes import PassResult, unchanged
from remuda.ir.program import Attribute, Block, Call, Procedure, Program
from remuda.terms.symbols import Variable, VariableKind


@final
@dataclass(frozen=True, slots=True)
class SeparateEntries:
    """The pass: executions start in procedures that nothing calls."""

    name: ClassVar[str] = "separate-entries"

    def apply(self, program: Program) -> PassResult:
        called = {
            statement.procedure
            for procedure in program.procedures.values()
            for block in procedure.blocks or ()
            for statement in block.statements
            if isinstance(statement, Call)
        }
        fresh = FreshNames(program.procedures)
        starts = {entry: fresh.make(f"{entry}$start") for entry in program.entries if entry in called}
        procedures = dict(program.procedures)
        for entry, start in starts.items():
            procedures[start] = _start(program, program.procedures[entry], start)
        entries = tuple(starts.get(entry, entry) for entry in program.entries)
        return PassResult(replace(program, procedures=procedures, entries=entries), unchanged)


def _start(program: Program, entry: Procedure, name: str) -> Procedure:
    """A procedure that only calls the entry, under the same preconditions."""
    inputs = {variable: _copy(variable) for variable in entry.inputs}
    outputs = tuple(_copy(variable) for variable in entry.outputs)
    terms = program.terms
    replacement = {variable: terms.var(copy) for variable, copy in inputs.items()}
    requires = tuple(
        replace(condition, term=terms.substitute([condition.term], replacement)[0], check=None)
        for condition in entry.requires
    )
    # The preconditions hold already, so the call need not check them.
    call = Call(entry.name, tuple(replacement.values()), outputs, entry.span, (Attribute("free"),))
    return Procedure(
        name=name,
        inputs=tuple(inputs.values()),
        outputs=outputs,
        span=entry.span,
        blocks=(Block("start", (call,), (), entry.span),),
        requires=requires,
    )


def _copy(variable: Variable) -> Variable:
    return Variable(variable.name, variable.type, VariableKind.LOCAL)
