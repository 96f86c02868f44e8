"""Memory: objects of bytes, and pointers that know their object.

A byte may be uninitialised; a copy of it has the same value, which may be chosen later. A stored pointer keeps its
object beside the bytes of its address. Once some of these bytes are overwritten, the rest is a number, which becomes
a pointer again by its address. Addresses are never reused, and there are gaps between objects, so that a number
identifies the object.
"""

from __future__ import annotations

from bisect import bisect_right
from struct import Struct
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.syntax.types import (
    ArrayType,
    FloatingType,
    IntegerType,
    PointerType,
    RecordType,
    VariableArrayType,
    size_of,
)
from remuda.machine.extended import WRITTEN, Extended
from remuda.machine.outcomes import Cause, End, Stop, not_modelled, undefined

if TYPE_CHECKING:
    from collections.abc import Callable

    from remuda.base.source import Span
    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.types import CType
    from remuda.frontends.c.syntax.types import Machine as Target

GRAIN: Final = 16
NO_OBJECT: Final = 4096  # addresses this near to 0, from either side, are null pointers and error codes
FIRST_ADDRESS: Final = {4: 0x20000, 8: 0x5555_5555_0000}  # a pointer of 8 bytes does not fit into 4
DEAD: Final = -1  # no access ends before it
FORMATS: Final = {(1, False): "B", (1, True): "b", (2, False): "H", (2, True): "h", (4, False): "I", (4, True): "i"}
FORMATS_OF_8: Final = {False: "Q", True: "q"}


@final
class Object:
    """Bytes with an address. `limit` is the size while the object lives, and `DEAD` afterwards.

    `known` has a one for each byte that is initialised; None if all are. `copied` has the origins of uninitialised
    bytes that are copies. `changed` has, for bytes that are not initialised any more, the function that may have
    changed them, and whether it surely can. `pointers` are the pointers among the bytes, by offset.
    """

    __slots__ = (
        "address",
        "changed",
        "copied",
        "data",
        "function",
        "is_constant",
        "is_open",
        "kind",
        "known",
        "limit",
        "name",
        "pending",
        "pointers",
        "size",
        "type",
    )

    def __init__(self, name: str, kind: str, size: int, address: int) -> None:
        self.name = name
        self.kind = kind  # global, local, heap, literal, function
        self.size = size
        self.limit = size
        self.address = address
        self.data = bytearray(size)
        self.known: bytearray | None = None
        self.copied: dict[int, tuple[Object, int]] = {}
        self.changed: dict[int, tuple[str, bool]] = {}
        self.pointers: dict[int, Pointer] = {}
        self.is_constant = False
        self.is_open = False  # it may be larger: another file defines it
        self.function: ast.Function | None = None
        self.type: CType | None = None
        self.pending: Scalar | None = None  # the value of a scalar that nothing has initialised


@final
class Pointer:
    """A place in an object, or behind it; without an object, a number (null is the number zero)."""

    __slots__ = ("object", "offset")

    def __init__(self, object_: Object | None, offset: int) -> None:
        self.object = object_
        self.offset = offset

    def __bool__(self) -> bool:
        return self.object is not None or self.offset != 0

    @property
    def address(self) -> int:
        return self.offset if self.object is None else self.object.address + self.offset


NULL: Final = Pointer(None, 0)


@final
class Blob:
    """A record, or another piece of memory, as a value; `origins` are those of its uninitialised bytes."""

    __slots__ = ("data", "known", "origins", "pointers")

    def __init__(self, data: bytearray, known: bytearray | None, pointers: dict[int, Pointer]) -> None:
        self.data = data
        self.known = known
        self.origins: dict[int, tuple[Object, int]] = {}
        self.pointers = pointers


Scalar = int | float | Extended | Pointer
Value = Scalar | Blob


def describe(object_: Object) -> str:
    return {"heap": f"the block of {object_.name}", "literal": f"the literal {object_.name}"}.get(
        object_.kind, object_.name
    )


@final
class Memory:
    """All objects of an execution. `most` is how many bytes may live at once. If it `has_hardware`, numbers may
    be addresses of devices."""

    def __init__(self, target: Target, most: int, *, has_hardware: bool = True) -> None:
        self.target = target
        self.pointer_size = target.pointer_bytes
        self._pointer_mask = (1 << target.pointer_width) - 1
        self._pack_pointer = Struct("<Q" if self.pointer_size == 8 else "<I").pack_into
        self._unpack_pointer = Struct("<Q" if self.pointer_size == 8 else "<I").unpack_from
        self._most = most
        self.has_hardware = has_hardware
        self._used = 0
        self._first = FIRST_ADDRESS[self.pointer_size]
        self._next = self._first
        self._addresses: list[int] = []
        self._objects: list[Object] = []
        self.outside = Object("something outside of the program", "outside", 0, 0)  # pointers from outside lead there
        self.outside.limit = DEAD

    # --- objects

    def create(
        self,
        name: str,
        kind: str,
        size: int,
        *,
        is_known: bool = True,
        type_: CType | None = None,
        alignment: int = 1,
    ) -> Object:
        """A new object; `type_` is that of a variable, whose type or declaration may demand an alignment."""
        alignment = max(GRAIN, _alignment(type_), alignment)
        self._next = -(-self._next // alignment) * alignment
        self._used += size + 64
        if self._used > self._most or self._next + size >= self._pointer_mask >> 1:
            raise Stop(End.LIMIT, None, f"more than {self._most} bytes of memory")
        made = Object(name, kind, size, self._next)
        made.type = type_
        if not is_known:
            made.known = bytearray(size)
        self._addresses.append(self._next)
        self._objects.append(made)
        self._next += (size // GRAIN + 2) * GRAIN
        return made

    def kill(self, object_: Object) -> None:
        """End the lifetime of an object."""
        if object_.limit != DEAD:
            self._used -= object_.size
            object_.limit = DEAD
            object_.data = bytearray()
            object_.known = None
            object_.copied = {}
            object_.changed = {}
            object_.pointers = {}

    def at_address(self, address: int) -> Pointer:
        """The pointer with the address of a number."""
        position = bisect_right(self._addresses, address) - 1
        if position >= 0:
            object_ = self._objects[position]
            if address <= object_.address + object_.size:
                return Pointer(object_, address - object_.address)
        return Pointer(None, address)

    @property
    def live_blocks(self) -> list[Object]:
        return [each for each in self._objects if each.kind == "heap" and each.limit != DEAD]

    def restart(self, kept: set[int]) -> None:
        """Forget all objects but some, given by identity."""
        self._objects = [each for each in self._objects if id(each) in kept]
        self._addresses = [each.address for each in self._objects]
        self._used = sum(each.size for each in self._objects)
        last = self._objects[-1] if self._objects else None
        self._next = self._first if last is None else last.address + (last.size // GRAIN + 2) * GRAIN

    # --- accesses

    def check(self, pointer: Pointer, offset: int, size: int, span: Span, *, write: bool = False) -> Object:
        """Check that an access is inside of its object. The result is the object."""
        object_ = pointer.object
        at = pointer.offset + offset
        if object_ is None:
            if self.is_hardware(pointer):
                raise not_modelled(span, f"memory at the fixed address {pointer.offset:#x}")
            what = "a null pointer" if pointer.offset == 0 else f"the made-up pointer {pointer.offset:#x}"
            raise undefined(Cause.POINTER, span, f"an access through {what}")
        if object_ is self.outside:
            raise not_modelled(span, "an object that a pointer from outside points to")
        if object_.limit == DEAD:
            what = "was freed" if object_.kind == "heap" else "no longer exists"
            raise undefined(Cause.POINTER, span, f"an access to {describe(object_)}, which {what}")
        if object_.function is not None:
            raise undefined(Cause.POINTER, span, f"an access to the function {object_.name}")
        if at < 0 or at + size > object_.size:
            if at >= 0 and object_.is_open:
                raise not_modelled(span, f"an access to {describe(object_)}, whose size is not known,")
            text = f"an access to {size} bytes at offset {at} of {describe(object_)}, which has {object_.size} bytes"
            raise undefined(Cause.BOUNDS, span, text)
        if write and object_.is_constant:
            raise undefined(Cause.POINTER, span, f"a write to {describe(object_)}")
        return object_

    def is_hardware(self, pointer: Pointer) -> bool:
        """Whether a number in the program is the address of something outside of the program."""
        is_number = pointer.object is None and not -NO_OBJECT < pointer.offset < NO_OBJECT
        return is_number and self.has_hardware

    def is_known(self, object_: Object, at: int, size: int) -> bool:
        return object_.known is None or 0 not in object_.known[at : at + size]

    def settle_copies(self, object_: Object, at: int, size: int) -> None:
        """Give uninitialised bytes the values that their origins have got by now."""
        known = object_.known
        if known is None or not object_.copied:
            return
        for position in range(at, at + size):
            origin, there = object_.copied.get(position, (object_, position))
            is_settled = origin.limit != DEAD and (origin.known is None or origin.known[there])
            if not known[position] and is_settled:
                object_.data[position], known[position] = origin.data[there], 1

    def settle(self, object_: Object, at: int, data: bytes) -> None:
        """Give uninitialised bytes values, and their origins the same ones."""
        assert object_.known is not None
        for position, byte in enumerate(data, at):
            if not object_.known[position]:
                origin, there = object_.copied.get(position, (object_, position))
                if origin.known is not None and origin.limit != DEAD and not origin.known[there]:
                    origin.data[there], origin.known[there] = byte, 1
                object_.data[position], object_.known[position] = byte, 1

    def change(self, object_: Object, ranges: list[tuple[int, int]], name: str, *, is_sure: bool) -> None:
        """Make bytes uninitialised that a function may have changed, except those of pointers."""
        if object_.known is None:
            object_.known = bytearray(b"\x01" * object_.size)
        kept = {at + index for at in object_.pointers for index in range(self.pointer_size)}
        for at in (at for start, end in ranges for at in range(start, min(end, object_.size)) if at not in kept):
            if object_.known[at] or at in object_.changed:
                object_.known[at] = 0
                object_.changed[at] = (name, is_sure)
                object_.copied.pop(at, None)

    def touch(self, object_: Object, at: int, size: int) -> None:
        """Prepare to overwrite bytes with numbers."""
        if object_.known is not None:
            object_.known[at : at + size] = b"\x01" * size
        if object_.pointers:
            self._forget(object_, at, size)

    def _forget(self, object_: Object, at: int, size: int) -> None:
        pointers = object_.pointers
        if size > 2 * len(pointers) + 16:
            for offset in [each for each in pointers if at - self.pointer_size < each < at + size]:
                del pointers[offset]
            return
        for offset in range(at - self.pointer_size + 1, at + size):
            pointers.pop(offset, None)

    def load_pointer(self, object_: Object, at: int) -> Pointer:
        found = object_.pointers.get(at)
        if found is not None:
            return found
        return self.at_address(self._unpack_pointer(object_.data, at)[0])

    def store_pointer(self, object_: Object, at: int, pointer: Pointer) -> None:
        self.touch(object_, at, self.pointer_size)
        self._pack_pointer(object_.data, at, pointer.address & self._pointer_mask)
        if pointer.object is not None:
            object_.pointers[at] = pointer

    def store_extended(self, object_: Object, at: int, value: Extended, size: int) -> None:
        """Store a `long double`, whose padding C leaves open."""
        self.touch(object_, at, size)
        object_.data[at : at + WRITTEN] = value.to_bytes()
        if object_.known is None:
            object_.known = bytearray(b"\x01" * object_.size)
        object_.known[at + WRITTEN : at + size] = bytes(size - WRITTEN)
        for position in range(at + WRITTEN, at + size):
            object_.copied.pop(position, None)

    # --- pieces

    def read_blob(self, pointer: Pointer, offset: int, size: int, span: Span) -> Blob:
        object_ = self.check(pointer, offset, size, span)
        at = pointer.offset + offset
        known = None if object_.known is None else object_.known[at : at + size]
        last = at + size - self.pointer_size
        pointers = {each - at: value for each, value in object_.pointers.items() if at <= each <= last}
        blob = Blob(object_.data[at : at + size], known, pointers)
        for position, is_known in enumerate(known or ()):
            if not is_known:
                blob.origins[position] = object_.copied.get(at + position, (object_, at + position))
        return blob

    def write_blob(self, pointer: Pointer, offset: int, blob: Blob, span: Span) -> None:
        size = len(blob.data)
        object_ = self.check(pointer, offset, size, span, write=True)
        at = pointer.offset + offset
        self.touch(object_, at, size)
        object_.data[at : at + size] = blob.data
        if blob.known is not None:
            if object_.known is None:
                object_.known = bytearray(b"\x01" * object_.size)
            object_.known[at : at + size] = blob.known
            object_.copied.update({at + position: origin for position, origin in blob.origins.items()})
        for each, value in blob.pointers.items():
            object_.pointers[at + each] = value

    # --- scalars

    def write_leaf(
        self, object_: Object, at: int, type_: CType, value: Value, shift: int = 0, bits: int | None = None
    ) -> None:
        size = size_of(type_, self.target) or 0
        if isinstance(value, Pointer):
            self.store_pointer(object_, at, value)
            return
        if isinstance(value, Extended):
            self.store_extended(object_, at, value, size)
            return
        self.touch(object_, at, size)
        if bits is not None:
            assert isinstance(value, int)
            mask = ((1 << bits) - 1) << shift
            old = int.from_bytes(object_.data[at : at + size], "little")
            object_.data[at : at + size] = ((old & ~mask) | (value << shift & mask)).to_bytes(size, "little")
            return
        object_.data[at : at + size] = self.bytes_of(value, type_)

    def bytes_of(self, value: Value, type_: CType) -> bytes:
        size = size_of(type_, self.target) or 0
        if isinstance(value, Pointer):
            return (value.address & ((1 << size * 8) - 1)).to_bytes(size, "little")
        if isinstance(value, Extended):
            return value.to_bytes()
        packed = packing(type_)
        if packed is None:
            assert isinstance(value, int)
            assert isinstance(type_, IntegerType)
            return value.to_bytes(size, "little", signed=type_.signed)
        made = bytearray(size)
        packed[1](made, 0, value)
        return bytes(made)


def row_around(object_: Object, offset: int, size: int, target: Target) -> tuple[int, int]:
    """The start and end of the innermost array around an offset in a variable whose elements have this size. If there
    is none, those of the part at the offset."""
    found, part, start = (offset, offset + size), object_.type, 0
    while True:
        if isinstance(part, ArrayType | VariableArrayType):
            step = size_of(part.element, target) or 0
            end = start + (size_of(part, target) or object_.size - start)
            if step == size:
                found = (start, end)
            if not step or offset >= end:
                return found
            part, start = part.element, start + (offset - start) // step * step
        elif isinstance(part, RecordType) and part.kind == "struct":
            around = [
                field
                for field in part.fields
                if field.bits is None and 0 <= offset - start - field.offset // 8 < (size_of(field.type, target) or 1)
            ]
            if not around:
                return found
            part, start = around[0].type, start + around[0].offset // 8
        else:
            return found


def _alignment(type_: CType | None) -> int:
    while isinstance(type_, ArrayType | VariableArrayType):
        type_ = type_.element
    return type_.alignment if isinstance(type_, RecordType) else 1


def packing(type_: CType) -> tuple[Callable[..., tuple[int | float, ...]], Callable[..., None]] | None:
    """The format of a number in bytes (for `struct`); None for types that have none."""
    if isinstance(type_, IntegerType):
        form = FORMATS_OF_8[type_.signed] if type_.width == 64 else FORMATS.get((type_.width // 8, type_.signed))
    elif isinstance(type_, FloatingType):
        form = {32: "f", 64: "d"}.get(type_.width)
    else:
        form = None
    if form is None:
        return None
    made = Struct("<" + form)
    return made.unpack_from, made.pack_into


def is_pointer(type_: CType) -> bool:
    return isinstance(type_, PointerType)
