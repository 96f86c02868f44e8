"""Unroll loops whose trip count is a constant that can be seen, so that they cost no bound.

before:  i := 0; goto H;  H: goto B, D;  B: assume i < 3; i := i + 1; goto H;  D: assume !(i < 3); ...
after:   i := 0; goto H;  H, B, H.1, B.1, H.2, B.2, H.3 in a row, each with its way out to D

The count is found by running the loop over known constants: an iteration is followed by another only if the
values known at its end let control come back to the header. This takes any shape of counting loop (CORRAL,
section 4.2, has one with 27 iterations), and stops at the first iteration that cannot be decided or when the copies
would be too many. A loop that may also be left early has no constant trip count, only a limit on it; that is
worth fewer copies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, final

from remuda.analysis.controlflow import ControlFlow, control_flow
from remuda.analysis.loops import Loop, Loops, find_loops
from remuda.analysis.modifies import modified_globals
from remuda.base.names import FreshNames
from remuda.ir.definitions import Folding
from remuda.ir.edit import cut_jumps, targets_of, variables_of_blocks
from remuda.ir.passes import PassResult
from remuda.ir.program import Assert, Assign, Assume, Block, Call, Procedure, Program
from remuda.ir.trace import Origins

if TYPE_CHECKING:
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term

Constants = dict["Variable", "Term"]

LITERALS = frozenset({"bool", "int", "real", "bv"})


@final
@dataclass(frozen=True, slots=True)
class UnrollLoops:
    """Counting loops become straight code. The program must be reducible."""

    name: ClassVar[str] = "unroll-loops"
    most_iterations: int = 128
    most_iterations_with_exits: int = 32
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
            loop, count = found
            procedure = _copy_iterations(program, procedure, loop, count, labels)

    def _innermost_counted(
        self, procedure: Procedure, loops: Loops, propagation: _Propagation, refused: set[str]
    ) -> tuple[Loop, int] | None:
        """The first loop, inner ones first, with a trip count; those without are refused for good."""
        for loop in sorted(loops.loops, key=lambda each: -each.depth):
            if loop.header not in refused:
                count = self._trip_count(procedure, loop, propagation)
                if count is not None:
                    return loop, count
                refused.add(loop.header)
        return None

    def _trip_count(self, procedure: Procedure, loop: Loop, propagation: _Propagation) -> int | None:
        """How many complete iterations the loop makes at most, if that can be seen."""
        assert procedure.blocks
        inside = set(loop.blocks)
        size = sum(len(block.statements) + 1 for block in procedure.blocks if block.label in inside)
        most = min(self.most_iterations, self.most_statements // size)
        known = propagation.on_entry(loop)
        count = 0
        while known is not None:
            if count > most:
                return None
            before = known
            known, leaves = propagation.after_iteration(loop, known)
            if known == before:  # every iteration from here on is like this one
                return None
            if leaves and known is not None:
                most = min(most, self.most_iterations_with_exits)
            count += 1
        return max(0, count - 1)


@final
class _Propagation:
    """Constants that variables are known to have, block by block. `None` stands for: control is never here."""

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
        """What is known whenever the loop is entered from outside."""
        inside = set(loop.blocks)
        sources = [source for source in self._flow.predecessors[loop.header] if source not in inside]
        return _meet([self._ends[source] for source in sources]) if sources else {}

    def after_iteration(self, loop: Loop, known: Constants) -> tuple[Constants | None, bool]:
        """What is known when control comes back to the header, None if it cannot; and whether it may leave."""
        ends: dict[str, Constants | None] = {loop.header: self._through(self._blocks[loop.header], known)}
        for label in loop.blocks[1:]:
            ends[label] = self._through(self._blocks[label], self._start(label, ends))
        leaves = any(
            ends[source] is not None and self._through(self._blocks[target], ends[source]) is not None
            for source, target in loop.exits
        )
        return _meet([ends[source] for source in loop.sources]), leaves

    def _start(self, label: str, ends: Mapping[str, Constants | None]) -> Constants | None:
        """What is known where a block starts; around a loop, what the loop does not change."""
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
        """What each loop may change, by header: what its own blocks and the loops inside it do."""
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
        """What is known at the end of a block."""
        if known is None:
            return None
        known = dict(known)
        for statement in block.statements:
            if isinstance(statement, Assign):
                values = self._fold(statement.values, known)
                for target, value in zip(statement.targets, values, strict=True):
                    if value.op in LITERALS:
                        known[target] = value
                    else:
                        known.pop(target, None)
                continue
            if isinstance(statement, Assume | Assert):
                condition = self._fold([statement.condition], known)[0]
                if condition.op == "bool" and not condition.payload:
                    return None
                continue
            for target in targets_of(statement):
                known.pop(target, None)
            if isinstance(statement, Call):
                for target in self._modified[statement.procedure]:
                    known.pop(target, None)
        return known


def _meet(environments: Sequence[Constants | None]) -> Constants | None:
    """What is known if control may come with any of the environments."""
    live = [environment for environment in environments if environment is not None]
    if not live:
        return None
    first, *rest = live
    return {
        variable: value for variable, value in first.items() if all(other.get(variable) is value for other in rest)
    }


def _copy_iterations(
    program: Program, procedure: Procedure, loop: Loop, count: int, labels: dict[tuple[str, str], str | None]
) -> Procedure:
    """The loop as `count` complete iterations and one more that is left before its end."""
    assert procedure.blocks
    fresh = FreshNames(block.label for block in procedure.blocks)
    by_label = {block.label: block for block in procedure.blocks}
    inside = set(loop.blocks)
    names = [{label: label for label in loop.blocks}]
    names += [{label: fresh.make(label) for label in loop.blocks} for _ in range(count)]
    for copy in names[1:]:
        for label, name in copy.items():
            labels[procedure.name, name] = labels.get((procedure.name, label), label)
    blocks: list[Block] = []
    for block in procedure.blocks:
        if block.label == loop.header:
            for number, copy in enumerate(names):
                after = names[number + 1][loop.header] if number < count else None
                blocks += [_copy(program, by_label[label], loop.header, copy, after) for label in loop.blocks]
        elif block.label not in inside:
            blocks.append(block)
    return replace(procedure, blocks=tuple(blocks))


def _copy(program: Program, block: Block, header: str, names: Mapping[str, str], after: str | None) -> Block:
    """One block of one iteration; the back edge leads to the next iteration or, in the last, nowhere."""
    if after is None:
        block = cut_jumps(program.terms, block, lambda label: label != header)
        successors = tuple(names.get(label, label) for label in block.successors)
    else:
        successors = tuple(after if label == header else names.get(label, label) for label in block.successors)
    return replace(block, label=names[block.label], successors=successors)
