"""Finds mutexes whose initial values say more than that they are free.

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;                  all zero
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;     the member `__kind` is 1

In the models, a mutex is free if its first int is 0, and a thread that locks it twice waits forever. That is right
for mutexes that begin with zeros, and for those of glibc's adaptive kind. The meaning of other values, also on other
systems, is unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.frontends.c.library.models import constant_of, pointed_type
from remuda.frontends.c.lowering.reachable import nodes_of
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.link import compatible
from remuda.frontends.c.syntax.types import ArrayType, CType, Field, RecordType
from remuda.frontends.c.syntax.walk import called_function

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WAITING_KINDS: Final = frozenset({0, 3})  # PTHREAD_MUTEX_NORMAL and _ADAPTIVE_NP
LOCKING: Final = {"pthread_mutex_lock": 0, "pthread_mutex_trylock": 0, "pthread_cond_wait": 1}  # the argument
KIND: Final = "__kind"  # glibc's name of the member with the kind


def has_special_mutexes(functions: Sequence[ast.Function], variables: Sequence[ast.Variable]) -> bool:
    """Whether these functions, or the initialisers of these static objects, make a mutex of a special kind."""
    types = _types_of_mutexes(functions)
    known: dict[CType, bool] = {}

    def is_mutex(type_: CType) -> bool:
        if not isinstance(type_, RecordType):
            return False
        if type_ not in known:
            known[type_] = any(compatible(type_, each) for each in types)
        return known[type_]

    return bool(types) and any(
        _is_special(part) and any(is_mutex(type_) for type_ in _types_on_path(variable.type, part))
        for variable in _initialized(functions, variables)
        for part in (variable.initializer.parts if variable.initializer is not None else ())
    )


def _types_of_mutexes(functions: Sequence[ast.Function]) -> list[CType]:
    """The types of the records that the program locks."""
    found: dict[CType, None] = {}
    for function in functions:
        for node in nodes_of(function):
            if isinstance(node, ast.Call) and (callee := called_function(node)) is not None:
                position = LOCKING.get(callee.name, len(node.arguments))
                if position < len(node.arguments):
                    found[pointed_type(node.arguments[position])] = None
    return [type_ for type_ in found if isinstance(type_, RecordType)]


def _initialized(functions: Sequence[ast.Function], variables: Sequence[ast.Variable]) -> Iterator[ast.Variable]:
    yield from variables
    owners: list[ast.Function | ast.Variable] = [*functions, *variables]
    for owner in owners:
        for node in nodes_of(owner):
            if isinstance(node, ast.Declaration):
                yield from node.variables
            elif isinstance(node, ast.CompoundLiteral):
                yield node.variable


def _is_special(part: ast.Part) -> bool:
    """Whether a part of a mutex may be more than a zero. (A record is copied from another one, with its own
    parts.)"""
    if isinstance(part.value.type, RecordType):
        return False
    value, last = constant_of(part.value), part.path[-1] if part.path else None
    is_kind = isinstance(last, Field) and last.name == KIND
    return value not in WAITING_KINDS if is_kind else value != 0


def _types_on_path(type_: CType, part: ast.Part) -> Iterator[CType]:
    """The types of the objects around a part, from the outside in."""
    for step in part.path:
        yield type_
        if isinstance(step, Field):
            type_ = step.type
        elif isinstance(type_, ArrayType):
            type_ = type_.element
