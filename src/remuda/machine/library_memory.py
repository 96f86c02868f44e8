"""Functions of the library that allocate blocks, and that copy, fill and compare bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from remuda.frontends.c.syntax.types import INT
from remuda.machine.library_arguments import byte_at, pointer_of, size_from, write_bytes
from remuda.machine.memory import DEAD, NULL, Object, Pointer, describe
from remuda.machine.outcomes import Cause, not_modelled, undefined
from remuda.machine.settings import CHOICE

if TYPE_CHECKING:
    from remuda.machine.calls import Site
    from remuda.machine.intrinsics import Model
    from remuda.machine.memory import Value
    from remuda.machine.run import Execution

KERNEL: Final = frozenset({"kmalloc", "__kmalloc", "vmalloc", "kzalloc", "vzalloc", "kcalloc"})
PAGE: Final = 4096
ADDRESS_BITS: Final = 40  # that no block is larger than


def new_block(execution: Execution, site: Site, size: int, *, zero: bool = False, alignment: int = 1) -> Pointer:
    """A new block, or null if no machine has enough memory."""
    if size >> min(ADDRESS_BITS, execution.target.pointer_width - 1):
        return NULL
    made = execution.memory.create(f"{site.name} at {site.span}", "heap", size, is_known=zero, alignment=alignment)
    return Pointer(made, 0)


def _block_or_null(execution: Execution, site: Site, size: int, *, zero: bool = False, alignment: int = 1) -> Pointer:
    """A new block, or null: C leaves open whether there is a block of no bytes, and kernels run out of memory."""
    has_failed = site.name in KERNEL and _chosen(execution, site, "fails")
    has_none = _chosen(execution, site, "returns NULL for no bytes") and size == 0
    return NULL if has_failed or has_none else new_block(execution, site, size, zero=zero, alignment=alignment)


def _chosen(execution: Execution, site: Site, what: str) -> bool:
    return bool(execution.offered(CHOICE, f"{site.name} {what}", site.span, INT))


def _malloc(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    return _block_or_null(execution, site, size_from(execution, values[0]))


def _aligned_alloc(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    alignment = size_from(execution, values[0])
    if alignment == 0 or alignment & (alignment - 1):
        raise not_modelled(site.span, f"{site.name} with the alignment {alignment}, which is no power of two,")
    return _block_or_null(execution, site, size_from(execution, values[1]), alignment=alignment)


def _page_alloc(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    return _block_or_null(execution, site, size_from(execution, values[0]), alignment=PAGE)


def _calloc(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    size = size_from(execution, values[0]) * size_from(execution, values[1])
    if size >> execution.target.pointer_width:
        return NULL
    return _block_or_null(execution, site, size, zero=True)


def _zeroed(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    return _block_or_null(execution, site, size_from(execution, values[0]), zero=True)


def _realloc(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    old, size = pointer_of(execution, values[0]), size_from(execution, values[1])
    if not old:
        return new_block(execution, site, size)
    block = _block(old, site)
    made = new_block(execution, site, size)
    if not made:
        return NULL
    kept = execution.memory.read_blob(old, 0, min(size, block.size), site.span)
    execution.memory.write_blob(made, 0, kept, site.span)
    execution.memory.kill(block)
    return made


def _free(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    pointer = pointer_of(execution, values[0])
    if pointer:
        execution.memory.kill(_block(pointer, site))
    return None


def _block(pointer: Pointer, site: Site) -> Object:
    """The block that may be freed through a pointer."""
    object_ = pointer.object
    if object_ is None:
        raise undefined(Cause.POINTER, site.span, f"{site.name} of the made-up pointer {pointer.offset:#x}")
    if object_.kind == "outside":
        raise not_modelled(site.span, f"{site.name} of a pointer from outside")
    if object_.kind != "heap":
        raise undefined(Cause.POINTER, site.span, f"{site.name} of {describe(object_)}, which was not allocated")
    if object_.limit == DEAD:
        raise undefined(Cause.POINTER, site.span, f"{site.name} of {describe(object_)}, which was freed before")
    if pointer.offset != 0:
        text = f"{site.name} of a pointer to offset {pointer.offset} of {describe(object_)}"
        raise undefined(Cause.POINTER, site.span, text)
    return object_


def _alloca(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    return execution.allocate_in_frame(size_from(execution, values[0]), f"{site.name} at {site.span}")


# --- bytes


def _copy(*, to_end: bool = False, may_overlap: bool = False) -> Model:
    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        target, source = pointer_of(execution, values[0]), pointer_of(execution, values[1])
        size = size_from(execution, values[2])
        if size:
            blob = execution.memory.read_blob(source, 0, size, site.span)
            near = target.object is source.object and abs(target.offset - source.offset) < size
            if near and not may_overlap and target.offset != source.offset:
                raise undefined(Cause.OTHER, site.span, f"{site.name} between parts that overlap")
            execution.memory.write_blob(target, 0, blob, site.span)
        return Pointer(target.object, target.offset + size) if to_end else target

    return model


def _copy_back(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    """`bcopy` has the target second, and parts may overlap."""
    return _copy(may_overlap=True)(execution, site, [values[1], values[0], values[2]])


def _fill(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    target, size = pointer_of(execution, values[0]), size_from(execution, values[2])
    if size:
        execution.memory.check(target, 0, size, site.span, write=True)  # before the bytes are created
        write_bytes(execution, target, bytes([values[1] & 255]) * size, site.span)
    return target


def _zero(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    return _fill(execution, site, [values[0], 0, values[1]])


def _compare_bytes(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    left, right = pointer_of(execution, values[0]), pointer_of(execution, values[1])
    for index in range(size_from(execution, values[2])):
        difference = byte_at(execution, left, index, site.span) - byte_at(execution, right, index, site.span)
        if difference:
            return sign_of(execution, site, difference)
    return 0


def sign_of(execution: Execution, site: Site, difference: int) -> int:
    """The result of a comparison, of which only the sign is fixed."""
    execution.leave_open(site.span, f"{site.name} may return any number of this sign")
    offered = execution.offered("result", site.name, site.span, site.node.type)
    if isinstance(offered, int) and offered * difference > 0:
        return offered
    return 1 if difference > 0 else -1


def _find_byte(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    start, wanted = pointer_of(execution, values[0]), values[1] & 255
    for index in range(size_from(execution, values[2])):
        if byte_at(execution, start, index, site.span) == wanted:
            return Pointer(start.object, start.offset + index)
    return NULL


MEMORY: Final[dict[str, Model]] = {
    **dict.fromkeys(("malloc", "kmalloc", "__kmalloc", "xmalloc"), _malloc),
    **dict.fromkeys(("valloc", "pvalloc", "vmalloc"), _page_alloc),
    **dict.fromkeys(("kzalloc", "vzalloc"), _zeroed),
    **dict.fromkeys(("aligned_alloc", "memalign"), _aligned_alloc),
    **dict.fromkeys(("calloc", "kcalloc"), _calloc),
    "realloc": _realloc,
    **dict.fromkeys(("free", "cfree", "kfree", "vfree"), _free),
    "alloca": _alloca,
    "memcpy": _copy(),
    "memmove": _copy(may_overlap=True),
    "mempcpy": _copy(to_end=True),
    "bcopy": _copy_back,
    "memset": _fill,
    "bzero": _zero,
    **dict.fromkeys(("memcmp", "bcmp"), _compare_bytes),
    "memchr": _find_byte,
}
