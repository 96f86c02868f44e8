"""Turn contracts into statements, the inlining way.

before:  procedure P(x: int) returns (y: int); requires x > 0; ensures y > old(g);
         { ... call z := P(a); ... }
after:   { old$g := g; ... assert a > 0; call z := P(a); ... assert y > old$g; return }

A `requires` is asserted before each call (a Check of its own per call site; a `free call` assumes it) and assumed
where an execution starts; a free one is assumed at the start of the body, or where there is none before each call, as
Boogie's stratified inlining does (but not its modular verification). An `ensures` is asserted at each return.
Afterwards every `ensures`, checked or free, stays on the procedure for callers to assume after the call: it was
asserted at the return, or it is free and assumed. Procedures without a body keep theirs for the same reason.

If the program starts threads, other threads may run between a return and the next statement of the caller: then a
free `ensures` is assumed at each return, and procedures with a body have none for callers.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, final

from remuda.analysis.callgraph import calls_of
from remuda.ir.passes import PassResult, unchanged
from remuda.ir.program import (
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Check,
    Condition,
    Procedure,
    Program,
    Statement,
    attribute,
)
from remuda.ir.threads import starts_threads
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.term import Term, postorder

if TYPE_CHECKING:
    from collections.abc import Sequence


@final
@dataclass(frozen=True, slots=True)
class LowerContracts:
    """The pass. With `modular`, every procedure is an entry, callers ignore a callee's free preconditions, and a procedure
    that is called need not start in a state where the `where` clauses of globals hold. Unless executions stop at failures, an
    `ensures` of a body may not hold after it."""

    name: ClassVar[str] = "contracts"
    modular: bool = False
    stops: bool = True

    def apply(self, program: Program) -> PassResult:
        is_concurrent = starts_threads(program)
        called: frozenset[str] = frozenset()
        if self.modular:
            program = _without_free_requires(program)
            called = frozenset(each.procedure for body in program.procedures.values() for each in calls_of(body))
        procedures = {
            name: _lower(
                program,
                procedure,
                is_entry=name in program.entries,
                is_called=name in called,
                is_concurrent=is_concurrent,
                stops=self.stops,
            )
            for name, procedure in program.procedures.items()
        }
        return PassResult(replace(program, procedures=procedures), unchanged)


def _without_free_requires(program: Program) -> Program:
    """A procedure without a body, without its free preconditions."""
    procedures = {
        name: procedure
        if procedure.blocks is not None
        else replace(procedure, requires=tuple(each for each in procedure.requires if not each.free))
        for name, procedure in program.procedures.items()
    }
    return replace(program, procedures=procedures)


def _lower(
    program: Program, procedure: Procedure, *, is_entry: bool, is_called: bool, is_concurrent: bool, stops: bool
) -> Procedure:
    """Make the contracts of one procedure, and of those it calls, explicit in its body."""
    assumed = tuple(replace(condition, check=None) for condition in procedure.ensures)
    if procedure.blocks is None:
        return replace(procedure, requires=(), ensures=assumed)
    if not stops:
        assumed = tuple(condition for condition in procedure.ensures if condition.free)
    saved: dict[Variable, Variable] = {}
    closing = [
        _at_return(condition, _save_old(program, condition.term, saved))
        for condition in procedure.ensures
        if condition.check is not None or is_concurrent
    ]
    opening = _opening(program, procedure, saved, is_entry=is_entry, is_called=is_called)
    numbers: defaultdict[str, int] = defaultdict(int)
    blocks = [_check_calls(program, procedure, block, numbers) for block in procedure.blocks]
    blocks = [
        replace(block, statements=(*block.statements, *closing)) if closing and not block.successors else block
        for block in blocks
    ]
    if opening:
        blocks = _prepend(blocks, opening, procedure)
    return replace(
        procedure,
        blocks=tuple(blocks),
        locals=(*procedure.locals, *saved.values()),
        requires=(),
        ensures=() if is_concurrent else assumed,
    )


def _at_return(condition: Condition, term: Term) -> Statement:
    if condition.check is None:
        return Assume(term, condition.span, condition.attributes)
    return Assert(term, condition.check, condition.span, condition.attributes)


def _opening(
    program: Program, procedure: Procedure, saved: dict[Variable, Variable], *, is_entry: bool, is_called: bool
) -> list[Statement]:
    """The statements at the start of a body: its assumptions, and the saved values of globals."""
    statements: list[Statement] = []
    if is_entry and not is_called:
        wheres = ((g, program.wheres.get(g)) for g in program.globals)
        statements += [Assume(where, procedure.span) for _, where in wheres if where is not None]
    statements += [
        Assume(condition.term, condition.span) for condition in procedure.requires if is_entry or condition.free
    ]
    statements += [
        Assign((local,), (program.terms.var(variable),), procedure.span) for variable, local in saved.items()
    ]
    return statements


def _prepend(blocks: list[Block], opening: list[Statement], procedure: Procedure) -> list[Block]:
    """Put statements before the first block's, in a block of their own if something jumps to it."""
    first = blocks[0]
    if any(first.label in block.successors for block in blocks):
        labels = {block.label for block in blocks}
        label = next(
            name for name in ("$start", *(f"$start{n}" for n in range(len(labels) + 1))) if name not in labels
        )
        return [Block(label, tuple(opening), (first.label,), procedure.span), *blocks]
    return [replace(first, statements=(*opening, *first.statements)), *blocks[1:]]


def _save_old(program: Program, term: Term, saved: dict[Variable, Variable]) -> Term:
    """Replace `old(g)` by a local that holds g's first value."""
    if not any(part.op == "old" for part in postorder([term])):
        return term

    def leaf(part: Term) -> Term | None:
        if part.op != "old":
            return None
        variable = part.args[0].payload
        if variable not in saved:
            saved[variable] = Variable(f"old${variable.name}", variable.type, VariableKind.LOCAL)
        return program.terms.var(saved[variable])

    return program.terms.rewrite([term], leaf)[0]


def _check_calls(program: Program, procedure: Procedure, block: Block, numbers: defaultdict[str, int]) -> Block:
    """Assert or assume the callees' preconditions before each call of a block."""
    statements: list[Statement] = []
    for statement in block.statements:
        if isinstance(statement, Call):
            statements += _preconditions(program, procedure, statement, numbers)
        statements.append(statement)
    return block if len(statements) == len(block.statements) else replace(block, statements=tuple(statements))


def _preconditions(
    program: Program, procedure: Procedure, call: Call, numbers: defaultdict[str, int]
) -> Sequence[Statement]:
    callee = program.procedures[call.procedure]
    conditions = [condition for condition in callee.requires if not condition.free or callee.blocks is None]
    if not conditions:
        return ()
    formals = dict(zip(callee.inputs, call.arguments, strict=True))
    terms = program.terms.substitute([condition.term for condition in conditions], formals)
    is_free = attribute(call.attributes, "free") is not None
    under = attribute(call.attributes, "verified_under")
    excuses = [argument for argument in under.arguments if isinstance(argument, Term)] if under is not None else []
    return [
        Assume(term, call.span)
        if is_free or condition.free
        else Assert(
            program.terms.or_([*excuses, term]),
            _call_check(procedure, callee, call, condition, numbers),
            call.span,
            condition.attributes,
        )
        for term, condition in zip(terms, conditions, strict=True)
    ]


def _call_check(
    procedure: Procedure, callee: Procedure, call: Call, condition: Condition, numbers: defaultdict[str, int]
) -> Check:
    """The Check of one precondition at one call site."""
    assert condition.check is not None
    file = condition.check.identifier.split(":", 1)[0]
    numbers[callee.name] += 1
    return Check(
        identifier=f"{file}:{procedure.name}:requires of {callee.name}:{numbers[callee.name]}",
        kind="requires",
        description=f"{condition.check.description} (precondition of {callee.name})",
        span=call.span,
    )
