"""Models of functions that allocate, fill, copy and compare memory.

Allocation succeeds, unless no block can be so large (see `layout`). Addresses are never reused, so a new block has
any contents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

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
from remuda.frontends.c.lowering.places import RecordValue
from remuda.frontends.c.syntax.types import CHAR, INT, UNSIGNED_CHAR, PointerType

if TYPE_CHECKING:
    from remuda.frontends.c.lowering.calls import CallLowering
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.syntax import ast
    from remuda.terms.term import Term

ENOUGH: Final = "there is always enough memory: allocation succeeds"
NONE: Final = "returns NULL for no bytes"
NO_MEMORY: Final = 12  # ENOMEM
LARGEST_POSITIVE: Final = 127  # of bytes


# --- allocation


@final
@dataclass(frozen=True, slots=True)
class _New:
    """A new block. If the allocation fails, it is an empty one that nothing points to."""

    address: Term
    extent: Term
    has_failed: Term

    def pointer(self, calls: CallLowering) -> Term:
        """The result of the allocation: the address, or null."""
        return calls.program.terms.ite(self.has_failed, calls.program.storage.literal(0), self.address)


def _new_block(calls: CallLowering, node: ast.Call, extent: Term, *, may_fail: bool = False) -> _New:
    """Allocate a block for the pointer that a call returns."""
    terms, size_type = calls.program.terms, calls.program.storage.size_type
    has_failed = _refusal(calls, node, extent, may_fail=may_fail)
    is_empty = calls.program.arithmetic.compare("==", extent, number(calls, 0), size_type)
    if is_empty is not terms.false:  # C leaves open whether an empty block has an address
        no_block = terms.and_((is_empty, choice(calls, node, f"{name_of(node)} {NONE}", is_named=True)))
        has_failed = terms.or_((has_failed, no_block))
    return _new_object(calls, node, extent, calls.program.memory.family(node), has_failed)


def _refusal(calls: CallLowering, node: ast.Call, extent: Term, *, may_fail: bool = False) -> Term:
    """The condition that an allocation fails."""
    terms, layout = calls.program.terms, calls.program.storage.layout
    is_too_large = terms.not_(layout.succeeds(extent))
    if is_too_large.op != "bool":
        calls.program.assume(f"an allocation of more than {layout.largest_granted} bytes fails: it returns NULL")
    if may_fail:
        name = name_of(node)
        calls.program.assume_about(name, "assumed to allocate memory or to return NULL")
        return terms.or_((is_too_large, choice(calls, node, f"{name} fails", is_named=True)))
    calls.program.assume(ENOUGH)
    return is_too_large


def _new_object(
    calls: CallLowering,
    node: ast.Call,
    extent: Term,
    family: int | None,
    has_failed: Term,
    *,
    is_automatic: bool = False,
) -> _New:
    storage, terms = calls.program.storage, calls.program.terms
    if has_failed is not terms.false:
        has_failed = kept(calls, node, has_failed)
        extent = kept(calls, node, terms.ite(has_failed, number(calls, 0), extent))
    storage.require_room(calls.context, extent, node.span)
    address = storage.allocate(calls.context, extent, node.span, family=family, is_automatic=is_automatic)
    if has_failed is not terms.false:
        calls.checks.refused(has_failed, node.span)
    return _New(address, extent, has_failed)


def _allocate(*, may_fail: bool = False) -> Model:
    """`malloc`."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        extent, *_ = yield arguments(calls, node, (calls.program.storage.size_type,))
        new = _new_block(calls, node, extent, may_fail=may_fail)
        return result(calls, node, new.pointer(calls), calls.program.storage.pointer)

    return guarded(1, model)


def _allocate_automatic(calls: CallLowering, node: ast.Call) -> Steps:
    """`alloca`, whose blocks are not freed, and which cannot report a failure."""
    storage, family = calls.program.storage, calls.program.memory.family(node)
    extent, *_ = yield arguments(calls, node, (storage.size_type,))
    calls.program.assume(ENOUGH)
    new = _new_object(calls, node, extent, family, calls.program.terms.false, is_automatic=True)
    return result(calls, node, new.address, storage.pointer)


def _allocate_zero(*, may_fail: bool = False) -> Model:
    """`calloc`: all bytes are zero. It fails if the product of its arguments does not fit into `size_t`."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        size_type, arithmetic, terms = calls.program.storage.size_type, calls.program.arithmetic, calls.program.terms
        count, each, *_ = yield arguments(calls, node, (size_type, size_type))
        product = arithmetic.binary("*", count, each, size_type)
        fits = arithmetic.no_overflow("*", count, each, size_type)
        return _zero_block(calls, node, terms.ite(fits, product, number(calls, -1)), may_fail=may_fail)

    return guarded(2, model)


def _allocate_zero_bytes(calls: CallLowering, node: ast.Call) -> Steps:
    """The same with one size."""
    extent, *_ = yield arguments(calls, node, (calls.program.storage.size_type,))
    return _zero_block(calls, node, extent, may_fail=True)


def _zero_block(calls: CallLowering, node: ast.Call, bytes_: Term, *, may_fail: bool) -> Term | None:
    new = _new_block(calls, node, kept(calls, node, bytes_), may_fail=may_fail)
    zero = filled(calls, calls.program.arithmetic.literal(0, UNSIGNED_CHAR))
    change(calls, node, Block(node, new.address), _whole_block(calls, node, new.extent), zero)
    return result(calls, node, new.pointer(calls), calls.program.storage.pointer)


def _whole_block(calls: CallLowering, node: ast.Call, extent: Term) -> Size:
    """The size of a new block. It may be rounded up, because the memory behind a block is unused."""
    grain, constant = calls.program.memory.grain(node) or 1, number_of(extent)
    rounded = None if constant is None else -(-constant // grain) * grain
    return Size(extent, 0, rounded)


def _reallocate(calls: CallLowering, node: ast.Call) -> Steps:
    """`realloc`: a new block with the contents of the old one, which may be null. The model copies as many bytes as
    the new block has: those behind the old block in its slot have any values. If it fails, the old block stays."""
    storage, terms = calls.program.storage, calls.program.terms
    old, extent, *_ = yield arguments(calls, node, (None, storage.size_type))
    source, extent = block(calls, node, 0, old), kept(calls, node, extent)
    new = _new_block(calls, node, extent)
    if not is_null(node.arguments[0]):
        target = Block(node, new.address)
        change(calls, node, target, _whole_block(calls, node, new.extent), copied(calls, target, source))
        released = terms.ite(storage.layout.succeeds(extent), source.address, storage.literal(0))
        calls.checks.release(node.arguments[0], released, node.span)
    return result(calls, node, new.pointer(calls), storage.pointer)


def _allocate_aligned(calls: CallLowering, node: ast.Call) -> Steps:
    """`aligned_alloc(alignment, size)`, `memalign`."""
    size_type = calls.program.storage.size_type
    _, extent, *_ = yield arguments(calls, node, (size_type, size_type))
    _note_alignment(calls, node.arguments[0])
    return result(calls, node, _new_block(calls, node, extent).pointer(calls), calls.program.storage.pointer)


def _note_alignment(calls: CallLowering, argument: ast.Expression) -> None:
    """Assume that no alignment is larger than that of slots, because every block begins a slot."""
    alignment, most = constant_of(argument), 1 << calls.program.storage.layout.bits
    if alignment is None or alignment > most:
        calls.program.assume(f"no block is asked for with an alignment of more than {most} bytes")


def _allocate_into(calls: CallLowering, node: ast.Call) -> Steps:
    """`posix_memalign(&p, alignment, size)` returns 0, or another number if it fails; then `p` does not change."""
    storage, terms = calls.program.storage, calls.program.terms
    address, _, extent, *_ = yield arguments(calls, node, (None, storage.size_type, storage.size_type))
    target = block(calls, node, 0, address)
    _note_alignment(calls, node.arguments[1])
    has_failed = _refusal(calls, node, extent)
    new = _new_object(calls, node, extent, calls.program.memory.stored_family(target.pointer), has_failed)
    pointer = pointed_type(target.pointer)
    place = calls.addresses.pointed(
        target.pointer, target.address, pointer if isinstance(pointer, PointerType) else storage.pointer
    )
    made = new.address
    if new.has_failed is not terms.false:
        before = calls.accesses.read(place, node.span)
        assert not isinstance(before, RecordValue)
        made = terms.ite(new.has_failed, before, made)
    calls.accesses.write(place, made, node.span, f"*{node.arguments[0].span.text}")
    arithmetic = calls.program.arithmetic
    error = terms.ite(new.has_failed, arithmetic.literal(NO_MEMORY, INT), arithmetic.literal(0, INT))
    return result(calls, node, error, INT)


def _free(calls: CallLowering, node: ast.Call) -> Steps:
    """`free` changes only the state that checks of pointers use, because addresses are never reused."""
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
        calls.program.assume(ENOUGH)
        family = calls.program.memory.family(node)
        address = storage.allocate(calls.context, room, node.span, family=family)  # a text is not larger than a slot
        target = Block(node, address)
        change(calls, node, target, computed_size(length), copied(calls, target, source))
        end = calls.addresses.pointed(node, target.behind(calls, length).address, CHAR)
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
    calls.checks.range(target.pointer, target.address, extent.term, node.span, writes=True)
    if is_mathematical(calls):
        _require_positive(calls, node, value)
    change(calls, node, target, extent, filled(calls, kept(calls, node, value)))


def _require_positive(calls: CallLowering, node: ast.Call, value: Term) -> None:
    """Demand a byte without a sign bit: as a mathematical integer, the byte's value depends on its signedness."""
    is_positive = between(calls, value, 0, LARGEST_POSITIVE, UNSIGNED_CHAR)
    construct = f"{node.span.text} with a negative byte (among mathematical integers)"
    calls.context.demand(is_positive, "unsupported", node.span, construct)
    calls.blocks.assume(is_positive, node.span)


def _copy(target_at: int, source_at: int, *, to_end: bool = False, is_apart: bool = False) -> Model:
    """`memmove`; `memcpy`, whose parts must not overlap (`is_apart`); `mempcpy`, which returns the end of the
    copy."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        storage = calls.program.storage
        values = yield arguments(calls, node, (None, None, storage.size_type))
        target = block(calls, node, target_at, values[target_at])
        source = block(calls, node, source_at, values[source_at])
        extent = size(calls, node, 2, values[2])
        for used in (target, source):
            calls.checks.range(used.pointer, used.address, extent.term, node.span, writes=used is target)
        families = {calls.program.memory.family(used.pointer) for used in (target, source)}
        if is_apart and len(families) == 1 and None not in families:
            calls.program.trusted.unchecked("overlap")
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
    """`memchr`: the address of the first such byte, or null."""
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


FREEING: Final = ("free", "cfree", "kfree", "vfree")

MEMORY: Final[dict[str, Model]] = {
    **dict.fromkeys(("malloc", "valloc", "pvalloc", "xmalloc"), _allocate()),
    "alloca": guarded(1, _allocate_automatic),
    "calloc": _allocate_zero(),
    # The functions of the Linux kernel like `malloc` and `calloc`.
    **dict.fromkeys(("kmalloc", "__kmalloc", "vmalloc"), _allocate(may_fail=True)),
    "kcalloc": _allocate_zero(may_fail=True),
    **dict.fromkeys(("kzalloc", "vzalloc"), guarded(1, _allocate_zero_bytes)),
    "realloc": guarded(2, _reallocate),
    **dict.fromkeys(("aligned_alloc", "memalign"), guarded(2, _allocate_aligned)),
    "posix_memalign": guarded(3, _allocate_into),
    **dict.fromkeys(FREEING, guarded(1, _free)),
    "strdup": _duplicate(is_bounded=False),
    "strndup": _duplicate(is_bounded=True),
    "memset": guarded(3, _fill),
    "bzero": guarded(2, _clear),
    "memcpy": _copy(0, 1, is_apart=True),
    "memmove": _copy(0, 1),
    "bcopy": _copy(1, 0),
    "mempcpy": _copy(0, 1, to_end=True, is_apart=True),
    **dict.fromkeys(("memcmp", "bcmp"), guarded(3, _compare)),
    "memchr": guarded(3, _find),
    **dict.fromkeys(("malloc_usable_size", "mallopt", "malloc_trim"), no_effect),
    **dict.fromkeys(("reallocarray", "memccpy"), no_meaning),
}
