"""Small edits that transforms share: copy code with other variables, cut jumps, list the variables of code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from remuda.ir.program import Assert, Assign, Assume, Block, Call, Havoc, Statement, Yield
from remuda.terms.term import Term, postorder

if TYPE_CHECKING:
    from remuda.ir.program import Attributes, Program
    from remuda.terms.store import Terms
    from remuda.terms.symbols import Variable


def terms_of(statement: Statement) -> tuple[Term, ...]:
    """The terms that a statement evaluates."""
    match statement:
        case Assign(values=values):
            return values
        case Assume(condition=condition) | Assert(condition=condition):
            return (condition,)
        case Call(arguments=arguments):
            return arguments
        case Havoc() | Yield():
            return ()
        case _:
            assert_never(statement)


def with_terms(statement: Statement, terms: tuple[Term, ...]) -> Statement:
    """The statement with other terms in place of those that `terms_of` gives, in the same order."""
    match statement:
        case Assign():
            return replace(statement, values=terms)
        case Assume() | Assert():
            return replace(statement, condition=terms[0])
        case Call():
            return replace(statement, arguments=terms)
        case Havoc() | Yield():
            return statement
        case _:
            assert_never(statement)


def plain_attributes(statement: Statement) -> Attributes:
    """The attributes whose arguments are strings only, without terms."""
    return tuple(each for each in statement.attributes if all(isinstance(one, str) for one in each.arguments))


def targets_of(statement: Statement) -> tuple[Variable, ...]:
    """The variables that a statement itself changes, without those that a callee changes."""
    match statement:
        case Assign(targets=targets):
            return targets
        case Havoc(variables=variables):
            return variables
        case Call(results=results):
            return results
        case Assume() | Assert() | Yield():
            return ()
        case _:
            assert_never(statement)


def variables_of_blocks(blocks: Iterable[Block]) -> tuple[set[Variable], set[Variable]]:
    """The variables that blocks read, and those that they change."""
    statements = [statement for block in blocks for statement in block.statements]
    roots = [term for statement in statements for term in terms_of(statement)]
    read = {term.payload for term in postorder(roots) if term.op == "var"}
    changed = {variable for statement in statements for variable in targets_of(statement)}
    return read, changed


def size(program: Program) -> int:
    """The number of statements and blocks of a program."""
    bodies = [procedure.blocks or () for procedure in program.procedures.values()]
    return sum(1 + len(block.statements) for blocks in bodies for block in blocks)


def rename_block(terms: Terms, block: Block, variables: Mapping[Variable, Variable]) -> Block:
    """The block with variables replaced, both those that it reads and those that it changes.

    Attributes with terms are left out: traces are lifted to the original block, which still has them.
    """
    replacement = {variable: terms.var(copy) for variable, copy in variables.items()}
    statements = tuple(rename_statement(terms, each, variables, replacement) for each in block.statements)
    return replace(block, statements=statements)


def cut_jumps(terms: Terms, block: Block, keep: Callable[[str], bool]) -> Block:
    """The block without some of its jumps; a block that loses all of them ends the execution, and does not return."""
    successors = tuple(label for label in block.successors if keep(label))
    if successors or not block.successors:
        return replace(block, successors=successors)
    return replace(block, statements=(*block.statements, Assume(terms.false, block.span)), successors=())


def rename_statement(
    terms: Terms,
    statement: Statement,
    variables: Mapping[Variable, Variable],
    replacement: Mapping[Variable, Term],
) -> Statement:
    """The statement with variables replaced; `replacement` has the terms of the same variables."""
    targets = tuple(variables.get(variable, variable) for variable in targets_of(statement))
    values = tuple(terms.substitute(terms_of(statement), replacement))
    kept = plain_attributes(statement)
    match statement:
        case Assign():
            return replace(statement, targets=targets, values=values, attributes=kept)
        case Havoc():
            return replace(statement, variables=targets, attributes=kept)
        case Assume() | Assert():
            return replace(statement, condition=values[0], attributes=kept)
        case Call():
            return replace(statement, arguments=values, results=targets, attributes=kept)
        case Yield():
            return statement
        case _:
            assert_never(statement)
