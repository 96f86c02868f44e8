"""What the function where executions start is given: any arguments that make sense."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.frontends.c.syntax.types import IntegerType, PointerType, RecordType, VoidType, is_scalar

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.lowering.expressions import Expressions
    from remuda.frontends.c.lowering.objects import Objects
    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.types import CType
    from remuda.terms.term import Term

MOST_ARGUMENTS = 4096
SPACE = 4096  # elements behind a pointer that an entry is given


def give_arguments(context: FunctionContext, expressions: Expressions, objects: Objects) -> None:
    """Integers may be anything; a pointer points to an object of its own, with any contents. `main` is given at least
    its name."""
    function = context.function
    if function.parameters and function.name == "main":
        context.program.assume(
            f"arguments of main: argc is at least 1 and at most {MOST_ARGUMENTS}, and argv points to memory of its own"
            " with any contents"
        )
    elif any(isinstance(parameter.type, PointerType) for parameter in function.parameters):
        context.program.assume(
            f"arguments of {function.name}: each pointer points to memory of its own with any contents,"
            f" {SPACE} elements of it"
        )
    for position, parameter in enumerate(function.parameters):
        objects.begin(parameter)
        place = expressions.variable_place(parameter)
        if isinstance(parameter.type, PointerType):
            expressions.write(place, _object(context, parameter), parameter.span)
        elif is_scalar(parameter.type):
            supply = context.supply(parameter)
            value = context.unknown(parameter.type, parameter.span, parameter.name, supply=supply)
            if function.name == "main" and position == 0 and isinstance(parameter.type, IntegerType):
                _limit_arguments(context, value, parameter)
            expressions.write(place, value, parameter.span)
        else:
            expressions.forget(place, parameter.span, parameter.name)


def _limit_arguments(context: FunctionContext, count: Term, parameter: ast.Variable) -> None:
    arithmetic, terms = context.program.arithmetic, context.program.terms
    least, most = arithmetic.literal(1, parameter.type), arithmetic.literal(MOST_ARGUMENTS, parameter.type)
    enough = arithmetic.compare(">=", count, least, parameter.type)
    few = arithmetic.compare("<=", count, most, parameter.type)
    context.blocks.assume(terms.and_((enough, few)), parameter.span)


def _object(context: FunctionContext, parameter: ast.Variable) -> Term:
    """What a pointer points to."""
    assert isinstance(parameter.type, PointerType)
    program, span = context.program, parameter.span
    size = SPACE * _element_size(context, parameter.type.target, span)
    family = program.memory.pointed_family(parameter)
    return program.storage.literal(program.storage.place(size, family, span))


def _element_size(context: FunctionContext, type_: CType, span: Span) -> int:
    if isinstance(type_, VoidType) or (isinstance(type_, RecordType) and not type_.is_complete):
        return 1
    return context.program.layouts.size(type_, span)
