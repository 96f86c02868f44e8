"""Make one procedure a program of its own, for a verifier that checks procedures one by one and inlines calls.

before:  P { assert a; call f(); call {:succeeds} f() }      f { assert b; }                 (only b is wanted)
after:   fragment { assume a; call f(); call f$succeeds() }
         {:inline 2} f { assert {:remuda 0} b; }      {:inline 2} f$succeeds { assume b; }

An assertion that is not wanted ends executions that it would fail, as it does in the program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, final

from remuda.base.names import FreshNames
from remuda.ir.passes import PassResult, Trust, unchanged
from remuda.ir.program import SUCCEEDS, Assert, Assume, Attribute, Call, attribute

if TYPE_CHECKING:
    from remuda.ir.program import Check, Procedure, Program, Statement

HEAD: Final = "fragment"
NUMBER: Final = "remuda"  # the attribute of a wanted assertion, with its number
DEPTH: Final = 2  # how often a procedure that calls itself is inlined


@final
@dataclass(frozen=True, slots=True)
class LoneProcedure:
    """The pass. The procedure gets the name `fragment`. `where` clauses are removed, because they do not hold in
    every state."""

    name: ClassVar[str] = "lone-procedure"
    head: str
    wanted: Sequence[Check]

    def apply(self, program: Program) -> PassResult:
        lone = _Lone(program, {check: number for number, check in enumerate(self.wanted)})
        procedures = {HEAD: lone.head(program.procedures[self.head]), **lone.called()}
        return PassResult(
            replace(program, procedures=procedures, entries=(HEAD,), wheres={}), unchanged, Trust(bugs=False)
        )


@final
class _Lone:
    def __init__(self, program: Program, numbers: dict[Check, int]) -> None:
        self._program = program
        self._numbers = numbers
        self._fresh = FreshNames((*program.procedures, HEAD))
        self._names: dict[
            tuple[str, bool], str
        ] = {}  # of copies, by what they are copied from and whether they succeed
        self._waiting: list[tuple[str, bool]] = []

    def head(self, procedure: Procedure) -> Procedure:
        return replace(self._rewritten(procedure, succeeds=False), name=HEAD, attributes=(), requires=())

    def called(self) -> dict[str, Procedure]:
        """All procedures that are called, directly or not."""
        found: dict[str, Procedure] = {}
        while self._waiting:
            name, succeeds = self._waiting.pop()
            procedure = self._program.procedures[name]
            copy = self._names[name, succeeds]
            if procedure.blocks is None:
                found[copy] = replace(procedure, name=copy)
                continue
            inline = Attribute("inline", (self._program.terms.integer(DEPTH),))
            found[copy] = replace(self._rewritten(procedure, succeeds=succeeds), name=copy, attributes=(inline,))
        return found

    def _rewritten(self, procedure: Procedure, *, succeeds: bool) -> Procedure:
        blocks = tuple(
            replace(block, statements=tuple(self._statement(each, succeeds=succeeds) for each in block.statements))
            for block in procedure.blocks or ()
        )
        return replace(procedure, blocks=blocks)

    def _statement(self, statement: Statement, *, succeeds: bool) -> Statement:
        if isinstance(statement, Assert):
            number = self._numbers.get(statement.check)
            if number is None or succeeds:
                return Assume(statement.condition, statement.span)
            return replace(statement, attributes=(Attribute(NUMBER, (self._program.terms.integer(number),)),))
        if isinstance(statement, Call):
            succeeds = succeeds or attribute(statement.attributes, SUCCEEDS) is not None
            return replace(statement, procedure=self._copy(statement.procedure, succeeds=succeeds), attributes=())
        return statement

    def _copy(self, name: str, *, succeeds: bool) -> str:
        succeeds = succeeds and self._program.procedures[name].blocks is not None
        if (name, succeeds) not in self._names:
            is_taken = succeeds or name == HEAD
            self._names[name, succeeds] = (
                self._fresh.make(f"{name}$succeeds" if succeeds else name) if is_taken else name
            )
            self._waiting.append((name, succeeds))
        return self._names[name, succeeds]
