"""Calls of functions that have neither a body nor a model: what they may change, and what they return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.frontends.c.library.ranges import change_where, is_inside, unknown
from remuda.frontends.c.lowering.places import RecordValue
from remuda.frontends.c.reproduce import CallSite
from remuda.frontends.c.syntax.shapes import number_ranges
from remuda.frontends.c.syntax.types import BOOL, UNSIGNED_CHAR, PointerType, is_scalar
from remuda.frontends.c.syntax.walk import called_function, is_opaque, may_write, written_argument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.c.lowering.calls import CallLowering
    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.types import CType
    from remuda.frontends.c.syntax.walk import Written
    from remuda.terms.term import Term

CHANGES_NOTHING: Final = (
    "no body, so assumed to return any value, to change nothing and to call no function of the program"
)
CHANGES_NUMBERS: Final = (
    "no body, so assumed to return any value, to change only numbers in what its arguments point to, no pointers and no other"
    " variables, and to call no function of the program"
)
UNSEEN: Final = "assumed to change nothing through arguments for `...` and through pointers to void or to types that are not defined"


def call_unknown(
    calls: CallLowering, function: ast.Function, node: ast.Call, arguments: Sequence[Term | RecordValue]
) -> Term | RecordValue | None:
    """The function changes numbers that its arguments point to, and returns any value."""
    for position, (argument, value) in enumerate(zip(node.arguments, arguments, strict=True)):
        if not isinstance(value, RecordValue) and isinstance(argument.type, PointerType):
            _change_argument(calls, function, node, position, value)
    changes = any(may_write(function, argument, at) for at, argument in enumerate(node.arguments))
    calls.program.assume_about(function.name, CHANGES_NUMBERS if changes else CHANGES_NOTHING)
    is_direct = (called := called_function(node)) is not None and called.name == function.name
    supply = calls.context.supply(CallSite(function, str(node.span), node.span)) if is_direct else ""
    return calls.any_value(node.type, node.span, f"{function.name}()", supply)


def _change_argument(calls: CallLowering, function: ast.Function, node: ast.Call, position: int, value: Term) -> None:
    """Give numbers in what an argument points to any values. NULL and string literals stay as they are."""
    argument = node.arguments[position]
    written = written_argument(function, argument, position)
    if written is None:
        is_ellipsis = function.type.is_variadic and position >= len(function.type.parameters)
        if is_ellipsis or is_opaque(argument):
            calls.program.assume_about(function.name, UNSEEN)
        return
    if not number_ranges(written.type, calls.program.layouts.machine):
        return
    blocks, program = calls.blocks, calls.program
    memory, storage = program.memory, program.storage
    there, after = blocks.new("there", node.span), blocks.new("after", node.span)
    pointer = blocks.save(value, blocks.position(), node.span) if value.args else value
    is_null = program.arithmetic.compare("==", pointer, storage.literal(0), storage.size_type)
    is_literal = storage.is_in_literal(pointer, memory.family(written.pointer))
    blocks.branch(program.terms.or_((is_null, is_literal)), after, there, node.span)
    blocks.enter(there)
    is_one = not written.is_row or memory.is_lone(written.pointer, written.type)
    if is_one and written.is_few:
        _change_object(calls, written.pointer, pointer, written.type, f"{function.name} of {argument.span.text}")
    else:
        _change_row(calls, node, written, pointer)
    blocks.go(after, node.span)


def _change_object(calls: CallLowering, pointer: ast.Expression, address: Term, type_: CType, source: str) -> None:
    """Give the numbers in one object any values, one by one."""
    place, span = calls.addresses.at(pointer, address, type_), pointer.span
    if is_scalar(type_):
        calls.accesses.forget(place, span, source)
        return
    old = calls.program.storage.read(place, span)
    assert isinstance(old, RecordValue)
    layouts = calls.program.layouts
    has_union = layouts.has_union(type_)
    new = list(old.scalars)
    for position, leaf in enumerate(layouts.leaves(type_, span)):
        if not isinstance(leaf.type, PointerType):
            number = UNSIGNED_CHAR if has_union and leaf.type == BOOL else leaf.type
            new[position] = calls.context.unknown(number, span, source, leaf.bits)
    calls.accesses.write(place, RecordValue(tuple(new)), span)


def _change_row(calls: CallLowering, node: ast.Call, written: Written, pointer: Term) -> None:
    """Give the numbers in a large object, or in a row of objects, any values, all at once."""
    machine = calls.program.layouts.machine
    start, ranges = pointer, number_ranges(written.type, machine)
    if written.is_row:
        array = written.array
        fixed = None if array is None else calls.addresses.fixed_address(array)
        start, ranges = (
            (pointer, []) if array is None or fixed is None else (fixed, number_ranges(array.type, machine))
        )
    target = calls.addresses.at(written.pointer, pointer, written.type)
    calls.accesses.trust_write(target, written.pointer.span)
    _change_ranges(calls, node, written, start, ranges)


def _change_ranges(
    calls: CallLowering, node: ast.Call, written: Written, start: Term, ranges: list[tuple[int, int]]
) -> None:
    """Numbers change in ranges of bytes behind an address; without ranges, everywhere in the object, in the regions that
    the pointer may lead to."""
    storage, terms = calls.program.storage, calls.program.terms
    slot = storage.layout.slot(start)

    def is_changed(here: Term) -> Term:
        if not ranges:
            return calls.program.arithmetic.compare("==", storage.layout.slot(here), slot, storage.size_type)
        return terms.or_(
            [
                is_inside(calls, here, storage.behind(start, first), storage.behind(start, end))
                for first, end in ranges
            ]
        )

    regions = calls.program.memory.numbers(written.pointer, written.type, is_row=written.is_row)
    if regions:
        change_where(calls, node, regions, start, is_changed, unknown(calls, node))
