"""Models of functions that allocate, fill, copy and compare memory.

Allocation succeeds. A block is never used again, so nothing is known of what is in a new one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.frontends.c.library.models import (
    Model,
    arguments,
    between,
    choice,
    constant_of,
    guarded,
    is_null,
    kept,
    name_of,
    no_effect,
    no_meaning,
    number_of,
    pointed_type,
    result,
)
from remuda.frontends.c.library.ranges import (
    Block,
    Size,
    block,
    byte,
    change,
    computed_size,
    copied,
    filled,
    is_mathematical,
    number,
    size,
)
from remuda.frontends.c.library.text import compare_texts, first_index, is_below, is_same, text_length
from remuda.frontends.c.syntax.types import CHAR, INT, UNSIGNED_CHAR, PointerType

if TYPE_CHECKING:
    from remuda.frontends.c.lowering.calls import CallLowering
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.syntax import ast
    from remuda.terms.term import Term

ALIGNMENT: Final = 16  # of every block
LARGEST_POSITIVE: Final = 127  # of bytes


# --- allocation


def _new_block(calls: CallLowering, node: ast.Call, extent: Term, *, is_automatic: bool = False) -> Term:
    family = calls.program.memory.family(node)
    return _new_object(calls, node, extent, family, is_automatic=is_automatic)


def _new_object(
    calls: CallLowering, node: ast.Call, extent: Term, family: int | None, *, is_automatic: bool = False
) -> Term:
    calls.program.assume("there is always enough memory: allocation succeeds")
    calls.program.storage.require_room(calls.context, extent, node.span)
    return calls.program.storage.allocate(calls.context, extent, node.span, family=family, is_automatic=is_automatic)


def _allocate(*, is_automatic: bool = False) -> Model:
    """`malloc`, and `alloca`, whose blocks are not freed."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        extent, *_ = yield arguments(calls, node, (calls.program.storage.size_type,))
        address = _new_block(calls, node, extent, is_automatic=is_automatic)
        return result(calls, node, address, calls.program.storage.pointer)

    return guarded(1, model)


def _allocate_zero(calls: CallLowering, node: ast.Call) -> Steps:
    """`calloc`: all bytes are zero."""
    size_type = calls.program.storage.size_type
    count, each, *_ = yield arguments(calls, node, (size_type, size_type))
    return _zero_block(calls, node, calls.program.arithmetic.binary("*", count, each, size_type))


def _allocate_zero_bytes(calls: CallLowering, node: ast.Call) -> Steps:
    """The same with one size."""
    extent, *_ = yield arguments(calls, node, (calls.program.storage.size_type,))
    return _zero_block(calls, node, extent)


def _zero_block(calls: CallLowering, node: ast.Call, bytes_: Term) -> Term | None:
    extent = kept(calls, node, bytes_)
    target = Block(node, _new_block(calls, node, extent))
    zero = filled(calls, calls.program.arithmetic.literal(0, UNSIGNED_CHAR))
    change(calls, node, target, _whole_block(calls, node, extent), zero)
    return result(calls, node, target.address, calls.program.storage.pointer)


def _whole_block(calls: CallLowering, node: ast.Call, extent: Term) -> Size:
    """The size of a new block. It may be rounded up, because nobody uses what is behind it."""
    grain, constant = calls.program.memory.grain(node) or 1, number_of(extent)
    rounded = None if constant is None else -(-constant // grain) * grain
    return Size(extent, 0, rounded)


def _reallocate(calls: CallLowering, node: ast.Call) -> Steps:
    """`realloc`: a new block with the contents of the old one, which may be null. How large that was is not known."""
    storage = calls.program.storage
    old, extent, *_ = yield arguments(calls, node, (None, storage.size_type))
    source, extent = block(calls, node, 0, old), kept(calls, node, extent)
    target = Block(node, _new_block(calls, node, extent))
    if not is_null(node.arguments[0]):
        calls.program.assume("what realloc adds to a block is assumed not to be read before it is written")
        new = _whole_block(calls, node, extent)
        change(calls, node, target, new, copied(calls, target, source))
        calls.checks.release(node.arguments[0], source.address, node.span)
    return result(calls, node, target.address, storage.pointer)


def _allocate_or_fail(model: Model) -> Model:
    """What the kernel of Linux has instead of `malloc` and `calloc`."""

    def may_fail(calls: CallLowering, node: ast.Call) -> Steps:
        name = name_of(node)
        calls.program.assume(f"{name} is assumed to allocate memory or to return NULL")
        address = yield model(calls, node)
        has_failed = choice(calls, node, f"{name} fails")
        calls.checks.refused(has_failed, node.span)
        return (
            None if address is None else calls.program.terms.ite(has_failed, calls.program.zero(node.type), address)
        )

    return may_fail


def _allocate_aligned(calls: CallLowering, node: ast.Call) -> Steps:
    """`aligned_alloc(alignment, size)`, `memalign`."""
    size_type = calls.program.storage.size_type
    _, extent, *_ = yield arguments(calls, node, (size_type, size_type))
    _note_alignment(calls, node.arguments[0])
    return result(calls, node, _new_block(calls, node, extent), calls.program.storage.pointer)


def _note_alignment(calls: CallLowering, argument: ast.Expression) -> None:
    alignment = constant_of(argument)
    if alignment is None or alignment > ALIGNMENT:
        calls.program.assume(f"no more is known of the alignment of a block than that it is {ALIGNMENT} bytes")


def _allocate_into(calls: CallLowering, node: ast.Call) -> Steps:
    """`posix_memalign(&p, alignment, size)` returns 0 if all is well."""
    storage = calls.program.storage
    address, _, extent, *_ = yield arguments(calls, node, (None, storage.size_type, storage.size_type))
    target = block(calls, node, 0, address)
    _note_alignment(calls, node.arguments[1])
    made = _new_object(calls, node, extent, calls.program.memory.stored_family(target.pointer))
    pointer = pointed_type(target.pointer)
    place = calls.expressions.pointed(
        target.pointer, target.address, pointer if isinstance(pointer, PointerType) else storage.pointer
    )
    calls.expressions.write(place, made, node.span, f"*{node.arguments[0].span.text}")
    return result(calls, node, calls.program.arithmetic.literal(0, INT), INT)


def _free(calls: CallLowering, node: ast.Call) -> Steps:
    """Nothing is done with a block that is not used again; checks of pointers notice."""
    address, *_ = yield arguments(calls, node, (None,))
    calls.checks.release(node.arguments[0], address, node.span)
    return result(calls, node, None, INT)


def _duplicate(*, is_bounded: bool) -> Model:
    """`strdup` and `strndup`."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        storage, arithmetic = calls.program.storage, calls.program.arithmetic
        values = yield arguments(calls, node, (None, storage.size_type) if is_bounded else (None,))
        source = block(calls, node, 0, values[0])
        limit = size(calls, node, 1, values[1]) if is_bounded else None
        length = text_length(calls, node, source, limit)
        room = arithmetic.binary("+", length, number(calls, 1), storage.size_type)
        target = Block(node, _new_block(calls, node, room))
        change(calls, node, target, computed_size(length), copied(calls, target, source))
        end = calls.expressions.pointed(node, target.behind(calls, length).address, CHAR)
        storage.write(calls.blocks, end, arithmetic.literal(0, CHAR), node.span)
        return result(calls, node, target.address, storage.pointer)

    return guarded(2 if is_bounded else 1, model)


# --- contents


def _fill(calls: CallLowering, node: ast.Call) -> Steps:
    """`memset`."""
    size_type = calls.program.storage.size_type
    address, value, extent, *_ = yield arguments(calls, node, (None, UNSIGNED_CHAR, size_type))
    _fill_with(calls, node, address, value, size(calls, node, 2, extent))
    return result(calls, node, address, calls.program.storage.pointer)


def _clear(calls: CallLowering, node: ast.Call) -> Steps:
    """`bzero`."""
    address, extent, *_ = yield arguments(calls, node, (None, calls.program.storage.size_type))
    zero = calls.program.arithmetic.literal(0, UNSIGNED_CHAR)
    _fill_with(calls, node, address, zero, size(calls, node, 1, extent))
    return result(calls, node, None, INT)


def _fill_with(calls: CallLowering, node: ast.Call, address: Term, value: Term, extent: Size) -> None:
    target = block(calls, node, 0, address)
    calls.checks.range(target.pointer, target.address, extent.term, node.span)
    if is_mathematical(calls):
        _require_positive(calls, node, value)
    change(calls, node, target, extent, filled(calls, kept(calls, node, value)))


def _require_positive(calls: CallLowering, node: ast.Call, value: Term) -> None:
    """Bytes with a sign bit make different mathematical integers of signed and of unsigned types."""
    is_positive = between(calls, value, 0, LARGEST_POSITIVE, UNSIGNED_CHAR)
    construct = f"{node.span.text} with a negative byte (among mathematical integers)"
    calls.context.demand(is_positive, "unsupported", node.span, construct)
    calls.blocks.assume(is_positive, node.span)


def _copy(target_at: int, source_at: int, *, to_end: bool = False) -> Model:
    """`memcpy`, `memmove`; `mempcpy` returns where the copy ends."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        storage = calls.program.storage
        values = yield arguments(calls, node, (None, None, storage.size_type))
        target = block(calls, node, target_at, values[target_at])
        source = block(calls, node, source_at, values[source_at])
        extent = size(calls, node, 2, values[2])
        for used in (target, source):
            calls.checks.range(used.pointer, used.address, extent.term, node.span)
        change(calls, node, target, extent, copied(calls, target, source))
        end = target.behind(calls, extent.term) if to_end else target
        return result(calls, node, end.address, storage.pointer)

    return guarded(3, model)


def _compare(calls: CallLowering, node: ast.Call) -> Steps:
    """`memcmp`."""
    values = yield arguments(calls, node, (None, None, calls.program.storage.size_type))
    left, right = block(calls, node, 0, values[0]), block(calls, node, 1, values[1])
    extent = size(calls, node, 2, values[2])
    for used in (left, right):
        calls.checks.range(used.pointer, used.address, extent.term, node.span)
    order = compare_texts(calls, node, (left, right), extent, to_zero=False)
    return result(calls, node, order, INT)


def _find(calls: CallLowering, node: ast.Call) -> Steps:
    """`memchr`: where a byte is, or null."""
    storage, terms = calls.program.storage, calls.program.terms
    address, wanted, extent, *_ = yield arguments(calls, node, (None, CHAR, storage.size_type))
    source, wanted = block(calls, node, 0, address), kept(calls, node, wanted)
    limit = size(calls, node, 2, extent)
    index = first_index(
        calls, node, source, lambda index: is_same(calls, byte(calls, node, source, index), wanted), limit
    )
    is_found = is_below(calls, index, limit.term)
    found = terms.ite(is_found, source.behind(calls, index).address, storage.literal(0))
    return result(calls, node, found, storage.pointer)


MEMORY: Final[dict[str, Model]] = {
    **dict.fromkeys(("malloc", "valloc", "pvalloc", "xmalloc"), _allocate()),
    "alloca": _allocate(is_automatic=True),
    "calloc": guarded(2, _allocate_zero),
    **dict.fromkeys(("kmalloc", "__kmalloc", "vmalloc"), _allocate_or_fail(_allocate())),
    "kcalloc": _allocate_or_fail(guarded(2, _allocate_zero)),
    **dict.fromkeys(("kzalloc", "vzalloc"), _allocate_or_fail(guarded(1, _allocate_zero_bytes))),
    "realloc": guarded(2, _reallocate),
    **dict.fromkeys(("aligned_alloc", "memalign"), guarded(2, _allocate_aligned)),
    "posix_memalign": guarded(3, _allocate_into),
    **dict.fromkeys(("free", "cfree", "kfree", "vfree"), guarded(1, _free)),
    "strdup": _duplicate(is_bounded=False),
    "strndup": _duplicate(is_bounded=True),
    "memset": guarded(3, _fill),
    "bzero": guarded(2, _clear),
    **dict.fromkeys(("memcpy", "memmove"), _copy(0, 1)),
    "bcopy": _copy(1, 0),
    "mempcpy": _copy(0, 1, to_end=True),
    **dict.fromkeys(("memcmp", "bcmp"), guarded(3, _compare)),
    "memchr": guarded(3, _find),
    **dict.fromkeys(("malloc_usable_size", "mallopt", "malloc_trim"), no_effect),
    **dict.fromkeys(("reallocarray", "memccpy"), no_meaning),
}
