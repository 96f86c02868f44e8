"""Adds the inferred facts about loops and procedures to a program, as assumptions.

Houdini infers facts from the program with loops as procedures. The same program with loops gets them here: invariants
at the heads of loops, preconditions at the start of bodies, and postconditions after calls.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from remuda.analysis.callgraph import calls_of
from remuda.base.names import FreshNames
from remuda.contracts.annotate import without_failure
from remuda.contracts.inference import infer
from remuda.ir.program import Assume, Block, Condition, Procedure
from remuda.prepare.pipeline import for_facts

if TYPE_CHECKING:
    from remuda.ir.program import Program
    from remuda.options import Options
    from remuda.prepare.pipeline import Prepared
    from remuda.terms.term import Term
    from remuda.transforms.add_contracts import Contract


def with_facts(prepared: Prepared, options: Options, deadline: float) -> Program:
    """The program before its loops became procedures, with the facts that can be inferred until the deadline."""
    source = for_facts(prepared, options)
    procedures = dict(source.looping.procedures)
    for contract in infer(source, options, deadline).contracts:
        _add(procedures, source, contract)
    return replace(source.looping, procedures=procedures)


def _add(procedures: dict[str, Procedure], source: Prepared, contract: Contract) -> None:
    requires, ensures = without_failure(source, contract)
    about = source.searched.procedures[contract.procedure]
    if about.loop_of is None:
        procedure = procedures[about.name]
        if requires is not None and about.name not in source.looping.entries:
            procedure = _at_start(procedure, requires)
        if ensures is not None:
            procedure = replace(procedure, ensures=(*procedure.ensures, Condition(ensures, procedure.span, None)))
        procedures[about.name] = procedure
    elif requires is not None:
        procedure = procedures[about.loop_of]
        (call,) = (
            each for each in calls_of(source.searched.procedures[about.loop_of]) if each.procedure == about.name
        )
        known = dict(zip(about.inputs, call.arguments, strict=True))  # by position: variables may share a name
        (invariant,) = source.searched.terms.substitute([requires], known)
        procedures[about.loop_of] = _at_head(procedure, about.name[len(about.loop_of) + 1 :], invariant)


def _at_head(procedure: Procedure, header: str, invariant: Term) -> Procedure:
    blocks = tuple(
        replace(block, statements=(Assume(invariant, block.span), *block.statements))
        if block.label == header
        else block
        for block in procedure.blocks or ()
    )
    return replace(procedure, blocks=blocks)


def _at_start(procedure: Procedure, condition: Term) -> Procedure:
    blocks = procedure.blocks or ()
    start = FreshNames(block.label for block in blocks).make("$known")
    first = Block(start, (Assume(condition, procedure.span),), (blocks[0].label,), procedure.span)
    return replace(procedure, blocks=(first, *blocks))
