"""Put values in the place of the indices of maps that are the same whenever control comes by.

before:  procedure main() { q := 64;  call push(q); }       procedure push(p: bv32) { tail[p + 4] := 1; }
after:   procedure main() { q := 64;  call push(q); }       procedure push(p: bv32) { tail[68] := 1; }

Addresses of global objects are constants that programs hand around. Values are followed through calls: into procedures,
if all calls agree, and out of them. Globals that threads share are not followed. Only indices change: what engines do
about other constants is theirs. No statement goes and none comes, so traces stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, final

from remuda.analysis.modifies import modified_globals
from remuda.analysis.threads import thread_facts
from remuda.ir.edit import targets_of, terms_of, with_terms
from remuda.ir.passes import PassResult, unchanged
from remuda.ir.program import Assign, Assume, Block, Call, Procedure, Program, Statement
from remuda.ir.threads import starts_threads
from remuda.terms.symbols import VariableKind
from remuda.terms.term import postorder
from remuda.terms.types import MapType

if TYPE_CHECKING:
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term

Known = dict["Variable", "Term"]
LITERALS: Final = frozenset({"bool", "int", "bv"})
ACCESSES: Final = frozenset({"select", "store"})


@final
@dataclass(frozen=True, slots=True)
class FixIndices:
    """Maps are accessed at constant indices where those are known. Contracts must be statements already."""

    name: ClassVar[str] = "fix-indices"

    def apply(self, program: Program) -> PassResult:
        if not any(isinstance(variable.type, MapType) for variable in program.globals):
            return PassResult(program, unchanged)
        propagation = _Propagation(program)
        procedures = {
            name: propagation.rewrite(procedure) if procedure.blocks else procedure
            for name, procedure in program.procedures.items()
        }
        return PassResult(replace(program, procedures=procedures), unchanged)


@final
class _Propagation:
    """What is known where control enters procedures and blocks, as a fixed point."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._terms = program.terms
        self._modified = {name: frozenset(found) for name, found in modified_globals(program).items()}
        threads = starts_threads(program)
        self._changing = frozenset(thread_facts(program).shared if threads else ()) | {*program.thread_locals}
        self._entry: dict[str, Known] = {name: {} for name in program.entries}
        self._exit: dict[str, Known] = {}
        self._callers: dict[str, dict[str, None]] = {}
        self._at_start: dict[tuple[str, str], Known] = {}
        self._work = dict.fromkeys(program.entries)
        while self._work:
            name = next(iter(self._work))
            del self._work[name]
            self._run(program.procedures[name])

    def rewrite(self, procedure: Procedure) -> Procedure:
        blocks = tuple(self._rewrite_block(procedure.name, block) for block in procedure.blocks or ())
        return replace(procedure, blocks=blocks)

    def _rewrite_block(self, name: str, block: Block) -> Block:
        start = self._at_start.get((name, block.label))
        if start is None:
            return block
        known: Known | None = dict(start)
        statements: list[Statement] = []
        for statement in block.statements:
            statements.append(self._fix(statement, known) if known else statement)
            if known is not None:
                known = self._after(name, statement, known)
        return replace(block, statements=tuple(statements))

    def _fix(self, statement: Statement, known: Known) -> Statement:
        before = terms_of(statement)
        if not any(term.op in ACCESSES for term in postorder(before)):
            return statement
        new: dict[Term, Term] = {}
        for term in postorder(before):
            arguments = [new[argument] for argument in term.args]
            if term.op in ACCESSES:
                indices = range(1, len(arguments) - (term.op == "store"))
                values = self._terms.substitute([term.args[index] for index in indices], known)
                for index, value in zip(indices, values, strict=True):
                    arguments[index] = value if value.op in LITERALS else arguments[index]
            is_same = all(one is other for one, other in zip(arguments, term.args, strict=True))
            new[term] = term if is_same else self._terms.rebuild(term, tuple(arguments))
        return with_terms(statement, tuple(new[term] for term in before))

    def _run(self, procedure: Procedure) -> None:
        blocks = {block.label: block for block in procedure.blocks or ()}
        if not blocks:
            return
        name = procedure.name
        self._join(name, next(iter(blocks)), self._entry[name])
        work = dict.fromkeys(label for label in blocks if (name, label) in self._at_start)
        while work:
            label = next(iter(work))
            del work[label]
            known: Known | None = dict(self._at_start[name, label])
            for statement in blocks[label].statements:
                known = None if known is None else self._after(name, statement, known)
            if known is None:
                continue
            for successor in blocks[label].successors:
                if self._join(name, successor, known):
                    work[successor] = None
            if not blocks[label].successors:
                self._note_exit(procedure, known)

    def _after(self, name: str, statement: Statement, known: Known) -> Known | None:
        """What is known after a statement (`known` may be changed); None: control does not get there."""
        match statement:
            case Assume():
                (condition,) = self._terms.substitute([statement.condition], known)
                if condition is self._terms.false:
                    return None
                self._learn(condition, known)
            case Assign():
                values = self._terms.substitute(statement.values, known)
                for target, value in zip(statement.targets, values, strict=True):
                    self._set(target, value, known)
            case Call():
                return self._after_call(name, statement, known)
            case _:
                for target in targets_of(statement):
                    known.pop(target, None)
        return known

    def _learn(self, condition: Term, known: Known) -> None:
        if condition.op == "eq":
            for variable, value in (condition.args, reversed(condition.args)):
                if variable.op == "var" and variable.payload.kind is not VariableKind.CONSTANT:
                    if value.op in LITERALS:
                        self._set(variable.payload, value, known)

    def _set(self, variable: Variable, value: Term, known: Known) -> None:
        if value.op in LITERALS and variable not in self._changing:
            known[variable] = value
        else:
            known.pop(variable, None)

    def _after_call(self, name: str, call: Call, known: Known) -> Known | None:
        callee = self._program.procedures[call.procedure]
        if callee.blocks is None:
            for target in (*call.results, *callee.modifies):
                known.pop(target, None)
            return known
        arguments = self._terms.substitute(call.arguments, known)
        given = {
            parameter: value
            for parameter, value in zip(callee.inputs, arguments, strict=True)
            if value.op in LITERALS
        }
        modified = self._modified[callee.name]
        if call.is_async:
            self._enter(name, callee.name, given)
            return {variable: value for variable, value in known.items() if variable not in modified}
        common = {variable: value for variable, value in known.items() if variable.kind is VariableKind.GLOBAL}
        self._enter(name, callee.name, given | common)
        end = self._exit.get(callee.name)
        if end is None:
            return None
        kept = {variable: value for variable, value in known.items() if variable not in modified}
        kept.update({variable: value for variable, value in end.items() if variable in modified})
        for target, output in zip(call.results, callee.outputs, strict=True):
            value = end.get(output)
            if value is None:
                kept.pop(target, None)
            else:
                self._set(target, value, kept)
        return kept

    # --- joining

    def _join(self, name: str, label: str, known: Known) -> bool:
        before = self._at_start.get((name, label))
        after = _meet(before, known)
        self._at_start[name, label] = after
        return before is None or len(after) != len(before)

    def _note_exit(self, procedure: Procedure, known: Known) -> None:
        outputs = frozenset(procedure.outputs)
        told = {
            variable: value
            for variable, value in known.items()
            if variable in outputs or variable.kind is VariableKind.GLOBAL
        }
        before = self._exit.get(procedure.name)
        after = _meet(before, told)
        if before is None or len(after) != len(before):
            self._exit[procedure.name] = after
            self._work.update(self._callers.get(procedure.name, {}))

    def _enter(self, caller: str, callee: str, known: Known) -> None:
        self._callers.setdefault(callee, {})[caller] = None
        before = self._entry.get(callee)
        after = _meet(before, known)
        if before is None or len(after) != len(before):
            self._entry[callee] = after
            self._work[callee] = None


def _meet(before: Known | None, known: Known) -> Known:
    """What is known if control comes either way; None: it has not come before."""
    if before is None:
        return dict(known)
    return {variable: value for variable, value in before.items() if known.get(variable) is value}
