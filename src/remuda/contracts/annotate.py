"""Prints inferred contracts, for users and for other verifiers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

from remuda.analysis.modifies import modified_globals
from remuda.base import clock
from remuda.contracts.inference import Found, infer, solve, with_contracts
from remuda.ir.printer import print_program
from remuda.ir.program import Check, Condition
from remuda.ir.term_text import term_text
from remuda.prepare.pipeline import for_proofs, prepare
from remuda.results.unsupported import UNSUPPORTED
from remuda.terms.symbols import Variable
from remuda.transforms.extract_loops import INPUT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remuda.ir.program import Procedure, Program
    from remuda.options import Options
    from remuda.prepare.pipeline import Prepared
    from remuda.terms.term import Term
    from remuda.transforms.add_contracts import Contract


@final
@dataclass(frozen=True, slots=True)
class Annotated:
    """The number of candidates, the contracts that hold as text, and the program with them as Boogie text. `notes`
    say for which executions they do not hold."""

    candidates: int
    contracts: tuple[str, ...]
    text: str
    notes: tuple[str, ...] = ()


def annotate(program: Program, options: Options, hear: Callable[[Annotated], None] = lambda _: None) -> Annotated:
    """Infer contracts of procedures and invariants of loops: those that the program's text suggests, and those that
    prove its assertions.

    It calls `hear` with the suggested ones before it infers the others.
    """
    deadline = None if options.timeout is None else clock.now() + options.timeout
    prepared = for_proofs(prepare(program, options), options)
    suggested = infer(prepared, options, deadline)
    hear(_annotated(prepared, suggested))
    solved = solve(with_contracts(prepared, suggested.contracts), options, deadline)
    found = Found(suggested.count + solved.count, [*suggested.contracts, *solved.contracts])
    return _annotated(prepared, found)


def _annotated(prepared: Prepared, found: Found) -> Annotated:
    notes = [
        f"{check.description} at {check.span} is not supported: the contracts do not cover executions that reach it"
        for check in prepared.checks.values()
        if check.kind == UNSUPPORTED
    ]
    words = tuple(dict.fromkeys(in_words(prepared, found.contracts)))  # both may have found the same contracts
    return Annotated(found.count, words, _text(prepared, found.contracts), tuple(notes))


def in_words(prepared: Prepared, contracts: Sequence[Contract]) -> list[str]:
    """A line for each contract, in the names of the source: `main/while  invariant i <= n`."""
    lines = []
    for contract in contracts:
        requires, ensures = without_failure(prepared, contract)
        procedure = prepared.searched.procedures[contract.procedure]
        if procedure.loop_of is not None and requires is not None:
            lines.append(f"{procedure.name}  invariant {term_text(_in_source_names(prepared, procedure, requires))}")
            continue
        if requires is not None:
            lines.append(f"{procedure.name}  requires {term_text(requires)}")
        if ensures is not None:
            lines.append(f"{procedure.name}  ensures {term_text(ensures)}")
    return lines


def _in_source_names(prepared: Prepared, loop: Procedure, condition: Term) -> Term:
    terms = prepared.searched.terms
    named = {each: terms.var(Variable(each.name.removeprefix(INPUT), each.type, each.kind)) for each in loop.inputs}
    return terms.substitute([condition], named)[0]


def without_failure(prepared: Prepared, contract: Contract) -> tuple[Term | None, Term | None]:
    """The conditions of a contract for executions that do not fail, which is the usual meaning of contracts."""
    code, terms = prepared.instrumented, prepared.searched.terms
    decided = {code.reach: terms.false}
    if contract.procedure in code.failed:
        decided[code.failed[contract.procedure]] = terms.false
    said = [contract.requires, contract.ensures]
    told = [None if each is None else terms.substitute([each], decided)[0] for each in said]
    requires, ensures = (None if each is terms.true else each for each in told)
    return requires, ensures


def _text(prepared: Prepared, contracts: Sequence[Contract]) -> str:
    """The text of the program, with loops as procedures, and with contracts to be checked."""
    program = prepared.searched
    procedures = dict(program.procedures)
    for number, contract in enumerate(contracts):
        procedure = procedures[contract.procedure]
        requires, ensures = without_failure(prepared, contract)

        def checked(kind: str, term: Term | None, number: int = number, at: Procedure = procedure) -> list[Condition]:
            check = Check(f"{at.name}:{kind}:{number}", kind, "", at.span)
            return [] if term is None else [Condition(term, at.span, check)]

        procedures[contract.procedure] = replace(
            procedure,
            requires=(*procedure.requires, *checked("requires", requires)),
            ensures=(*procedure.ensures, *checked("ensures", ensures)),
        )
    annotated = replace(program, procedures=procedures)
    return print_program(annotated, modified_globals(annotated), {})
