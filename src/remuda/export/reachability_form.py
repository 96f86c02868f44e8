"""Writes a program in reachability form, as Boogie text for other verifiers.

The form has one entry, which calls one of the program's entries, and ends only if an assertion has failed:

    procedure {:entrypoint} start$() {
      var failed: bool;
      goto P, Q;
      P: call failed := P(); assume failed; return;
      Q: ...
    }
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from remuda.analysis.modifies import modified_globals
from remuda.base.names import FreshNames
from remuda.ir.printer import print_program
from remuda.ir.program import Assume, Attribute, Block, Call, Procedure
from remuda.prepare.load import load
from remuda.prepare.pipeline import base_program, chosen_entries
from remuda.terms.symbols import Variable, VariableKind
from remuda.transforms.error_bit import ErrorBitResult, InsertErrorBit
from remuda.transforms.prune import PruneProcedures
from remuda.transforms.separate_entries import SeparateEntries

if TYPE_CHECKING:
    from remuda.base.source import Source
    from remuda.ir.program import Program
    from remuda.options import Options


def reachability_form(sources: Sequence[Source], options: Options) -> str:
    """Boogie text in which exactly the executions that fail an assertion reach the entry's end."""
    program, options = load(sources, options)
    program = replace(program, entries=chosen_entries(program, options))
    program = SeparateEntries().apply(program).program  # assumptions about the start do not hold for all calls
    base = base_program(program, replace(options, entry=()))
    code = InsertErrorBit().apply(PruneProcedures().apply(base).program)
    # Statements contain the conditions of `where` clauses; Boogie would assume those of globals at every call too.
    program = replace(_with_start(code), wheres={})
    return print_program(program, modifies=modified_globals(program))


def _with_start(code: ErrorBitResult) -> Program:
    """The program with a new entry."""
    program = code.program
    failing = [program.procedures[name] for name in program.entries if name in code.failed]
    name = FreshNames(program.procedures).make("start$")
    span = next(iter(program.procedures.values())).span
    labels = FreshNames([])
    counting = [program.terms.var(target) for target in code.targets.values()]
    every = program.terms.and_([*counting, program.terms.not_(program.terms.var(code.reach))])
    branches = {labels.make(entry.name): entry for entry in failing}
    start = Block(labels.make("start"), (Assume(every, span),), tuple(branches), span)
    blocks = [start]
    variables: list[Variable] = []
    for label, entry in branches.items():
        own = {variable: _local(variable) for variable in (*entry.inputs, *entry.outputs)}
        variables += own.values()
        failed = program.terms.var(own[code.failed[entry.name]])
        arguments = tuple(program.terms.var(own[variable]) for variable in entry.inputs)
        call = Call(entry.name, arguments, tuple(own[variable] for variable in entry.outputs), span)
        blocks.append(Block(label, (call, Assume(failed, span)), (), span))
    if not branches:
        blocks = [replace(start, statements=(Assume(program.terms.false, span),))]
    made = Procedure(name, (), (), span, tuple(variables), tuple(blocks), attributes=(Attribute("entrypoint"),))
    unmarked = {other: _unmarked(procedure) for other, procedure in program.procedures.items()}
    return replace(program, procedures={**unmarked, name: made}, entries=(name,))


def _local(variable: Variable) -> Variable:
    return Variable(variable.name, variable.type, VariableKind.LOCAL)


def _unmarked(procedure: Procedure) -> Procedure:
    kept = tuple(attribute for attribute in procedure.attributes if attribute.name != "entrypoint")
    return replace(procedure, attributes=kept)
