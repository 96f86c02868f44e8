"""Give the body of every local loop a procedure of its own (Akhundov, Listings 2 and 3).

before:  P { ...; goto H;  H: S; goto B, D;  B: T; goto H;  D: ... }
after:   P { ...; goto H;  H: goto H$body, H$leave;  H$body: call x := P/H$body(x); goto H;  H$leave: S; goto D;  D: ... }
         P/H$body(in$x) returns (x) { x := in$x; goto H;  H: S; goto B;  B: T; return }

The program has the same executions: the assumptions of S and B cut one that takes the wrong branch at H. Inner loops
come first, so that the body of an outer loop calls that of an inner one. Assertions stay with their code. With
`beside`, the new procedures are copies beside the program, with inner loops unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, final

from remuda.analysis.loops import Loop, find_loops, stops_here
from remuda.base.names import FreshNames
from remuda.ir.edit import cut_jumps, rename_block, variables_of_blocks
from remuda.ir.program import Assign, Block, Call, Procedure
from remuda.terms.symbols import Variable, VariableKind

if TYPE_CHECKING:
    from remuda.ir.program import Program, Statement

INPUT: Final = "in$"
BODY: Final = "$body"  # the suffix of the names of the new procedures


@final
@dataclass(frozen=True, slots=True)
class IsolatedLoops:
    """The program, and for the name of each loop the procedure of its body."""

    program: Program
    bodies: Mapping[str, str]


@final
@dataclass(frozen=True, slots=True)
class IsolateLoops:
    """The pass. The loops must be natural ones that are left at their heads only. With `beside`, nothing calls the
    new procedures."""

    name: ClassVar[str] = "isolate-loops"
    loops: Sequence[Loop]
    beside: bool = False

    def apply(self, program: Program) -> IsolatedLoops:
        procedures = dict(program.procedures)
        names = FreshNames(program.procedures)
        bodies: dict[str, str] = {}
        for loop in sorted(self.loops, key=lambda each: -each.depth):
            name = bodies[loop.name] = names.make(f"{loop.name}{BODY}")
            now = loop if self.beside else _same(procedures[loop.procedure], loop)
            isolation = _Isolation(program, procedures[loop.procedure], now, name)
            procedures[name] = isolation.body()
            if not self.beside:
                procedures[loop.procedure] = isolation.around()
        return IsolatedLoops(replace(program, procedures=procedures), bodies)


def _same(procedure: Procedure, loop: Loop) -> Loop:
    """A loop after the isolation of its inner loops."""
    (found,) = (each for each in find_loops(procedure).loops if each.header == loop.header)
    return found


@final
class _Isolation:
    """One loop of a procedure."""

    def __init__(self, program: Program, procedure: Procedure, loop: Loop, name: str) -> None:
        self.name = name
        self._terms = program.terms
        self._procedure = procedure
        self._header = loop.header
        self._code = {block.label: block for block in procedure.blocks or ()}
        self._fresh = FreshNames(self._code)
        stops = (target for _, target in loop.exits if stops_here(self._code[target]))
        self._blocks = [self._code[label] for label in dict.fromkeys((*loop.blocks, *stops))]
        self._inside_labels = frozenset(block.label for block in self._blocks)
        read, changed = variables_of_blocks(self._blocks)
        scope = (*procedure.inputs, *procedure.outputs, *procedure.locals)
        self._used = [variable for variable in scope if variable in read or variable in changed]
        self._changed = [variable for variable in scope if variable in changed]

    def body(self) -> Procedure:
        """One iteration, from the head to the head."""
        span = self._code[self._header].span
        inputs = {variable: _copy(variable, f"{INPUT}{variable.name}") for variable in self._used}
        outputs = {variable: _copy(variable, variable.name) for variable in self._changed}
        names = {**inputs, **outputs}
        fresh = FreshNames(self._code)
        start, end = fresh.make("$start"), fresh.make("$end")
        first: tuple[Statement, ...] = ()
        if outputs:
            values = tuple(self._terms.var(inputs[variable]) for variable in outputs)
            first = (Assign(tuple(outputs.values()), values, span),)
        blocks = [Block(start, first, (self._header,), span)]
        for block in self._blocks:
            kept = cut_jumps(self._terms, rename_block(self._terms, block, names), self._inside_labels.__contains__)
            ways = tuple(end if label == self._header else label for label in kept.successors)
            blocks.append(replace(kept, successors=ways))
        blocks.append(Block(end, (), (), span))
        return Procedure(self.name, tuple(inputs.values()), tuple(outputs.values()), span, blocks=tuple(blocks))

    def around(self) -> Procedure:
        """The procedure that calls the body any number of times."""
        head = self._code[self._header]
        iterate = self._fresh.make(f"{self._header}$body")
        leave = self._fresh.make(f"{self._header}$leave")
        arguments = tuple(self._terms.var(variable) for variable in self._used)
        call = Call(self.name, arguments, tuple(self._changed), head.span)
        exits = tuple(label for label in head.successors if label not in self._inside_labels)
        new = [
            Block(self._header, (), (iterate, leave) if exits else (iterate,), head.span),
            Block(iterate, (call,), (self._header,), head.span),
        ]
        if exits:
            new.append(Block(leave, head.statements, exits, head.span))
        blocks: list[Block] = []
        for label, block in self._code.items():
            if label == self._header:
                blocks += new
            elif label not in self._inside_labels or self._is_shared(label):
                blocks.append(block)
        return replace(self._procedure, blocks=tuple(blocks))

    def _is_shared(self, label: str) -> bool:
        """Whether other code leads to a block at which control stops."""
        outside = (block for block in self._code.values() if block.label not in self._inside_labels)
        return any(label in block.successors for block in outside)


def _copy(variable: Variable, name: str) -> Variable:
    return Variable(name, variable.type, VariableKind.LOCAL)
