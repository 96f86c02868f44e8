"""Turn loops into recursive procedures, so that one bound limits loops and recursion alike.

before:  P { ...; goto H;  H: goto B, D;  B: ...; goto H;  D: ... }
after:   P { ...; goto H$;  H$: call x := P/H(x); goto H;  H: goto B, D;  B: ...; assume false;  D: ... }
         P/H(x in) returns (x) { goto again, done;  again = H: goto B;  B: ...; call x := P/H(x); return;  done: return }

The new procedure runs complete iterations only; the last, partial one runs in P, whose copy of the loop has lost
its back edges. So a failing iteration is always P's copy, and the loop procedure cannot fail. Inner loops go
first; each nesting level copies a body once. As Boogie's `/extractLoops` (CORRAL, section 1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, final

from remuda.analysis.controlflow import ControlFlow, control_flow
from remuda.analysis.loops import Loop, find_loops
from remuda.base.names import FreshNames
from remuda.ir.edit import cut_jumps, rename_block, variables_of_blocks
from remuda.ir.passes import PassResult
from remuda.ir.program import Assign, Block, Call, Procedure, Program, Statement
from remuda.ir.trace import Origins
from remuda.terms.symbols import Variable, VariableKind

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.terms.store import Terms

LabelOrigins = dict[tuple[str, str], str | None]

INPUT: Final = "in$"  # the prefix of the names of a loop procedure's inputs


@final
@dataclass(frozen=True, slots=True)
class ExtractLoops:
    """The pass. The program must be reducible. With `whole_state`, loop procedures also have the variables that they
    do not use as inputs, so that invariants can mention them."""

    name: ClassVar[str] = "extract-loops"
    whole_state: bool = False

    def apply(self, program: Program) -> PassResult:
        extraction = _Extraction(program, whole_state=self.whole_state)
        for procedure in program.procedures.values():
            extraction.extract(procedure)
        origins = Origins(extraction.labels, frozenset(extraction.folded), extraction.variables)
        return PassResult(replace(program, procedures=extraction.procedures), origins.lift)


@final
class _Code:
    """The blocks of a procedure while its loops are cut, one by one, without a pass over all blocks for each."""

    def __init__(self, procedure: Procedure, flow: ControlFlow) -> None:
        assert procedure.blocks
        self.blocks: dict[str, Block] = {block.label: block for block in procedure.blocks}
        self._order = tuple(self.blocks)
        self._fresh = FreshNames(self.blocks)
        self._position: dict[str, tuple[int, int]] = {label: (flow.position[label], 1) for label in flow.order}
        self._predecessors: dict[str, list[str]] = {label: list(flow.predecessors[label]) for label in flow.order}
        self._before: dict[str, str] = {}  # from a header to the block that calls its loop

    def body(self, loop: Loop) -> tuple[str, ...]:
        """The current blocks of the loop, without those that no longer lead back since an inner loop was cut."""
        found = {loop.header}
        stack = list(loop.sources)
        while stack:
            label = stack.pop()
            if label not in found:
                found.add(label)
                stack.extend(self._predecessors[label])
        return tuple(sorted(found, key=self._position.__getitem__))

    def cut(self, loop: Loop, call: Call, terms: Terms) -> str:
        """Cut the loop's back edges, and put a block with the call before its header: the label of that block."""
        header = loop.header
        before = self._fresh.make(f"{header}$loop")
        sources = set(loop.sources)
        outside = [label for label in self._predecessors[header] if label not in sources]
        for label in loop.sources:
            self.blocks[label] = cut_jumps(terms, self.blocks[label], lambda target: target != header)
        for label in outside:
            block = self.blocks[label]
            successors = tuple(before if target == header else target for target in block.successors)
            self.blocks[label] = replace(block, successors=successors)
        self.blocks[before] = Block(before, (call,), (header,), self.blocks[header].span)
        self._predecessors[before] = outside
        self._predecessors[header] = [before]
        self._position[before] = (self._position[header][0], 0)
        self._before[header] = before
        return before

    def in_order(self) -> tuple[Block, ...]:
        """All blocks in the order of the procedure, each block with a call before the header of its loop."""
        labels: list[str] = []
        for label in self._order:
            if label in self._before:
                labels.append(self._before[label])
            labels.append(label)
        return tuple(self.blocks[label] for label in labels)


@final
class _Extraction:
    """The procedures made so far, and where their blocks and variables came from."""

    def __init__(self, program: Program, *, whole_state: bool) -> None:
        self.program = program
        self._whole_state = whole_state
        self.procedures: dict[str, Procedure] = dict(program.procedures)
        self.labels: LabelOrigins = {}
        self.variables: dict[Variable, Variable] = {}
        self.folded: list[str] = []
        self._names = FreshNames(program.procedures)

    def extract(self, procedure: Procedure) -> None:
        """Replace every loop of a procedure, inner ones first."""
        if not procedure.blocks:
            return
        flow = control_flow(procedure)
        loops = find_loops(procedure, flow).loops
        if not loops:
            return
        code = _Code(procedure, flow)
        for loop in sorted(loops, key=lambda each: -each.depth):
            self._extract_one(procedure, loop, code)
        self.procedures[procedure.name] = replace(procedure, blocks=code.in_order())

    def _extract_one(self, procedure: Procedure, loop: Loop, code: _Code) -> None:
        loop = replace(loop, blocks=code.body(loop))
        body = [code.blocks[label] for label in loop.blocks]
        used, changed = variables_of_blocks(body)
        scope = (*procedure.inputs, *procedure.outputs, *procedure.locals)
        if self._whole_state:
            read, _ = variables_of_blocks(code.blocks.values())
            used |= read
        used_here = [variable for variable in scope if variable in used or variable in changed]
        changed_here = [variable for variable in scope if variable in changed]
        original = self.labels.get((procedure.name, loop.header)) or loop.header
        name = self._names.make(f"{procedure.name}/{original}")
        self.folded.append(name)
        self.procedures[name] = self._loop_procedure(name, procedure, loop, body, used_here, changed_here)
        arguments = tuple(self.program.terms.var(variable) for variable in used_here)
        call = Call(name, arguments, tuple(changed_here), body[0].span)
        before = code.cut(loop, call, self.program.terms)
        self.labels[procedure.name, before] = None

    def _loop_procedure(
        self,
        name: str,
        procedure: Procedure,
        loop: Loop,
        body: Sequence[Block],
        used: Sequence[Variable],
        changed: Sequence[Variable],
    ) -> Procedure:
        """The procedure that runs any number of complete iterations."""
        span = body[0].span
        inputs = {variable: self._copy(variable, f"{INPUT}{variable.name}") for variable in used}
        outputs = {variable: self._copy(variable, variable.name) for variable in changed}
        inside = {**inputs, **outputs}
        fresh = FreshNames(loop.blocks)
        entry, again, done = fresh.make("$entry"), fresh.make("$again"), fresh.make("$done")
        self.labels.update({(name, label): None for label in (entry, again, done)})
        for label in loop.blocks:
            if (procedure.name, label) in self.labels:
                self.labels[name, label] = self.labels[procedure.name, label]
        blocks = [Block(entry, self._assign_inputs(inputs, outputs, span), (done, loop.header), span)]
        for block in body:
            kept = self._inside_only(rename_block(self.program.terms, block, inside), loop, again)
            blocks.append(kept)
        terms = self.program.terms
        recursion = Call(name, tuple(terms.var(inside[v]) for v in used), tuple(outputs.values()), span)
        blocks.append(Block(again, (recursion,), (), span))
        blocks.append(Block(done, (), (), span))
        return Procedure(
            name=name,
            inputs=tuple(inputs.values()),
            outputs=tuple(outputs.values()),
            span=span,
            blocks=tuple(blocks),
            attributes=(),
            loop_of=procedure.loop_of or procedure.name,
        )

    def _copy(self, variable: Variable, name: str) -> Variable:
        copy = Variable(name, variable.type, VariableKind.LOCAL)
        self.variables[copy] = self.variables.get(variable, variable)
        return copy

    def _assign_inputs(
        self, inputs: Mapping[Variable, Variable], outputs: Mapping[Variable, Variable], span: Span
    ) -> tuple[Statement, ...]:
        if not outputs:
            return ()
        values = tuple(self.program.terms.var(inputs[variable]) for variable in outputs)
        return (Assign(tuple(outputs.values()), values, span),)

    def _inside_only(self, block: Block, loop: Loop, again: str) -> Block:
        """The block with jumps out of the loop cut and jumps to the header turned into the recursive call."""
        inside = set(loop.blocks)
        block = cut_jumps(self.program.terms, block, inside.__contains__)
        successors = tuple(again if label == loop.header else label for label in block.successors)
        return replace(block, successors=successors)
