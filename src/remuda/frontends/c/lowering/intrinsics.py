"""Functions that verifiers know by name, whatever body the program gives them, and functions of compilers about the
program itself. (Functions that a program may define itself are in `library`.)

To add one, write a function that takes the call and returns its value, and put it into `INTRINSICS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from remuda.frontends.c.library.models import constant_of, literal_of, name_of, open_result, result
from remuda.frontends.c.lowering.assertions import FAILURES, message_of
from remuda.frontends.c.reproduce import CallSite
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import INT
from remuda.frontends.c.syntax.walk import called_function
from remuda.ir.program import Call
from remuda.ir.threads import ATOMIC_BEGIN, ATOMIC_END

if TYPE_CHECKING:
    from remuda.frontends.c.lowering.calls import CallLowering
    from remuda.frontends.c.lowering.trampoline import Steps

Intrinsic = Callable[["CallLowering", ast.Call], "Steps"]

_NONDETERMINISTIC: Final = re.compile(r"_{0,2}(VERIFIER|CPROVER)_nondet(?!_memory$).*")


def _assert(calls: CallLowering, node: ast.Call) -> Steps:
    """Assert the first argument."""
    condition = yield calls.expressions.condition(node.arguments[0])
    calls.context.demand(condition, "assert", node.span, _description(node))
    return calls.any_value(node.type, node.span, node.span.text)


def _description(node: ast.Call) -> str:
    """The condition as the source writes it."""
    return node.arguments[0].span.text or node.span.text


def _fail(calls: CallLowering, node: ast.Call) -> Steps:
    """A call that fails if it is reached."""
    terms = calls.program.terms
    calls.context.demand(terms.false, "error", node.span, message_of(node))
    calls.blocks.assume(terms.false, node.span)
    return calls.any_value(node.type, node.span, node.span.text)


def _assume(calls: CallLowering, node: ast.Call) -> Steps:
    condition = yield calls.expressions.condition(node.arguments[0])
    calls.blocks.assume(condition, node.span)
    return calls.any_value(node.type, node.span, node.span.text)


def _stop(calls: CallLowering, node: ast.Call) -> Steps:
    """End the execution without a failure."""
    yield calls.expressions.scalars(node.arguments)
    calls.blocks.assume(calls.program.terms.false, node.span)
    return calls.any_value(node.type, node.span, node.span.text)


def _nothing(calls: CallLowering, node: ast.Call) -> Steps:
    yield calls.expressions.scalars(node.arguments)
    return calls.any_value(node.type, node.span, node.span.text)


def _section(primitive: str) -> Intrinsic:
    """Begin or end a section that other threads do not interrupt."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        yield calls.expressions.scalars(node.arguments)
        if calls.program.threads is not None:
            calls.blocks.add(Call(primitive, (), (), node.span))
        return calls.any_value(node.type, node.span, node.span.text)

    return model


def _first_argument(calls: CallLowering, node: ast.Call) -> Steps:
    """`__builtin_expect(x, y)` is x."""
    value, *_ = yield calls.expressions.scalars(node.arguments)
    return calls.program.arithmetic.convert(value, node.arguments[0].type, node.type)


def _any(calls: CallLowering, node: ast.Call) -> Steps:
    """An input."""
    yield calls.expressions.scalars(node.arguments)
    function = called_function(node)
    supply = "" if function is None else calls.context.supply(CallSite(function, str(node.span), node.span))
    return calls.any_value(node.type, node.span, node.span.text, supply)


def _is_constant(calls: CallLowering, node: ast.Call) -> Steps:
    """`__builtin_constant_p`: true of literals, unknown of everything else."""
    is_known = bool(node.arguments) and (
        constant_of(node.arguments[0]) is not None or literal_of(node.arguments[0]) is not None
    )
    return result(calls, node, calls.program.arithmetic.literal(int(is_known), INT), INT)


def _object_size(calls: CallLowering, node: ast.Call) -> Steps:
    """`__builtin_object_size(p, type)` where the parser does not know the object: its value depends on the compiler's
    optimisations."""
    open_result(calls, node)
    calls.program.guess(f"the result of {name_of(node)}", node.span)
    return result(calls, node, None, calls.program.storage.size_type)


def nondeterministic(name: str) -> Intrinsic | None:
    """The inputs of verification tasks: `__VERIFIER_nondet_int`, `nondet_int`, ..."""
    return _any if _NONDETERMINISTIC.fullmatch(name) else None


# If only other kinds of assertions count, the bodies of these functions are lowered instead.
CLAIMS: Final = frozenset({"assert", "__VERIFIER_assert", "__CPROVER_assert", "__VERIFIER_error", "reach_error"})

ASSERTING: Final = CLAIMS | frozenset(FAILURES)  # functions whose calls are assertions

INTRINSICS: Final[dict[str, Intrinsic]] = {
    **dict.fromkeys(("assert", "__VERIFIER_assert", "__CPROVER_assert"), _assert),
    **dict.fromkeys(("__VERIFIER_error", "reach_error", *FAILURES), _fail),
    **dict.fromkeys(("__VERIFIER_assume", "__CPROVER_assume", "__builtin_assume"), _assume),
    **dict.fromkeys(("__builtin_unreachable", "__builtin_trap"), _stop),
    **dict.fromkeys(
        ("__builtin_expect", "__builtin_expect_with_probability", "__builtin_assume_aligned"), _first_argument
    ),
    "__builtin_constant_p": _is_constant,
    **dict.fromkeys(("__builtin_object_size", "__builtin_dynamic_object_size"), _object_size),
    **dict.fromkeys(("__VERIFIER_atomic_begin", "__CPROVER_atomic_begin"), _section(ATOMIC_BEGIN)),
    **dict.fromkeys(("__VERIFIER_atomic_end", "__CPROVER_atomic_end"), _section(ATOMIC_END)),
    "__builtin_prefetch": _nothing,
}
