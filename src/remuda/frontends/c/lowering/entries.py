"""The arguments of the function where executions start: any that make sense."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.frontends.c.lowering.arguments import LONGEST, MOST_ARGUMENTS, give_texts
from remuda.frontends.c.syntax.types import IntegerType, PointerType, RecordType, VoidType, is_scalar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.base.source import Span
    from remuda.frontends.c.lowering.arguments import Texts
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.lowering.expressions import Expressions
    from remuda.frontends.c.lowering.objects import Objects
    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.types import CType
    from remuda.terms.term import Term

SPACE = 4096  # elements of the object that a pointer parameter points to


def give_arguments(
    context: FunctionContext, expressions: Expressions, objects: Objects, texts: Sequence[Texts]
) -> None:
    """Give integers any values, and each pointer an object of its own with any contents. `main` gets texts."""
    function = context.function
    known = {each.parameter: each for each in texts}
    count: Term | None = None
    if function.name != "main" and any(isinstance(each.type, PointerType) for each in function.parameters):
        context.program.assume(
            f"arguments of {function.name}: each pointer points to separate memory with any contents,"
            f" {SPACE} elements of it"
        )
    for position, parameter in enumerate(function.parameters):
        objects.begin(parameter)
        place = expressions.addresses.variable(parameter)
        if parameter in known:
            number = count if position == 1 and count is not None else _some_number(context, parameter)
            expressions.accesses.write(place, give_texts(context, known[parameter], number), parameter.span)
            context.program.assume(
                f"the arguments of main: {parameter.name} has at most {MOST_ARGUMENTS} texts and a null pointer behind"
                f" them; each text is a separate object, shorter than {LONGEST} characters"
            )
        elif isinstance(parameter.type, PointerType):
            expressions.accesses.write(place, _object(context, parameter), parameter.span)
        elif is_scalar(parameter.type):
            supply = context.supply(parameter)
            value = context.unknown(parameter.type, parameter.span, parameter.name, supply=supply)
            if function.name == "main" and position == 0 and isinstance(parameter.type, IntegerType):
                context.blocks.assume(_is_count(context, value, parameter.type), parameter.span)
                context.program.assume(f"the arguments of main: {parameter.name} is from 0 to {MOST_ARGUMENTS}")
                count = context.program.arithmetic.convert(value, parameter.type, context.program.storage.size_type)
            expressions.accesses.write(place, value, parameter.span)
        else:
            expressions.accesses.forget(place, parameter.span, parameter.name)


def _is_count(context: FunctionContext, count: Term, type_: CType) -> Term:
    """The condition that a number of texts is neither negative (C11 5.1.2.2.1p2) nor too large."""
    arithmetic, terms = context.program.arithmetic, context.program.terms
    least, most = arithmetic.literal(0, type_), arithmetic.literal(MOST_ARGUMENTS, type_)
    enough = arithmetic.compare(">=", count, least, type_)
    return terms.and_((enough, arithmetic.compare("<=", count, most, type_)))


def _some_number(context: FunctionContext, parameter: ast.Variable) -> Term:
    """Any number of texts, where no parameter has the number."""
    size_type = context.program.storage.size_type
    count = context.unknown(size_type, parameter.span, f"the number of texts in {parameter.name}")
    context.blocks.assume(_is_count(context, count, size_type), parameter.span)
    return count


def _object(context: FunctionContext, parameter: ast.Variable) -> Term:
    """The address of a new object for a pointer parameter."""
    assert isinstance(parameter.type, PointerType)
    program, span = context.program, parameter.span
    size = SPACE * _element_size(context, parameter.type.target, span)
    family = program.memory.pointed_family(parameter)
    return program.storage.literal(program.storage.place(size, family, span))


def _element_size(context: FunctionContext, type_: CType, span: Span) -> int:
    if isinstance(type_, VoidType) or (isinstance(type_, RecordType) and not type_.is_complete):
        return 1
    return context.program.layouts.size(type_, span)
