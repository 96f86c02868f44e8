"""The instructions that read and write memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.frontends.c.syntax.types import IntegerType, PointerType, is_scalar, size_of
from remuda.machine.arithmetic import is_extended, wrap
from remuda.machine.extended import WRITTEN, from_bytes
from remuda.machine.memory import packing
from remuda.machine.outcomes import not_modelled

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.syntax.types import CType
    from remuda.machine.code import Instruction, MemoryPlace, Registers
    from remuda.machine.run import Execution


def size_in(execution: Execution, type_: CType, span: Span) -> int:
    size = size_of(type_, execution.target)
    if size is None:
        raise not_modelled(span, f"an object of type {type_}, whose size is not known,")
    return size


def load(execution: Execution, d: int, place: MemoryPlace, span: Span, n: int) -> Instruction:
    """Read a place into a register."""
    type_, a, k = place.type, place.slot, place.offset
    if place.bits is not None:
        return _load_bits(execution, d, place, span, n)
    size = size_in(execution, type_, span)
    memory, prepare = execution.memory, execution.prepare_read
    if not is_scalar(type_):

        def read_blob(r: Registers) -> int:
            r[d] = memory.read_blob(r[a], k, size, span)
            return n

        return read_blob
    if is_extended(type_):

        def read_extended(r: Registers) -> int:
            p = r[a]
            memory.check(p, k, size, span)
            o, at = prepare(p, k, WRITTEN, type_, span), p.offset + k
            r[d] = from_bytes(o.data[at : at + WRITTEN])
            return n

        return read_extended
    if isinstance(type_, PointerType):

        def read_pointer(r: Registers) -> int:
            p = r[a]
            o, at = p.object, p.offset + k
            if o is None or at < 0 or at + size > o.limit or o.known is not None:
                o = prepare(p, k, size, type_, span)
            r[d] = memory.load_pointer(o, at)
            return n

        return read_pointer
    packed = packing(type_)
    if packed is None:
        assert isinstance(type_, IntegerType)
        signed = type_.signed

        def read_wide(r: Registers) -> int:
            p = r[a]
            o = prepare(p, k, size, type_, span)
            at = p.offset + k
            r[d] = int.from_bytes(o.data[at : at + size], "little", signed=signed)
            return n

        return read_wide
    unpack, _ = packed
    is_bool = isinstance(type_, IntegerType) and type_.is_bool

    def read(r: Registers) -> int:
        p = r[a]
        o, at = p.object, p.offset + k
        if o is None or at < 0 or at + size > o.limit or o.known is not None:
            o = prepare(p, k, size, type_, span)
        value = unpack(o.data, at)[0]
        r[d] = value if not is_bool else 1 if value else 0
        return n

    return read


def _load_bits(execution: Execution, d: int, place: MemoryPlace, span: Span, n: int) -> Instruction:
    type_, a, k, bits = place.type, place.slot, place.offset, place.bits
    assert isinstance(type_, IntegerType)
    assert bits is not None
    first, size = place.first_bit, (place.first_bit + bits + 7) // 8
    kept = IntegerType(bits, type_.signed and not type_.is_bool)
    cells = IntegerType(size * 8, signed=False)
    prepare = execution.prepare_read

    def read(r: Registers) -> int:
        p = r[a]
        o = prepare(p, k, size, cells, span)
        at = p.offset + k
        r[d] = wrap(int.from_bytes(o.data[at : at + size], "little") >> first, kept)
        return n

    return read


def store(execution: Execution, place: MemoryPlace, v: int, span: Span, n: int) -> Instruction:
    """Write a register to a place."""
    type_, a, k = place.type, place.slot, place.offset
    if place.bits is not None:
        return _store_bits(execution, place, v, span, n)
    size = size_in(execution, type_, span)
    memory = execution.memory
    check, touch = memory.check, memory.touch
    if not is_scalar(type_):

        def write_blob(r: Registers) -> int:
            memory.write_blob(r[a], k, r[v], span)
            return n

        return write_blob
    if is_extended(type_):

        def write_extended(r: Registers) -> int:
            p = r[a]
            memory.store_extended(check(p, k, size, span, write=True), p.offset + k, r[v], size)
            return n

        return write_extended
    if isinstance(type_, PointerType):

        def write_pointer(r: Registers) -> int:
            p = r[a]
            o = check(p, k, size, span, write=True)
            memory.store_pointer(o, p.offset + k, r[v])
            return n

        return write_pointer
    packed = packing(type_)
    if packed is None:
        assert isinstance(type_, IntegerType)
        signed = type_.signed

        def write_wide(r: Registers) -> int:
            p = r[a]
            o = check(p, k, size, span, write=True)
            at = p.offset + k
            touch(o, at, size)
            o.data[at : at + size] = r[v].to_bytes(size, "little", signed=signed)
            return n

        return write_wide
    _, pack = packed

    def write(r: Registers) -> int:
        p = r[a]
        o, at = p.object, p.offset + k
        if o is None or at < 0 or at + size > o.limit or o.is_constant:
            o = check(p, k, size, span, write=True)
        if o.known is not None or o.pointers:
            touch(o, at, size)
        pack(o.data, at, r[v])
        return n

    return write


def _store_bits(execution: Execution, place: MemoryPlace, v: int, span: Span, n: int) -> Instruction:
    a, k, bits = place.slot, place.offset, place.bits
    assert bits is not None
    first, size = place.first_bit, (place.first_bit + bits + 7) // 8
    mask = ((1 << bits) - 1) << first
    memory = execution.memory

    def write(r: Registers) -> int:
        p = r[a]
        o = memory.check(p, k, size, span, write=True)
        at = p.offset + k
        old = int.from_bytes(o.data[at : at + size], "little")
        memory.touch(o, at, size)
        new = (old & ~mask) | ((r[v] << first) & mask)
        o.data[at : at + size] = new.to_bytes(size, "little")
        return n

    return write
