"""Finds the functions, objects and string literals of a unit that an execution may reach."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from remuda.base.graph import components
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import ArrayType
from remuda.frontends.c.syntax.walk import Node, children, variable_children

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MOST_BODIES: Final = 4096  # functions whose lists of nodes are cached


def reachable_functions(
    entries: Sequence[ast.Function], has_body: Callable[[ast.Function], bool]
) -> tuple[ast.Function, ...]:
    """The entries, and all functions with a body that they mention, directly or not, in the order of discovery."""
    found: dict[ast.Function, None] = dict.fromkeys(entries)
    variables: dict[ast.Variable, None] = {}
    work: list[ast.Function | ast.Variable] = list(reversed(entries))
    while work:
        for target in mentioned(work.pop()):
            if isinstance(target, ast.Function):
                if target not in found and has_body(target):
                    found[target] = None
                    work.append(target)
            elif target not in variables:
                variables[target] = None
                work.append(target)
    return tuple(found)


def mentioned(owner: ast.Function | ast.Variable) -> Iterator[ast.Function | ast.Variable]:
    """The functions and static objects that a body or an initialiser mentions."""
    for node in nodes_of(owner):
        if isinstance(node, ast.Name) and (isinstance(node.target, ast.Function) or is_lasting(node.target)):
            yield node.target


def nodes_of(owner: ast.Function | ast.Variable) -> Sequence[Node]:
    """All nodes of a body, or of the initialiser of an object."""
    if isinstance(owner, ast.Variable):
        return _below(variable_children(owner))
    return () if owner.body is None else _nodes_of_body(owner.body)


@lru_cache(maxsize=MOST_BODIES)
def _nodes_of_body(body: ast.Compound) -> Sequence[Node]:
    """The nodes of a body, cached because many analyses walk them."""
    return _below((body,))


def _below(roots: Sequence[Node]) -> Sequence[Node]:
    found: list[Node] = []
    pending = list(reversed(roots))
    while pending:
        node = pending.pop()
        found.append(node)
        pending.extend(reversed(children(node)))
    return found


def variables_of(function: ast.Function) -> list[ast.Variable]:
    """The parameters and the automatic objects of a function."""
    found = list(function.parameters)
    for node in nodes_of(function):
        if isinstance(node, ast.Declaration):
            found += [variable for variable in node.variables if variable.storage is ast.Storage.LOCAL]
        elif isinstance(node, ast.CompoundLiteral):
            found.append(node.variable)
    return found


def is_lasting(variable: ast.Variable) -> bool:
    """Whether an object exists once, for the whole execution."""
    return variable.storage in {ast.Storage.GLOBAL, ast.Storage.EXTERN, ast.Storage.STATIC}


def used_variables(functions: Sequence[ast.Function]) -> tuple[ast.Variable, ...]:
    """The static objects that functions, or the initialisers of such objects, mention."""
    found: dict[ast.Variable, None] = {}
    work: list[ast.Function | ast.Variable] = list(reversed(functions))
    while work:
        for target in mentioned(work.pop()):
            if isinstance(target, ast.Variable) and target not in found:
                found[target] = None
                work.append(target)
    return tuple(found)


def used_literals(
    functions: Sequence[ast.Function], variables: Sequence[ast.Variable]
) -> tuple[ast.StringLiteral, ...]:
    """The string literals that are objects, and not initialisers of arrays."""
    owners: list[ast.Function | ast.Variable] = [*functions, *variables]
    plain = {id(value) for owner in owners for value in _array_values(owner)}
    found: dict[ast.StringLiteral, None] = {}
    for owner in owners:
        for node in nodes_of(owner):
            if isinstance(node, ast.StringLiteral) and id(node) not in plain:
                found[node] = None
    return tuple(found)


def _array_values(owner: ast.Function | ast.Variable) -> Iterator[ast.Expression]:
    declared = [owner] if isinstance(owner, ast.Variable) else []
    for node in nodes_of(owner):
        if isinstance(node, ast.Declaration):
            declared.extend(node.variables)
        elif isinstance(node, ast.CompoundLiteral):
            declared.append(node.variable)
    for variable in declared:
        for part in variable.initializer.parts if variable.initializer is not None else ():
            at = part.value
            while isinstance(at, ast.Cast) and at.kind is ast.CastKind.NOTHING:
                at = at.operand
            if isinstance(at, ast.StringLiteral) and isinstance(at.type, ArrayType):
                yield at


def recursive_functions(functions: Sequence[ast.Function], callees: dict[str, list[str]]) -> frozenset[str]:
    """The functions that may have several activations at a time."""
    names = {function.name for function in functions}
    known = {name: [callee for callee in called if callee in names] for name, called in callees.items()}
    return frozenset(
        name for component in components(known) for name in component if len(component) > 1 or name in known[name]
    )
