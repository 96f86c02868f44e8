"""Functions and constants of a model, shared by the solvers.

A solver shows a function as an expression over its arguments, `(ite (= x 3) (ite (= y 4) 5 6) 6)`. All solvers use
the same kinds of conditions, but have different expressions (`Expressions`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from remuda.base.errors import Unsupported
from remuda.smt.model_values import Branch, Cases, decision_cases
from remuda.smt.solver import Native
from remuda.terms.values import FunctionTable, Interpretation, Value

if TYPE_CHECKING:
    from remuda.smt.translation import Translation
    from remuda.terms.symbols import Function, Variable
    from remuda.terms.types import Type

Position = Callable[[Native], int | None]  # which of the function's arguments an expression is, if any


class Expressions(Protocol):
    """Access to the parts of a solver's expressions."""

    def connective(self, native: Native) -> str:
        """`ite`, `eq`, `and`, `or`, `not`, or empty for everything else."""
        ...

    def arguments(self, native: Native) -> Sequence[Native]: ...

    def ite(self, condition: Native, then: Native, otherwise: Native) -> Native: ...

    def boolean(self, *, value: bool) -> Native: ...

    def shown(self, native: Native) -> str:
        """The text of an expression, for messages."""
        ...


class Tables(Protocol):
    """A model that has the values of constants and functions."""

    def value(self, native: Native, type_: Type) -> Value: ...

    def function_table(self, declaration: Native, domain: Sequence[Type], result: Type) -> FunctionTable | None:
        """The table of a function with arguments; None if the model leaves it open."""
        ...


def interpretation_of(
    model: Tables, translation: Translation, constants: Sequence[Variable], functions: Sequence[Function]
) -> Interpretation:
    """The values in a model of the constants and functions that were translated."""
    interpretation = Interpretation()
    for constant in constants:
        native = translation.variables.get(constant)
        if native is not None:
            interpretation.constants[constant] = model.value(native, constant.type)
    for function in functions:
        declaration = translation.declaration(function)
        table = None if declaration is None else _table(model, declaration, function)
        if table is not None:
            interpretation.functions[function] = table
    return interpretation


def _table(model: Tables, declaration: Native, function: Function) -> FunctionTable | None:
    if not function.parameters:
        return FunctionTable({}, model.value(declaration, function.result))
    domain = [parameter.type for parameter in function.parameters]
    return model.function_table(declaration, domain, function.result)


def body_cases(expressions: Expressions, body: Native, arity: int, position: Position) -> Cases:
    """The cases of an expression over a function's arguments."""
    cases = decision_cases(body, arity, lambda native: _branch(expressions, native, position))
    if cases is None:
        raise unreadable(expressions, body)
    return cases


def _branch(expressions: Expressions, native: Native, position: Position) -> Branch | None:
    connective = expressions.connective(native)
    if connective == "ite":
        condition, then, otherwise = expressions.arguments(native)
        return _turned(expressions, condition, then, otherwise, position)
    if connective or position(native) is not None:
        true, false = expressions.boolean(value=True), expressions.boolean(value=False)
        return _turned(expressions, native, true, false, position)
    return None


def _turned(
    expressions: Expressions, condition: Native, then: Native, otherwise: Native, position: Position
) -> Branch:
    """The branch on a condition, with negations and disjunctions taken apart."""
    connective = expressions.connective(condition)
    while connective in {"not", "or"}:
        if connective == "not":
            (condition,) = expressions.arguments(condition)
            then, otherwise = otherwise, then
        else:
            condition, *rest = expressions.arguments(condition)
            for alternative in reversed(rest):
                otherwise = expressions.ite(alternative, then, otherwise)
        connective = expressions.connective(condition)
    conjuncts = _conjuncts(expressions, condition)
    return Branch([_equation(expressions, conjunct, position) for conjunct in conjuncts], then, otherwise)


def _conjuncts(expressions: Expressions, condition: Native) -> list[Native]:
    """The conjuncts from left to right; some solvers only have binary conjunctions, and nest them."""
    conjuncts: list[Native] = []
    stack = [condition]
    while stack:
        native = stack.pop()
        if expressions.connective(native) == "and":
            stack += reversed(expressions.arguments(native))
        else:
            conjuncts.append(native)
    return conjuncts


def _equation(expressions: Expressions, condition: Native, position: Position) -> tuple[int, Native]:
    """The variable and the literal of `variable == literal`, `variable` or `!variable`."""
    variable, literal = condition, expressions.boolean(value=True)
    match expressions.connective(condition):
        case "eq":
            variable, literal = expressions.arguments(condition)
            if position(variable) is None:
                variable, literal = literal, variable
        case "not":
            (variable,) = expressions.arguments(condition)
            literal = expressions.boolean(value=False)
    index = position(variable)
    if index is None or position(literal) is not None:
        raise unreadable(expressions, condition)
    return index, literal


def unreadable(expressions: Expressions, native: Native) -> Unsupported:
    text = expressions.shown(native)
    shown = text if len(text) <= 100 else f"{text[:100]}..."
    return Unsupported(None, f"the model value {shown}")
