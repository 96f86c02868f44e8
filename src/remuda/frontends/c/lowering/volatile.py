"""Decides which `volatile` objects something outside the program may change: reading those gives any value.

    extern volatile int port;                         another file defines it, and may write it: any value
    *(volatile int *)0x40001000                       a register of the machine: any value
    static volatile int ticks;                        keeps its value, ...
    void handler(void) { ticks++; }                   ... unless only the machine calls a function that names it,
    install(stop)                                     or the address of such a function is taken

An object keeps its value if nothing outside the program can name it (it is static or local), its address is never taken,
and all functions that name it are called by name only, from where executions start. In a program with threads `volatile` is
how many programs share memory: all that they define, and all that pointers refer to but registers, keeps its value there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.frontends.c.lowering.reachable import is_lasting, nodes_of
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.walk import array_of, callee

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from remuda.frontends.c.syntax.walk import Node


@final
class Volatiles:
    """Decides about each read of a `volatile` object. `how` is the option: inputs, outside or memory."""

    def __init__(self, how: str, unit: ast.Unit, functions: Sequence[ast.Function], *, has_threads: bool) -> None:
        self._how = how
        self._has_threads = has_threads
        self._named_outside: set[ast.Variable] = set()
        if how == "outside" and not has_threads:
            self._find_named_outside(unit, functions)

    def is_input(self, variable: ast.Variable | None, *, is_register: bool = False) -> bool:
        """Whether something outside the program may have changed an object, or, without a variable, what a pointer refers
        to; `is_register` if the pointer is made of an integer."""
        if self._how != "outside":
            return self._how == "inputs"
        if variable is None:
            return is_register or not self._has_threads
        if variable.storage is ast.Storage.EXTERN:
            return True
        if self._has_threads:
            return False
        is_seen = variable.storage is ast.Storage.GLOBAL and not variable.is_static
        return is_seen or variable in self._named_outside

    def belief(self, variable: ast.Variable | None) -> str:
        """The assumption that an object keeps the value that the program wrote last; empty for a local one."""
        if variable is None:
            return "what volatile pointers point to is assumed to be changed by the program only"
        if not is_lasting(variable):
            return ""
        return f"the volatile object {variable.name} is assumed to be changed by the program only"

    def _find_named_outside(self, unit: ast.Unit, functions: Sequence[ast.Function]) -> None:
        bodies = [function for function in unit.functions.values() if function.body is not None]
        owners: list[ast.Function | ast.Variable] = [*bodies, *unit.variables]
        given_away = {function for owner in owners for function in _given_away(nodes_of(owner))}
        inside = set(functions) - given_away
        for owner in owners:
            nodes = nodes_of(owner)
            self._named_outside.update(_addressed(nodes))
            if owner not in inside:
                self._named_outside.update(
                    node.target
                    for node in nodes
                    if isinstance(node, ast.Name)
                    and isinstance(node.target, ast.Variable)
                    and is_lasting(node.target)
                )


def object_of(lvalue: ast.Expression) -> ast.Variable | None:
    """The variable that an lvalue is, or is a part of; None if a pointer leads to it."""
    at: ast.Expression | None = lvalue
    while at is not None:
        match at:
            case ast.Name(target=ast.Variable() as variable):
                return variable
            case ast.Member(is_arrow=False):
                at = at.base
            case ast.Index():
                at = array_of(at.base)
            case _:
                return None
    return None


def _addressed(nodes: Iterable[Node]) -> Iterator[ast.Variable]:
    """The variables whose addresses are taken, other than to index an array at once."""
    indexed = {id(part) for node in nodes if isinstance(node, ast.Index) for part in _casts(node.base)}
    for node in nodes:
        match node:
            case ast.AddressOf(operand=operand):
                variable = object_of(operand)
            case ast.Cast(kind=CastKind.ARRAY_TO_POINTER, operand=operand) if id(node) not in indexed:
                variable = object_of(operand)
            case _:
                variable = None
        if variable is not None:
            yield variable


def _casts(pointer: ast.Expression) -> Iterator[ast.Expression]:
    at = pointer
    while isinstance(at, ast.Cast):
        yield at
        if at.kind is not CastKind.NOTHING:
            return
        at = at.operand


def _given_away(nodes: Iterable[Node]) -> Iterator[ast.Function]:
    """The functions that are mentioned in another way than by a call."""
    called = {id(name) for node in nodes if isinstance(node, ast.Call) for name in (callee(node),) if name}
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.target, ast.Function) and id(node) not in called:
            yield node.target
