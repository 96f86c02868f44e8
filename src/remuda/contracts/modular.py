"""Checks each procedure with the contracts of its callees and the invariants of its loops: `--modular`.

Contracts and invariants that the program states are candidates (`engines.houdini`). Those that Houdini keeps hold
together, so they are proved, and so is every assertion that follows from them. The other assertions are unknown: a
failing execution may start in a state, or leave a loop in a state, that the program never reaches.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

from remuda.analysis.loops import find_loops
from remuda.contracts.houdini import infer
from remuda.ir.program import Assert, Block, Check, Condition, Procedure, Program
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import BOOL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.options import Options


@final
@dataclass(frozen=True, slots=True)
class ModularResult:
    """All assertions, including contracts at calls and returns; `open` has those that do not follow, with reasons."""

    checks: tuple[Check, ...]
    open: dict[Check, str]


def verify_modular(program: Program, options: Options) -> ModularResult:
    """The assertions that follow from contracts and invariants alone."""
    guarded = _Guarding(program).run()
    inference = infer(guarded, options)
    found: dict[Check, str] = dict.fromkeys(inference.failing, "it does not follow from contracts alone")
    dropped = inference.inferred.dropped
    for check, candidates in inference.candidates.items():
        for candidate in candidates:
            if candidate in dropped:
                place = dropped[candidate]
                elsewhere = "" if place is None or place is check else f": it fails at {place.span}"
                found[check] = f"the contract does not follow from contracts alone{elsewhere}"
    return ModularResult(tuple(inference.candidates), found)


@final
class _Guarding:
    """Makes the program with a candidate for every contract and invariant that is checked."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._candidates: list[Variable] = []

    def run(self) -> Program:
        procedures = {name: self._procedure(each) for name, each in self._program.procedures.items()}
        return replace(
            self._program,
            procedures=procedures,
            constants=(*self._program.constants, *self._candidates),
            existentials=(*self._program.existentials, *self._candidates),
        )

    def _procedure(self, procedure: Procedure) -> Procedure:
        heads = {loop.header for loop in find_loops(procedure).loops} if procedure.blocks else set()
        return replace(
            procedure,
            requires=self._conditions(procedure.requires),
            ensures=self._conditions(procedure.ensures) if procedure.blocks else procedure.ensures,
            blocks=procedure.blocks
            and tuple(self._head(block) if block.label in heads else block for block in procedure.blocks),
        )

    def _conditions(self, conditions: Sequence[Condition]) -> tuple[Condition, ...]:
        terms = self._program.terms
        return tuple(
            each if each.check is None else replace(each, term=terms.implies(terms.var(self._new()), each.term))
            for each in conditions
        )

    def _head(self, block: Block) -> Block:
        """The head of a loop, with a candidate for each of its invariants, which are assertions there."""
        terms = self._program.terms
        statements = [
            replace(each, condition=terms.implies(terms.var(self._new()), each.condition))
            if isinstance(each, Assert) and each.check.kind == "invariant"
            else each
            for each in block.statements
        ]
        return replace(block, statements=tuple(statements))

    def _new(self) -> Variable:
        self._candidates.append(Variable(f"candidate${len(self._candidates)}", BOOL, VariableKind.CONSTANT))
        return self._candidates[-1]
