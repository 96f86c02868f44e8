"""Add contracts to procedures: conditions that hold whenever they are called, and whenever they return.

before:  P(x) returns (y) { S }
after:   P(x) returns (y); ensures E; { assume R; S }

Both are assumed, so the caller must have proved them. Loops are procedures by now (`transforms.extract_loops`): an
invariant holds when one is called, and when it returns. A contract with a guard counts only if that constant is true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, final

from remuda.ir.passes import PassResult, unchanged
from remuda.ir.program import Assume, Call, Condition

if TYPE_CHECKING:
    from remuda.ir.program import Procedure, Program
    from remuda.terms.store import Terms
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term


@final
@dataclass(frozen=True, slots=True, eq=False)
class Contract:
    """A condition on the state at the start of a procedure, one on the states at its start and end, or both. `old` is
    for globals, as in Boogie."""

    procedure: str
    requires: Term | None = None
    ensures: Term | None = None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A contract that holds if `guard`, a constant, is true."""

    guard: Variable
    contract: Contract

    def guarded(self, terms: Terms) -> Contract:
        guard, contract = terms.var(self.guard), self.contract
        return Contract(
            contract.procedure,
            contract.requires and terms.implies(guard, contract.requires),
            contract.ensures and terms.implies(guard, contract.ensures),
        )


@final
@dataclass(frozen=True, slots=True)
class AddContracts:
    """The pass. It adds and removes no blocks, so traces do not change."""

    name: ClassVar[str] = "add-contracts"
    contracts: Sequence[Contract]

    def apply(self, program: Program) -> PassResult:
        by_procedure: dict[str, list[Contract]] = {}
        for contract in self.contracts:
            by_procedure.setdefault(contract.procedure, []).append(contract)
        procedures = {
            name: _with(procedure, by_procedure[name]) if name in by_procedure else procedure
            for name, procedure in program.procedures.items()
        }
        return PassResult(replace(program, procedures=procedures), unchanged)


def _with(procedure: Procedure, contracts: Sequence[Contract]) -> Procedure:
    assert procedure.blocks
    span = procedure.span
    assumed = [Assume(each.requires, span) for each in contracts if each.requires is not None]
    ensured = [Condition(each.ensures, span, None) for each in contracts if each.ensures is not None]
    first, *rest = procedure.blocks
    first = replace(first, statements=(*assumed, *first.statements))
    return replace(procedure, blocks=(first, *rest), ensures=(*procedure.ensures, *ensured))


def invariant(terms: Terms, loop: Procedure, condition: Term) -> Contract:
    """The contract of a loop procedure from an invariant of the loop's head, over the inputs of the procedure."""
    (after,) = terms.substitute([condition], at_end(loop))
    return Contract(loop.name, condition, after)


def at_end(loop: Procedure) -> Mapping[Variable, Term]:
    """The values of a loop procedure's inputs after its iterations: those that it calls itself with."""
    for block in loop.blocks or ():
        for statement in block.statements:
            if isinstance(statement, Call) and statement.procedure == loop.name:
                return dict(zip(loop.inputs, statement.arguments, strict=True))
    return {}
