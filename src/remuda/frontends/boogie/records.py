"""Evaluates operations on datatypes: `d->f`, `d->(f := e)`, `d is C`.

If several constructors have a field, testers select the right one:

    s->i      ite(s is Right, i#Right(s), i#Left(s))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remuda.frontends.boogie.ast import Binary, Name
from remuda.frontends.boogie.type_inference import instantiate, prune, unify
from remuda.frontends.boogie.typecheck import FAILURE, Failure, Value
from remuda.terms.types import BOOL, DataType, Type

if TYPE_CHECKING:
    from remuda.frontends.boogie.evaluate import Evaluator
    from remuda.terms.symbols import Constructor
    from remuda.terms.term import Term


def access_field(evaluator: Evaluator, node: Any, operand: Value, field: str) -> Value:  # noqa: ANN401
    """The value of `operand->field`."""
    if isinstance(operand, Failure):
        return FAILURE
    type_ = _field_type(evaluator, node, operand.type, field)
    if type_ is None:
        return FAILURE
    return evaluator.combine(type_, (operand,), lambda args: _select(evaluator, args[0], field))


def update_field(evaluator: Evaluator, node: Any, operand: Value, field: str, value: Value) -> Value:  # noqa: ANN401
    """The value of `operand->(field := value)`."""
    if isinstance(operand, Failure) or isinstance(value, Failure):
        return FAILURE
    type_ = _field_type(evaluator, node, operand.type, field)
    if type_ is None:
        return FAILURE
    if not unify(value.type, type_):
        return evaluator.fail(node, f"field {field} has type {type_}, and the value {prune(value.type)}")
    return evaluator.combine(
        operand.type, (operand, value), lambda args: _replace(evaluator, args[0], field, args[1])
    )


def test_constructor(evaluator: Evaluator, node: Binary, operand: Value) -> Value:
    """The value of `operand is C`."""
    if isinstance(operand, Failure):
        return FAILURE
    type_ = prune(operand.type)
    assert isinstance(node.right, Name)
    name = node.right.name
    symbol = evaluator.table.types.symbols.get(type_.name) if isinstance(type_, DataType) else None
    if symbol is None or all(constructor.name != name for constructor in symbol.constructors):
        return evaluator.fail(node, f"{type_} has no constructor {name}")

    def build(args: Any) -> Term:  # noqa: ANN401
        term: Term = args[0]
        constructor = next(found for found in _constructors(evaluator, term) if found.name == name)
        return evaluator.terms.is_(constructor, term)

    return evaluator.combine(BOOL, (operand,), build)


def _field_type(evaluator: Evaluator, node: Any, type_: Type, field: str) -> Type | None:  # noqa: ANN401
    type_ = prune(type_)
    symbol = evaluator.table.types.symbols.get(type_.name) if isinstance(type_, DataType) else None
    if symbol is None or not isinstance(type_, DataType):
        evaluator.fail(node, f"only datatypes have fields, and this has type {type_}")
        return None
    found: list[Type] = []
    for constructor in symbol.constructors:
        mapping = dict(zip(constructor.type_parameters, type_.arguments, strict=True))
        found.extend(instantiate(given, mapping) for name, given in constructor.fields if name == field)
    if not found:
        evaluator.fail(node, f"datatype {type_} has no field {field}")
        return None
    if any(given != found[0] for given in found):
        evaluator.fail(node, f"field {field} of {type_} has different types in different constructors")
        return None
    return found[0]


def _constructors(evaluator: Evaluator, term: Term) -> tuple[Constructor, ...]:
    assert isinstance(term.type, DataType)
    return evaluator.table.types.constructors(term.type)


def _positions(evaluator: Evaluator, term: Term, field: str) -> list[tuple[Constructor, int]]:
    """The constructors that have the field, each with its index."""
    return [
        (constructor, position)
        for constructor in _constructors(evaluator, term)
        for position, (name, _) in enumerate(constructor.fields)
        if name == field
    ]


def _select(evaluator: Evaluator, term: Term, field: str) -> Term:
    terms = evaluator.terms
    (constructor, position), *others = _positions(evaluator, term, field)
    result = terms.field(constructor, position, term)
    for other, index in others:
        result = terms.ite(terms.is_(other, term), terms.field(other, index, term), result)
    return result


def _replace(evaluator: Evaluator, term: Term, field: str, value: Term) -> Term:
    terms = evaluator.terms
    (constructor, position), *others = _positions(evaluator, term, field)
    result = _rebuild(evaluator, constructor, position, term, value)
    for other, index in others:
        result = terms.ite(terms.is_(other, term), _rebuild(evaluator, other, index, term, value), result)
    return result


def _rebuild(evaluator: Evaluator, constructor: Constructor, position: int, term: Term, value: Term) -> Term:
    fields = [evaluator.terms.field(constructor, index, term) for index in range(len(constructor.fields))]
    fields[position] = value
    return evaluator.terms.construct(constructor, fields)
