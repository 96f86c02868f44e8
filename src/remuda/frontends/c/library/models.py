"""What the models of library functions share: conversions of arguments and results, and kinds of models.

A model takes a call, adds the statements for its effects, and returns its value. It is exact, or it adds an
assumption to the report (`program.assume`), or it says that the call is not modelled (`context.unsupported`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.types import (
    INT,
    CType,
    FloatingType,
    IntegerType,
    PointerType,
    VoidType,
    is_scalar,
    size_of,
)

if TYPE_CHECKING:
    from remuda.frontends.c.lowering.calls import CallLowering
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.terms.term import Term

Model = Callable[["CallLowering", ast.Call], "Steps"]
Compute = Callable[["CallLowering", ast.Call, Sequence["Term"]], "Term"]

DOUBLE: Final = FloatingType(64, "double")

# The system decides what these return: any value; a pointer may be null or not.
FROM_OUTSIDE: Final = frozenset({"fopen", "fopen64", "fdopen", "freopen", "tmpfile", "getenv", "clock", "system"})


def name_of(node: ast.Call) -> str:
    """The name of the called function in the source."""
    return node.span.text.partition("(")[0].strip()


def unsupported(calls: CallLowering, node: ast.Call, construct: str = "") -> Term | None:
    """Claim nothing if an execution reaches the call."""
    calls.context.unsupported(construct or f"a call of {name_of(node)}", node.span)
    return result(calls, node, None, VoidType())


def no_meaning(calls: CallLowering, node: ast.Call) -> Steps:
    """The model of functions that have no model."""
    return unsupported(calls, node)


def arguments(calls: CallLowering, node: ast.Call, types: Sequence[CType | None]) -> Steps:
    """The values of all arguments, the first ones converted to these types (None: not converted)."""
    values = yield calls.expressions.scalars(node.arguments)
    for position, type_ in enumerate(types):
        if type_ is not None:
            source = node.arguments[position].type
            values[position] = calls.program.arithmetic.convert(values[position], source, type_)
    return values


def result(calls: CallLowering, node: ast.Call, value: Term | None, type_: CType) -> Term | None:
    """The value of a call, converted from the type it is computed in; None: any value."""
    if isinstance(node.type, VoidType):
        return None
    if value is None or not is_scalar(node.type):
        return calls.any_value(node.type, node.span, node.span.text)  # type: ignore[return-value]
    if isinstance(type_, PointerType) and isinstance(node.type, IntegerType) and not node.type.is_bool:
        # `__atomic_load_n((long *)&pointer, 0)`, or a function without a prototype
        calls.program.trusted.address(node.span)
    return calls.program.arithmetic.convert(value, type_, node.type)


def guarded(count: int, model: Model) -> Model:
    """A model of a function with `count` parameters. Without a prototype, a call may have fewer arguments."""

    def checked(calls: CallLowering, node: ast.Call) -> Steps:
        if len(node.arguments) < count:
            return unsupported(calls, node, f"a call of {name_of(node)} with too few arguments")
        return model(calls, node)

    return checked


def pure(parameters: Sequence[CType], type_: CType, compute: Compute) -> Model:
    """A function that computes a value of `type_` from arguments of these types, and does nothing else."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        values = yield arguments(calls, node, parameters)
        return result(calls, node, compute(calls, node, values), type_)

    return guarded(len(parameters), model)


def no_effect(calls: CallLowering, node: ast.Call) -> Steps:
    """A function that is assumed to change nothing that a program can see, and to return any value, but no
    pointer to an object of the program."""
    returns = "" if isinstance(node.type, VoidType) else "return any value and to "
    calls.program.assume_about(name_of(node), f"assumed to {returns}change nothing that the program sees")
    if name_of(node) not in FROM_OUTSIDE:
        calls.program.guess(f"the result of {name_of(node)}", node.span)
    elif isinstance(node.type, PointerType):
        calls.program.opaque(f"the result of {name_of(node)}", node.span)
    return nothing(calls, node)


def open_result(calls: CallLowering, node: ast.Call) -> None:
    """Add the assumption that a call returns any value."""
    is_pointer = isinstance(node.type, PointerType)
    value = "any value, but no pointer to an object of the program" if is_pointer else "any value that C allows"
    calls.program.assume_about(name_of(node), f"assumed to return {value}")


def guessed(model: Model, *, is_listed: bool = False) -> Model:
    """A model that returns any value where the function computes one. `is_listed`: list this in the report, because
    the model itself does not."""

    def guessing(calls: CallLowering, node: ast.Call) -> Steps:
        if is_listed and not isinstance(node.type, VoidType):
            open_result(calls, node)
        calls.program.guess(f"the result of {name_of(node)}", node.span)
        return model(calls, node)

    return guessing


def nothing(calls: CallLowering, node: ast.Call) -> Steps:
    """The same without an assumption, because none is needed or the report has it already."""
    yield calls.expressions.scalars(node.arguments)
    value = result(calls, node, None, VoidType())
    if isinstance(node.type, PointerType) and value is not None:
        _require_own(calls, node, value, may_be_null=True)
    return value


def own_object(calls: CallLowering, node: ast.Call) -> Steps:
    """A function that returns a pointer to the library's own memory, with any contents: `__ctype_b_loc`."""
    yield calls.expressions.scalars(node.arguments)
    value = result(calls, node, None, VoidType())
    if isinstance(node.type, PointerType) and value is not None:
        _require_own(calls, node, value, may_be_null=False)
    return value


def _require_own(calls: CallLowering, node: ast.Call, pointer: Term, *, may_be_null: bool) -> None:
    """Assume that a pointer leads to no object of the program. (In regions, it has a region of its own.)"""
    storage, terms = calls.program.storage, calls.program.terms
    if calls.program.memory.has_own_regions:
        return
    layout, address = storage.layout, storage.library_memory(calls.program.memory.family(node))
    last = layout.largest - (size_of(pointed_type(node), calls.program.unit.machine) or 1)  # one object fits there
    is_inside = calls.program.arithmetic.compare("<=", layout.offset(pointer), layout.number(last), storage.size_type)
    is_own = terms.and_((terms.eq(layout.slot(pointer), layout.slot(storage.literal(address))), is_inside))
    is_null = terms.eq(pointer, storage.literal(0))
    calls.blocks.assume(terms.or_((is_own, is_null)) if may_be_null else is_own, node.span)


def alone(calls: CallLowering, node: ast.Call) -> Steps:
    """A call without a value and without effects, not even those of its arguments."""
    return result(calls, node, None, VoidType())


def truth(calls: CallLowering, node: ast.Call, condition: Term) -> Term:
    """Any int that is not zero exactly if a condition holds."""
    value = calls.context.unknown(INT, node.span, node.span.text)
    is_true = calls.program.arithmetic.is_nonzero(value, INT)
    calls.blocks.assume(calls.program.terms.eq(is_true, condition), node.span)
    return value


def choice(calls: CallLowering, node: ast.Call, what: str, *, is_named: bool = False) -> Term:
    """Any Boolean; `what` describes it. If a call has several, they are named, and the machine for C finds each by
    its name."""
    value = calls.context.unknown(INT, node.span, what, supply=f"choice {what} {node.span}" if is_named else "")
    return calls.program.arithmetic.is_nonzero(value, INT)


def between(calls: CallLowering, value: Term, low: int, high: int, type_: CType) -> Term:
    """Whether low <= value <= high."""
    arithmetic = calls.program.arithmetic
    least, most = arithmetic.literal(low, type_), arithmetic.literal(high, type_)
    above, below = arithmetic.compare("<=", least, value, type_), arithmetic.compare("<=", value, most, type_)
    return calls.program.terms.and_((above, below))


def input_between(calls: CallLowering, node: ast.Call, low: int, high: int, type_: CType = INT) -> Term:
    """Any integer from low to high."""
    open_result(calls, node)
    value = calls.context.unknown(type_, node.span, node.span.text)
    calls.blocks.assume(between(calls, value, low, high, type_), node.span)
    return value


def kept(calls: CallLowering, node: ast.Call, value: Term) -> Term:
    """The value as it is now, whatever is assigned later."""
    if not value.args and value.op != "var":
        return value
    return calls.blocks.save(value, calls.blocks.position(), node.span)


def number_of(term: Term) -> int | None:
    """The value of a constant term, as an unsigned number; else None."""
    if term.op == "bv":
        return int(term.payload[0])
    return int(term.payload) if term.op == "int" and term.payload >= 0 else None


def constant_of(node: ast.Expression) -> int | None:
    """The value of an argument that is a constant; else None."""
    at = node
    while isinstance(at, ast.Cast) and at.kind in _TRANSPARENT:
        at = at.operand
    return at.value if isinstance(at, ast.IntegerLiteral) else None


def is_null(node: ast.Expression) -> bool:
    return constant_of(node) == 0


def literal_of(node: ast.Expression) -> str | None:
    """The text of a string literal that is given as an argument."""
    at = node
    while isinstance(at, ast.Cast) and at.kind in {*_TRANSPARENT, CastKind.ARRAY_TO_POINTER}:
        at = at.operand
    if not isinstance(at, ast.StringLiteral):
        return None
    return "".join(chr(unit & 0xFF) for unit in at.units[:-1])


_TRANSPARENT: Final = frozenset(
    {CastKind.NOTHING, CastKind.INTEGRAL, CastKind.POINTER, CastKind.INTEGER_TO_POINTER, CastKind.POINTER_TO_INTEGER}
)


def integer_type(node: ast.Expression) -> IntegerType:
    """The type of an integer argument; int for all others."""
    return node.type if isinstance(node.type, IntegerType) else INT


def pointed_type(node: ast.Expression) -> CType:
    return node.type.target if isinstance(node.type, PointerType) else VoidType()
