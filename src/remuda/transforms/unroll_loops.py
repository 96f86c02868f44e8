"""Unroll loops with a constant trip count, so that the bound does not limit them.

before:  i := 0; goto H;  H: goto B, D;  B: assume i < 3; i := i + 1; goto H;  D: assume !(i < 3); ...
after:   i := 0; goto H;  H, B, H.1, B.1, H.2, B.2, H.3 in a row, the last with its way out to D

Constant propagation finds the count: an iteration is followed by another one only if the values known at its end let
control return to the header. This works for any shape of counting loop (CORRAL, section 4.2, has one with 27
iterations), and stops at the first iteration that is undecided or when there are too many copies. A loop that may
also be left early has no constant trip count, only a limit on it, which is worth fewer copies. A loop that only
assigns constants costs nothing in the formula, and may have more copies. Jumps that the constants exclude are left
out of the copies: a hundred edges into one block are a hundred cases in its formula.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, final

from remuda.analysis.controlflow import ControlFlow, control_flow
from remuda.analysis.loops import Loop, Loops, find_loops
from remuda.analysis.modifies import modified_globals
from remuda.base.names import FreshNames
from remuda.ir.definitions import Folding
from remuda.ir.edit import cut_jumps, targets_of, variables_of_blocks
from remuda.ir.passes import PassResult, Trust
from remuda.ir.program import Assert, Assign, Assume, Block, Call, Procedure, Program, Statement
from remuda.ir.trace import Origins

if TYPE_CHECKING:
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term

Constants = dict["Variable", "Term"]
Jump = tuple[str, str]  # from one block to another

LITERALS = frozenset({"bool", "int", "real", "bv"})


@final
@dataclass(frozen=True, slots=True)
class UnrollLoops:
    """The pass: counting loops become straight code. The program must be reducible."""

    name: ClassVar[str] = "unroll-loops"
    most_iterations: int = 128
    most_light_iterations: int = 2048
    most_iterations_with_exits: int = 32
    most_iterations_with_loops: int = (
        16  # every copy of a loop inside may have a trip count of its own, and be unrolled
    )
    most_statements: int = 4000

    def apply(self, program: Program) -> PassResult:
        labels: dict[tuple[str, str], str | None] = {}
        procedures = dict(program.procedures)
        modified = modified_globals(program)
        folding = Folding(program.terms, program.axioms)
        for name, procedure in program.procedures.items():
            if procedure.blocks:
                procedures[name] = self._unroll(program, procedure, modified, folding, labels)
        return PassResult(replace(program, procedures=procedures), Origins(labels).lift)

    def _unroll(
        self,
        program: Program,
        procedure: Procedure,
        modified: Mapping[str, Sequence[Variable]],
        folding: Folding,
        labels: dict[tuple[str, str], str | None],
    ) -> Procedure:
        refused: set[str] = set()
        while True:
            flow = control_flow(procedure)
            loops = find_loops(procedure, flow)
            propagation = _Propagation(procedure, flow, loops, modified, folding)
            found = self._innermost_counted(procedure, loops, propagation, refused)
            if found is None:
                return procedure
            procedure = _copy_iterations(program, procedure, *found, labels)

    def _innermost_counted(
        self, procedure: Procedure, loops: Loops, propagation: _Propagation, refused: set[str]
    ) -> tuple[Loop, list[set[Jump]]] | None:
        """The first loop, inner ones first, with a trip count; those without are refused for good."""
        for loop in sorted(loops.loops, key=lambda each: -each.depth):
            if loop.header not in refused:
                iterations = self._iterations(procedure, loop, loops, propagation)
                if iterations is not None:
                    return loop, iterations
                refused.add(loop.header)
        return None

    def _iterations(
        self, procedure: Procedure, loop: Loop, loops: Loops, propagation: _Propagation
    ) -> list[set[Jump]] | None:
        """The iterations of the loop at most, if constants decide them: for each, the jumps that are never taken. In
        the last one, control does not return to the header."""
        assert procedure.blocks
        inside = set(loop.blocks)
        size = sum(len(block.statements) + 1 for block in procedure.blocks if block.label in inside)
        most = min(self.most_iterations, self.most_statements // size)
        known = propagation.on_entry(loop)
        if known is not None and propagation.is_light(loop, known):
            most = self.most_light_iterations
        if any(other.parent == loop.header for other in loops.loops):
            most = min(most, self.most_iterations_with_loops)
        iterations: list[set[Jump]] = []
        while known is not None:
            if len(iterations) > most:
                return None
            before = known
            known, never = propagation.after_iteration(loop, known)
            if known == before:  # every iteration from here on is like this one
                return None
            if known is not None and not never.issuperset(loop.exits):
                most = min(most, self.most_iterations_with_exits)
            iterations.append(never)
        return iterations or [set()]


@final
@dataclass(frozen=True, slots=True)
class UnwindLoops:
    """Every loop becomes a sequence of `bound` iterations, and longer executions are cut off. The program must be
    reducible; proofs hold up to the bound only."""

    name: ClassVar[str] = "unwind-loops"
    bound: int
    most_blocks: int = 200_000

    def apply(self, program: Program) -> PassResult:
        labels: dict[tuple[str, str], str | None] = {}
        procedures = dict(program.procedures)
        for name, procedure in program.procedures.items():
            while procedure.blocks and (loops := find_loops(procedure).loops):
                outer = loops[0]
                assert procedure.blocks
                if len(procedure.blocks) + len(outer.blocks) * self.bound > self.most_blocks:
                    raise TooManyCopies(outer.name)
                by_label = {block.label: block for block in procedure.blocks}
                inside = set(outer.blocks)
                again = {(outer.header, label) for label in by_label[outer.header].successors if label in inside}
                iterations: list[set[Jump]] = [set() for _ in range(self.bound)]
                procedure = _copy_iterations(program, procedure, outer, [*iterations, again], labels)
            procedures[name] = procedure
        is_same = procedures == dict(program.procedures)
        trust = Trust(proofs=is_same)
        return PassResult(replace(program, procedures=procedures), Origins(labels).lift, trust)


@final
class TooManyCopies(Exception):
    """Nested loops have too many iterations to write them out."""


@final
class _Propagation:
    """The known constant values of variables, by block. None means that control never gets there."""

    def __init__(
        self,
        procedure: Procedure,
        flow: ControlFlow,
        loops: Loops,
        modified: Mapping[str, Sequence[Variable]],
        folding: Folding,
    ) -> None:
        assert procedure.blocks
        self._fold = folding.fold
        self._modified = modified
        self._flow = flow
        self._blocks = {block.label: block for block in procedure.blocks}
        self._loops = loops
        self._headers = {loop.header: loop for loop in loops.loops}
        self._changed = self._changed_by_loops()
        self._ends: dict[str, Constants | None] = {}
        for label in flow.order:
            self._ends[label] = self._through(self._blocks[label], self._start(label, self._ends))

    def on_entry(self, loop: Loop) -> Constants | None:
        """The known values whenever the loop is entered from outside."""
        inside = set(loop.blocks)
        sources = [source for source in self._flow.predecessors[loop.header] if source not in inside]
        return _meet([self._ends[source] for source in sources]) if sources else {}

    def after_iteration(self, loop: Loop, known: Constants) -> tuple[Constants | None, set[Jump]]:
        """The known values when control returns to the header, None if it cannot; and the jumps of the loop's blocks
        that are never taken."""
        ends: dict[str, Constants | None] = {loop.header: self._through(self._blocks[loop.header], known)}
        for label in loop.blocks[1:]:
            ends[label] = self._through(self._blocks[label], self._start(label, ends))
        never = {
            (source, target)
            for source in loop.blocks
            for target in self._blocks[source].successors
            if not self._may_enter(ends[source], self._blocks[target])
        }
        return _meet([ends[source] for source in loop.sources]), never

    def is_light(self, loop: Loop, known: Constants) -> bool:
        """Whether an iteration only assigns constants, and makes no calls and no assertions."""
        ends: dict[str, Constants | None] = {loop.header: known}
        for label in loop.blocks:
            start = known if label == loop.header else self._start(label, ends)
            current = None if start is None else dict(start)
            for statement in self._blocks[label].statements:
                if isinstance(statement, Assert | Call):
                    return False
                if current is None or not self._step(statement, current):
                    current = None
                elif isinstance(statement, Assign) and not all(target in current for target in statement.targets):
                    return False
            ends[label] = current
        return True

    def _may_enter(self, known: Constants | None, block: Block) -> bool:
        """Whether a block may do something relevant with these constants."""
        if known is None:
            return False
        known = dict(known)
        for statement in block.statements:
            if isinstance(statement, Assert | Call):
                return True
            if not self._step(statement, known):
                return False
        return True

    def _start(self, label: str, ends: Mapping[str, Constants | None]) -> Constants | None:
        """The known values at the start of a block; at the header of a loop, those that the loop does not change."""
        if label == self._flow.entry and label not in self._headers:
            return {}
        known = _meet([ends[source] for source in self._flow.predecessors[label] if source in ends])
        if label == self._flow.entry:
            known = {}
        loop = self._headers.get(label)
        if loop is None or known is None:
            return known
        changed = self._changed[label]
        return {variable: value for variable, value in known.items() if variable not in changed}

    def _changed_by_loops(self) -> dict[str, set[Variable]]:
        """The variables that each loop may change, by header, inner loops included."""
        changed: dict[str, set[Variable]] = {header: set() for header in self._headers}
        for label, loop in self._loops.innermost.items():
            changed[loop.header] |= self._changed_by_block(self._blocks[label])
        for loop in sorted(self._loops.loops, key=lambda each: -each.depth):
            if loop.parent is not None:
                changed[loop.parent] |= changed[loop.header]
        return changed

    def _changed_by_block(self, block: Block) -> set[Variable]:
        _, changed = variables_of_blocks([block])
        for statement in block.statements:
            if isinstance(statement, Call):
                changed.update(self._modified[statement.procedure])
        return changed

    def _through(self, block: Block, known: Constants | None) -> Constants | None:
        """The known values at the end of a block."""
        if known is None:
            return None
        known = dict(known)
        return known if all(self._step(statement, known) for statement in block.statements) else None

    def _step(self, statement: Statement, known: Constants) -> bool:
        """Update the known values by a statement. The result says whether control gets past it."""
        if isinstance(statement, Assume | Assert):
            condition = self._fold([statement.condition], known)[0]
            return condition.op != "bool" or bool(condition.payload)
        values = self._fold(statement.values, known) if isinstance(statement, Assign) else ()
        for target in targets_of(statement):
            known.pop(target, None)
        if isinstance(statement, Assign):
            constants = zip(statement.targets, values, strict=True)
            known.update((target, value) for target, value in constants if value.op in LITERALS)
        elif isinstance(statement, Call):
            for target in self._modified[statement.procedure]:
                known.pop(target, None)
        return True


def _meet(environments: Sequence[Constants | None]) -> Constants | None:
    """The values that are the same in all environments."""
    live = [environment for environment in environments if environment is not None]
    if not live:
        return None
    first, *rest = live
    return {
        variable: value for variable, value in first.items() if all(other.get(variable) is value for other in rest)
    }


def _copy_iterations(
    program: Program,
    procedure: Procedure,
    loop: Loop,
    iterations: Sequence[set[Jump]],
    labels: dict[tuple[str, str], str | None],
) -> Procedure:
    """The loop as a sequence of iterations, each without the jumps that are never taken in it."""
    assert procedure.blocks
    fresh = FreshNames(block.label for block in procedure.blocks)
    by_label = {block.label: block for block in procedure.blocks}
    inside = set(loop.blocks)
    names = [{label: label for label in loop.blocks}]
    names += [{label: fresh.make(label) for label in loop.blocks} for _ in iterations[1:]]
    for copy in names[1:]:
        for label, name in copy.items():
            labels[procedure.name, name] = labels.get((procedure.name, label), label)
    blocks: list[Block] = []
    for block in procedure.blocks:
        if block.label == loop.header:
            for copy, following, never in zip(names, [*names[1:], {}], iterations, strict=True):
                targets = {**copy, loop.header: following.get(loop.header)}
                blocks += [_copy(program, by_label[label], copy[label], targets, never) for label in loop.blocks]
        elif block.label not in inside:
            blocks.append(block)
    return replace(procedure, blocks=tuple(blocks))


def _copy(
    program: Program, block: Block, name: str, targets: Mapping[str, str | None], never: AbstractSet[Jump]
) -> Block:
    """One block of one iteration. The back edge leads to the next one or, in the last, nowhere."""
    is_kept = [
        (block.label, label) not in never and targets.get(label, label) is not None for label in block.successors
    ]
    kept = dict(zip(block.successors, is_kept, strict=True))
    block = cut_jumps(program.terms, block, kept.__getitem__)
    return replace(block, label=name, successors=tuple(targets.get(label) or label for label in block.successors))
