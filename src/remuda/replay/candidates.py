"""Values worth trying for quantified variables: those that occur around the quantifier, and their neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from remuda.replay.closures import as_closure
from remuda.replay.scopes import Stuck
from remuda.terms.symbols import Function, Variable, VariableKind
from remuda.terms.term import Term, postorder
from remuda.terms.types import INT, REAL, BvType, MapType, Type
from remuda.terms.values import Interpretation, MapValue, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.replay.domains import Domains
    from remuda.replay.scopes import Scope

CANDIDATE_LIMIT: Final = 60


class Knowledge(Protocol):
    """The part of the evaluator that finding candidates needs."""

    domains: Domains
    interpretation: Interpretation

    def variable(self, term: Term, scope: Scope) -> Value | Stuck: ...


def candidates(body: Term, variables: Sequence[Variable], scope: Scope, knowledge: Knowledge) -> list[list[Value]]:
    """Some values of its type for each variable."""
    types = {variable.type for variable in variables}
    found: dict[Type, dict[Value, None]] = {variable.type: {} for variable in variables}
    for part in postorder([body]):
        for type_, value in _around(part, scope, knowledge):
            if type_ in types and as_closure(value) is None:
                for neighbour in _neighbours(value, type_):
                    found[type_][neighbour] = None
    for type_, values in found.items():
        values[knowledge.domains.default(type_)] = None
        for member in knowledge.domains.members(type_) or ():
            values[member] = None
    return [list(found[variable.type])[:CANDIDATE_LIMIT] for variable in variables]


def _around(part: Term, scope: Scope, knowledge: Knowledge) -> list[tuple[Type, Value]]:
    if part.op in {"int", "real"}:
        return [(part.type, part.payload)]
    if part.op == "bv":
        return [(part.type, part.payload[0])]
    if part.op == "var":
        return _around_variable(part, scope, knowledge)
    if part.op == "apply":
        return _table_keys(part.payload, knowledge)
    return []


def _around_variable(part: Term, scope: Scope, knowledge: Knowledge) -> list[tuple[Type, Value]]:
    variable: Variable = part.payload
    if variable.kind is VariableKind.BOUND and scope.find(variable) is None:
        return []
    value = knowledge.variable(part, scope)
    if isinstance(value, Stuck):
        return []
    if isinstance(value, MapValue) and isinstance(variable.type, MapType):
        domain = variable.type.domain
        return [pair for index in value.entries for pair in zip(domain, index, strict=True)]
    return [(variable.type, value)]


def _table_keys(function: Function, knowledge: Knowledge) -> list[tuple[Type, Value]]:
    table = knowledge.interpretation.functions.get(function)
    types = [parameter.type for parameter in function.parameters]
    return [pair for arguments in table.entries for pair in zip(types, arguments, strict=True)] if table else []


def _neighbours(value: Value, type_: Type) -> list[Value]:
    if isinstance(value, bool):
        return [value]
    if isinstance(value, int) and type_ in {INT, REAL}:
        return [value, value + 1, value - 1]
    if isinstance(value, int) and isinstance(type_, BvType):
        top = (1 << type_.width) - 1
        return [value, min(value + 1, top), max(value - 1, 0)]
    return [value]
