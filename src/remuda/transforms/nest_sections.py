"""Merge atomic sections that a front end adds into the section around them.

before:  call corral_atomic_begin();                       the program's own section
         call {:step} corral_atomic_begin();  l := 1;      a function of the library, which is one step
         call {:step} corral_atomic_end();  x := 1;
         call corral_atomic_end();
after:   call corral_atomic_begin();  l := 1;  x := 1;  call corral_atomic_end();

Sections do not nest (`ir.threads`): the end of the step would end the program's own section, too. A step that may be
inside a section and may be outside of any, in a function that is called from both, is not supported.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, final

from remuda.analysis.dataflow import solve
from remuda.analysis.thread_states import procedures_above
from remuda.base.errors import Unsupported
from remuda.ir.passes import PassResult, unchanged
from remuda.ir.program import Call, attribute
from remuda.ir.threads import STEP, is_atomic_begin, is_atomic_end, starts_threads

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remuda.analysis.dataflow import Where
    from remuda.ir.program import Block, Procedure, Program, Statement

OUTSIDE: Final = 1  # of any section
SECTION: Final = 2  # inside a section of the program
IN_CALL: Final = 4  # inside a step that calls a function
IN_STEP: Final = 8  # inside a step that calls none


@final
@dataclass(frozen=True, slots=True)
class NestSections:
    """The pass: steps inside atomic sections lose their own section."""

    name: ClassVar[str] = "nest-sections"

    def apply(self, program: Program) -> PassResult:
        if not starts_threads(program):
            return PassResult(program, unchanged)
        facts = solve(program, _Sections(program))
        procedures = {
            name: replace(
                procedure, blocks=tuple(_nested(block, facts.along(name, block)) for block in procedure.blocks)
            )
            if procedure.blocks is not None and any(map(_is_step, _statements(procedure)))
            else procedure
            for name, procedure in program.procedures.items()
        }
        return PassResult(replace(program, procedures=procedures), unchanged)


def _statements(procedure: Procedure) -> Iterator[Statement]:
    return (statement for block in procedure.blocks or () for statement in block.statements)


def _is_step(statement: Statement) -> bool:
    return isinstance(statement, Call) and attribute(statement.attributes, STEP) is not None


def _nested(block: Block, states: Sequence[int]) -> Block:
    """The block without the steps that are inside a section."""
    kept = [
        statement
        for statement, state in zip(block.statements, states, strict=False)
        if not _is_step(statement) or _has_own_section(statement, state)
    ]
    return replace(block, statements=(*kept, *block.statements[len(states) :]))


def _has_own_section(statement: Statement, state: int) -> bool:
    """Whether nothing is around a step, at its begin or end."""
    own, around = OUTSIDE | _inside(statement), SECTION | (IN_CALL & ~_inside(statement))
    is_own, is_around = bool(state & own), bool(state & around)
    if is_own and is_around:
        raise Unsupported(statement.span, "a step that may be inside an atomic section or outside of any")
    return is_own


def _inside(step: Statement) -> int:
    """The sections that a thread is inside of in the middle of a step."""
    found = attribute(step.attributes, STEP)
    return IN_CALL if found is not None and found.arguments else IN_STEP


@final
class _Sections:
    """The dataflow problem: the sections that a thread may be inside of."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._sections = procedures_above(
            program, lambda call, callee: not _is_step(call) and (is_atomic_begin(callee) or is_atomic_end(callee))
        )

    def at_start(self) -> int:
        return OUTSIDE

    def either(self, one: int, other: int) -> int:
        return one | other

    def after(self, _where: Where, statement: Statement, state: int) -> int:
        if not isinstance(statement, Call):
            return state
        callee = self._program.procedures[statement.procedure]
        if not _is_step(statement):
            return SECTION if is_atomic_begin(callee) else OUTSIDE if is_atomic_end(callee) else state
        inside = _inside(statement)
        before, then = (OUTSIDE, inside) if is_atomic_begin(callee) else (inside, OUTSIDE)
        return state & ~before | then if state & before else state

    def into(self, call: Call, state: int) -> int:
        return OUTSIDE if call.is_async else state

    def out_of(self, _where: Where, call: Call, state: int, end: int | None) -> int | None:
        return state if call.is_async or call.procedure not in self._sections else end

    def at_end(self, _procedure: Procedure, state: int) -> int:
        return state
