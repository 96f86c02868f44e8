"""Models of the compiler's atomic operations; each is one step.

__sync_fetch_and_add(p, v)                        returns *p, and adds v to it
__atomic_compare_exchange_n(p, &old, new, ...)    *p = new if *p is old; else old = *p; returns which
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.frontends.c.library.models import (
    Model,
    arguments,
    guarded,
    kept,
    no_meaning,
    nothing,
    pointed_type,
    result,
    unsupported,
)
from remuda.frontends.c.library.ranges import Block, block
from remuda.frontends.c.library.threads import one_step
from remuda.frontends.c.syntax.types import BOOL, IntegerType, PointerType, is_scalar

if TYPE_CHECKING:
    from remuda.frontends.c.lowering.calls import CallLowering
    from remuda.frontends.c.lowering.places import MemoryPlace
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.types import CType
    from remuda.terms.term import Term


def _place(calls: CallLowering, target: Block, type_: CType) -> MemoryPlace:
    return calls.addresses.pointed(target.pointer, target.address, type_)


def _read(calls: CallLowering, node: ast.Call, target: Block, type_: CType) -> Term:
    return calls.accesses.read(_place(calls, target, type_), node.span)  # type: ignore[return-value]


def _write(calls: CallLowering, node: ast.Call, target: Block, type_: CType, value: Term) -> None:
    place = _place(calls, target, type_)
    calls.accesses.write(place, value, node.span, f"*{target.pointer.span.text}")


def _note_comparison(calls: CallLowering, node: ast.Call, target: Block, type_: CType) -> None:
    """Note that a pointer is compared with the stored one, which may have been freed and allocated again
    meanwhile."""
    if isinstance(type_, PointerType):
        calls.program.compared(node.span, calls.program.memory.stored_family(target.pointer))


def _operand(calls: CallLowering, node: ast.Call, position: int, value: Term, type_: CType) -> Term:
    return calls.program.arithmetic.convert(value, node.arguments[position].type, type_)


def _combined(calls: CallLowering, op: str, old: Term, operand: Term, type_: CType) -> Term:
    """The new value. Operations wrap around, and move pointers by bytes."""
    arithmetic = calls.program.arithmetic
    unsigned = IntegerType(calls.program.unit.machine.pointer_width, signed=False)
    if isinstance(type_, IntegerType):
        unsigned = IntegerType(type_.width, signed=False)
    left, right = (arithmetic.convert(each, type_, unsigned) for each in (old, operand))
    if op == "nand":
        both = arithmetic.binary("&", left, right, unsigned)
        return arithmetic.convert(arithmetic.unary("~", both, unsigned), unsigned, type_)
    return arithmetic.convert(arithmetic.binary(op, left, right, unsigned), unsigned, type_)


def _update(op: str, *, yields_new: bool) -> Model:
    """`*p op= v`; `op` is `=` for an exchange."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        values = yield arguments(calls, node, ())
        target = block(calls, node, 0, values[0])
        type_ = pointed_type(target.pointer)
        if not isinstance(type_, IntegerType | PointerType):
            return unsupported(calls, node)
        operand = _operand(calls, node, 1, values[1], type_)
        with one_step(calls.context, node.span):
            old = kept(calls, node, _read(calls, node, target, type_))
            new = kept(calls, node, operand if op == "=" else _combined(calls, op, old, operand, type_))
            _write(calls, node, target, type_, new)
        return result(calls, node, new if yields_new else old, type_)

    return guarded(2, model)


def _load(calls: CallLowering, node: ast.Call) -> Steps:
    values = yield arguments(calls, node, ())
    target = block(calls, node, 0, values[0])
    type_ = pointed_type(target.pointer)
    if not is_scalar(type_):
        return unsupported(calls, node)
    return result(calls, node, kept(calls, node, _read(calls, node, target, type_)), type_)


def _store(calls: CallLowering, node: ast.Call) -> Steps:
    values = yield arguments(calls, node, ())
    target = block(calls, node, 0, values[0])
    type_ = pointed_type(target.pointer)
    if not is_scalar(type_):
        return unsupported(calls, node)
    _write(calls, node, target, type_, _operand(calls, node, 1, values[1], type_))
    return result(calls, node, None, BOOL)


def _release(calls: CallLowering, node: ast.Call) -> Steps:
    """`__sync_lock_release(p)`, `__atomic_clear`: zero."""
    values = yield arguments(calls, node, ())
    target = block(calls, node, 0, values[0])
    type_ = pointed_type(target.pointer)
    if not isinstance(type_, IntegerType | PointerType):
        return unsupported(calls, node)
    _write(calls, node, target, type_, calls.program.zero(type_))
    return result(calls, node, None, BOOL)


def _swap_if(*, yields_old: bool) -> Model:
    """`__sync_bool_compare_and_swap(p, old, new)`, and the variant that returns the old value."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        values = yield arguments(calls, node, ())
        target = block(calls, node, 0, values[0])
        type_ = pointed_type(target.pointer)
        if not isinstance(type_, IntegerType | PointerType):
            return unsupported(calls, node)
        expected, new = (_operand(calls, node, at, values[at], type_) for at in (1, 2))
        with one_step(calls.context, node.span):
            old = kept(calls, node, _read(calls, node, target, type_))
            _note_comparison(calls, node, target, type_)
            is_same = kept(calls, node, calls.program.arithmetic.compare("==", old, expected, type_))
            _write(calls, node, target, type_, calls.program.terms.ite(is_same, new, old))
        if yields_old:
            return result(calls, node, old, type_)
        return result(calls, node, calls.program.arithmetic.from_bool(is_same, BOOL), BOOL)

    return guarded(3, model)


def _exchange_if(calls: CallLowering, node: ast.Call) -> Steps:
    """`__atomic_compare_exchange_n(p, &expected, new, ...)`. (Weak ones never fail spuriously in the model.)"""
    values = yield arguments(calls, node, ())
    target, expected = block(calls, node, 0, values[0]), block(calls, node, 1, values[1])
    type_ = pointed_type(target.pointer)
    if not isinstance(type_, IntegerType | PointerType) or not is_scalar(pointed_type(expected.pointer)):
        return unsupported(calls, node)
    new = kept(calls, node, _operand(calls, node, 2, values[2], type_))
    with one_step(calls.context, node.span):
        old = kept(calls, node, _read(calls, node, target, type_))
        wanted = kept(calls, node, _read(calls, node, expected, type_))
        _note_comparison(calls, node, target, type_)
        is_same = kept(calls, node, calls.program.arithmetic.compare("==", old, wanted, type_))
        _write(calls, node, target, type_, calls.program.terms.ite(is_same, new, old))
        _write(calls, node, expected, type_, calls.program.terms.ite(is_same, wanted, old))
    return result(calls, node, calls.program.arithmetic.from_bool(is_same, BOOL), BOOL)


_OPERATORS: Final = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "nand": "nand"}

ATOMICS: Final[dict[str, Model]] = {
    **{f"__sync_fetch_and_{name}": _update(op, yields_new=False) for name, op in _OPERATORS.items()},
    **{f"__sync_{name}_and_fetch": _update(op, yields_new=True) for name, op in _OPERATORS.items()},
    **{f"__atomic_fetch_{name}": _update(op, yields_new=False) for name, op in _OPERATORS.items()},
    **{f"__atomic_{name}_fetch": _update(op, yields_new=True) for name, op in _OPERATORS.items()},
    "__sync_lock_test_and_set": _update("=", yields_new=False),
    "__atomic_exchange_n": _update("=", yields_new=False),
    "__sync_bool_compare_and_swap": _swap_if(yields_old=False),
    "__sync_val_compare_and_swap": _swap_if(yields_old=True),
    "__atomic_compare_exchange_n": guarded(3, _exchange_if),
    "__atomic_load_n": guarded(1, _load),
    "__atomic_store_n": guarded(2, _store),
    **dict.fromkeys(("__sync_lock_release", "__atomic_clear"), guarded(1, _release)),
    **dict.fromkeys(
        ("__sync_synchronize", "__atomic_thread_fence", "__atomic_signal_fence", "__c11_atomic_thread_fence"),
        nothing,
    ),
    **dict.fromkeys(
        (
            "__atomic_load",
            "__atomic_store",
            "__atomic_exchange",
            "__atomic_compare_exchange",
            "__atomic_test_and_set",
        ),
        no_meaning,
    ),
}
