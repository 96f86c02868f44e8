"""Leave out assignments that nothing depends on.

before:  results := results[t := r];  ended := ended[t := true];      (and `results` is only read to write it again)
after:   assume true;                 ended := ended[t := true];

Statements keep their positions in blocks, so that traces do not change. A variable that something other than an
assignment changes is kept, because traces have the values that were chosen for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, final

from remuda.ir.edit import targets_of, terms_of
from remuda.ir.passes import PassResult, unchanged
from remuda.ir.program import Assign, Assume, Statement
from remuda.terms.term import variables_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remuda.ir.program import Block, Program
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term


@final
@dataclass(frozen=True, slots=True)
class DropUnread:
    """The pass: it drops assignments to variables whose values only flow into such variables."""

    name: ClassVar[str] = "drop-unread"

    def apply(self, program: Program) -> PassResult:
        unread = unread_variables(program)
        if not unread:
            return PassResult(program, unchanged)
        procedures = {
            name: procedure
            if procedure.blocks is None
            else replace(procedure, blocks=tuple(_dropped(program, block, unread) for block in procedure.blocks))
            for name, procedure in program.procedures.items()
        }
        return PassResult(replace(program, procedures=procedures), unchanged)


def unread_variables(program: Program) -> frozenset[Variable]:
    """The variables that are assigned, but that nothing depends on."""
    outputs = (output for procedure in program.procedures.values() for output in procedure.outputs)
    kept: dict[Variable, None] = dict.fromkeys((*variables_of(_contract_terms(program)), *outputs))
    feeds: dict[Variable, set[Variable]] = {}  # by variable, those that its value is made of
    for statement in _statements(program):
        if isinstance(statement, Assign):
            for target, value in zip(statement.targets, statement.values, strict=True):
                feeds.setdefault(target, set()).update(variables_of([value]))
        else:
            kept.update(dict.fromkeys((*variables_of(terms_of(statement)), *targets_of(statement))))
    work = list(kept)
    while work:
        for source in feeds.get(work.pop(), ()):
            if source not in kept:
                kept[source] = None
                work.append(source)
    return frozenset(variable for variable in feeds if variable not in kept)


def _statements(program: Program) -> Iterator[Statement]:
    for procedure in program.procedures.values():
        for block in procedure.blocks or ():
            yield from block.statements


def _contract_terms(program: Program) -> Iterator[Term]:
    yield from program.wheres.values()
    for procedure in program.procedures.values():
        yield from (condition.term for condition in (*procedure.requires, *procedure.ensures))
        if procedure.blocks is None:
            yield from (program.terms.var(variable) for variable in procedure.modifies)


def _dropped(program: Program, block: Block, unread: frozenset[Variable]) -> Block:
    if not any(isinstance(each, Assign) and not unread.isdisjoint(each.targets) for each in block.statements):
        return block
    return replace(block, statements=tuple(_without(program, statement, unread) for statement in block.statements))


def _without(program: Program, statement: Statement, unread: frozenset[Variable]) -> Statement:
    if not isinstance(statement, Assign) or unread.isdisjoint(statement.targets):
        return statement
    pairs = [
        (target, value)
        for target, value in zip(statement.targets, statement.values, strict=True)
        if target not in unread
    ]
    if not pairs:
        return Assume(program.terms.true, statement.span)
    targets, values = zip(*pairs, strict=True)
    return replace(statement, targets=targets, values=values)
