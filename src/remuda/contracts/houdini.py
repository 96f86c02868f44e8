"""Finds the stated candidates for contracts and invariants that hold: `remuda houdini`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

from remuda.analysis.modifies import modified_globals
from remuda.base.errors import Unsupported
from remuda.engines.asserted_candidates import AssertedCandidates
from remuda.engines.solver_setup import solver_setups
from remuda.ir.edit import terms_of, with_terms
from remuda.ir.printer import print_program
from remuda.ir.program import Assert, Condition, Procedure, Program, Statement
from remuda.ir.threads import thread_starts
from remuda.results.report import Statistics
from remuda.transforms.call_contracts import CallContracts
from remuda.transforms.contracts import LowerContracts
from remuda.transforms.cut_loops import CutLoops
from remuda.transforms.error_bit import ErrorBitResult, InsertErrorBit
from remuda.transforms.known_procedures import KnownProcedures
from remuda.transforms.make_reducible import MakeReducible
from remuda.vc.interface import interfaces

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remuda.engines.houdini import Inferred
    from remuda.engines.inlining import Inlining
    from remuda.ir.program import Check
    from remuda.options import Options
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term


@final
@dataclass(frozen=True, slots=True)
class Inference:
    """The result. `candidates` are the candidates that each assertion checks. `assertions` are all assertions that
    check no candidate, and `failing` those of them that do not follow from contracts alone. `text` is the program
    with the result in place of the candidates."""

    inferred: Inferred
    candidates: Mapping[Check, Sequence[Variable]]  # of all assertions
    assertions: tuple[Check, ...]
    failing: tuple[Check, ...]
    queries: int
    text: str


def infer(program: Program, options: Options, deadline: float | None = None) -> Inference:
    """Check every procedure against its contract alone, and keep the candidates that hold.

    After the `deadline`, no candidate is kept. `options.timeout` limits each query.
    """
    for start in thread_starts(program):
        raise Unsupported(start.span, "an asynchronous call, where candidates are inferred,")
    code = InsertErrorBit().apply(_modular(program))
    setup = solver_setups(code.program, options)[0]
    faces = interfaces(code.program, summaries="modset")

    def load(code: ErrorBitResult) -> Inlining:
        return setup.inlining(code, faces, Statistics())

    candidates = AssertedCandidates(code, program.existentials, load, options.timeout, deadline)
    inferred = candidates.infer()
    plain = tuple(check for check in code.targets if not candidates.of(check))
    by_check = {check: candidates.of(check) for check in code.targets}
    return Inference(
        inferred, by_check, plain, tuple(candidates.failing), candidates.queries, _with_found(program, inferred)
    )


def _modular(program: Program) -> Program:
    """The program without calls and cycles, so that every body can be checked alone."""
    bodies = tuple(name for name, procedure in program.procedures.items() if procedure.blocks is not None)
    program = KnownProcedures().apply(replace(program, entries=bodies)).program
    program = LowerContracts(modular=True).apply(program).program
    program = MakeReducible().apply(program).program
    # Calls go first: loops may change what their calls may change.
    return CutLoops().apply(CallContracts().apply(program).program).program


def _with_found(program: Program, inferred: Inferred) -> str:
    """The program as Boogie text, with true for the kept candidates, and without the others."""
    terms = program.terms
    values: dict[Variable, Term] = {
        **dict.fromkeys(inferred.kept, terms.true),
        **dict.fromkeys(inferred.dropped, terms.false),
    }

    def conditions(given: tuple[Condition, ...]) -> tuple[Condition, ...]:
        found = zip(given, terms.substitute([each.term for each in given], values), strict=True)
        return tuple(replace(each, term=term) for each, term in found if term is not terms.true)

    def is_needed(statement: Statement) -> bool:
        return not (isinstance(statement, Assert) and statement.condition is terms.true)

    def decided(procedure: Procedure) -> Procedure:
        blocks = procedure.blocks and tuple(
            replace(
                block,
                statements=tuple(
                    filter(
                        is_needed,
                        (
                            with_terms(each, tuple(terms.substitute(terms_of(each), values)))
                            for each in block.statements
                        ),
                    )
                ),
            )
            for block in procedure.blocks
        )
        return replace(
            procedure,
            blocks=blocks,
            requires=conditions(procedure.requires),
            ensures=conditions(procedure.ensures),
        )

    found = replace(
        program,
        procedures={name: decided(procedure) for name, procedure in program.procedures.items()},
        constants=tuple(each for each in program.constants if each not in values),
        existentials=(),
    )
    modifies = {
        name: tuple(dict.fromkeys((*found.procedures[name].modifies, *modified)))
        for name, modified in modified_globals(found).items()
    }
    return print_program(found, modifies, {})
